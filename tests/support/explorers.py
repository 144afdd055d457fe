"""An explorer as its reader knows it: its controls, and what its picture says."""

from xml.etree import ElementTree

import ipywidgets

SVG = "{http://www.w3.org/2000/svg}"


def controls(explorer):
    """{name: control} of everything that changes what the picture shows; `size` only enlarges it."""
    return {
        name: widget
        for name, widget in vars(explorer).items()
        if isinstance(widget, ipywidgets.ValueWidget) and name not in ("picture", "size")
    }


def slider_of(explorer, name):
    """The slider beside the number box of this name."""
    groups = explorer.widget.children[0].children
    return next(group.children[0] for group in groups if getattr(explorer, name) in group.children)


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
