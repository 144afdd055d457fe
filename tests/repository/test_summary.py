"""The two pages to print: nothing cut off, nothing on top of another."""

import itertools

import pytest
from matplotlib.text import Text

import summary

MARGIN = 0.025  # of the page


@pytest.mark.parametrize("draw", [summary.page_of_steps, summary.page_of_mistakes])
def test_every_letter_is_on_the_page_and_none_on_another(draw):
    figure = draw()
    figure.draw_without_rendering()
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
    boxes = [(text.get_text(), *text.get_window_extent().extents) for text in texts]
    assert len(boxes) > 50
    width, height = figure.bbox.size
    for words, left, bottom, right, top in boxes:
        assert left > MARGIN * width and right < (1 - MARGIN) * width, words
        assert bottom > MARGIN * height and top < (1 - MARGIN) * height, words
    for (words, left, bottom, right, top), (others, *other) in itertools.combinations(boxes, 2):
        across = min(right, other[2]) - max(left, other[0])
        down = min(top, other[3]) - max(bottom, other[1])
        assert across < 1 or down < 1, f"{words!r} is on {others!r}"
