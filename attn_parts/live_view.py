"""A live widget, and a still beside it that stays when the notebook is opened again without a kernel.

One output that holds both will not do: a reopened notebook prefers the widget, and says that its model was
not found. So they are two outputs, and the widget hides the still for as long as it lives.
"""

import hashlib
import html

from attn_parts.validation import as_count

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
# JupyterLab's words on a widget that is gone stand alone in the widget's place
GONE = (
    "<style>.jp-OutputArea-child:has(.attn-still) + .jp-OutputArea-child > "
    ".jp-OutputArea-output:not(:has(*)) {display: none}</style>"
)


def show_live(widget, still, note=""):
    """Display a widget and its still, in HTML and plain text, for where no kernel runs; `note` is HTML."""
    import ipywidgets as widgets
    from IPython.display import display

    name = "attn-still-" + hashlib.sha256(still["text/html"].encode()).hexdigest()[:8]
    below = f'<div class="attn-still-note">{note}</div>' if note else ""
    shown = f'<div class="attn-still {name}">{GONE}{still["text/html"]}{below}</div>'
    hide = widgets.HTML(f"<style>.{name} {{display: none}}</style>", layout={"display": "none"})
    live = widgets.Box([widget, hide], layout={"display": "block"})
    view = {"version_major": 2, "version_minor": 0, "model_id": live.model_id}
    display({**still, "text/html": shown}, raw=True)
    display({WIDGET_VIEW: view}, raw=True)


def progress_bar(total, label="step"):
    """Count from 0 to total − 1 and show the progress. The stored output has the steps, never the time."""
    import ipywidgets as widgets

    total = as_count("total", total)
    bar = widgets.IntProgress(value=0, max=total)
    count = widgets.Label(f"{label} 0 of {total}")
    told = f"{label} {total} of {total}"
    still = {"text/html": f"<div>{html.escape(told)}</div>", "text/plain": told}
    show_live(widgets.HBox([bar, count]), still)
    every = max(total // 50, 1)  # a message to the page costs more than a step
    for number in range(total):
        yield number
        if (number + 1) % every == 0 or number + 1 == total:
            bar.value = number + 1
            count.value = f"{label} {number + 1} of {total}"
