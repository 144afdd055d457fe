"""Lesson 09: two numbers by which to find a head, what it gives to the word before, and to the word after an earlier same one."""

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_parts.mathematics import softmax

PREVIOUS = "lesson 09, Below, a head that looks one word back"
INDUCTION = "lesson 09, Exercise 3, transfer: find the head by a number (8 minutes)"


def shares(*shape):
    """Rows of causal weights, as many axes in front as asked for."""

    def drawn(draw):
        weights = softmax(np.where(np.tri(shape[-1], dtype=bool), draw(*shape, shape[-1]), -np.inf))
        return (weights,)

    return drawn


def below(weights, offset=-1):
    return np.diagonal(weights, offset, axis1=-2, axis2=-1)


PREVIOUS_MISTAKES = [
    Mistake(
        "first-two-axes",
        name="the diagonal runs through the first two axes",
        ways=[
            lambda weights: np.diagonal(weights, -1).mean(axis=-1),
            lambda weights: np.diagonal(weights, -1).mean(),
        ],
        say="np.diagonal takes the *first* two axes unless it is told otherwise. Queries and keys are the last two.",
        see=PREVIOUS,
    ),
    Mistake(
        "one-number-for-all",
        name="one number for all heads together",
        ways=[lambda weights: below(weights).mean()],
        say="You averaged over the heads as well. A number for each head is asked for: take the mean along the last axis alone.",
        see=PREVIOUS,
    ),
    Mistake(
        "next-token",
        name="the next word, not the one before",
        ways=[lambda weights: below(weights, 1).mean(axis=-1)],
        say="The diagonal *above* the main one belongs to the next word, at which no row may look here.",
        see=PREVIOUS,
    ),
    Mistake(
        "diagonal",
        name="each word's weight on itself",
        ways=[lambda weights: below(weights, 0).mean(axis=-1)],
        say="That is the main diagonal, where a word looks at *itself*. The word before stands one column to the left.",
        see=PREVIOUS,
    ),
    Mistake(
        "first-row-counted",
        name="divided by all rows",
        ways=[lambda weights: below(weights).sum(axis=-1) / weights.shape[-1]],
        say="The right weights, but the first word has none before it: there are L − 1 of them.",
        see=PREVIOUS,
    ),
    Mistake(
        "sum-not-mean",
        name="a sum in place of a mean",
        ways=[lambda weights: below(weights).sum(axis=-1)],
        say="These are the right weights, added up. Take their mean.",
        see=PREVIOUS,
    ),
    Mistake(
        "weights-not-mean",
        name="the weights one by one",
        ways=[below],
        say="These are the right weights, one a row. One number for each head is asked for: their mean.",
        see=PREVIOUS,
    ),
    Mistake(
        "mean-over-heads",
        name="a mean over the wrong axis",
        ways=[lambda weights, axis=axis: below(weights).mean(axis=axis) for axis in (0, -2)],
        say="You averaged over heads or layers, and kept the rows. The rows are the last axis of what np.diagonal gives.",
        see=PREVIOUS,
    ),
    Mistake(
        "block",
        name="a block of cells, not a diagonal",
        ways=[lambda weights: weights[..., 1:, :-1].mean(axis=(-1, -2))],
        say="That is a whole block. Of each of its rows one cell counts, and these lie on a diagonal.",
        see=PREVIOUS,
    ),
    Mistake(
        "largest",
        name="the largest weight of each row",
        ways=[
            lambda weights: weights.max(axis=-1).mean(axis=-1),
            lambda weights: weights[..., 1:, :].max(axis=-1).mean(axis=-1),
        ],
        say="You averaged each row's largest weight, wherever it stands. Only the cell of the word before counts.",
        see=PREVIOUS,
    ),
]


