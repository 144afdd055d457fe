"""The two pages to print: nothing cut off, nothing on top of another."""

import itertools

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

import summary

MARGIN = 0.025  # of the page


@pytest.mark.parametrize("draw", [summary.page_of_steps, summary.page_of_mistakes])
def test_every_letter_is_on_the_page_and_none_on_another(draw):
    figure = draw()
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts]
    assert len(boxes) > 50
    width, height = figure.bbox.size
    for words, box in boxes:
        assert box.x0 > MARGIN * width and box.x1 < (1 - MARGIN) * width, words
        assert box.y0 > MARGIN * height and box.y1 < (1 - MARGIN) * height, words
    for (words, box), (others, other) in itertools.combinations(boxes, 2):
        across = min(box.x1, other.x1) - max(box.x0, other.x0)
        down = min(box.y1, other.y1) - max(box.y0, other.y0)
        assert across < 1 or down < 1, f"{words!r} is on {others!r}"
