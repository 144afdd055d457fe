"""A trained GPT as a page to send: one file with the model in it, which runs in any browser, offline."""

import base64
import json
import pathlib

import numpy as np

from attn_parts.colours import NIGHT, palette_css
from attn_parts.gpt import HEADS, MATRICES, check_model
from attn_parts.validation import as_count

HERE = pathlib.Path(__file__).parent
MADE_HERE = '<meta name="generator" content="Attention from Scratch: a GPT as a page">'
OWN_LIST = "a list of its maker's own"


def save_gpt_page(model, letters, path="my_gpt.html", *, title="My GPT", trained_on=None, heads=HEADS):
    """Save a GPT as one page: a visitor types a beginning, and the model goes on and shows what it looks at.

    Parameters
    ----------
    model : dict
        Arrays by name: see attn_parts/gpt.py.
    letters : str or list of str
        The letter of each number; 0 is the line break, which ends what the model writes.
    path : str or pathlib.Path
        A new file, or such a page, which is replaced.
    title : str
    trained_on : str, optional
        What the page says after "trained on", such as "the street names of Ghent".
    heads : int
        As in training.

    Returns
    -------
    pathlib.Path
        Of the page.

    Raises
    ------
    FileExistsError
        If there is a file of this name that isn't such a page.

    Examples
    --------
    >>> save_gpt_page(load_names_model(), LETTERS, trained_on="first names")  # doctest: +SKIP
    PosixPath('my_gpt.html')
    """
    letters = check_letters(model, letters)
    told = {"title": title, "trained_on": trained_on or OWN_LIST, "letters": letters}
    packed = pack(model, heads)
    path = pathlib.Path(path)
    if path.suffix != ".html":
        raise ValueError(f'path is "{path}", expected a name that ends in .html, such as "my_gpt.html"')
    made_here = path.is_file() and MADE_HERE.encode() in path.read_bytes()[:1000]
    if path.exists() and not made_here:
        raise FileExistsError(f"{path} exists and isn't such a page, so it stays; choose another name")
    page = template().replace("/* model */", as_data(told | {"model": packed}))
    path.write_text(page, "utf-8", newline="\n")
    return path


def template():
    """The page without its model, which takes the place of the comment `/* model */`."""
    text, engine = ((HERE / name).read_text("utf-8") for name in ("gpt_page.html", "gpt.js"))
    palette = f"{palette_css()}@media (prefers-color-scheme: dark) {{:root {{{NIGHT}}}}}"
    return text.replace("/* palette */", palette).replace("/* gpt.js */", engine)


def as_data(value):
    """JSON that can't end the script that it is in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def check_letters(model, letters):
    """The letters as a list, if there is one for each row of the model's E."""
    check_model(model)
    rows = len(model["E"])
    letters = list(letters) if np.iterable(letters) else [letters]
    fits = len(letters) == rows == len({*map(str, letters)}) and letters[0] == "\n"
    if not fits or not all(isinstance(letter, str) and len(letter) == 1 for letter in letters):
        raise ValueError(
            f"letters must be {rows} different letters, one for each row of model['E'], the line break that "
            f"ends each text first, got {letters!r:.80}; pass what the training numbered them with"
        )
    return letters


def pack(model, heads=HEADS):
    """The model's sizes and parameters for gpt.js to unpack: whole numbers of 16 bits, in base64."""
    letters, width = model["E"].shape
    blocks = len(model["W_Q"])
    positions = len(model["P"])
    sizes = {
        "letters": letters,
        "width": width,
        "blocks": blocks,
        "positions": positions,
    }
    if width % as_count("heads", heads, 1):
        raise ValueError(
            f"heads is {heads}, but the width {width} isn't a multiple; pass that of the training"
        )
    packed = {"sizes": sizes | {"heads": heads}}
    for name in ("E", "P", *MATRICES, "U"):
        array = np.asarray(model[name])
        largest = float(np.abs(array).max())
        if not np.isfinite(largest):
            raise ValueError(
                f"model[{name!r}] has values that aren't finite; train again with a smaller rate"
            )
        whole = np.rint(array / (largest or 1) * 32767).astype("<i2")
        packed[name] = [largest, base64.b64encode(whole.tobytes()).decode("ascii")]
    return packed
