"""Calls that look right and are not: the error says what was given, what is expected and how to fix it."""

import pathlib

import numpy as np
import pytest
from matplotlib.figure import Figure

import attn_helpers as attn

A = np.ones((2, 3))
EYE = np.eye(4)
HEADS = np.ones((2, 2, 4, 3))
PADDED = attn.padding_mask([1, 3], 4)
SENTENCES, TARGETS = attn.pronoun_sentences()
example = attn.load_example
attention = attn.scaled_dot_product_attention
tiled = attn.tiled_attention


class Tensor:
    """As PyTorch's, in a format that NumPy does not have."""

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")


def attend(x=A, **options):
    return attention(x, x, x, **options)


def multi(**changed):
    given = dict.fromkeys(("query", "key", "value"), np.ones((3, 4)))
    given |= dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), EYE) | {"n_heads": 2}
    return attn.multi_head_attention(**(given | changed))


def train(targets=TARGETS, **options):
    return list(attn.train_head(attn.start_head(1), SENTENCES, targets, **options))


def run(words, *own, **options):
    return attn.run_language_model(attn.load_language_model(), words, *own, **options)


def gpt2():
    return attn.GPT2(pathlib.Path(__file__).parent / "small_gpt2")


def stepped(gradients):
    attn.Adam({"w": np.zeros(2)}, rate=0.1).step(gradients)


def appended(key, value):
    cache = attn.KVCache()
    cache.append(A, A)
    cache.append(key, value)


