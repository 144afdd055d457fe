"""A bar that fills while something is computed."""

import html

from attn_parts.live_view import show_live
from attn_parts.validation import as_count


def progress_bar(total, label="step"):
    """Count from 0 to total − 1, and show how far it has come.

    The bar lives in the running notebook only. What is stored says how many steps there were, never how long they took.

    Parameters
    ----------
    total : int
    label : str
        What is counted.

    Yields
    ------
    int

    Examples
    --------
    >>> sum(progress_bar(4))  # doctest: +SKIP
    6
    """
    import ipywidgets as widgets

    total = as_count("total", total)
    bar = widgets.IntProgress(value=0, max=total)
    count = widgets.Label(f"{label} 0 of {total}")
    told = f"{label} {total} of {total}"
    show_live(
        widgets.HBox([bar, count]), {"text/html": f"<div>{html.escape(told)}</div>", "text/plain": told}
    )
    every = max(total // 50, 1)  # a message to the page costs more than a step
    for number in range(total):
        yield number
        if (number + 1) % every == 0 or number + 1 == total:
            bar.value, count.value = number + 1, f"{label} {number + 1} of {total}"
