"""Judge any attention function: it passes, or its bug is named with the smallest input that shows it.

In a process of its own it gets query, key and value of shape (batch, heads, L, d), a mask where a case has one, and
`is_causal=True` or `softcap=…` where the options ask for them. Its results are compared with softmax(QKᵀ·scale)·V under
the conventions of the options, then with what known bugs give on the same cases: BUGS, and the mistakes of the lessons'
exercises, as steps of attention. A name is given only to cases whose numbers it reproduces.
"""

from argparse import Namespace
from collections import defaultdict

import numpy as np

from attn_checks.judge.bugs import CONVENTIONS, SIZES, empty, in_tiles, steps
from attn_checks.judge.cases import SHORT, cases, shown
from attn_checks.recognise.mistakes import Mistake
from attn_checks.recognise.steps import Made
from attn_checks.recognise.two_mistakes import ends_of
from attn_checks.registry import exercises

PASSED, BUG, UNJUDGED, CONVENTION = range(4)  # exit codes
WORDS = ("passed", "bug", "could not be judged", "another convention")
RESULTS = ("output", "weights")
DTYPES = (float, np.float32)  # of a bug's arithmetic: they overflow in different places


class Verdict(Exception):  # noqa: N818, it's raised where there are no numbers to compare
    """An exit code, and why."""


class Compared:
    """A case, what a function gave on it (arrays, or the Verdict that it raised), and what attention gives."""

    def __init__(self, case: dict, got: tuple | Exception, rules: Namespace):
        self.case = case
        self.got = got
        self.tolerance = rules.tolerance
        L_q, d_k = case["query"].shape[-2:]
        L_k = case["key"].shape[-2]
        self.is_short = L_k <= SHORT
        offset = None
        if "is_causal" in case:
            offset = 0 if rules.causal == "upper-left" else L_k - L_q
        options = (
            np.arange(L_q)[:, None],
            np.arange(L_k),
            case.get("mask"),
            offset,
            rules.scale or d_k**-0.5,
            case.get("softcap"),
            rules.blocked,
        )
        self.given = {}
        for dtype in DTYPES:
            arrays = [case[name].astype(dtype) for name in ("query", "key", "value")]
            self.given[dtype] = (*arrays, *options)
        right = steps().walk(steps().start(self.given[float]), {})
        self.right = right["result"]
        self.counts = ~empty(right["hidden"]) | (rules.blocked != "any")
        self.is_right = self.is_like(self.right)

    def shows(self, dtype: type, *bugs: Made) -> bool:
        """Whether bugs in different steps together give the same numbers."""
        return self.is_like(self.made_by(dtype, *bugs))

    def made_by(self, dtype, *bugs):
        try:
            return steps().whole({bug.step: bug.way for bug in bugs})(*self.given[dtype])
        except Exception as error:  # a mistake may well end in one
            return error

    def is_like(self, result):
        raised = [isinstance(each, Exception) for each in (result, self.got)]
        if any(raised):
            return all(raised)
        for mine, other in zip(self.got, result, strict=False):
            if mine.shape != other.shape:
                return False
            if not close(self.counted(mine), self.counted(other), self.tolerance):
                return False
        return True

    def counted(self, array):
        """The array, with 0 for the queries that don't count, if it has its queries where they should be."""
        if array.shape[:-1] != self.right[0].shape[:-1]:
            return array
        return np.where(self.counts, array, 0)

    def has_shape(self, result):
        return not isinstance(result, Exception) and result[0].shape == self.right[0].shape


def close(a, b, tolerance):
    return np.allclose(a, b, tolerance, tolerance, equal_nan=True)


@np.errstate(all="ignore")
def verdict_on(results: list, rules: Namespace) -> tuple[int, str]:
    """The verdict on the results of all cases, tuples of arrays or what was raised: an exit code, and why."""
    pairs = zip(cases(rules), results, strict=True)
    compared = [Compared(case, got, rules) for case, got in pairs]
    fine = [each for each in compared if each.is_right]
    wrong = [each for each in compared if not each.is_right]
    if not wrong:
        return PASSED, f"right on all {len(compared)} cases"
    wrong.sort(key=lambda each: each.right[1].size)
    first = wrong[0]
    code, said = named(wrong, fine)
    if not said and isinstance(first.got, Verdict):
        raise first.got
    lines = [
        said or "the numbers are those of no known bug",
        f"wrong in {len(wrong)} of {len(compared)} cases: {', '.join([each.case['name'] for each in wrong])}",
        shown(first.case, rules),
    ]
    if isinstance(first.got, tuple) and first.is_short:
        for name, expected, mine in zip(RESULTS, first.right, first.got, strict=False):
            lines += [f"{name} expected\n{expected.round(3)}", f"{name} got\n{mine.round(3)}"]
    return code, "\n".join(lines)


