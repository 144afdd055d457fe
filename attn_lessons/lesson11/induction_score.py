"""Lesson 11, transfer: a score that finds induction heads, which attend to the word after an earlier same one."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson06.previous_token_share import cells_that_count
from attn_lessons.lesson11.previous_token_score import below, some_weights

INDUCTION = "l11-hand"


def earlier(words, i):
    """The positions before i of the same word."""
    return [j for j in range(i) if words[j] == words[i]]


def pairs(words, pick=-1):
    """(position, an earlier position of the same word) for every repeated word; of several the last."""
    return [(i, earlier(words, i)[pick]) for i in range(len(words)) if earlier(words, i)]


def mean_at(cell, pick=-1):
    """The mean weight in the cells `cell(i, j)`, j being an earlier position of i's word; None for one that does not count."""

    def score(weights, words):
        cells = [cell(i, j) for i, j in pairs(words, pick)]
        found = [weights[at] for at in cells if at and max(at) < len(weights)]
        return np.mean(found) if found else np.nan

    return score


def picked(weights, words):
    return np.array([weights[i, j + 1] for i, j in pairs(words)])


def divided_by(count):
    return lambda weights, words: picked(weights, words).sum() / count(words)


def every_earlier(reduce, step=1):
    """`reduce` of the weights, row by row, for all earlier positions."""

    def score(weights, words):
        rows = [[weights[i, j + step] for j in earlier(words, i)] for i in range(len(words))]
        return reduce([row for row in rows if row])

    return score


# fmt: off
INDUCTION_MISTAKES = table(
    INDUCTION,
    Mistake("same-word", "the same word, not the one after it",
        say="You take the weight on the earlier *same* word. The word that followed it is one column further on.",
        ways=[mean_at(lambda i, j: (i, j)), every_earlier(lambda rows: np.mean(sum(rows, [])), step=0)]),
    Mistake("first-of-several", "the first of several earlier positions",
        say="If a word occurs several times before, you take the first. Take the *last* one before the row.",
        ways=[mean_at(lambda i, j: (i, j + 1), pick=0)]),
    Mistake("all-earlier", "all earlier positions count",
        say="If a word occurs several times before, you count all of them. Count only the last one before the row.",
        ways=[every_earlier(lambda rows: np.mean(sum(rows, []))),
            *[every_earlier(lambda rows, of_row=of_row: np.mean(list(map(of_row, rows)))) for of_row in (sum, np.mean, max)]]),
    Mistake("all-earlier-by-length", "all earlier positions count, divided by the number of words",
        say="You divide by the number of words, although you add up fewer weights. And if a word occurs several times before, you count all of them, not only the last.",
        ways=[lambda weights, words: every_earlier(lambda rows: sum(map(sum, rows)))(weights, words) / len(words)]),
    Mistake("rows-and-columns", "rows and columns are exchanged",
        say="You let the earlier position attend to the later one. The row is the position that attends.",
        ways=[mean_at(lambda i, j: (j + 1, i)), mean_at(lambda i, j: (j, i))]),
    Mistake("another-row", "the row next to the right one",
        say="You take the row before or after the repeated word. Take the row of the repeated word itself.",
        ways=[mean_at(lambda i, j: (i - 1, j + 1)), mean_at(lambda i, j: (i - 1, j)),
            mean_at(lambda i, j: (i + 1, j + 1))]),
    Mistake("itself-counted", "each position counts as its own earlier one",
        say="You count each position as an earlier one of its own word. Count only those *before* it: loop over range(i), or read a dictionary before you store the new position.",
        ways=[lambda weights, words: np.mean([weights[i, i + 1] for i in range(len(words))]),
            lambda weights, words: below(weights, 1).mean(),
            lambda weights, words: np.mean([weights[i, min(i + 1, len(words) - 1)] for i in range(len(words))]),
            lambda weights, words: np.mean([weights[i, j + 1] for i in range(len(words))
                for j in range(min(i + 1, len(words) - 1)) if words[j] == words[i]])]),
    Mistake("rows-counted", "rows are counted, weights are not averaged",
        say="You count the rows in which that position has the largest weight. The largest weight can still be small, so average the weights instead.",
        ways=[lambda weights, words: np.mean([weights[i].argmax() == j + 1 for i, j in pairs(words)])]),
    Mistake("wrong-count", "divided by the wrong number",
        say="You add up the right weights but divide by the wrong number. Divide by the number of weights that you added.",
        ways=[divided_by(len), divided_by(lambda words: len(words) - 1),
            divided_by(lambda words: len(set(words.tolist()))),
            divided_by(lambda words: len({words[i] for i, _ in pairs(words)}))]),
    Mistake("sum-not-mean", "a sum instead of a mean",
        say="You add up the right weights. Take their mean.",
        ways=[lambda weights, words: picked(weights, words).sum()]),
    Mistake("weights-not-mean", "the weights one by one",
        say="You return the right weights, one per position. Return their mean.",
        ways=[picked]),
    Mistake("not-the-mean", "the right cells, but not their mean",
        say="You take the largest, smallest or middle one of the right cells. Take their mean.",
        ways=[lambda weights, words, take=take: take(picked(weights, words)) for take in (np.max, np.min, np.median)]),
    Mistake("one-place-only", "one position only",
        say="You take the right cell, but of only one position. Is return indented too far?",
        ways=[lambda weights, words: picked(weights, words)[0], lambda weights, words: picked(weights, words)[-1]]),
    Mistake("diagonal", "each word's weight on itself",
        say="You take the diagonal, where a word attends to *itself*. Take the position after an earlier one of the same word.",
        ways=[lambda weights, words: below(weights, 0).mean(), mean_at(lambda i, j: (i, i))]),
)


def mean_picked(weights, words):
    return picked(weights, words).mean() if pairs(words) else np.nan


def why_not(row, column, words):
    before = earlier(words, row)
    if not before:
        return f"the word at position {row} doesn't occur before"
    return f"the word at position {row} last occurred at position {before[-1]}, and the next position is {before[-1] + 1}"


def read(words, causal=True):
    """Weights of some scores over these word numbers."""
    return lambda draw: (some_weights(draw, len(words), causal=causal), np.array(words))


@exercise(own=cells_that_count(mean_picked, why_not), mistakes=INDUCTION_MISTAKES, result="score", see=INDUCTION, inputs={
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