@exercise(
    inputs={
        "three heads": shares(3, 4),
        "two layers of four heads": shares(2, 4, 5),
        "as many heads as words": shares(3, 3),
        "all sizes alike": shares(3, 3, 3),
        "two words": shares(2, 2),
    },
    mistakes=PREVIOUS_MISTAKES,
    result="score",
    see=PREVIOUS,
)
def previous_token_score(weights):
    """Check `f(weights)`, weights (..., heads, L, L) → for each head the mean weight on the word before, from row 1 on. Returns Feedback."""
    return below(weights).mean(axis=-1)


# --- the word after an earlier same one -----------------------------------------------------------------


def pairs(words, pick=-1):
    """(place, an earlier place of the same word) for every place whose word stood before; of several the last."""
    words, found = list(words), []
    for i, word in enumerate(words):
        before = [j for j in range(i) if words[j] == word]
        if before:
            found.append((i, before[pick]))
    return found


def mean_at(step, pick=-1):
    """The mean weight of such a place on the place `step` after the earlier one."""

    def score(weights, words):
        found = [weights[i, j + step] for i, j in pairs(words, pick) if 0 <= j + step < len(weights)]
        return np.mean(found) if found else np.nan

    return score


def picked(weights, words):
    return np.array([weights[i, j + 1] for i, j in pairs(words)])


def every_earlier(reduce):
    def score(weights, words):
        n = len(weights)
        found = [(i, [j for j in range(i) if words[j] == words[i]]) for i in range(n)]
        return reduce([[weights[i, j + 1] for j in before] for i, before in found if before])

    return score


def everywhere(pick, place):
    """All places count; a word that never stood before looks at a place near the beginning."""

    def score(weights, words):
        found = {i: j + 1 for i, j in pairs(words, pick)}
        return np.mean([weights[i, found.get(i, place)] for i in range(len(words))])

    return score


def self_included(weights, words):
    """Its own place counts as an earlier one."""
    return np.mean([weights[i, min(i + 1, len(weights) - 1)] for i in range(len(weights))])


