"""Calls that look right and are not, and numbers at the ends of their formats."""

import numpy as np
import pytest

import attn_helpers as attn

ONES = np.ones((2, 3))
WRONG = [
    ("a float mask of 0 and 1", lambda: attend(ONES, mask=np.eye(2)), ["hide nothing", "mask.astype(bool)"]),
    ("a transposed key", lambda: attn.scaled_dot_product_attention(ONES, ONES.T, ONES), ["pass K itself"]),
    (
        "a mask for a batch",
        lambda: attend(np.ones((4, 2, 3)), mask=np.ones((4, 2), bool)),
        ["mask[:, None, :]"],
    ),
    (
        "a transposed mask",
        lambda: attn.scaled_dot_product_attention(ONES[:1], ONES, ONES, np.ones((2, 1), bool)),
        ["transposed"],
    ),
    ("a mask of another size", lambda: attend(ONES, mask=np.ones((3, 3), bool)), ["2 rows", "2 columns"]),
    ("a scale that vanishes", lambda: attend(ONES.astype(np.float32), scale=1e-60), ["scale", "float32"]),
    ("a shape for a count", lambda: attn.causal_mask((3, 3)), ["(3, 3)", "one by one"]),
    ("data by its path", lambda: attn.load_data("../data/published_s1"), ["published_s1"]),
]


def attend(x, **options):
    return attn.scaled_dot_product_attention(x, x, x, **options)


@pytest.mark.parametrize(("call", "words"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_it_is_refused_with_the_remedy(call, words):
    with pytest.raises((TypeError, ValueError, FileNotFoundError)) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_float_masks_that_do_say_something_pass():
    weights = attend(ONES, mask=np.array([[0.0, -np.inf], [0.5, 1.0]]))[1]
    assert weights[0].tolist() == [1, 0] and weights[1, 1] > weights[1, 0]
    assert attend(ONES, mask=np.zeros((2, 2)))[1].tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_float16_results_that_vanish_are_no_error_in_numpy_s_strict_mode():
    with np.errstate(all="raise"):
        assert attn.softmax(np.float16([0, -30])).tolist() == [1, 0]
        assert attend(np.float16([[1e-7], [0]]))[0].dtype == np.float16