VALUES = {
    "wrong rank": (
        lambda: attention(A[0], A, A),
        "query",
        "(3,)",
        "query[None]",
    ),
    "d_q != d_k": (
        lambda: attention(np.ones((2, 5)), A, A),
        "d_k = 5",
        "(2, 5)",
        "same width",
    ),
    "a transposed key": (
        lambda: attention(A, A.T, A),
        "if key is transposed",
    ),
    "L_k != L_v": (
        lambda: attention(A, A, A[:1]),
        "L_k = 2",
        "(1, 3)",
        "exactly one value",
    ),
    "one number for each key": (
        lambda: attention(A, A, A[:, 0]),
        "value",
        "(2,)",
        "value[:, None]",
    ),
    "batches": (
        lambda: attention(np.ones((2, 2, 3)), np.ones((3, 2, 3)), A),
        "broadcast",
        "(3, 2, 3)",
    ),
    "no features": (
        lambda: attend(A[:, :0]),
        "d_k = 0",
    ),
    "ragged": (
        lambda: attn.softmax([[1, 2], [3]]),
        "ragged",
    ),
    "a number": (
        lambda: attn.softmax(3.0),
        "single number",
    ),
    "no such axis": (
        lambda: attn.softmax([1.0], axis=1),
        "axis 1",
        "(1,)",
    ),
    "a mask of another size": (
        lambda: attend(mask=np.ones((3, 3), bool)),
        "2 rows",
        "2 columns",
    ),
    "a transposed mask": (
        lambda: attention(A[:1], A, A, np.ones((2, 1), bool)),
        "transposed",
    ),
    "a mask for a batch": (
        lambda: attend(np.ones((4, 2, 3)), mask=np.ones((4, 2), bool)),
        "mask[:, None, :]",
    ),
    "a mask of sequences, without heads": (
        lambda: attend(HEADS, mask=PADDED[:, 0]),
        "mask[:, None, None]",
    ),
    "as many sequences as heads": (
        lambda: attend(HEADS, mask=PADDED),
        "mask[:, None]",
        "mask[None]",
    ),
    "a mask with NaN": (
        lambda: tiled(A, A, A, np.full((2, 2), np.nan)),
        "NaN",
        "np.where",
    ),
    "a float mask of 0 and 1": (
        lambda: attend(mask=np.eye(2)),
        "hide nothing",
        "mask.astype(bool)",
    ),
    "scale beyond every float": (
        lambda: attend(scale=10**400),
        "scale",
        "finite",
    ),
    "scale beyond float32": (
        lambda: attend(A.astype(np.float32), scale=1e300),
        "scale",
        "float32",
    ),
    "scale that vanishes": (
        lambda: attend(A.astype(np.float32), scale=1e-60),
        "scale",
        "float32",
    ),
    "projection": (
        lambda: attn.self_attention(A, A, A, A),
        "W_Q",
        "(2, 3)",
        "if W_Q is transposed",
    ),
    "negative entropy": (
        lambda: attn.entropy([-1.0, 2.0]),
        "-1",
        "softmax",
    ),
    "negative offset": (
        lambda: attn.causal_mask(2, offset=-1),
        "offset",
        "-1",
    ),
    "a window of none": (
        lambda: attn.window_mask(4, 0),
        "window must be 1 or more, got 0",
    ),
    "a block of none": (
        lambda: tiled(A, A, A, block=0),
        "block must be 1 or more, got 0",
    ),
    "long padding": (
        lambda: attn.padding_mask([1, 5], 4),
        "4",
    ),
    "a 0/1 mask for lengths": (
        lambda: attn.padding_mask([[1, 1, 0], [1, 0, 0]], 3),
        "mask.astype(bool)[:, None, :]",
    ),
    "heads that do not divide": (
        lambda: multi(n_heads=3),
        "W_Q (4, 4)",
        "3 heads",
        "evenly",
    ),
    "a projection turned over": (
        lambda: multi(W_V=np.ones((3, 4))),
        "value (3, 4)",
        "if W_V is transposed",
    ),
    "W_O for one head": (
        lambda: multi(W_O=np.ones((2, 4))),
        "W_O (2, 4)",
        "d_v = 4",
    ),
    "one token for the cache": (
        lambda: appended(A[0], A[0]),
        "key[None, :]",
    ),
    "a batch behind one text": (
        lambda: appended(A[None], A[None]),
        "new KVCache",
    ),
    "a long sentence": (
        lambda: example(length=33),
        "32",
        "33",
    ),
    "no words": (
        lambda: example(words=[]),
        "1 to 32",
    ),
    "words and their number": (
        lambda: example(words=["tea"], length=1),
        "leave length = 1 out",
    ),
    "targets that are words": (
        lambda: train(["cool"] * 20),
        "20 whole numbers",
        "pronoun_sentences()",
    ),
    "targets counted from 1": (
        lambda: train(TARGETS + 1),
        "0 to 4",
    ),
    "a position behind the end": (
        lambda: train(asks=8),
        "asks is 8",
        "0 to 7",
    ),
    "a word of no sentence": (
        lambda: attn.pronoun_sentence("tea", "hot"),
        "'tea' and 'hot'; take one of chai",
    ),
    "weights of another shape": (
        lambda: attn.softmax_backward(A, A[0]),
        "(2, 3) and d_weights (3,)",
    ),
    "gradients of axes that broadcast": (
        lambda: attn.attention_backward(HEADS, HEADS[0, 0], HEADS, np.ones((2, 2, 4, 4)), HEADS),
        "key (4, 3)",
        "np.broadcast_to",
    ),
    "a backward pass of one sentence": (
        lambda: train(backward=lambda *given: (A, A, A)),
        "(2, 3), (2, 3), (2, 3), expected (d_query, d_key, d_value)",
        "(20, 1, 8)",
    ),
    "a word that the model has not": (
        lambda: attn.word_numbers("chai is hot"),
        "no word 'is'",
    ),
    "an empty text": (
        lambda: run("  "),
        "1 to 48 words",
    ),
    "numbers of no words": (
        lambda: run(np.array([500])),
        "0 to 201",
    ),
    "texts without words": (
        lambda: run(np.zeros((2, 0), int)),
        "1 to 48",
    ),
    "a layer too many": (
        lambda: run("chai", off=[(2, 0)]),
        "0 to 1",
    ),
    "no such step": (
        lambda: attn.plot_pipeline(np.eye(2)),
        "'softmax'",
    ),
    "round axes": (
        lambda: attn.plot_scores(A, ax=Figure().add_subplot(polar=True)),
        "polar",
        "add_subplot()",
    ),
    "weights of no query": (
        lambda: attn.plot_attention(np.zeros((0, 3))),
        "matrix",
    ),
    "scores for a heatmap of weights": (
        lambda: attn.plot_attention(A * 3),
        "plot_scores",
    ),
    "a query too few": (
        lambda: attn.plot_scores(A, ["The"]),
        "1 names for 2 queries",
    ),
    "a mask of another matrix": (
        lambda: attn.plot_scores(A, mask=np.ones((3, 3), bool)),
        "does not fit",
    ),
    "a picture without words": (
        lambda: attn.show(Figure(), " "),
        "alt is empty",
    ),
    "an odd width": (
        lambda: attn.sinusoidal_encoding(4, 3),
        "d_model must be even",
    ),
    "no logits": (
        lambda: attn.cross_entropy(np.zeros((0, 3)), []),
        "(0, 3) are empty",
    ),
    "a gradient of another shape": (
        lambda: stepped({"w": np.zeros(3)}),
        "{'w': (2,)}",
        "one for each parameter",
    ),
    "the loss as a gradient": (
        lambda: stepped((1.0, {})),
        "arrays by name",
    ),
    "weights for logits": (
        lambda: attn.next_words(np.eye(2)),
        "(2, 2), expected (..., 202)",
        "run_language_model",
    ),
    "a noun that is a description": (
        lambda: attn.pronoun_sentences(next_word={"hot": "cool"}),
        "'hot' is already a word",
        "another noun",
    ),
    "a frame of two sentences": (
        lambda: attn.film_training(["The", "cup"], ["break"], [(0, np.eye(2), [1])]),
        "weights (2, 2)",
        "one sentence",
    ),
    "no bars": (
        lambda: attn.Drawing(9, 9, "x").bars(0, 0, 9, 9, [], limits=(0, 1)),
        "0 values",
        "pass one or more",
    ),
    "no text for GPT-2": (
        lambda: gpt2().run(""),
        "text has 0 tokens, this model takes 1 to 32",
    ),
    "logits of two tokens": (
        lambda: gpt2().next_tokens(np.zeros((2, 300))),
        "(2, 300), expected one row of them, such as logits[-1]",
    ),
    "another ablation": (
        lambda: run("chai", off=[(0, 0)], how="median"),
        'expected "zero" or "mean"',
    ),
}
TYPES = {
    "integer mask": (
        lambda: attend(mask=np.ones((2, 2), int)),
        "int",
        "astype(bool)",
    ),
    "complex": (
        lambda: attention(A * 1j, A, A),
        "query",
        "complex",
    ),
    "strings": (
        lambda: attn.softmax(["a", "b"]),
        "x",
        "<U1",
        "embeddings",
    ),
    "objects": (
        lambda: attn.softmax(np.array([1, None], dtype=object)),
        "object",
        "numbers",
    ),
    "None": (
        lambda: attention(None, A, A),
        "query",
        "None",
    ),
    "both results passed on": (
        lambda: attn.softmax((A, A.T)),
        "tuple",
        "(2, 3)",
        "(3, 2)",
        "output, weights",
    ),
    "masked array for mask": (
        lambda: attend(mask=np.ma.array(np.eye(2) == 1)),
        "masked array",
        "filled(False)",
    ),
    "a tensor that NumPy cannot read": (
        lambda: attn.softmax(Tensor()),
        "BFloat16",
        "x.detach().float()",
    ),
    "scale text": (
        lambda: attend(scale="8"),
        "scale",
        "'8'",
    ),
    "a shape for a count": (
        lambda: attn.causal_mask((3, 3)),
        "(3, 3)",
        "one by one",
    ),
    "float lengths": (
        lambda: attn.padding_mask([1.0], 4),
        "float64",
    ),
    "a boolean mask for lengths": (
        lambda: attn.padding_mask([True, False], 2),
        "mask.astype(bool)[:, None, :]",
    ),
    "1 for causal": (
        lambda: tiled(A, A, A, causal=1),
        "causal must be True or False, got 1",
        "mask=",
    ),
    "one text for words": (
        lambda: example(words="hot tea"),
        "'hot tea'",
        "split()",
    ),
    "a head of one matrix": (
        lambda: attn.run_head({"W_Q": A}, SENTENCES),
        "make one with start_head",
    ),
    "a number for a text": (
        lambda: attn.word_numbers(3),
        "words in quotes",
    ),
    "halves of words": (
        lambda: run(np.array([0.5])),
        "whole numbers",
    ),
    "an attention that returns its output alone": (
        lambda: run("chai", lambda Q, K, V, mask: V),
        "attention returned ndarray, expected (output, weights)",
    ),
    "whole numbers to train": (
        lambda: attn.Adam({"w": np.array([1])}, 0.1),
        "arrays of floats",
    ),
    "a head for the model": (
        lambda: attn.run_language_model(attn.start_head(1), "chai"),
        "load_language_model",
    ),
    "a name for attention": (
        lambda: run("chai", "attention"),
        "must be a function",
        "without quotes",
    ),
    "a list of nouns": (
        lambda: attn.pronoun_sentences(next_word=["cup"]),
        "expected a dictionary",
    ),
    "one text for names": (
        lambda: attn.plot_scores(A, "hi"),
        "queries is one text",
        "split()",
    ),
    "a float mask for a picture": (
        lambda: attn.plot_scores(A, mask=np.zeros((2, 3))),
        "mask == 0",
    ),
    "a number for names": (
        lambda: attn.plot_scores(A, 4),
        "queries must be a list of names, got int",
    ),
    "many axes": (
        lambda: attn.plot_scores(A, ax=np.array([1])),
        "one matplotlib Axes",
        "axes[0]",
    ),
    "a figure for axes": (
        lambda: attn.plot_scores(A, ax=Figure()),
        "add_subplot",
    ),
    "a list for GPT-2": (
        lambda: gpt2().run(["The"]),
        "text must be a text, got ['The']",
    ),
    "an interrupt for an error": (
        lambda: attn.expect_error(KeyboardInterrupt).__enter__(),
        "takes a kind of error",
    ),
    "no words at all": (
        lambda: attn.show(Figure(), None),
        "alt must be text",
    ),
    "nothing to show": (
        lambda: attn.show(None, "x"),
        "leave plt.show",
    ),
    "axes to show": (
        lambda: attn.show(Figure().add_subplot(), "x"),
        "ax.figure",
    ),
}
FILES = {
    "no such data": (lambda: attn.load_data("none"), "none", "published_s1"),
}

