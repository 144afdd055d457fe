"""Lesson 13: how well counting predicts the next letter, from the letters just before it."""

from collections import Counter

import numpy as np

from attn_checks.exercise import choices, close, exercise
from attn_lessons.lesson10.batch_gradients import LOSS, mean

GIVEN = "text unseen n letters"


def followed(text, n):
    """How often each letter follows each piece of up to n letters, and how often anything does."""
    pairs, total = Counter(), Counter()
    for i, letter in enumerate(text):
        for k in range(min(n, i) + 1):
            before = text[i - k : i]
            pairs[before, letter] += 1
            total[before] += 1
    return pairs, total


def pieces(last=lambda text, k: len(text) - k + 1):
    """Counts of all pieces of the text instead: the empty one, or short ones at the end, count too often."""

    def count(text, n):
        counts = Counter(text[i : i + k] for k in range(n + 2) for i in range(last(text, k)))
        return {(piece[:-1], piece[-1]): many for piece, many in counts.items() if piece}, counts

    return count


def without_overlaps(text, n):
    pairs, total = followed(text, n)
    return {(b, x): text.count(b + x) for b, x in pairs}, {
        b: text.count(b) if b else len(text) for b in total
    }


def only_longest(text, n):
    """Counts of pieces of exactly n letters."""
    pairs, total = followed(text, n)
    return {key: many for key, many in pairs.items() if len(key[0]) == n}, {
        key: many for key, many in total.items() if len(key) == n
    }


def by(rule, shorten=lambda before: before[1:], bottom=lambda letters: 1 / letters):
    """The chance of a letter after some others, by a rule.

    The rule takes how often the letter followed, of how often anything did; what gives the chance by a shorter piece;
    and the number of letters.
    """

    def chance(pairs, total, before, letter, letters):
        def shorter():
            if not before:
                return bottom(letters)
            return chance(pairs, total, shorten(before), letter, letters)

        return rule(pairs.get((before, letter), 0), total.get(before, 0), shorter, letters)

    return chance


def smoothed(seen, of, shorter, letters):
    return (seen + 10 * shorter()) / (of + 10)


def just_before(unseen, i, n):
    return unseen[max(0, i - n) : i]


def loss(text, unseen, n, letters, count, chance, before, together):
    pairs, total = count(text, n)
    chances = [chance(pairs, total, before(unseen, i, n), unseen[i], letters) for i in range(len(unseen))]
    with np.errstate(divide="ignore"):
        return together(np.log(chances))


