"""A reader's own list or text, as lines to train on: read from a file or pasted, tidied, and shuffled."""

import collections
import pathlib

import numpy as np

from attn_parts.example import DATA

FEWEST, MOST = 20, 20_000  # lines
MOST_LETTERS = 60
FOLDERS = pathlib.Path(), DATA  # beside the notebook, and with the course


def load_list(source):
    """Load a list to train on: its lines in small letters, each once, in a shuffled order, always the same.

    Parameters
    ----------
    source : str, or list of str
        The name of a text file in UTF-8, beside the notebook or in notebooks/data; or the lines themselves,
        pasted between three quotes.

    Returns
    -------
    list of str
        Empty lines and spaces at their ends are gone. If there are more than 60 different letters, lines with
        the rarest are left out, and a line says so.

    Raises
    ------
    FileNotFoundError
        If there is no such file; the message lists those that there are.
    ValueError
        If fewer than 20 lines are left, or the file isn't text.

    Examples
    --------
    >>> names = load_list("names.txt")
    >>> len(names), names[:3]
    (5130, ['malorie', 'lourdes', 'bernice'])
    """
    if isinstance(source, str):
        lines = text_of(source).splitlines()
    elif isinstance(source, list | tuple) and all(isinstance(line, str) for line in source):
        lines = "\n".join(source).splitlines()
    else:
        raise TypeError(
            f"source is a {type(source).__name__}, expected a file's name in quotes, or a list of texts"
        )
    spaced = [" ".join(line.split()) for line in lines]
    tidy = [line.strip(" ,;\ufeff").lower() for line in spaced]
    lines = without_rare_letters(list(dict.fromkeys(line for line in tidy if line)))
    if len(lines) < FEWEST:
        raise ValueError(
            f"{len(lines)} different lines are left, and training needs {FEWEST} or more (500 are better); "
            "write one name a line, and paste them between three quotes"
        )
    order = np.random.default_rng(0).permutation(len(lines))[:MOST]
    if len(lines) > MOST:
        print(f"{len(lines)} lines: {MOST} of them are used")
    return [lines[place] for place in order]


def text_of(source):
    """What is pasted, or what the file of this name holds."""
    if "\n" in source.strip() or len(source) > 200:
        return source
    name = source.strip()
    places = [folder / name for folder in FOLDERS]
    found = next((path for path in places if name and path.is_file()), None)
    if found is None:
        texts = {path.name for folder in FOLDERS for path in folder.glob("*.txt")}
        here = sorted(texts - {"requirements.txt"})
        raise FileNotFoundError(
            f"there is no file {name!r} beside this notebook; text files here: {', '.join(here) or 'none'}. "
            "Upload it (in Colab and JupyterLab: drag it into the list of files), "
            "or paste the lines between three quotes"
        )
    try:
        return found.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(
            f"{name} isn't a text in UTF-8; save it as plain text (.txt, encoding UTF-8), or paste its lines"
        ) from None


def without_rare_letters(lines):
    """The lines that need no more than 60 letters, those in most lines; says how many are left out."""
    counts = collections.Counter(letter for line in lines for letter in set(line))
    common = {letter for letter, _ in counts.most_common(MOST_LETTERS - 1)}  # one more is the line break
    kept = [line for line in lines if set(line) <= common]
    if len(kept) < len(lines):
        rare = "".join(letter for letter, _ in counts.most_common()[: MOST_LETTERS - 2 : -1])
        print(
            f"{len(lines) - len(kept)} of {len(lines)} lines are left out: "
            f"they have rare letters, {rare[:20]}"
        )
    return kept
