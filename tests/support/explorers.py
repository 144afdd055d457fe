"""An explorer as its reader knows it, for the tests that go through all of them."""

import ipywidgets


def controls(explorer):
    """{name: control} of everything that changes what the picture shows; `size` only enlarges it."""
    return {
        name: widget
        for name, widget in vars(explorer).items()
        if isinstance(widget, ipywidgets.ValueWidget) and name not in ("picture", "size")
    }
