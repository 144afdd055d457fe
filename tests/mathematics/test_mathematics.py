"""The mathematics on small cases that can be checked by hand, at the edges, and on bad input."""

import numpy as np
import pytest

import attn_helpers as attn

pytestmark = pytest.mark.filterwarnings("error")  # good input never warns
ONES = np.ones((2, 3))


def test_softmax_by_hand():
    np.testing.assert_allclose(attn.softmax(np.log([[1, 2, 5]])), [[1 / 8, 2 / 8, 5 / 8]])
    np.testing.assert_allclose(attn.softmax([[0, 0], [0, np.log(3)]], axis=0), [[0.5, 0.25], [0.5, 0.75]])


@pytest.mark.parametrize("size", [1e4, 1e30, 3e38])
def test_softmax_of_large_scores(size):
    x = np.array([[size, -size, 0], [-size, -size, -size]], dtype=np.float32)
    np.testing.assert_allclose(attn.softmax(x), [[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]], rtol=1e-6)


def test_softmax_at_the_edges():
    np.testing.assert_array_equal(attn.softmax([-np.inf, -np.inf]), [0, 0])
    np.testing.assert_array_equal(attn.softmax([-np.inf, 1.0]), [0, 1])
    assert attn.softmax(np.empty((2, 0))).shape == (2, 0)
    assert np.isnan(attn.softmax([np.inf, 0.0])).all()


def test_attention_by_hand():
    """Scores ln 3 and 0 give the shares 3/4 and 1/4."""
    output, weights = attn.scaled_dot_product_attention([[np.log(3)]], [[1], [0]], [[4, 0], [0, 8]])
    np.testing.assert_allclose(weights, [[0.75, 0.25]])
    np.testing.assert_allclose(output, [[3, 2]])


def test_scale():
    Q, K, V = np.random.default_rng(0).standard_normal((3, 4, 9))
    default, _ = attn.scaled_dot_product_attention(Q, K, V)
    third, _ = attn.scaled_dot_product_attention(Q, K, V, scale=1 / 3)
    np.testing.assert_allclose(default, third)


