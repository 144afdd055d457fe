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


@wrong("online_softmax", "ragged")
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


def carried(start, factor, at_once=False):
    def answer(chunks):
        top, total, found = start, 0, []
        for chunk in chunks:
            new = max(top, chunk.max())
            total = total * factor(top, new) + np.exp(chunk - new).sum()
            top = new
            found.append(np.exp(chunk - top) / total)
        return np.concatenate(found if at_once else [np.exp(chunk - top) / total for chunk in chunks])

    return answer


@wrong("online_softmax", "starts-too-high", says="below every score")
def zero_as_the_first_largest(chunks):
    return carried(0, lambda old, new: np.exp(old - new))(chunks)


@wrong("online_softmax", "nan-from-the-start", says="shrink")
def new_minus_old(chunks):
    return carried(-np.inf, lambda old, new: np.exp(new - old))(chunks)


@wrong("online_softmax", "nan-from-the-start", says="3 to 5")
def difference_without_a_power(chunks):
    return carried(-np.inf, lambda old, new: old - new)(chunks)


@wrong("online_softmax", "shares-too-early", says="sum so far")
def one_pass_for_all(chunks):
    return carried(-np.inf, lambda old, new: np.exp(old - new), at_once=True)(chunks)


@wrong("online_softmax", "other-maximum-at-the-end")
def powers_of_the_scores_themselves(chunks):
    top = max(chunk.max() for chunk in chunks)
    total = sum(np.exp(chunk - top).sum() for chunk in chunks)
    return np.concatenate([np.exp(chunk) / total for chunk in chunks])


@wrong("online_softmax", "starts-too-high")
def starts_at_minus_1e9(chunks):
    largest, total = -1e9, 0.0
    for chunk in chunks:
        new = max(largest, chunk.max())
        total = total * np.exp(largest - new) + np.exp(chunk - new).sum()
        largest = new
    return np.exp(np.concatenate(chunks) - largest) / total


@wrong("online_softmax", "other-shift", says="need not be the first")
def first_of_each_chunk(chunks):
    largest, total = -np.inf, 0.0
    for chunk in chunks:
        new = max(largest, chunk[0])
        total = total * np.exp(largest - new) + np.exp(chunk - new).sum()
        largest = new
    return np.exp(np.concatenate(chunks) - largest) / total


@wrong("online_softmax", "one-branch-only")
def begins_anew_with_a_new_maximum(chunks):
    largest, total = -np.inf, 0.0
    for chunk in chunks:
        if chunk.max() > largest:
            largest = chunk.max()
            total = np.exp(chunk - largest).sum()
        else:
            total += np.exp(chunk - largest).sum()
    return np.exp(np.concatenate(chunks) - largest) / total


@wrong("online_softmax", "chunk-maxima", says="nor on the old one")
def powers_relative_to_the_chunk(chunks):
    largest, total = -np.inf, 0.0
    for chunk in chunks:
        new = max(largest, chunk.max())
        total = total * np.exp(largest - new) + np.exp(chunk - chunk.max()).sum()
        largest = new
    return np.exp(np.concatenate(chunks) - largest) / total


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
