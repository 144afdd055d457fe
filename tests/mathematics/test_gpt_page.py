"""Saving a GPT as a page: what is never overwritten. What the page does: tests/browser/test_gpt_page.py."""

import base64

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attn_parts.gpt import start_gpt
from attn_parts.gpt_page import pack, save_gpt_page

MODEL = start_gpt(0, letters=3, width=8, positions=4)


def test_only_such_a_page_is_replaced(tmp_path):
    path = tmp_path / "mine.html"
    path.write_text("my diary", "utf-8")
    with pytest.raises(FileExistsError, match="isn't such a page"):
        save_gpt_page(MODEL, "\nab", path)
    assert path.read_text("utf-8") == "my diary"
    path.unlink()
    for title in ("first", "second"):
        assert save_gpt_page(MODEL, ["\n", "a", "b"], path, title=title) == path
    assert '"title": "second"' in path.read_text("utf-8")


def test_packed_parameters_are_within_a_rounding_of_the_model():
    packed = pack(MODEL)
    for name, array in MODEL.items():
        largest, text = packed[name]
        found = np.frombuffer(base64.b64decode(text), "<i2") / 32767 * largest
        assert_allclose(found, array.ravel(), atol=largest / 65533)
