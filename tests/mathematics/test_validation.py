"""Calls that look right and are not: the error says what was given, what is expected and how to fix it."""

import builtins
import pathlib

import numpy as np
import pytest
from matplotlib.figure import Figure  # noqa: F401, for bad_calls.txt

import attn_helpers as attn
from attn_parts.attention_today import grouped_attention as grouped  # noqa: F401
from attn_parts.gpt import run_gpt, start_gpt  # noqa: F401
from attn_parts.gpt_page import save_gpt_page as page  # noqa: F401

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


def bad_calls():
    """The kind of error, the call and words of the message, of each entry in bad_calls.txt."""
    kind = None
    text = (pathlib.Path(__file__).parent / "bad_calls.txt").read_text("utf-8")
    for line in text.replace("\n        ", " ").splitlines():  # a long one goes on below
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