INDUCTION_MISTAKES = [
    Mistake(
        "same-word",
        name="the same word, not the one after it",
        ways=[mean_at(0)],
        say="You take the weight on the earlier *same* word. What came next that time stands one column further on.",
        see=INDUCTION,
    ),
    Mistake(
        "word-before",
        name="the word before the earlier one",
        ways=[mean_at(-1)],
        say="You look one place *before* the earlier same word. What came next stands one place after it.",
        see=INDUCTION,
    ),
    Mistake(
        "two-after",
        name="two places after the earlier one",
        ways=[mean_at(2)],
        say="You look two places after the earlier same word. The one just after it is asked for.",
        see=INDUCTION,
    ),
    Mistake(
        "first-of-several",
        name="the first of several earlier places",
        ways=[mean_at(1, pick=0)],
        say="Where a word stood there several times, you take the first time. The *last* one before the place that looks is asked for.",
        see=INDUCTION,
    ),
    Mistake(
        "all-earlier",
        name="all earlier places count",
        ways=[
            every_earlier(lambda rows: np.mean([sum(row) for row in rows])),
            every_earlier(lambda rows: np.mean([weight for row in rows for weight in row])),
            lambda weights, words: (
                every_earlier(lambda rows: sum(map(sum, rows)))(weights, words) / len(words)
            ),
        ],
        say="Where a word stood there several times, you count all of them. Only the last one before the place that looks is asked for.",
        see=INDUCTION,
    ),
    Mistake(
        "rows-and-columns",
        name="rows and columns are exchanged",
        ways=[
            lambda weights, words: np.mean([weights[j + 1, i] for i, j in pairs(words)]),
            lambda weights, words: np.mean([weights[j, i] for i, j in pairs(words)]),
        ],
        say="A row is the place that looks. You let the earlier place look at the later one, at which it may not.",
        see=INDUCTION,
    ),
    Mistake(
        "itself-counted",
        name="each place counts as its own earlier one",
        ways=[self_included],
        say="A place is no earlier place of its own word. range(i) ends before i, range(i + 1) does not.",
        see=INDUCTION,
    ),
    Mistake(
        "never-before",
        name="words that never stood before count too",
        ways=[everywhere(pick, place) for pick in (0, -1) for place in (0, 1)],
        say="A word that stands there for the first time has no earlier place, and yours takes the beginning of the text for it. Leave such places out.",
        see=INDUCTION,
    ),
    Mistake(
        "list-read-twice",
        name="a text that is read exactly twice",
        ways=[lambda weights, words: below(weights, 1 - len(words) // 2).mean()],
        say="Yours goes back by half the text, whatever its words. Only in a list read twice does the same word stand there: look for it.",
        see=INDUCTION,
    ),
    Mistake(
        "largest",
        name="the largest weight of each row",
        ways=[lambda weights, words: np.mean([weights[i].max() for i, _ in pairs(words)])],
        say="You averaged the largest weight of the right rows, wherever it stands. Only the place after the earlier same word counts.",
        see=INDUCTION,
    ),
    Mistake(
        "all-rows-counted",
        name="divided by all rows",
        ways=[lambda weights, words: picked(weights, words).sum() / len(words)],
        say="The right weights, but divided by all places. Only those whose word stood before have one to look back at.",
        see=INDUCTION,
    ),
    Mistake(
        "sum-not-mean",
        name="a sum in place of a mean",
        ways=[lambda weights, words: picked(weights, words).sum()],
        say="These are the right weights, added up. Take their mean.",
        see=INDUCTION,
    ),
    Mistake(
        "weights-not-mean",
        name="the weights one by one",
        ways=[picked, lambda weights, words: list(picked(weights, words))],
        say="These are the right weights, one a place. Their mean is asked for.",
        see=INDUCTION,
    ),
    Mistake(
        "not-the-mean",
        name="another number of the right cells than their mean",
        ways=[
            lambda weights, words, take=take: take(picked(weights, words))
            for take in (np.max, np.min, np.median)
        ],
        say="You look at the right cells, and take their largest, smallest or middle one. The mean is asked for.",
        see=INDUCTION,
    ),
    Mistake(
        "one-place-only",
        name="one place only",
        ways=[
            lambda weights, words: picked(weights, words)[0],
            lambda weights, words: picked(weights, words)[-1],
        ],
        say="You look at the right cell, of one place alone. Is return indented too far?",
        see=INDUCTION,
    ),
    Mistake(
        "previous-token",
        name="the word before the one that looks",
        ways=[
            lambda weights, words: below(weights).mean(),
            lambda weights, words: np.mean([weights[i, i - 1] for i, _ in pairs(words)]),
        ],
        say="That is the weight on the word just before. What is asked for stands after the *earlier same* word, however far back that is.",
        see=INDUCTION,
    ),
]


def read(words, seed):
    """Random causal weights over these word numbers."""

    def drawn(draw):
        n = len(words)
        scores = 2 * np.random.default_rng(seed).standard_normal((n, n))
        return softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf)), np.array(words)

    return drawn


@exercise(
    inputs={
        "one word twice": read([7, 3, 7], 1),
        "a list read twice": read([5, 2, 9, 4, 5, 2, 9, 4], 2),
        "one word three times": read([6, 1, 6, 2, 6, 3], 3),
        "facts told twice": read([0, 100, 200, 1, 101, 201, 1, 101, 200, 0], 4),
        "the same word twice in a row": read([8, 8, 3, 8], 5),
        "some words never again": read([1, 2, 3, 4, 2, 5], 6),
    },
    mistakes=INDUCTION_MISTAKES,
    result="score",
    see=INDUCTION,
)
def induction_score(weights, words):
    """Check `f(weights, words)` → the mean weight, over places whose word stood before, on the place after it. Returns Feedback."""
    return picked(weights, words).mean()
