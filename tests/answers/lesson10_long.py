"""Answers to the exercises of lesson 10 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("online_softmax")
def running_softmax(chunks):
    top, total, seen = -np.inf, 0.0, []
    for chunk in chunks:
        new = max(top, chunk.max())
        total = total * np.exp(top - new) + np.exp(chunk - new).sum()
        top = new
        seen.append(chunk)
    return np.exp(np.concatenate(seen) - top) / total


@right("online_softmax")
def concatenated_chunks(chunks):
    return attn.softmax(np.concatenate(list(chunks)))


@wrong("online_softmax", "not-numbers")
def list_of_softmaxes(chunks):
    return [attn.softmax(c) for c in chunks]


@wrong("online_softmax", "not-rescaled", says="what factor")
def sum_left_as_it_was(chunks):
    top, total = -np.inf, 0.0
    for chunk in chunks:
        top = max(top, chunk.max())
        total = total + np.exp(chunk - top).sum()
    return np.concatenate([np.exp(chunk - top) for chunk in chunks]) / total


@wrong("online_softmax", "softmax-per-chunk")
def chunk_by_chunk(chunks):
    return np.hstack([attn.softmax(chunk) for chunk in chunks])


@wrong("online_softmax", "chunk-maxima")
def powers_kept_from_the_first_pass(chunks):
    total, powers = 0.0, []
    for chunk in chunks:
        powers.append(np.exp(chunk - chunk.max()))
        total += powers[-1].sum()
    return np.concatenate(powers) / total


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
