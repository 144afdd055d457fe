"""Still pictures: a drawing with its alternative text, and a figure of several panels."""

from attn_parts.formatting import image_bundle


class CardsPicture:
    """A drawing that displays itself together with its alternative text, `alt`."""

    def __init__(self, drawing, description):
        self.alt = f"{drawing.title}. {description}"
        self._svg = drawing.svg(description)

    def __repr__(self):
        return f"Picture: {self.alt}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return image_bundle(self._svg.encode(), "image/svg+xml", self.alt)


def panels(width, height, columns=1, rows=1, **shared):
    """A figure and its axes one after another, without lines on top and on the right."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **shared).ravel()
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
    return figure, axes
