"""Two mistakes in two steps of attention: none pass, and what they are called is true.

All pairs are worked out by the steps' own memory; a few then go through the checker itself.
"""

import zlib
from collections import Counter, defaultdict

import numpy as np
import pytest

import attn_checks as check
from attn_checks.recognise.two_mistakes import Memory
from attn_checks.run.compare import as_arrays

ATTENTION = check.EXERCISES["attention"]
PAIRS = [(first, second) for first, seconds in ATTENTION.steps.pairs for second in seconds]
ALONE = list({id(made): made for pair in PAIRS for made in pair}.values())
BY_NAME = {"-and-".join(mistake.short for _, mistake, _ in pair): pair for pair in reversed(PAIRS)}
# A new mistake changes no other's place in it.
SAMPLE = [name for name in BY_NAME if zlib.crc32(name.encode()) % 320 == 0]


@pytest.fixture(scope="module")
@np.errstate(all="ignore")
def numbers():
    """What each combination of ways to take steps gives, on as many inputs as it takes to tell it from the others."""
    combinations = {tuple(map(id, made)): made for made in [(), *((made,) for made in ALONE), *PAIRS]}
    given = dict.fromkeys(combinations, ())
    for case in ATTENTION.cases:
        memory, digits, alike = Memory(), {}, Counter(given.values())
        start = ATTENTION.steps.start(map(memory.keep, case))
        for key in [key for key in given if alike[given[key]] > 1]:
            ways = {step: way for step, _, way in combinations[key]}
            value = ATTENTION.steps.walk(start, ways, memory.apply)["result"]
            if id(value) not in digits:
                digits[id(value)] = four_digits(value)
            given[key] += (digits[id(value)],)
    return given


def four_digits(value):
    arrays = None if isinstance(value, Exception) else as_arrays(value)
    if arrays is None:
        return repr(value)
    return tuple((a.shape, np.char.mod("%.3e", a + 0.0).tobytes()) for a in arrays)


def names_of(made):
    return {mistake.short for _, mistake, _ in made}


@pytest.mark.thorough
def test_no_two_mistakes_pass_and_what_they_are_called_is_true(numbers):
    """Where a single mistake gives the numbers of two, it is one of them; nearly all pairs can be named surely."""
    single, alike = defaultdict(set), defaultdict(list)
    for made in ALONE:
        single[numbers[(id(made),)]] |= names_of([made])
    for pair in PAIRS:
        given, names = numbers[tuple(map(id, pair))], names_of(pair)
        assert given != numbers[()], f"{names} pass"
        assert given not in single or single[given] & names, (names, single[given])
        alike[given].append(names)
    sure = [pairs for pairs in alike.values() if set.intersection(*pairs)]
    assert len(PAIRS) > 10_000 and sum(map(len, sure)) > 0.97 * len(PAIRS)


@pytest.mark.parametrize("name", SAMPLE)
def test_the_checker_names_a_mistake_that_was_made(name):
    steps, ways = ATTENTION.steps, {step: way for step, _, way in BY_NAME[name]}
    feedback = check.attention(lambda *given: steps.walk(steps.start(given), ways)["result"])
    assert feedback.status in ("incorrect", "error"), str(feedback)
    assert feedback.mistake in name.split("-and-"), str(feedback)