def named(wrong, fine):
    """The exit code and what is said of the bug that gives the same numbers in every case, or of two, or of one in some."""
    if not any(isinstance(each.got, tuple) for each in wrong):
        return BUG, ""
    in_some = []
    for dtype in DTYPES:
        for bug in candidates(wrong[0], fine):
            alike = cases_like(wrong, dtype, bug)
            if len(alike) == len(wrong) and all(each.shows(dtype, bug) for each in fine):
                return as_verdict(bug)
            if alike:
                in_some.append((alike, bug))
    in_all = [bug for alike, bug in in_some if len(alike) == len(wrong)]
    two = None if in_all else pair(wrong, fine)
    return as_verdict(*two) if two else (BUG, in_part(in_some, wrong))


def candidates(first, fine):
    """Single bugs, our own before the lessons'; if no short case is wrong, those of tiles as well."""
    made = [
        Made(name, bug, way)
        for name, step in steps().steps.items()
        for bug in step.mistakes
        for way in bug.ways
    ]
    made.sort(key=is_of_a_lesson)
    if first.is_short:
        return made
    # a wrong shape, which shows in short cases, takes gigabytes in long ones
    short = max((each for each in fine if each.is_short), key=lambda each: each.right[1].size)
    made = [bug for bug in made if short.has_shape(short.made_by(float, bug))]
    for size in SIZES:
        if size * 16 > first.case["key"].shape[-2]:  # smaller ones would show in shorter cases
            for bug in exercises()["flash_attention"].mistakes:
                in_size = Mistake("", f"in tiles of {size}, {bug.name}", (), "")
                made += [Made("tiles", in_size, in_tiles(way, size)) for way in bug.ways]
    return made


def is_of_a_lesson(bug):
    return bug.mistake.short != ""


def cases_like(wrong, dtype, bug):
    """The cases in which a bug gives the same numbers; long ones are tried if a short one is among them, or none is wrong."""
    alike = []
    for each in wrong:
        if (each.is_short or alike or each is wrong[0]) and each.shows(dtype, bug):
            alike.append(each)
    return alike if any(isinstance(each.got, tuple) for each in alike) else []


def pair(wrong, fine):
    """Two bugs in different steps that together give the same numbers in every case, if no other two do, or only lessons'."""
    short = [each for each in wrong if each.is_short and isinstance(each.got, tuple)]
    if not short:
        return None
    first = short.pop()  # which has the most numbers
    others = [each for each in [*short[::-1], *fine, *wrong] if each is not first]
    found = defaultdict(dict)  # how many of the two are a lesson's -> names -> the two
    for dtype in DTYPES:
        for bugs in pairs_like(first, dtype):
            names = tuple(map(name_of, bugs))
            lessons = sum(map(is_of_a_lesson, bugs))
            if names not in found[lessons] and all(each.shows(dtype, *bugs) for each in others):
                found[lessons][names] = bugs
    for _, pairs in sorted(found.items()):
        if pairs:
            return next(iter(pairs.values())) if len(pairs) == 1 else None
    return None


def pairs_like(compared, dtype):
    """The pairs of bugs in different steps that give the numbers of one case."""
    made = steps().made
    for end in ends_of(steps(), compared.given[dtype]):
        if compared.is_like(end.value):
            yield from ((made[i], made[j]) for i, j in end.pairs)


def as_verdict(*bugs):
    """The exit code and the words for bugs that give the same numbers in every case."""
    options = [CONVENTIONS.get(bug.mistake.name) for bug in bugs]
    said = ", and ".join(map(name_of, bugs))
    if all(options):
        return CONVENTION, f"{said}. If that's meant, judge it with {' '.join(options)}"
    return BUG, said


def name_of(bug):
    mistake = bug.mistake
    return f"{bug.step}: {mistake.name} ({mistake.short})" if mistake.short else mistake.name


def in_part(in_some, wrong):
    """What is said of bugs that each give the same numbers in some of the wrong cases; of many that give them in the same, nothing."""
    said, left = [], set(wrong)
    while left:
        counts = defaultdict(dict)
        for alike, bug in in_some:
            counts[len(left.intersection(alike))][name_of(bug)] = alike
        best = max(counts, default=0)
        if best < min(2, len(wrong)) or len(counts[best]) > 2:
            break
        names = '", or of "'.join(counts[best])
        said.append(f'in {best} of its {len(wrong)} wrong cases the result is that of "{names}"')
        left -= set().union(*counts[best].values())
    return "; ".join(said)
