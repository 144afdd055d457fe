"""What is said of an exception: what it means in the very line that raised it, and what to do about it."""

import math

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn

EMPTY, WORDS = [], ["chai", "is"]


def compares_all(w, v):
    if v == 0:
        return w
    return v


RAISING = [  # each called with the weights and the values of lesson 00
    (lambda w, v: v.append(w), "cannot be lengthened, as a list can. np.vstack and np.concatenate"),
    (lambda w, v: WORDS.split(), "split belongs to text, and this is a list already."),
    (lambda w, v: WORDS.shape, "A list has no shape. np.asarray"),
    (lambda w, v: v.exp(), "NumPy has a function for it, np.exp(...)"),
    (lambda w, v: v.permute(1, 0), "permute is PyTorch's. NumPy has np.transpose."),
    (lambda w, v: v.shape.T, "That is a tuple: a shape, or several results in one."),
    (lambda w, v: (2.5).shape, "That is a single number, and has no shape."),
    (lambda w, v: np.minus_inf, "below zero -np.inf"),
    (lambda w, v: EMPTY[-1], "An empty one has no first and no last"),
    (lambda w, v: v[:0][-1], "That array is empty"),
    (lambda w, v: v.shape[2], "A shape has one entry for each axis"),
    (lambda w, v: v[0, 0, 0], "more indices between those brackets than the array has axes"),
    (lambda w, v: w[0][0], "a single number, and nothing can be picked from it"),
    (lambda w, v: WORDS[w[0]], "A weight or a mean is none; argmax gives the position"),
    (lambda w, v: v[w[0]], "A weight or a mean is none; argmax gives the position"),
    (lambda w, v: v[:WORDS], "The ends of a slice are whole numbers"),
    (lambda w, v: v[len(w) + 1], "The index is a sum, and reaches past the last row"),
    (lambda w, v: v.index(w), "np.flatnonzero tells where a comparison holds"),
    (lambda w, v: np.ones(2, 2, dtype=bool), "a pair in brackets"),
    (lambda w, v: max(v, axis=0), "NumPy's do: np.max"),
    (lambda w, v: np.max(w[0], v), "its second place is the axis. np.maximum compares two arrays"),
    (lambda w, v: [a @ v for a in [np.ones((2, 3, 1))]], "a has 2 over two axes, 2 · 1"),
    (lambda w, v: [w @ a for a in [np.ones((1, 3))]], "Turned or exchanged they do not fit either"),
    (lambda w, v: range(np.ceil(1.5)), "int(...) makes it whole"),
    (lambda w, v: v.softmax(), "softmax is PyTorch's. Here there is attn.softmax."),
    (lambda w, v: v.shape[0, 1], "That is a tuple, a shape or several results"),
    (lambda w, v: np.diag(np.ones((2, 2, 2))), "Of a batch np.diagonal picks the diagonals"),
    (lambda w, v: [i for i in range(WORDS)], "goes through its entries, without range"),  # noqa: C416
    (lambda w, v: np.average(v, weights=w[:1]), "along which axis the weights run"),
    (lambda w, v: len(w[0]), "len counts the entries of a list or an array"),
    (lambda w, v: int(WORDS), "int() and float() take one number"),
    (lambda w, v: __import__("sklearn_of_chai"), "No sklearn_of_chai is installed here."),
    (lambda w, v: [entri for entry in w], "is it entry? Known there: w"),  # noqa: F821
    (lambda w, v: np.sqrt(d_k), "A size can be read off an array"),  # noqa: F821
    (lambda w, v: torch.mean(w), "The lessons work with NumPy"),  # noqa: F821
    (lambda w, v: true, "Python says True, not true."),  # noqa: F821
    (lambda w, v: weigh_all(w, v), "There is no function weigh_all in this notebook."),  # noqa: F821
    (lambda w, v: v / np.sqrt(np.ones((1, 2, 3, 4, 5)).shape), "Which of them is meant?"),
    (lambda w, v: np.ones((2, 5)) @ np.ones((2, 5)), "here there are 5 and 2"),
    (lambda w, v: np.ones((2, 5)) * np.ones((5, 2)), "Are rows to meet columns? That is @."),
    (lambda w, v: w + np.ones(5), "sizes must be equal, or one of them 1: here 2 meets 5"),
    (lambda w, v: np.concatenate(w, v), "What is to be joined is one argument"),
    (lambda w, v: WORDS - EMPTY, "A list cannot be reckoned with as a whole"),
    (lambda w, v: WORDS * 0.5, "A list times a number repeats it"),
    (
        lambda w, v: attn.attention_backward(v, v, v, np.eye(len(v)), w),
        "turn it into a column with d_output[:, None]",
    ),
    (compares_all, "np.where chooses entry by entry"),
    (lambda w, v: ~w, "~ turns truth values round, and these are numbers"),
    (lambda w, v: w[0](v), "Is a * missing there"),
    (lambda w, v, a=1.0, b=2.0: attn.softmax(a, b), "go in together, as one array or list: [a, b]"),
    (lambda w, v: v.size(-1), ".shape[-1] is the length of the last"),
    (lambda w, v: [a for a, b in (EMPTY, w)], "zip(EMPTY, w) brings an entry of each"),
    (lambda w, v: max(EMPTY), "what stands in the brackets is empty"),
    (lambda w, v: math.sqrt(-1), "of a negative number"),
    (lambda w, v: math.exp(1000), "Which change keeps the powers small?"),
    (lambda w, v: 1 / len(EMPTY), "What does it count"),
    (lambda w, v: {}["chai"], "no entry of this name yet"),
    (
        lambda w, v: np.zeros(2).__setitem__(0, attn.scaled_dot_product_attention(v, v, v)),
        "Attention returns two arrays",
    ),
    (lambda w, v: np.zeros(2).__setitem__(0, [1, 2]), "Where one number belongs, several were put"),
]


@pytest.mark.parametrize(("answer", "says"), RAISING, ids=range(len(RAISING)))
def test_an_exception_is_explained(answer, says, in_kernel):
    feedback = check.weighted_mean(answer)
    assert feedback.status == "error" and says in " ".join(feedback.message.split()), str(feedback)