def test_masks():
    np.testing.assert_array_equal(attn.causal_mask(3), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    np.testing.assert_array_equal(attn.causal_mask(2, 4), [[1, 0, 0, 0], [1, 1, 0, 0]])
    np.testing.assert_array_equal(attn.causal_mask(2, offset=2), [[1, 1, 1, 0], [1, 1, 1, 1]])
    assert attn.causal_mask(0).shape == (0, 0) and attn.causal_mask(2).dtype == bool
    np.testing.assert_array_equal(attn.padding_mask([0, 2], 3), [[[0, 0, 0]], [[1, 1, 0]]])
    assert attn.padding_mask(np.array([[1], [2]]), 3).shape == (2, 1, 1, 3) and attn.padding_mask(
        2, 3
    ).shape == (1, 3)


def test_a_fully_masked_row_is_zero():
    mask = np.array([[False, False], [True, True]])
    for given in (mask, np.where(mask, 0.0, -np.inf)):
        output, weights = attn.scaled_dot_product_attention(ONES, ONES, ONES, given)
        assert (output[0] == 0).all() and (weights[0] == 0).all() and (output[1] == 1).all()


def test_empty_sequences():
    output, weights = attn.scaled_dot_product_attention(ONES, ONES[:0], np.empty((0, 5)))
    assert (output == np.zeros((2, 5))).all() and weights.shape == (2, 0)
    output, weights = attn.scaled_dot_product_attention(ONES[:0], ONES, ONES)
    assert output.shape == (0, 3) and weights.shape == (0, 2)


def test_a_nan_reaches_exactly_those_who_may_look():
    value = np.array([[1.0], [np.nan], [np.inf]])
    mask = np.array([[True, False, False], [True, True, False], [True, False, True], [True, True, True]])
    output, _ = attn.scaled_dot_product_attention(np.zeros((4, 1)), np.zeros((3, 1)), value, mask)
    np.testing.assert_array_equal(output, [[1], [np.nan], [np.inf], [np.nan]])


def test_float16_computes_in_float32():
    big = np.full((1, 64), 200, dtype=np.float16)  # q·k = 2,560,000 is more than float16 holds
    output, weights = attn.scaled_dot_product_attention(big, big, big)
    assert np.isfinite(output).all() and weights.dtype == np.float16


def test_entropy():
    np.testing.assert_allclose(attn.entropy([[1, 0], [0.5, 0.5]]), [0, np.log(2)])


BAD = [
    (
        "wrong rank",
        lambda: attn.scaled_dot_product_attention(ONES[0], ONES, ONES),
        ValueError,
        ["query", "(3,)", "[None, :]"],
    ),
    (
        "d_q != d_k",
        lambda: attn.scaled_dot_product_attention(ONES[:, :2], ONES, ONES),
        ValueError,
        ["d_k = 2", "3", "(2, 2)"],
    ),
    (
        "L_k != L_v",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES[:1]),
        ValueError,
        ["length 2", "1", "(1, 3)"],
    ),
    (
        "batches",
        lambda: attn.scaled_dot_product_attention(np.ones((2, 2, 3)), np.ones((3, 2, 3)), ONES),
        ValueError,
        ["broadcast", "(3, 2, 3)"],
    ),
    (
        "no features",
        lambda: attn.scaled_dot_product_attention(ONES[:, :0], ONES[:, :0], ONES),
        ValueError,
        ["d_k = 0"],
    ),
    (
        "mask shape",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, np.ones((3, 2), bool)),
        ValueError,
        ["(3, 2)", "(2, 2)"],
    ),
    (
        "integer mask",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, np.ones((2, 2), int)),
        TypeError,
        ["int", "astype(bool)"],
    ),
    (
        "nan mask",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, np.full((2, 2), np.nan)),
        ValueError,
        ["NaN", "np.where"],
    ),
    (
        "complex",
        lambda: attn.scaled_dot_product_attention(ONES * 1j, ONES, ONES),
        TypeError,
        ["query", "complex"],
    ),
    ("strings", lambda: attn.softmax(["a", "b"]), TypeError, ["x", "<U1", "embeddings"]),
    ("objects", lambda: attn.softmax(np.array([1, None], dtype=object)), TypeError, ["object", "numbers"]),
    ("a dictionary", lambda: attn.softmax({1: 2}), TypeError, ["object", "numbers"]),
    (
        "one number for each key",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES[:, 0]),
        ValueError,
        ["value", "(2,)", "value[:, None]"],
    ),
    (
        "both results passed on",
        lambda: attn.softmax((ONES, ONES.T)),
        TypeError,
        ["tuple", "(2, 3)", "(3, 2)", "output, weights"],
    ),
    (
        "masked array for mask",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, np.ma.array(np.eye(2) == 1)),
        TypeError,
        ["masked array", "filled(False)"],
    ),
    ("booleans", lambda: attn.softmax([True, False]), TypeError, ["bool"]),
    ("None", lambda: attn.scaled_dot_product_attention(None, ONES, ONES), TypeError, ["query", "None"]),
    ("ragged", lambda: attn.softmax([[1, 2], [3]]), ValueError, ["ragged"]),
    ("a number", lambda: attn.softmax(3.0), ValueError, ["single number"]),
    ("no such axis", lambda: attn.softmax([1.0], axis=1), ValueError, ["axis 1", "(1,)"]),
    (
        "scale 0",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, scale=0),
        ValueError,
        ["scale", "0"],
    ),
    (
        "scale beyond every float",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, scale=10**400),
        ValueError,
        ["scale", "finite"],
    ),
    (
        "scale beyond float32",
        lambda: attn.scaled_dot_product_attention(*[ONES.astype(np.float32)] * 3, scale=1e300),
        ValueError,
        ["scale", "float32"],
    ),
    (
        "scale nan",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, scale=np.nan),
        ValueError,
        ["scale", "nan"],
    ),
    (
        "scale text",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, scale="8"),
        TypeError,
        ["scale", "'8'"],
    ),
    (
        "scale array",
        lambda: attn.scaled_dot_product_attention(ONES, ONES, ONES, scale=np.ones(2)),
        TypeError,
        ["scale"],
    ),
    (
        "projection",
        lambda: attn.self_attention(ONES, ONES, ONES, ONES),
        ValueError,
        ["W_Q", "(2, 3)", "W_Q.T"],
    ),
    (
        "W_Q and W_K",
        lambda: attn.self_attention(ONES, ONES.T, np.ones((3, 4)), ONES.T),
        ValueError,
        ["(3, 2)", "(3, 4)"],
    ),
    ("negative entropy", lambda: attn.entropy([-1.0, 2.0]), ValueError, ["-1", "softmax"]),
    ("float count", lambda: attn.causal_mask(2.0), TypeError, ["n_queries", "2.0"]),
    ("negative offset", lambda: attn.causal_mask(2, offset=-1), ValueError, ["offset", "-1"]),
    ("long padding", lambda: attn.padding_mask([1, 5], 4), ValueError, ["5", "4"]),
    ("float lengths", lambda: attn.padding_mask([1.0], 4), TypeError, ["float64"]),
    ("no data", lambda: attn.load_data("none"), FileNotFoundError, ["none", "published_s1"]),
]


def test_scores_that_overflow_only_before_scaling_do_no_harm():
    """1e19 · 1e19 · 4 is beyond float32, half of it, divided by √4, is not."""
    large = np.full((2, 4), 1e19, np.float32)
    with np.errstate(all="raise"):
        output, weights = attn.scaled_dot_product_attention(large[:1], large, np.float32([[1], [3]]))
    assert weights.tolist() == [[0.5, 0.5]] and output.tolist() == [[2.0]]


def test_numpy_s_strict_mode_is_no_trouble():
    with np.errstate(all="raise"):
        assert attn.softmax([0.0, -1000.0]).tolist() == [1.0, 0.0]
        far = attn.scaled_dot_product_attention([[1.0]], [[0.0], [-1000.0]], [[1e-300], [1e-300]])
        blocked = attn.scaled_dot_product_attention(
            np.float32([[1e30]]), np.float32([[1e30], [1e-30]]), np.float32([[1], [2]]), [[False, True]]
        )
    assert far[0].tolist() == [[1e-300]] and blocked[0].tolist() == [[2.0]]


def test_sequences_of_rows_and_of_nothing_are_arrays():
    assert attn.softmax(()).shape == (0,)
    assert attn.softmax((np.zeros(2), np.zeros(2))).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert attn.softmax([ONES, ONES]).shape == (2, 2, 3)


def test_entropy_is_never_negative():
    assert attn.entropy([1.005, 0.0]) == 0


@pytest.mark.parametrize(("call", "kind", "words"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_input_says_what_and_how_to_mend_it(call, kind, words):
    with pytest.raises(kind) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_the_environment_check_names_what_is_missing():
    assert attn.check_environment() == "Everything is there."
    text = attn.check_environment(("numpy", "no-such-package"))
    assert "no-such-package" in text and "%pip install no-such-package" in text and "numpy" not in text
