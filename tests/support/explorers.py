"""An explorer as its reader knows it: its controls, and what its picture says."""

from xml.etree import ElementTree

import attn_helpers as attn

SVG = "{http://www.w3.org/2000/svg}"
NAMES = sorted(name for name in vars(attn) if name.startswith("explore_"))


def moved(explorer, **values):
    """The explorer, its controls moved to these values one after another."""
    for name, value in values.items():
        getattr(explorer, name).value = value
    return explorer


def at(name, **values):
    return moved(getattr(attn, f"explore_{name}")(), **values)


def of_kind(explorer, *kinds):
    return [name for name, control in explorer.controls.items() if isinstance(control, kinds)]


def slider_of(explorer, name):
    """The slider beside the number box of this name."""
    return explorer._parts[name][0]


def root_of(explorer):
    """The picture's SVG, parsed; of an explorer or of text."""
    return ElementTree.fromstring(getattr(explorer, "_svg", explorer))


def texts(explorer):
    """Every text of the picture, in the order in which it is drawn."""
    return [node.text for node in root_of(explorer).iter(f"{SVG}text")]


def matrices(explorer):
    """The printed numbers of every matrix, from the first to the last."""
    groups = root_of(explorer).iter(f"{SVG}g")
    return [[float(cell.text) for cell in group.iter(f"{SVG}text")] for group in groups]


def rounded(values, allowed=True, digits=2):
    """The numbers that a matrix should print: row by row, none for blocked cells."""
    return [round(float(value), digits) + 0.0 for value in values[allowed & (values > float("-inf"))]]
