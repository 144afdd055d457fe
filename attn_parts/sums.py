"""A dot product written out, as a reader would by hand."""

import numpy as np


def whole(value):
    """Write a whole number with a true minus sign."""
    return f"{value:.0f}".replace("-", "−").replace("−0", "0")


def products(first, second, write=whole):
    """Write out the products of a dot product: "2·(−2) + 1·0"."""
    parts = []
    for pair in zip(first, second, strict=True):
        texts = [write(n) for n in pair]
        shown = [f"({text})" if text.startswith("−") else text for text in texts]
        parts.append("·".join(shown))
    return " + ".join(parts)


def worked_out(first, second):
    """A dot product of whole numbers in full: "2·(−2) + 1·0 = −4"."""
    return f"{products(first, second)} = {whole(np.dot(first, second))}"
