"""Calls that look right and are not, and numbers at the ends of their formats."""

import importlib.metadata

import numpy as np
import pytest
from matplotlib.figure import Figure

import attn_helpers as attn
from refused import assert_refused

ONES = np.ones((2, 3))
HEADS, PADDED = np.ones((2, 2, 4, 3)), attn.padding_mask([1, 3], 4)
SENTENCES, TARGETS = attn.pronoun_sentences()
WRONG = {
    "a float mask of 0 and 1": (lambda: attend(ONES, mask=np.eye(2)), "hide nothing", "mask.astype(bool)"),
    "a transposed key": (
        lambda: attn.scaled_dot_product_attention(ONES, ONES.T, ONES),
        "if key is transposed",
    ),
    "a mask for a batch": (
        lambda: attend(np.ones((4, 2, 3)), mask=np.ones((4, 2), bool)),
        "mask[:, None, :]",
    ),
    "a transposed mask": (
        lambda: attn.scaled_dot_product_attention(ONES[:1], ONES, ONES, np.ones((2, 1), bool)),
        "transposed",
    ),
    "a mask of another size": (lambda: attend(ONES, mask=np.ones((3, 3), bool)), "2 rows", "2 columns"),
    "a scale that vanishes": (lambda: attend(ONES.astype(np.float32), scale=1e-60), "scale", "float32"),
    "a shape for a count": (lambda: attn.causal_mask((3, 3)), "(3, 3)", "one by one"),
    "data by its path": (lambda: attn.load_data("../data/published_s1"), "published_s1"),
    "data by a list": (lambda: attn.load_data(["published_s1"]), "published_s1"),
    "a mask of as many sequences as heads": (
        lambda: attend(HEADS, mask=PADDED),
        "mask[:, None]",
        "mask[None]",
    ),
    "a mask of sequences, without heads": (lambda: attend(HEADS, mask=PADDED[:, 0]), "mask[:, None, None]"),
    "a 0/1 mask for lengths": (
        lambda: attn.padding_mask([[1, 1, 0], [1, 0, 0]], 3),
        "mask.astype(bool)[:, None, :]",
    ),
    "a boolean mask for lengths": (
        lambda: attn.padding_mask([True, False], 2),
        "mask.astype(bool)[:, None, :]",
    ),
    "a tensor that NumPy cannot read": (lambda: attn.softmax(Tensor()), "BFloat16", "x.detach().float()"),
    "one text for names": (lambda: attn.plot_scores(ONES, "hi"), "queries is one text", "split()"),
    "round axes": (
        lambda: attn.plot_scores(ONES, ax=Figure().add_subplot(polar=True)),
        "polar",
        "add_subplot()",
    ),
    "a step that is no text": (lambda: attn.plot_pipeline(np.eye(2)), "'softmax'"),
    "scores for shares": (
        lambda: attn.plot_shares([[3, 1]], ["a"], ["The", "hot"]),
        "rows hold 3",
        "between 0 and 1",
    ),
    "a name too few": (lambda: attn.plot_shares([[1, 0]], ["a"], ["The"]), "1 names for 2 tokens"),
    "a seed below 0": (lambda: attn.start_head(-1), "seed must be 0 or more"),
    "a size of NaN": (lambda: attn.start_head(1, size=np.nan), "size must be positive and finite"),
    "both results for X": (
        lambda: attn.run_head(attn.start_head(1), attn.pronoun_sentences()),
        "X is a tuple",
        "unpack it first",
    ),
    "one sentence": (lambda: attn.run_head(attn.start_head(1), SENTENCES[0]), "(n, L, words)", "X[None]"),
    "a head of one matrix": (lambda: attn.run_head({"W_Q": ONES}, SENTENCES), "make one with start_head"),
    "words for targets": (lambda: train(targets=["cool"] * 20), "20 whole numbers", "pronoun_sentences()"),
    "targets counted from 1": (lambda: train(targets=TARGETS + 1), "0 to 4"),
    "half a step": (lambda: train(steps=0.5), "steps must be a whole number"),
    "an unseen that is neither": (lambda: attn.pronoun_sentences("no"), "True or False"),
    "weights of another shape": (lambda: attn.softmax_backward(ONES, ONES[0]), "(2, 3) and d_weights (3,)"),
    "the gradient of another output": (
        lambda: attn.attention_backward(ONES, ONES, ONES, np.eye(2), np.ones((2, 4))),
        "value has d_v = 3 but d_output has 4",
    ),
    "gradients of axes that broadcast": (
        lambda: attn.attention_backward(HEADS, HEADS[0, 0], HEADS, np.ones((2, 2, 4, 4)), HEADS),
        "key (4, 3)",
        "np.broadcast_to",
    ),
    "a backward pass without a return": (
        lambda: train(backward=lambda *given: None),
        "backward returned NoneType",
        "return d_query, d_key, d_value",
    ),
    "a backward pass of one sentence": (
        lambda: train(backward=lambda query, key, value, weights, d_output: (query[0], key[0], value[0])),
        "(1, 8), (8, 8), (8, 8), expected (d_query, d_key, d_value) of shapes (20, 1, 8)",
    ),
    "an attention that returns its output alone": (
        lambda: attn.run_language_model(attn.load_language_model(), "chai", lambda Q, K, V, mask: V),
        "attention returned ndarray, expected (output, weights)",
    ),
    "a causal that is neither": (lambda: attn.attention_cost(3, causal="no"), "True or False, got 'no'"),
    "a place behind the end": (lambda: train(asks=8), "asks is 8", "0 to 7"),
    "a seed of no agreement": (lambda: attn.start_agreement(-1, 8), "seed must be 0 or more"),
    "no head of one's own": (lambda: attn.explore_training({"loss": []}), "watch_training"),
    "a package that is no name": (lambda: attn.check_environment([3]), "names of packages"),
}