COUNT = {
    "empty-piece-once-more": pieces(),
    "short-pieces-at-the-end": pieces(lambda text, k: len(text)),
    "overlaps-missed": without_overlaps,
    "only-longest-counted": only_longest,
}
CHANCE = {
    "not-smoothed": by(lambda seen, of, *_: seen / of if of else 0.0),
    "one-more-of-each": by(lambda seen, of, shorter, letters: (seen + 1) / (of + letters)),
    "uniform-for-shorter": by(lambda seen, of, shorter, letters: (seen + 10 / letters) / (of + 10)),
    "shorter-not-weighted": by(lambda seen, of, shorter, _: (seen + shorter()) / (of + 10)),
    "total-not-raised": by(
        lambda seen, of, shorter, _: (seen + 10 * shorter()) / of if of else shorter(),
    ),
    "backed-off": by(lambda seen, of, shorter, _: seen / of if seen else shorter()),
    "newest-letter-dropped": by(smoothed, shorten=lambda before: before[:-1]),
    "one-at-the-bottom": [
        by(smoothed, bottom=lambda letters: 1),
        by(smoothed, bottom=lambda letters: 0),
        by(smoothed, bottom=lambda letters: letters),
    ],
    "another-number-than-ten": [
        by(lambda seen, of, shorter, _, add=add: (seen + add * shorter()) / (of + add))
        for add in (1, 2, 5, 9, 11, 20, 100, 0.1)
    ],
    "straight-to-nothing": by(smoothed, shorten=lambda before: ""),
}
BEFORE = {
    "one-letter-too-few": lambda unseen, i, n: unseen[max(0, i - n + 1) : i],
    "letter-itself-before": lambda unseen, i, n: unseen[max(0, i - n + 1) : i + 1],
    "first-letters-before": lambda unseen, i, n: unseen[: min(n, i)],
    "slice-wraps-around": lambda unseen, i, n: unseen[i - n : i],
    "nothing-before": lambda unseen, i, n: "",
    "turned-round": lambda unseen, i, n: just_before(unseen, i, n)[::-1],
}
TOGETHER = LOSS | {
    "perplexity": lambda logs: np.exp(-np.mean(logs)),
    "loss-per-letter": np.negative,
    "product": lambda logs: np.exp(np.sum(logs)),
}
STEPS = choices(
    GIVEN,
    loss,
    count=(followed, COUNT),
    chance=(by(smoothed), CHANCE),
    before=(just_before, BEFORE),
    together=(mean, TOGETHER),
)
right = STEPS.whole({})
OTHERS = {
    "unseen-counted": [
        lambda text, unseen, n, letters: right(unseen, unseen, n, letters),
        lambda text, unseen, n, letters: right(text + unseen, unseen, n, letters),
    ],
    "training-text-judged": lambda text, unseen, n, letters: right(text, text, n, letters),
    "first-letters-left-out": lambda text, unseen, n, letters: mean(
        [
            np.log(by(smoothed)(*followed(text, n), unseen[i - n : i], unseen[i], letters))
            for i in range(n, len(unseen))
        ]
    ),
    "letters-counted": [
        lambda text, unseen, n, letters: right(text, unseen, n, len(set(text))),
        lambda text, unseen, n, letters: right(text, unseen, n, 27),
        lambda text, unseen, n, letters: right(text, unseen, n, 26),
    ],
}


PROBES = (  # text "aab", 4 letters: n, what is asked, and in words how its loss comes about
    (
        0,
        "a",
        "the chance of a is (2 + 10 · 1/4) / (3 + 10) = 0.346, so the loss is",
    ),
    (
        1,
        "aa",
        "the second a has the chance (1 + 10 · 0.346) / (2 + 10) = 0.372, so the mean loss is",
    ),
    (
        2,
        "aaa",
        "the third a has the chance (0 + 10 · 0.372) / (1 + 10) = 0.338, so the mean loss is",
    ),
)


def on_small_texts(ask, given, wanted, got):
    """Show the first of three tiny cases that goes wrong, with its arithmetic."""
    for n, unseen, told in PROBES:
        want = right("aab", unseen, n, 4)
        mine = ask("aab", unseen, n, 4)
        if not mine or mine[0].shape != () or mine[0].dtype.kind not in "iuf":
            return ""
        if not close(mine[0], np.array(want)):
            return (
                f'Take text "aab", unseen "{unseen}", n = {n} and 4 letters: {told} {want:.3f}. '
                f"Yours is {float(mine[0]):.3f}."
            )
    return 'On text "aab" your losses are right for n = 0, 1 and 2, so try longer texts.'


@exercise(
    steps=STEPS,
    own=on_small_texts,
    mistakes=[OTHERS, STEPS.mistakes()],
    result="loss",
    # each text ends with a letter that no piece of `unseen` has: whether its last piece counts can't matter
    inputs={
        "one letter before": ("ababac", "abac", 1, 4),
        "overlaps": ("aaabaaac", "aaabac", 2, 5),
        "none before": ("abbbc", "ab", 0, 3),
        "lines": ("\nada\nava\nadam\nz", "\nadada\nmad\nz", 3, 8),
        "longer than the text": ("abc", "ba", 4, 6),
    },
)
def counting_loss(text, unseen, n, letters):
    """Check `f(text, unseen, n, letters)` → the loss of counting what follows the last n letters.

    Returns Feedback.
    """
    return right(text, unseen, n, letters)
