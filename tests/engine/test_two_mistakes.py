"""Two mistakes in two steps of attention: none pass, and what they are called is true.

All pairs are worked out side by side; a few then go through the checker itself.
"""

import zlib
from collections import defaultdict

import numpy as np
import pytest

import attn_checks as check
from attn_checks.recognise.two_mistakes import ends_of
from attn_checks.run.compare import as_arrays

ATTENTION = check.EXERCISES["attention"]
MADE = ATTENTION.steps.made
PAIRS = [(MADE[i], MADE[j]) for i, j in sorted(ATTENTION.steps.pairs)]
BY_NAME = {"-and-".join(mistake.short for _, mistake, _ in pair): pair for pair in reversed(PAIRS)}
# A new mistake changes no other's place in it.
SAMPLE = [name for name in BY_NAME if zlib.crc32(name.encode()) % 320 == 0]


@pytest.fixture(scope="module")
@np.errstate(all="ignore")
def numbers():
    """What each combination of ways gives on inputs, by the places of its mistakes: (), (i,) or (i, j)."""
    given = defaultdict(tuple)
    for case in ATTENTION.cases:
        for end in ends_of(ATTENTION.steps, case):
            digits = four_digits(end.value)
            for ways in end.ways:
                given[ways] += (digits,)
    return given


def four_digits(value):
    arrays = None if isinstance(value, Exception) else as_arrays(value)
    if arrays is None:
        return repr(value)
    return tuple((a.shape, np.char.mod("%.3e", a + 0.0).tobytes()) for a in arrays)


@pytest.mark.thorough
def test_no_two_mistakes_pass_and_what_they_are_called_is_true(numbers):
    """Where one mistake gives the numbers of two, it is one of them; nearly all pairs can be named surely."""
    single = defaultdict(set)
    alike = defaultdict(list)
    right = numbers.pop(())
    for ways, given in sorted(numbers.items(), key=lambda each: len(each[0])):
        names = {MADE[place].mistake.short for place in ways}
        if len(ways) == 1:
            single[given] |= names
        else:
            assert given != right, f"{names} pass"
            assert given not in single or single[given] & names, (names, single[given])
            alike[given].append(names)
    sure = [pairs for pairs in alike.values() if set.intersection(*pairs)]
    assert len(PAIRS) > 10_000 and sum(map(len, sure)) > 0.97 * len(PAIRS)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_checker_names_a_mistake_that_was_made(name):
    steps = ATTENTION.steps
    ways = {step: way for step, _, way in BY_NAME[name]}
    feedback = check.attention(lambda *given: steps.walk(steps.start(given), ways)["result"])
    assert feedback.status in ("incorrect", "error"), str(feedback)
    assert feedback.mistake in name.split("-and-"), str(feedback)
