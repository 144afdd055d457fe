"""What is said of an exception: what it means in the very line that raised it, and what to do about it."""

import linecache
import math  # noqa: F401, the answers use it

import numpy as np  # noqa: F401
import pytest

import attn_checks as check
import attn_helpers as attn  # noqa: F401

EMPTY = []
WORDS = ["chai", "is"]

# what is returned when it is called with the weights w and the values v of lesson 00; what the hint says
RAISING = {
    "WORDS.shape": "A list has no shape, but an array has.",
    "v.exp()": "np.exp",
    "v.permute(1, 0)": "permute is PyTorch's. Write np.transpose instead.",
    "(2.5).shape": "That is a single number, which has no shape.",
    "v[0, 0, 0]": "You use more indices in those brackets than the array has axes.",
    "w[0][0]": "You use more indices in those brackets",
    "WORDS[w[0]]": "An index must be a whole number, and here it is something else.",
    "v[w[0]]": "An index must be a whole number, and here it is something else.",
    "np.ones(2, 2, dtype=bool)": "NumPy takes a shape as one argument.",
    "max(v, axis=0)": "but NumPy's have: np.max",
    "np.max(w[0], v)": "np.maximum compares two arrays entry by entry.",
    "v @ v": "ValueError: matmul: rows of 2 numbers can't meet columns of 3",
    "v.softmax()": "Write attn.softmax instead.",
    "v.shape[0, 1]": "takes one whole number or one slice as its index",
    "[i for i in range(WORDS)]": "len(...) gives the size of a list.",
    "__import__('sklearn_of_chai')": "sklearn_of_chai isn't installed here.",
    "np.sqrt(d_k)": "Take the size from the shape of an array that is passed in.",
    "torch.mean(w)": "The lessons use only NumPy, as np.",
    "true": "Here it is called True, not true.",
    "v / np.sqrt(np.ones((1, 2, 3, 4, 5)).shape)": "You calculate with a whole shape",
    "np.ones((2, 5)) * np.ones((5, 2))": "Write @ for the matrix product.",
    "attn.scaled_dot_product_attention(w, v, v)": "add an axis with query[None]",
    "attn.scaled_dot_product_attention(v, v, v).T": "This is a tuple of 2 results, and T needs one array.",
    "WORDS - EMPTY": "You can't do arithmetic on a whole list.",
    "WORDS * 0.5": "You can't do arithmetic on a whole list.",
    "attn.attention_backward(v, v, v, np.eye(len(v)), w)": "turn it into a column with d_output[:, None]",
    "~w": "work on truth values, and these are numbers.",
    "w[0](v)": "Is a * missing there",
    "[a for a, b in (EMPTY, w)]": "zip(EMPTY, w) gives an entry of each in every round.",
    "np.ones((2, 3)) / np.ones((2, 3)).sum(axis=1)": "Has a sum or a maximum lost its axis (keepdims)?",
    "np.zeros(2).__setitem__(0, [1, 2])": "You put several numbers where only one fits.",
}


@pytest.mark.parametrize(("code", "says"), RAISING.items())
def test_an_exception_is_explained(code, says, in_kernel):
    source = f"answer = lambda w, v: {code}\n"
    scope = dict(globals())
    linecache.cache[code] = len(source), None, [source], code
    exec(compile(source, code, "exec"), scope)
    feedback = check.weighted_mean(scope["answer"])
    said = " ".join(feedback.message.split()).partition("Your line: ")[2].removeprefix(source.strip())
    assert feedback.status == "error" and says in said, str(feedback)
