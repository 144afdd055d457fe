"""Lesson 09, transfer: a number by which to find heads that look at the word after an earlier same one."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_lessons.lesson06.previous_token_share import cells_that_count, mean_of
from attn_lessons.lesson09.previous_token_score import below, some_weights

INDUCTION = "l09-hand"


def earlier(words, i):
    """The places before i at which the same word stood."""
    return [j for j in range(i) if words[j] == words[i]]


def pairs(words, pick=-1):
    """(place, an earlier place of the same word) for every place whose word stood before; of several the last."""
    return [(i, earlier(words, i)[pick]) for i in range(len(words)) if earlier(words, i)]


def mean_at(cell, pick=-1, empty=np.nan):
    """The mean weight in the cells `cell(i, j)`, an earlier place of i being j; None for one that does not count."""

    def score(weights, words):
        cells = [cell(i, j) for i, j in pairs(words, pick)]
        found = [weights[at] for at in cells if at and max(at) < len(weights)]
        return np.mean(found) if found else empty

    return score


def picked(weights, words):
    return np.array([weights[i, j + 1] for i, j in pairs(words)])


def divided_by(count):
    return lambda weights, words: picked(weights, words).sum() / count(words)


def every_earlier(reduce, step=1):
    """`reduce` of the weights, row by row, for all earlier places."""

    def score(weights, words):
        rows = [[weights[i, j + step] for j in earlier(words, i)] for i in range(len(words))]
        return reduce([row for row in rows if row])

    return score


def in_one_list(rows):
    return np.mean([weight for row in rows for weight in row])


def everywhere(place, pick=-1):
    """All places count; a word that never stood before looks at `place(i)`."""

    def score(weights, words):
        found = dict(pairs(words, pick))
        return np.mean([weights[i, found[i] + 1 if i in found else place(i)] for i in range(len(words))])

    return score


def any_same(counts):
    """All places of the same word for which `counts(i, j)`, the last place of the text left out."""

    def score(weights, words):
        n = range(len(words))
        found = [weights[i, j + 1] for i in n for j in n[:-1] if words[j] == words[i] and counts(i, j)]
        return np.mean(found) if found else np.nan

    return score


def by_word(reduce):
    """One number for each word, and the mean of these."""

    def score(weights, words):
        found = {}
        for (i, _), weight in zip(pairs(words), picked(weights, words), strict=True):
            found.setdefault(words[i], []).append(weight)
        return np.mean([reduce(of_word) for of_word in found.values()])

    return score


def half_back(step):
    return lambda weights, words: below(weights, step - len(words) // 2).mean()


def at_word(row, column):
    """Word numbers are taken for places, which ends in an error."""
    return lambda weights, words: np.mean([weights[row(words, i), column(words, i)] for i, _ in pairs(words)])


INDUCTION_MISTAKES = table(
    INDUCTION,
    Mistake(
        "same-word",
        name="the same word, not the one after it",
        ways=[mean_at(lambda i, j: (i, j)), every_earlier(in_one_list, step=0)],
        say="You take the weight on the earlier *same* word. What came next that time stands one column further on.",
    ),
    Mistake(
        "word-before",
        name="the word before the earlier one",
        ways=[
            mean_at(lambda i, j: (i, j - 1)),  # before place 0, Python takes the last
            mean_at(lambda i, j: (i, j - 1) if j else None),
            mean_at(lambda i, j: (i, max(j - 1, 0))),
        ],
        say="You look one place *before* the earlier same word. What came next stands one place after it.",
    ),
    Mistake(
        "two-after",
        name="two places after the earlier one",
        ways=[mean_at(lambda i, j: (i, j + 2))],
        say="You look two places after the earlier same word. The one just after it is asked for.",
    ),
    Mistake(
        "first-of-several",
        name="the first of several earlier places",
        ways=[mean_at(lambda i, j: (i, j + 1), pick=0)],
        say="Where a word stood there several times, you take the first time. The *last* one before the place that looks is asked for.",
    ),
    Mistake(
        "all-earlier",
        name="all earlier places count",
        ways=[
            every_earlier(in_one_list),
            every_earlier(lambda rows: np.mean([sum(row) for row in rows])),
            every_earlier(lambda rows: np.mean([np.mean(row) for row in rows])),
            every_earlier(lambda rows: np.mean([max(row) for row in rows])),
            lambda weights, words: (
                every_earlier(lambda rows: sum(map(sum, rows)))(weights, words) / len(words)
            ),
        ],
        say="Where a word stood there several times, you count all of them. Only the last one before the place that looks is asked for.",
    ),
    Mistake(
        "rows-and-columns",
        name="rows and columns are exchanged",
        ways=[mean_at(lambda i, j: (j + 1, i)), mean_at(lambda i, j: (j, i))],
        say="A row is the place that looks. You let the earlier place look at the later one.",
    ),
    Mistake(
        "another-row",
        name="the row beside the right one",
        ways=[
            mean_at(lambda i, j: (i - 1, j + 1)),
            mean_at(lambda i, j: (i - 1, j)),
            mean_at(lambda i, j: (i + 1, j + 1)),
        ],
        say="You take the row before, or after, the one whose word stood there already. That row itself is the place that looks.",
    ),
    Mistake(
        "itself-counted",
        name="each place counts as its own earlier one",
        ways=[
            lambda weights, words: np.mean([weights[i, i + 1] for i in range(len(words))]),
            lambda weights, words: below(weights, 1).mean(),
            lambda weights, words: np.mean(
                [weights[i, min(i + 1, len(words) - 1)] for i in range(len(words))]
            ),
            any_same(lambda i, j: j <= i),
        ],
        say="A place is no earlier place of its own word: only those *before* it count. range(i) ends before i, range(i + 1) does not; and a dictionary is asked before the new place goes in.",
    ),
    Mistake(
        "later-counted",
        name="later places of the same word count",
        ways=[any_same(lambda i, j: True), any_same(lambda i, j: j != i), any_same(lambda i, j: j > i)],
        say="You look for the same word in the whole text. Only places *before* the one that looks count.",
    ),
    Mistake(
        "never-before",
        name="words that never stood before count too",
        ways=[
            *(everywhere(lambda i, place=place: place, pick) for pick in (0, -1) for place in (0, 1)),
            everywhere(
                lambda i: i + 1, pick=0
            ),  # list.index finds the place itself, and at the end goes too far
            lambda weights, words: everywhere(lambda i: min(i + 1, len(words) - 1), pick=0)(weights, words),
            lambda weights, words: mean_of(
                np.array(
                    [
                        weights[i, list(words).index(w) + 1]
                        for i, w in enumerate(words)
                        if list(words).count(w) > 1
                    ]
                )
            ),
        ],
        say="A word that stands there for the first time has no earlier place, and yours finds one for it all the same: the place itself, or the beginning of the text. Leave such places out.",
    ),
    Mistake(
        "place-0-missed",
        name="the first place is not found",
        ways=[mean_at(lambda i, j: (i, j + 1) if j else None, empty=empty) for empty in (np.nan, 0.0)],
        say="Where the only earlier place is place 0, yours finds none. Does a range begin with 1, or does an `if` take 0 for False?",
    ),
    Mistake(
        "last-place-missed",
        name="the last place does not look",
        ways=[
            lambda weights, words, empty=empty: mean_at(
                lambda i, j: (i, j + 1) if i < len(words) - 1 else None, empty=empty
            )(weights, words)
            for empty in (np.nan, 0.0)
        ],
        say="The last word of the text looks back, too. range(n - 1) ends one place before it.",
    ),
    Mistake(
        "neighbour-missed",
        name="the place just before is not found",
        ways=[
            mean_at(lambda i, j: (i, j + 1) if j < i - 1 else None),
            lambda weights, words: np.mean(
                [
                    weights[i, earlier(words[: i - 1].tolist() + [words[i]], i - 1)[-1] + 1]
                    for i in range(2, len(words))
                    if words[i] in words[: i - 1]
                ]
            ),
        ],
        say="Where the same word stands just before, yours does not find it. range(i - 1) ends two places before i.",
    ),
    Mistake(
        "list-read-twice",
        name="a text that is read exactly twice",
        ways=[
            half_back(1),
            half_back(0),
            lambda weights, words: np.diagonal(weights, 1 - len(words) // 2)[1:].mean(),
        ],
        say="Yours goes back by half the text, whatever its words. Only in a list read twice does the same word stand there: look for it.",
    ),
    Mistake(
        "largest",
        name="the largest weight of each row",
        ways=[lambda weights, words: np.mean([weights[i].max() for i, _ in pairs(words)])],
        say="You averaged the largest weight of the right rows, wherever it stands. Only the place after the earlier same word counts.",
    ),
    Mistake(
        "rows-counted",
        name="rows are counted, weights are not averaged",
        ways=[lambda weights, words: np.mean([weights[i].argmax() == j + 1 for i, j in pairs(words)])],
        say="You counted in how many rows that place is the favourite. A favourite may have little: average its weight.",
    ),
    Mistake(
        "wrong-count",
        name="divided by another number than there are weights",
        ways=[
            divided_by(len),
            divided_by(lambda words: len(words) - 1),
            divided_by(lambda words: len(set(words.tolist()))),
            divided_by(lambda words: len({words[i] for i, _ in pairs(words)})),
        ],
        say="The right weights, but divided by all places, by all but one, or by all words. Only places whose word stood before have one to look back at. How many are these?",
    ),
    Mistake(
        "one-for-each-word",
        name="one weight for each word",
        ways=[by_word(lambda found: found[-1]), by_word(lambda found: found[0]), by_word(np.mean)],
        say="You keep one number for each word. A word that comes back several times looks back several times, and each of these places counts.",
    ),
    Mistake(
        "sum-not-mean",
        name="a sum in place of a mean",
        ways=[lambda weights, words: picked(weights, words).sum()],
        say="These are the right weights, added up. Take their mean.",
    ),
    Mistake(
        "weights-not-mean",
        name="the weights one by one",
        ways=[picked, lambda weights, words: list(picked(weights, words))],
        say="These are the right weights, one a place. Their mean is asked for.",
    ),
    Mistake(
        "not-the-mean",
        name="another number of the right cells than their mean",
        ways=[
            lambda weights, words, take=take: take(picked(weights, words))
            for take in (np.max, np.min, np.median)
        ],
        say="You look at the right cells, and take their largest, smallest or middle one. The mean is asked for.",
    ),
    Mistake(
        "one-place-only",
        name="one place only",
        ways=[
            lambda weights, words: picked(weights, words)[0],
            lambda weights, words: picked(weights, words)[-1],
        ],
        say="You look at the right cell, of one place alone. Is return indented too far?",
    ),
    Mistake(
        "previous-token",
        name="the word before the one that looks",
        ways=[lambda weights, words: below(weights).mean(), mean_at(lambda i, j: (i, i - 1))],
        say="That is the weight on the word just before. What is asked for stands after the *earlier same* word, however far back that is.",
    ),
    Mistake(
        "diagonal",
        name="each word's weight on itself",
        ways=[lambda weights, words: below(weights, 0).mean(), mean_at(lambda i, j: (i, i))],
        say="That is the diagonal, where a word looks at *itself*. What is asked for stands after an earlier place of the same word.",
    ),
    Mistake(
        "word-as-place",
        name="the number of a word is taken for a place",
        ways=[
            at_word(lambda words, i: i, lambda words, i: words[i]),
            at_word(lambda words, i: i, lambda words, i: words[i] + 1),
            at_word(lambda words, i: words[i], lambda words, i: words[i]),
        ],
        say="words[i] says *which* word stands at place i. Rows and columns of the weights are places.",
    ),
)


def mean_picked(weights, words):
    return mean_of(picked(weights, words))


def why_not(row, column, words):
    before = earlier(words, row)
    if not before:
        return f"the word of place {row} never stood before"
    return f"the word of place {row} stood at place {before[-1]} last, and after that comes place {before[-1] + 1}"


def read(words, causal=True):
    """Weights of some scores over these word numbers."""
    return lambda draw: (some_weights(draw, len(words), causal=causal), np.array(words))


@exercise(
    own=cells_that_count(mean_picked, why_not),
    inputs={
        "one word twice": read([7, 3, 7]),
        "a list read twice": read([5, 2, 9, 4, 5, 2, 9, 4]),
        "one word three times": read([6, 1, 6, 2, 6, 3]),
        "facts told twice": read([0, 100, 200, 1, 101, 201, 1, 101, 200, 0]),
        "the same word twice in a row": read([8, 8, 3, 8]),
        "some words never again": read([1, 2, 3, 4, 2, 5]),
        "some more often than others": read([2, 1, 2, 2, 1, 3, 2, 4]),
        "without a causal mask": read([4, 6, 4, 9, 6, 4], causal=False),
    },
    mistakes=INDUCTION_MISTAKES,
    result="score",
    see=INDUCTION,
)
def induction_score(weights, words):
    """Check `f(weights, words)` → the mean weight, over places whose word stood before, on the place after it. Returns Feedback."""
    return mean_picked(weights, words)