KINDS = {ValueError: VALUES, TypeError: TYPES, FileNotFoundError: FILES}


@pytest.mark.parametrize(
    ("kind", "name"),
    [(kind, name) for kind, cases in KINDS.items() for name in cases],
)
def test_the_error_says_how_to_fix_it(kind, name):
    call, *words = KINDS[kind][name]
    with pytest.raises(kind) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_float_masks_that_do_say_something_pass():
    weights = attend(mask=np.array([[0.0, -np.inf], [0.5, 1.0]]))[1]
    assert weights[0].tolist() == [1, 0]
    assert weights[1, 1] > weights[1, 0]
    assert attend(mask=np.zeros((2, 2)))[1].tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_masks_of_sequences_and_of_heads_are_told_apart_by_an_axis():
    """Where there are as many of both, only the writer of the mask knows which is meant."""
    of_sequences = attend(HEADS, mask=PADDED[:, None])[1]
    of_heads = attend(HEADS, mask=PADDED[None])[1]
    assert (of_sequences[0, :, :, 1:] == 0).all()
    assert (of_sequences[1, :, :, :3] == 1 / 3).all()
    assert (of_heads[:, 0, :, 1:] == 0).all()
    assert (of_heads[:, 1, :, :3] == 1 / 3).all()
    assert (attend(np.ones((3, 2, 4, 3)), mask=PADDED)[1] == of_heads[:1]).all()


def test_lengths_of_0_and_1_are_lengths_unless_there_is_one_for_each_key():
    assert attn.padding_mask([1, 0], 2).tolist() == [[[True, False]], [[False, False]]]
    assert attn.padding_mask([[1], [0]], 2).shape == (2, 1, 1, 2)
