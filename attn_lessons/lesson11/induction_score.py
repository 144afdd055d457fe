"""Lesson 11, transfer: a score that finds induction heads, which attend to the word after an earlier same one; made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise
from attn_lessons.lesson06.previous_token_share import cells_that_count
from attn_lessons.lesson11.previous_token_score import some_weights

INDUCTION = "l11-hand"


def earlier(words, i):
    """The positions before i of the same word."""
    return [j for j in range(i) if words[j] == words[i]]


def pairs(words, pick=-1):
    """(position, an earlier position of the same word) for every repeated word; of several the last."""
    return [(i, earlier(words, i)[pick]) for i in range(len(words)) if earlier(words, i)]


def all_pairs(words, itself=0):
    """As `pairs`, with all earlier positions; `itself` 1 counts each position as one of its own."""
    return [(i, j) for i in range(len(words)) for j in range(i + itself) if words[j] == words[i]]


def at(cell):
    """The weights in the cells `cell(i, j)`, j being an earlier position of i's word."""
    return lambda weights, pairs: np.array([weights[cell(i, j)] for i, j in pairs])


def mean_of(picked, *_):
    return picked.mean() if len(picked) else np.nan


def divided_by(count):
    return lambda picked, pairs, words: picked.sum() / count(pairs, words)


# fmt: off
STEPS = Steps("weights words", {
    "pairs": Step("words", "pairs", [
        Mistake("all-earlier", "all earlier positions count",
            say="If a word occurs several times before, all of its earlier positions affect your score. Only the last one before the row counts.",
            ways=[all_pairs]),
        Mistake("first-of-several", "the first of several earlier positions",
            say="If a word occurs several times before, you take the first. Take the *last* one before the row.",
            ways=[lambda words: pairs(words, pick=0)]),
        Mistake("itself-counted", "each position counts as its own earlier one",
            say="In some rows you take the weight on the position just after the row *itself*, because you count the row as an earlier position of its word. Does your loop, mask or dictionary include it?",
            ways=[lambda words: [(i, i) for i in range(len(words))], lambda words: [(i, i) for i in range(len(words) - 1)],
                lambda words: all_pairs(words, itself=1), lambda words: all_pairs(words, itself=1)[:-1]])], pairs),
    "rows": Step("pairs words", "pairs", [
        Mistake("row-missing", "a row is left out",
            say="You leave out the last row, or a word that last occurred at position 0. range(n) ends *before* n, and 0 is a position as well, though Python takes it for false.",
            ways=[lambda pairs, words: [(i, j) for i, j in pairs if i + 1 < len(words)], lambda pairs, words: [(i, j) for i, j in pairs if j]])], lambda pairs, words: pairs),
    "cells": Step("weights pairs", "picked", [
        Mistake("same-word", "the same word, not the one after it",
            say="You take the weight on the earlier *same* word. The word that followed it is one column further on.",
            ways=[at(lambda i, j: (i, j))]),
        *[Mistake("another-column", "a column other than the right one",
            say=f"You take the weight {place}. Take the one on the word that *followed* the earlier same word.", ways=[way])
            for place, way in (
                ("on the word before the earlier same word", at(lambda i, j: (i, j - 1))),
                ("two columns after the earlier same word", at(lambda i, j: (i, j + 2))),
                ("that is the largest of its row", lambda weights, pairs: np.array([weights[i].max() for i, _ in pairs])))],
        Mistake("rows-and-columns", "rows and columns are exchanged",
            say="You let the earlier position attend to the later one. The row is the position that attends.",
            ways=[at(lambda i, j: (j + 1, i)), at(lambda i, j: (j, i))]),
        Mistake("another-row", "the row next to the right one",
            say="You take the row before or after the repeated word. Take the row of the repeated word itself.",
            ways=[at(lambda i, j: (i - 1, j + 1)), at(lambda i, j: (i - 1, j)), at(lambda i, j: (i + 1, j + 1)),
                lambda weights, pairs: at(lambda i, j: (i + 1, j + 1))(weights, [(i, j) for i, j in pairs if i + 1 < len(weights)])]),
        Mistake("diagonal", "each word's weight on itself",
            say="You take the diagonal, where a word attends to *itself*. Take the position after an earlier one of the same word.",
            ways=[at(lambda i, j: (i, i))]),
        Mistake("rows-counted", "rows are counted, weights are not averaged",
            say="You count the rows in which that position has the largest weight. The largest weight can still be small, so average the weights instead.",
            ways=[lambda weights, pairs: np.array([weights[i].argmax() == j + 1 for i, j in pairs])])], at(lambda i, j: (i, j + 1))),
    "mean": Step("picked pairs words", "result", [
        Mistake("wrong-count", "divided by the wrong number",
            say="You add weights up and divide by the wrong number. Divide by the number of weights that you added.",
            ways=[divided_by(lambda pairs, words: len(words)), divided_by(lambda pairs, words: len(words) - 1),
                divided_by(lambda pairs, words: len(set(words.tolist()))), divided_by(lambda pairs, words: len({words[i] for i, _ in pairs}))]),
        Mistake("sum-not-mean", "a sum instead of a mean",
            say="You add the weights up. Take their mean.",
            ways=[lambda picked, *_: picked.sum()]),
        Mistake("weights-not-mean", "the weights one by one",
            say="You return weights, one per position. Return their mean.",
            ways=[lambda picked, *_: picked]),
        Mistake("one-place-only", "one position only",
            say="You take the weight of only one position. Is return inside the loop, or does each round overwrite the weight?",
            ways=[lambda picked, *_: picked[0], lambda picked, *_: picked[-1]]),
        Mistake("not-the-mean", "the largest, smallest or middle weight",
            say="You take the largest, smallest or middle one of the weights. Take their mean.",
            ways=[lambda picked, *_: picked.max(), lambda picked, *_: picked.min(), lambda picked, *_: np.median(picked)])], mean_of),
})
mean_picked = STEPS.whole({})


