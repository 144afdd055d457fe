"""Judge any attention function: it passes, or its bug is named with the smallest input that shows it.

In a process of its own it gets query, key and value of shape (batch, heads, L, d), a mask where a case has
one, and `is_causal=True` or `softcap=…` where the options ask for them. Its results are compared with
softmax(QKᵀ·scale)·V under the conventions of the options, then with what known bugs give on the same cases:
our own, and the mistakes of the lessons' exercises, as steps of attention. A name is given only to cases
whose numbers it reproduces.
"""

from argparse import Namespace
from collections import defaultdict
from typing import Any

import numpy as np

from attn_checks.judge.bugs import bugs_of_tiles, empty, single_bugs, steps
from attn_checks.judge.cases import SHORT, cases, shown
from attn_checks.recognise.steps import Made
from attn_checks.recognise.two_mistakes import ends_of
from attn_checks.run.data import imitate

PASSED, BUG, UNJUDGED, CONVENTION = range(4)  # exit codes
WORDS = ("passed", "bug", "could not be judged", "another convention")
RESULTS = ("output", "weights")


class Verdict(Exception):  # noqa: N818, it's raised where there are no numbers to compare
    """An exit code, and why."""


class Compared:
    """A case, what a function gave on it (arrays, or the Verdict if it raised), and what attention gives."""

    def __init__(self, case: dict, got: tuple | Exception, rules: Namespace):
        self.case = case
        self.got: Any = got
        self.tolerance = rules.tolerance
        self.given = arguments(case, rules)
        right = steps().walk(steps().start(self.given), {})
        self.right = right["result"]
        self.counts = ~empty(right["hidden"]) | (rules.blocked != "any")
        self.is_short = case["key"].shape[-2] <= SHORT
        self.has_numbers = isinstance(got, tuple)
        self.is_right = self.is_like(self.right)

    def shows(self, *bugs: Made) -> bool:
        """Whether bugs in different steps together give the same numbers."""
        return self.is_like(self.made_by(*bugs))

    def made_by(self, *bugs: Made) -> tuple | None:
        """What bugs in different steps together give, None if an exception."""
        return imitate(steps().whole({bug.step: bug.way for bug in bugs}), self.given).values

    def fits(self, bug: Made) -> bool:
        """Whether a bug gives a result of the right shape."""
        made = self.made_by(bug)
        return made is not None and made[0].shape == self.right[0].shape

    def is_like(self, arrays: tuple | None) -> bool:
        """Whether the function gave these, None for an exception."""
        if arrays is None or not self.has_numbers:
            return arrays is None and not self.has_numbers
        pairs = zip(self.got, arrays, strict=False)
        return all(self.are_close(mine, other) for mine, other in pairs)

    def are_close(self, mine, other):
        if mine.shape != other.shape:
            return False
        if mine.shape[:-1] == self.right[0].shape[:-1]:
            mine = np.where(self.counts, mine, 0)
            other = np.where(self.counts, other, 0)
        return close(mine, other, self.tolerance)


def arguments(case, rules):
    """What the steps of attention start with."""
    Q = case["query"].astype(float)
    K = case["key"].astype(float)
    V = case["value"].astype(float)
    L_q, d_k = Q.shape[-2:]
    L_k = K.shape[-2]
    if rules.scale:
        Q = Q * rules.scale * d_k**0.5
    offset = None
    if "is_causal" in case:
        offset = 0 if rules.causal == "upper-left" else L_k - L_q
    i = np.arange(L_q)[:, None]
    j = np.arange(L_k)
    return Q, K, V, case.get("mask"), i, j, offset, case.get("softcap"), rules.blocked


def close(a, b, tolerance):
    return np.allclose(a, b, tolerance, tolerance, equal_nan=True)


