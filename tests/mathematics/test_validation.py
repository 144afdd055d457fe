"""Calls that look right and are not: the error says what was given, what is expected and how to fix it."""

import builtins
import pathlib

import numpy as np
import pytest
from matplotlib.figure import Figure  # noqa: F401, for bad_calls.txt

import attn_helpers as attn
from attn_parts.gpt import start_gpt
from attn_parts.gpt_page import save_gpt_page as page  # noqa: F401

HERE = pathlib.Path(__file__).parent
A = np.ones((2, 3))
EYE = np.eye(4)
HEADS = np.ones((2, 2, 4, 3))
PADDED = attn.padding_mask([1, 3], 4)
NAMES = attn.load_names_model()
TINY = start_gpt(0, letters=3, width=8, positions=4)
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


def multi(n_heads=2, W_Q=EYE, W_K=EYE, W_V=EYE, W_O=EYE):
    x = np.ones((3, 4))
    return attn.multi_head_attention(x, x, x, W_Q, W_K, W_V, W_O, n_heads)


def train(targets=TARGETS, **options):
    head = attn.start_head(1)
    return list(attn.train_head(head, SENTENCES, targets, **options))


def run(words, *own, **options):
    model = attn.load_language_model()
    return attn.run_language_model(model, words, *own, **options)


def gpt2():
    return attn.GPT2(HERE / "small_gpt2")


def stepped(gradients):
    adam = attn.Adam({"w": np.zeros(2)}, rate=0.1)
    adam.step(gradients)


def appended(key, value):
    cache = attn.KVCache()
    cache.append(A, A)
    cache.append(key, value)


def bad_calls():
    """The kind of error, the call and words of the message, of each entry in bad_calls.txt."""
    kind = None
    text = (HERE / "bad_calls.txt").read_text("utf-8")
    text = text.replace("\n        ", " ")  # where a long entry goes on
    for line in text.splitlines():
        if line.startswith("    "):
            name, rest = line.strip().split(": ", 1)
            call, *words = rest.split(" | ")
            yield pytest.param(kind, call, words, id=name)
        elif line and not line.startswith("#"):
            kind = getattr(builtins, line)


@pytest.mark.parametrize(("kind", "call", "words"), [*bad_calls()])
def test_the_error_says_how_to_fix_it(kind, call, words):
    with pytest.raises(kind) as caught:
        eval(call)
    said = str(caught.value)
    for word in words:
        assert word in said


def test_a_float_mask_may_add_nothing():
    _, weights = attend(mask=np.zeros((2, 2)))
    assert weights.tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_masks_of_sequences_and_of_heads_are_told_apart_by_an_axis():
    """Where there are as many of both, only the writer of the mask knows which is meant."""
    _, of_sequences = attend(HEADS, mask=PADDED[:, None])
    _, of_heads = attend(HEADS, mask=PADDED[None])
    assert (of_sequences[0, :, :, 1:] == 0).all()
    assert (of_sequences[1, :, :, :3] == 1 / 3).all()
    assert (of_heads[:, 0, :, 1:] == 0).all()
    assert (of_heads[:, 1, :, :3] == 1 / 3).all()


def test_lengths_of_0_and_1_are_lengths_unless_there_is_one_for_each_key():
    assert attn.padding_mask([1, 0], 2).tolist() == [[[True, False]], [[False, False]]]
    assert attn.padding_mask([[1], [0]], 2).shape == (2, 1, 1, 2)