def by_rows(reduce):
    """All earlier positions, a number for each row first."""
    def score(weights, words):
        rows = [[weights[i, j + 1] for j in earlier(words, i)] for i in range(len(words))]
        return np.mean([reduce(row) for row in rows if row])
    return score


ALL_EARLIER = again(STEPS.mistakes(), {"all-earlier": [by_rows(sum), by_rows(np.mean), by_rows(max)]})


def why_not(row, column, words):
    before = earlier(words, row)
    if not before:
        return f"the word at position {row} doesn't occur before"
    return f"the word at position {row} last occurred at position {before[-1]}, and the next position is {before[-1] + 1}"


def read(words, causal=True):
    """Weights of some scores over these word numbers."""
    return lambda draw: (some_weights(draw, len(words), causal=causal), np.array(words))


@exercise(own=cells_that_count(mean_picked, why_not), mistakes=[*STEPS.mistakes(), *ALL_EARLIER], steps=STEPS, result="score", see=INDUCTION, inputs={
    "one word twice": read([7, 3, 7]),
    "a list read twice": read([5, 2, 9, 4, 5, 2, 9, 4]),
    "one word three times": read([6, 1, 6, 2, 6, 3]),
    "facts told twice": read([0, 100, 200, 1, 101, 201, 1, 101, 200, 0]),
    "the same word twice in a row": read([8, 8, 3, 8]),
    "some words never again": read([1, 2, 3, 4, 2, 5]),
    "some more often than others": read([2, 1, 2, 2, 1, 3, 2, 4]),
    "without a causal mask": read([4, 6, 4, 9, 6, 4], causal=False),
})
def induction_score(weights, words):
    """Check `f(weights, words)` → the mean weight of repeated words on the position after their last occurrence. Returns Feedback."""
    return mean_picked(weights, words)