@np.errstate(all="ignore")
def verdict_on(results: list, rules: Namespace) -> tuple[int, str]:
    """The verdict on the results of all cases, tuples of arrays or what was raised: an exit code, and why."""
    pairs = zip(cases(rules), results, strict=True)
    compared = [Compared(case, got, rules) for case, got in pairs]
    compared.sort(key=lambda each: each.right[1].size)
    wrong = [each for each in compared if not each.is_right]
    if not wrong:
        return PASSED, f"right on all {len(compared)} cases"
    first = wrong[0]
    code, said = named(wrong, compared)
    if not said and not first.has_numbers:
        raise first.got
    names = ", ".join(each.case["name"] for each in wrong)
    lines = [
        said or "the numbers are those of no known bug",
        f"wrong in {len(wrong)} of {len(compared)} cases: {names}",
        shown(first.case, rules),
    ]
    if first.has_numbers and first.is_short:
        for name, expected, mine in zip(RESULTS, first.right, first.got, strict=False):
            lines += [f"{name} expected\n{expected.round(3)}", f"{name} got\n{mine.round(3)}"]
    return code, "\n".join(lines)


def named(wrong, compared):
    """The exit code, and what is said of the bug or two that give the same numbers in every case or some."""
    if not any(each.has_numbers for each in wrong):
        return BUG, ""
    # short cases first: a wrong shape takes gigabytes in long ones
    order = sorted(compared, key=lambda each: (not each.is_short, each.is_right))
    bugs = single_bugs()
    if not wrong[0].is_short:
        bugs += bugs_of_tiles(wrong[0].case["key"].shape[-2])
    for bug in bugs:
        if all(each.shows(bug) for each in order):
            return as_verdict(bug)
    two = pair(wrong, order)
    if two:
        return as_verdict(*two)
    most = [each for each in compared if each.is_short][-1]  # numbers of the short cases
    return BUG, in_part([bug for bug in bugs if most.fits(bug)], wrong)


def pair(wrong, order):
    """Two bugs in different steps that together give the same numbers, if no others do, or only lessons'."""
    short = [each for each in wrong if each.is_short and each.has_numbers]
    if not short:
        return None
    most = short[-1]  # numbers
    found = defaultdict(dict)  # how many of the two are a lesson's -> names -> the two
    for end in ends_of(steps(), most.given):
        if not most.is_like(end.outcome.values):
            continue
        for places in end.pairs:
            bugs = [steps().made[place] for place in places]
            names = tuple(map(name_of, bugs))
            lessons = sum(bug.mistake.name != "" for bug in bugs)
            if names not in found[lessons] and all(each.shows(*bugs) for each in order):
                found[lessons][names] = bugs
    for _, pairs in sorted(found.items()):
        if pairs:
            return next(iter(pairs.values())) if len(pairs) == 1 else None
    return None


def as_verdict(*bugs):
    """The exit code and the words for bugs that give the same numbers in every case."""
    options = [bug.mistake.key.partition(" (")[2].rstrip(")") for bug in bugs]
    said = ", and ".join(map(name_of, bugs))
    if all(option.startswith("--") for option in options):
        return CONVENTION, f"{said}. If that's meant, judge it with {' '.join(options)}"
    return BUG, said


def name_of(bug):
    mistake = bug.mistake
    return f"{bug.step}: {mistake.name} ({mistake.short})" if mistake.name else mistake.short


def in_part(bugs, wrong):
    """What is said of the bug, or the two, that give the same numbers in the most wrong cases."""
    tried = [each for each in wrong if each.is_short and each.has_numbers] or wrong[:1]
    by_count = defaultdict(dict)
    for bug in bugs:
        count = sum(each.shows(bug) for each in tried)
        by_count[count][name_of(bug)] = bug
    if not by_count:
        return ""
    alike = by_count[max(by_count)]
    one = next(iter(alike.values()))
    most = sum(each.shows(one) for each in wrong)
    if len(alike) > 2 or most < min(2, len(wrong)):
        return ""
    names = '", or of "'.join(sorted(alike))
    return f'in {most} of its {len(wrong)} wrong cases the result is that of "{names}"'