class Tensor:
    """As PyTorch's, in a format that NumPy does not have."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


def train(targets=None, **options):
    return list(
        attn.train_head(attn.start_head(1), SENTENCES, TARGETS if targets is None else targets, **options)
    )


def attend(x, **options):
    return attn.scaled_dot_product_attention(x, x, x, **options)


@pytest.mark.parametrize("name", WRONG)
def test_it_is_refused_with_the_remedy(name):
    assert_refused(*WRONG[name])


def test_float_masks_that_do_say_something_pass():
    weights = attend(ONES, mask=np.array([[0.0, -np.inf], [0.5, 1.0]]))[1]
    assert weights[0].tolist() == [1, 0] and weights[1, 1] > weights[1, 0]
    assert attend(ONES, mask=np.zeros((2, 2)))[1].tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_masks_of_sequences_and_of_heads_are_told_apart_by_an_axis():
    """Where there are as many of both, only the writer of the mask knows which is meant."""
    of_sequences, of_heads = attend(HEADS, mask=PADDED[:, None])[1], attend(HEADS, mask=PADDED[None])[1]
    assert (of_sequences[0, :, :, 1:] == 0).all() and (of_sequences[1, :, :, :3] == 1 / 3).all()
    assert (of_heads[:, 0, :, 1:] == 0).all() and (of_heads[:, 1, :, :3] == 1 / 3).all()
    three = np.ones((3, 2, 4, 3))
    assert (attend(three, mask=PADDED)[1] == of_heads[:1]).all()


def test_lengths_of_0_and_1_are_lengths_unless_there_is_one_for_each_key():
    assert attn.padding_mask([1, 0], 2).tolist() == [[[True, False]], [[False, False]]]
    assert attn.padding_mask([[1], [0]], 2).shape == (2, 1, 1, 2)


def test_a_package_that_is_too_old_is_named_with_the_version_to_install(monkeypatch):
    version = importlib.metadata.version
    monkeypatch.setattr(
        importlib.metadata, "version", lambda name: "1.26.4" if name == "numpy" else version(name)
    )
    text = attn.check_environment()
    assert text.startswith("numpy 1.26.4 is older than 2.0.") and '%pip install "numpy>=2.0"\n' in text


def test_float16_results_that_vanish_are_no_error_in_numpy_s_strict_mode():
    with np.errstate(all="raise"):
        assert attn.softmax(np.float16([0, -30])).tolist() == [1, 0]
        assert attend(np.float16([[1e-7], [0]]))[0].dtype == np.float16
