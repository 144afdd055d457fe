"""Judge any attention function: it passes, or its bug is named with the smallest input that shows it.

In a process of its own it gets query, key and value of shape (batch, heads, L, d), a mask where a case has one, and
`is_causal=True` or `softcap=…` where the options ask for them. Its results are compared with softmax(QKᵀ·scale)·V under
the conventions of the options, then with what known bugs give on the same cases: BUGS, and the mistakes of the lessons'
exercises, as steps of attention. A name is given only to cases whose numbers it reproduces.
"""

import functools
import importlib
import inspect
import json
import multiprocessing
import operator
import re
import warnings
from pathlib import Path

import numpy as np

from attn_checks.errors.raised import words_of
from attn_checks.recognise.mistakes import Mistake, inside
from attn_checks.recognise.steps import Step, Steps
from attn_checks.recognise.two_mistakes import Ends
from attn_checks.registry import exercises
from attn_parts.mathematics import softmax

PASSED, BUG, UNJUDGED, CONVENTION = range(4)  # exit codes
WORDS = ("passed", "bug", "could not be judged", "another convention")
RESULTS = ("output", "weights")
SHORT = 5  # keys of a case that can be read as a whole
DTYPES = (float, np.float32)  # of a bug's arithmetic: they overflow in different places
SIZES = (4, 8, 16, 32, 64, 128, 256)  # of tiles


class Verdict(Exception):  # noqa: N818, it's raised where there are no numbers to compare
    """An exit code, and why."""


# name; batch, heads, L_q, L_k, d_k, d_v; by what the query is multiplied, a mask (1 = may attend), other options
CASES = """
two tokens                         1 1   2   2 2 1
more keys than queries             1 1   2   3 4 2
batch and heads                    2 3   4   5 6 3
large scores                       1 1   2   3 4 2  times=10000
a mask                             1 1   2   2 2 1  mask=10/11
a mask with gaps                   1 1   3   3 4 2  mask=110/011/101
a query with every key blocked     1 1   2   3 4 2  mask=000/101
padding                            2 2   3   3 5 2  mask=110/110/110/100/100/100
large scores and a mask            1 1   2   3 4 2  mask=101/001 times=20000
causal                             1 1   2   2 2 1  is_causal
causal, fewer queries than keys    1 1   3   4 3 2  is_causal
causal, a single query             1 1   1   3 4 2  is_causal
softcap                            1 1   2   3 4 2  softcap
softcap and a mask                 1 1   2   3 4 2  softcap mask=110/011
long                               1 2  29  61 4 2  times=0.5
longer                             1 1 200 333 8 3  times=0.5
long and masked                    2 1  29  61 4 2  mask=holes times=0.5
longer and masked                  1 1 200 333 8 3  mask=holes times=0.5
long and causal                    1 2  61  61 4 2  is_causal times=0.5
longer and causal                  1 1 200 333 8 3  is_causal times=0.5
"""


def cases(rules):
    """The cases that the options ask for; in `mask` True = may attend, however it's passed in."""
    made, rng = [], np.random.default_rng(3432)  # no ties among large scores
    asked = {"mask": rules.mask != "none", "is_causal": rules.causal != "none", "softcap": rules.softcap}
    for name, sizes, extra in re.findall(r"(?m)^(.+?)  +([\d ]+)(.*)$", CASES):
        batch, heads, L_q, L_k, d_k, d_v = map(int, sizes.split())
        case, extra = {"name": name}, dict(re.findall(r"(\w+)=?(\S*)", extra))
        widths = {"query": (L_q, d_k), "key": (L_k, d_k), "value": (L_k, d_k if rules.equal_widths else d_v)}
        for part, shape in widths.items():
            case[part] = rng.integers(-3, 4, (batch, heads, *shape)).astype(np.float32)
        case["query"] *= float(extra.pop("times", 1))
        if L_k > SHORT:  # some scores grow along the keys, others fall: the maximum moves from tile to tile
            case["key"][..., 0] = np.linspace(-2, 2, L_k).round(2)
        case |= {option: asked[option] for option in extra}
        if "mask" in extra:
            cells = [cell == "1" for cell in extra["mask"].replace("/", "")]
            case["mask"] = holes(batch, L_q, L_k) if L_k > SHORT else np.reshape(cells, (batch, 1, L_q, L_k))
        if all(asked[option] for option in extra):
            made.append(case)
    return made


def holes(batch, L_q, L_k):
    """A long mask: some rows begin or end with a long gap, and in one everything is blocked."""
    sequence, _, i, j = np.ogrid[:batch, :1, :L_q, :L_k]
    gaps = ((i % 3 == 1) & (2 * j < L_k)) | ((i % 5 == 2) & (3 * j > L_k)) | (i == L_q // 2)
    return ((3 * i + j + sequence) % 7 < 4) & ~gaps


# --- attention in steps, and its bugs -----------------------------------------------------------------------


def hide(scores, mask):
    return scores if mask is None else np.where(mask, scores, -np.inf)


def capped(scores, cap):
    return cap * np.tanh(scores / cap) if cap else scores


def mixed_up(array):
    """Exchange the axes of heads and positions, then reshape as if nothing had been exchanged."""
    return array.swapaxes(1, 2).reshape(array.shape)


def if_given(change):
    return lambda mask, j: None if mask is None else change(mask, j)


def both(mask, other):
    return other if mask is None else mask & other


def seen(rule):
    """Let is_causal show each query i the keys j of a rule, in which the triangle's first row has `offset` keys before j = i."""
    return lambda mask, i, j, offset: mask if offset is None else both(mask, rule(i, j, offset))


def over(axis):
    """Softmax along other axes, with NaN where everything is blocked."""

    def way(hidden):
        exponentials = np.exp(hidden - hidden.max(axis=axis, keepdims=True))
        return exponentials / exponentials.sum(axis=axis, keepdims=True)

    return way


def times(factor):
    return lambda scores, Q, K, V, scale: scores * factor(Q, K)


def filled(how=None):
    """Fill the weights of queries whose keys are all blocked, by a convention or the one that is asked for."""

    def way(weights, hidden, scores, blocked):
        if weights.shape != hidden.shape:
            raise ValueError("weights of another shape, which np.where would broadcast to gigabytes")
        fill = {"nan": np.nan, "mean": 1 / hidden.shape[-1]}.get(how or blocked, 0.0)
        return np.where(empty(hidden), softmax(scores) if how == "open" else fill, weights)

    return way


def empty(hidden):
    return np.isneginf(hidden).all(axis=-1, keepdims=True)


def unless_empty(way):
    """Block the queries whose keys are all blocked rightly."""
    return lambda scores, mask: (
        scores if mask is None else np.where(mask.any(axis=-1, keepdims=True), way(scores, mask), -np.inf)
    )


def in_tiles(way, size):
    """Attention in tiles of a size, each head by itself; queries whose keys are all blocked are as they were."""

    def tiled(Q, K, V, mask, scale, hidden, output):
        mask = np.broadcast_to(True if mask is None else mask, hidden.shape)
        head = np.vectorize(lambda *given: way(*given, size), signature="(q,d),(k,d),(k,v),(q,k)->(q,v)")
        return np.where(empty(hidden), output, head(Q * scale * Q.shape[-1] ** 0.5, K, V, mask))

    return tiled


BUGS = {  # by the step that is wrong, and by name: what the step makes of what it reads
    "inputs": {
        "the inputs are rounded to float16": lambda *QKV: [x.astype(np.float16).astype(x.dtype) for x in QKV],
        "heads and positions are split by a reshape alone": lambda *QKV: [mixed_up(x) for x in QKV],
        "all heads use the keys and values of the first": lambda Q, K, V: (Q, K[:, :1], V[:, :1]),
        "all sequences use the keys and values of the first": lambda Q, K, V: (Q, K[:1], V[:1]),
        "the values are in reverse order": lambda Q, K, V: (Q, K, V[..., ::-1, :]),
    },
    "allowed": {
        "the mask has no effect": lambda mask, j: None,
        "the mask is read the other way round": if_given(lambda mask, j: ~mask),
        "the mask of the first sequence is used for all": if_given(lambda mask, j: mask[:1]),
        "the mask of the first query is used for all": if_given(lambda mask, j: mask[..., :1, :]),
        "the mask's last column has no effect": if_given(lambda mask, j: mask | (j == len(j) - 1)),
        "the last key has no effect": lambda mask, j: both(mask, j < len(j) - 1),
        **{f"only the first {n} keys have an effect": lambda mask, j, n=n: both(mask, j < n) for n in SIZES},
    },
    "is_causal": {
        "is_causal has no effect": seen(lambda i, j, offset: j >= 0),
        "is_causal has no effect on a single query": seen(
            lambda i, j, offset: (j <= i + offset) | (len(i) == 1)
        ),
        "the causal triangle is strict: no query attends to itself": seen(
            lambda i, j, offset: j < i + offset
        ),
        "the causal triangle reaches one key too far": seen(lambda i, j, offset: j <= i + offset + 1),
        "the causal triangle leaves the later keys": seen(lambda i, j, offset: j >= i + offset),
        "the causal triangle starts in the upper left": seen(lambda i, j, offset: j <= i),
        "the causal triangle ends in the lower right": seen(lambda i, j, offset: j <= i + len(j) - len(i)),
    },
    "scale": {
        "the scores are divided by √d_k": times(lambda Q, K: Q.shape[-1] ** -0.5),
        "the scores are divided by √d_model, d_model = heads·d_k": times(
            lambda Q, K: (Q.shape[1] * Q.shape[-1]) ** -0.5
        ),
        "the scores are divided by √(number of heads)": times(lambda Q, K: Q.shape[1] ** -0.5),
        "the scores are divided by √L_k, the number of keys": times(lambda Q, K: K.shape[-2] ** -0.5),
        "the scores are multiplied by 0": times(lambda Q, K: 0.0),
        "the scores are negated": times(lambda Q, K: -(Q.shape[-1] ** -0.5)),
    },
    "softcap": {"softcap has no effect": lambda scaled, cap: scaled},
    "late softcap": {
        "softcap comes after the mask": lambda scaled, mask, cap: capped(hide(scaled, mask), cap)
    },
    "softmax": {
        "softmax runs over the heads": over(1),
        "softmax runs over the batch": over(0),
        "softmax runs over queries and keys together": over((-2, -1)),
    },
    "softmax with zeros": {
        "softmax runs over the heads": lambda hidden: softmax(hidden, 1),
        "softmax runs over the batch": lambda hidden: softmax(hidden, 0),
    },
    "late scale": {
        "the weights are scaled, not the scores": lambda scores, mask, scale: (
            softmax(hide(scores, mask)) * scale
        )
    },
    "blocked": {
        "a query with every key blocked gives NaN": filled("nan"),
        "a query with every key blocked gives zeros": filled("zeros"),
        "a query with every key blocked gives the mean of all values": filled("mean"),
        "a query with every key blocked attends as if none were": filled("open"),
    },
    "output": {
        "the heads are in reverse order": lambda output: output[:, ::-1],
        "the output of the first head is given for all": lambda output: output[:, :1] + 0 * output,
        "heads and positions are put together by a reshape alone": mixed_up,
    },
}
CONVENTIONS = {  # what is no bug where it's meant, and the option that says so
    "the mask is read the other way round": "--mask true-blocks",
    "the causal triangle starts in the upper left": "--causal upper-left",
    "the causal triangle ends in the lower right": "--causal lower-right",
    "a query with every key blocked gives NaN": "--blocked nan",
    "a query with every key blocked gives zeros": "--blocked zeros",
    "a query with every key blocked gives the mean of all values": "--blocked mean",
}


@functools.cache
def steps():
    """Attention as steps, each with its bugs: those above, which know of batches and heads, then the lessons'."""
    lesson, attention = exercises(), exercises()["attention"].steps.steps
    bugs = {name: attention[name].mistakes for name in ("scores", "mask and softmax", "mix")}
    bugs["softmax"] = [*attention["softmax"].mistakes, *lesson["softmax"].mistakes]
    bugs["scale"] = inside(attention["scale"].mistakes, lambda way: lambda *given: way(*given[:-1]))
    bugs["late mask"] = attention["mask after softmax"].mistakes
    ways = [[*each.ways, *map(unless_empty, each.ways)] for each in attention["mask"].mistakes]
    bugs["mask"] = [
        each._replace(ways=both) for each, both in zip(attention["mask"].mistakes, ways, strict=True)
    ]
    made = {  # what each reads and writes, and how it's done
        "inputs": ("Q K V", "Q K V", lambda *QKV: QKV),
        "allowed": ("mask j", "mask", lambda mask, j: mask),
        "is_causal": ("mask i j offset", "mask", seen(lambda i, j, offset: j <= i + offset)),
        "scores": ("Q K", "scores", attention["scores"].right),
        "scale": ("scores Q K V scale", "scaled", lambda scores, Q, K, V, scale: scores * scale),
        "softcap": ("scaled cap", "capped", capped),
        "mask": ("capped mask", "hidden", hide),
        "late softcap": ("scaled mask cap", "hidden", None),
        "softmax": ("hidden", "weights", softmax),
        "softmax with zeros": ("hidden", "weights", None),
        "softmax of all": ("capped", "unmasked", softmax),
        "late mask": ("unmasked mask", "weights", None),
        "mask and softmax": ("capped mask", "weights", None),
        "late scale": ("scores mask scale", "weights", None),
        "blocked": ("weights hidden capped blocked", "weights", filled()),
        "mix": ("weights V K", "output", lambda weights, V, K: weights @ V),
        "tiles": ("Q K V mask scale hidden output", "output", None),
        "output": ("output", "output", lambda output: output),
        "return": ("output weights", "result", lambda *both: both),
    }
    own = {name: [Mistake("", bug, [way], "") for bug, way in ways.items()] for name, ways in BUGS.items()}
    return Steps(
        "Q K V i j mask offset scale cap blocked",
        {
            name: Step(reads, writes, (*own.get(name, ()), *bugs.get(name, ())), right)
            for name, (reads, writes, right) in made.items()
        },
        few=2,
    )


# --- the verdict --------------------------------------------------------------------------------------------


class Tried:
    """A case, what a function gave on it (arrays, or the Verdict that it raised), and what attention gives."""

    def __init__(self, case, got, rules):
        self.case, self.got, self.tolerance = case, got, rules.tolerance
        (*_, L_q, d_k), L_k = case["query"].shape, case["key"].shape[-2]
        self.is_short = L_k <= SHORT
        offset = (0 if rules.causal == "upper-left" else L_k - L_q) if "is_causal" in case else None
        options = np.arange(L_q)[:, None], np.arange(L_k), case.get("mask"), offset
        options += (rules.scale or d_k**-0.5, case.get("softcap"), rules.blocked)
        self.given = {
            dtype: [*(case[name].astype(dtype) for name in ("query", "key", "value")), *options]
            for dtype in DTYPES
        }
        right = steps().walk(steps().start(self.given[float]), {})
        self.right, self.counts = right["result"], ~empty(right["hidden"]) | (rules.blocked != "any")
        self.is_right = self.is_like(self.right)

    def shows(self, dtype, *bugs):
        """Whether bugs in different steps, each (step, mistake, way), together give the same numbers."""
        return self.is_like(self.made_by(dtype, *bugs))

    def made_by(self, dtype, *bugs):
        try:
            return steps().whole({step: way for step, _, way in bugs})(*self.given[dtype])
        except Exception as error:  # a mistake may well end in one
            return error

    def is_like(self, result):
        if isinstance(result, Exception) or isinstance(self.got, Exception):
            return isinstance(result, Exception) and isinstance(self.got, Exception)
        pairs = list(zip(self.got, result, strict=False))
        return all(mine.shape == other.shape for mine, other in pairs) and all(
            close(*map(self.counted, pair), self.tolerance) for pair in pairs
        )

    def counted(self, array):
        """The array, with 0 for the queries that don't count, if it has its queries where they should be."""
        return np.where(self.counts, array, 0) if array.shape[:-1] == self.right[0].shape[:-1] else array

    def has_shape(self, result):
        return not isinstance(result, Exception) and result[0].shape == self.right[0].shape


@np.errstate(all="ignore")
def judge(results, rules):
    """The verdict on the results of all cases, tuples of arrays or what was raised: an exit code, and why."""
    tried = [Tried(case, got, rules) for case, got in zip(cases(rules), results, strict=True)]
    wrong = sorted((each for each in tried if not each.is_right), key=lambda each: each.right[1].size)
    if not wrong:
        return PASSED, f"right on all {len(tried)} cases"
    first, (code, said) = wrong[0], named(wrong, [each for each in tried if each.is_right])
    if not said and isinstance(first.got, Verdict):
        raise first.got
    text = f"{said or 'the numbers are those of no known bug'}\nwrong in {len(wrong)} of {len(tried)} cases: "
    text += f"{', '.join(each.case['name'] for each in wrong)}\n{shown(first.case, rules)}"
    if isinstance(first.got, tuple) and first.is_short:
        for name, expected, mine in zip(RESULTS, first.right, first.got, strict=False):
            text += f"\n{name} expected\n{expected.round(3)}\n{name} got\n{mine.round(3)}"
    return code, text


def named(wrong, fine):
    """The exit code and what is said of the bug that gives the same numbers in every case, or of two, or of one in some."""
    some = []
    if not any(isinstance(each.got, tuple) for each in wrong):
        return BUG, ""
    for dtype in DTYPES:
        for bug in candidates(wrong[0], fine):
            like = explained(wrong, dtype, bug)
            if len(like) == len(wrong) and all(each.shows(dtype, bug) for each in fine):
                return told(bug)
            some += [(like, bug)] if like else []
    if max((len(like) for like, _ in some), default=0) < len(wrong) and (two := pair(wrong, fine)):
        return told(*two)
    return BUG, in_part(some, wrong)


def pair(wrong, fine):
    """Two bugs in different steps that together give the same numbers in every case, if no other two do, or only lessons'."""
    short = [each for each in wrong if each.is_short and isinstance(each.got, tuple)]
    if not short:
        return None
    first = short.pop()  # which has the most numbers
    order, found = [each for each in [*short[::-1], *fine, *wrong] if each is not first], {}
    for dtype in DTYPES:
        ends = Ends(steps(), first.given[dtype])
        for one, others in steps().pairs:
            for two in others:
                names, own = (name_of(one), name_of(two)), (one[1].short == "") + (two[1].short == "")
                new = names not in found.get(own, ()) and first.is_like(ends.of(one, two))
                if new and all(each.shows(dtype, one, two) for each in order):
                    found.setdefault(own, {})[names] = one, two
    best = list(found[max(found)].values()) if found else []
    return best[0] if len(best) == 1 else None


def candidates(first, fine):
    """Single bugs as (step, mistake, way), our own before the lessons'; if no short case is wrong, those of tiles as well."""
    made = [
        (name, bug, way) for name, step in steps().steps.items() for bug in step.mistakes for way in bug.ways
    ]
    made.sort(key=lambda each: each[1].short != "")
    if first.is_short:
        return made
    # a wrong shape, which shows in short cases, takes gigabytes in long ones
    short = max((each for each in fine if each.is_short), key=lambda each: each.right[1].size)
    made = [bug for bug in made if short.has_shape(short.made_by(float, bug))]
    for size in SIZES:
        if size * 16 > first.case["key"].shape[-2]:  # smaller ones would show in shorter cases
            for bug in exercises()["flash_attention"].mistakes:
                in_size = Mistake("", f"in tiles of {size}, {bug.name}", (), "")
                made += [("tiles", in_size, in_tiles(way, size)) for way in bug.ways]
    return made


def explained(wrong, dtype, bug):
    """The cases in which a bug gives the same numbers; long ones are tried if a short one is among them, or none is wrong."""
    like = []
    for each in wrong:
        if (each.is_short or like or each is wrong[0]) and each.shows(dtype, bug):
            like.append(each)
    return like if any(isinstance(each.got, tuple) for each in like) else []


def told(*bugs):
    """The exit code and the words for bugs that give the same numbers in every case."""
    options = [CONVENTIONS.get(mistake.name) for _, mistake, _ in bugs]
    said = ", and ".join(map(name_of, bugs))
    return (
        (CONVENTION, f"{said}. If that's meant, judge it with {' '.join(options)}")
        if all(options)
        else (BUG, said)
    )


def name_of(bug):
    step, mistake, _ = bug
    return f"{step}: {mistake.name} ({mistake.short})" if mistake.short else mistake.name


def in_part(some, wrong):
    """What is said of bugs that each give the same numbers in some of the wrong cases; of many that give them in the same, nothing."""
    said, left = [], set(wrong)
    while left:
        counts = {}
        for like, bug in some:
            counts.setdefault(len(left.intersection(like)), {})[name_of(bug)] = like
        best = max(counts, default=0)
        if best < min(2, len(wrong)) or len(counts[best]) > 2:
            break
        names = '", or of "'.join(counts[best])
        said.append(f'in {best} of its {len(wrong)} wrong cases the result is that of "{names}"')
        left -= set().union(*counts[best].values())
    return "; ".join(said)


def close(a, b, tolerance):
    return np.allclose(a, b, tolerance, tolerance, equal_nan=True)


def given(case, rules):
    """What a call gets, by name, its mask in the convention of the options."""
    if "mask" not in case or rules.mask == "true-attends":
        return dict(case)
    blocked = ~case["mask"]
    return case | {"mask": blocked if rules.mask == "true-blocks" else np.float32([0, -np.inf])[blocked * 1]}


def shown(case, rules):
    """A case as a reader can type it in; of a long one the shapes, and where it's written in full."""
    if case["key"].shape[-2] <= SHORT:
        return "\n".join(f"{name} = {value!r}" for name, value in given(case, rules).items())
    shapes = ", ".join(f"{name} {value.shape}" for name, value in case.items() if hasattr(value, "shape"))
    return f"name = {case['name']!r}: {shapes}; --cases FILE writes it in full"


# --- running the function, or reading what it answered --------------------------------------------------------


def run(rules):
    """The command: its exit code, and what it prints."""
    way = write_cases if rules.cases else judge_answers if rules.answers else judge_function
    try:
        code, why = way(rules)
    except Verdict as verdict:
        code, why = verdict.args
    except KeyboardInterrupt:
        code, why = UNJUDGED, "interrupted"
    except (OSError, ValueError, RecursionError) as error:  # of a file
        code, why = UNJUDGED, words_of(error)
    return code, f"{WORDS[code]}: {why}"


def judge_function(rules):
    """The verdict on MODULE:FUNCTION, which runs in another process, where it may hang or crash."""
    context = multiprocessing.get_context("spawn")  # the threads of torch and jax don't survive a fork
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(rules, there))
    process.start()
    there.close()
    try:
        if here.poll(rules.seconds):
            return here.recv()
        return UNJUDGED, f"it hangs, or needs more than {rules.seconds:g} seconds (--seconds)"
    except EOFError:
        return UNJUDGED, "it crashed, or ended Python"
    finally:
        process.kill()


def serve(rules, there):
    """In the other process: send the verdict."""
    module, _, attribute = rules.function.partition(":")
    np.seterr(all="ignore")  # what overflows is seen in the numbers
    warnings.simplefilter("ignore")
    try:
        array = importlib.import_module({"jax": "jax.numpy"}.get(rules.library, rules.library)).asarray
        function = operator.attrgetter(attribute)(importlib.import_module(module))
    except BaseException as error:  # whatever a module does when it's imported
        why = f"{rules.function!r} can't be imported as MODULE:FUNCTION: {words_of(error)}"
        return there.send((UNJUDGED, why))
    try:
        there.send(judge([call(function, array, case, rules) for case in cases(rules)], rules))
    except Verdict as verdict:
        there.send(verdict.args)


def call(function, array, case, rules):
    """What a function gives on a case, a tuple of arrays, or the Verdict if it raises."""
    options, where = given(case, rules), f"\n{shown(case, rules)}"
    arguments = {name: options.pop(name) for name in ("query", "key", "value", "mask") if name in options}
    del options["name"]
    arrays = {name: array(turned(name, argument, rules)) for name, argument in arguments.items()}
    if takes_mask(function) and "mask" in arrays:  # in some libraries another argument comes fourth
        options["mask"] = arrays["mask"]
    positional = [arrays[name] for name in arrays if name not in options]
    try:
        first = as_arrays(function(*positional, **options), rules)
        unchanged = all(
            np.array_equal(turned(name, np.asarray(arrays[name]), rules), arguments[name]) for name in arrays
        )
        again = as_arrays(function(*positional, **options), rules)
    except Verdict:
        raise
    except BaseException as error:  # it's what the function does
        return Verdict(UNJUDGED, f"it raised {words_of(error)}{where}")
    if not unchanged:
        raise Verdict(BUG, f"it changes its input in place{where}")
    if not all(close(a, b, rules.tolerance) for a, b in zip(first, again, strict=True)):
        raise Verdict(BUG, f"called again, it gives another result; is dropout on?{where}")
    return first


def takes_mask(function):
    """Whether one of the function's parameters is called mask, and isn't *mask."""
    try:
        mask = inspect.signature(function).parameters.get("mask")
    except (TypeError, ValueError):  # it's written in another language
        return False
    return mask is not None and mask.kind in (mask.POSITIONAL_OR_KEYWORD, mask.KEYWORD_ONLY)


def turned(name, array, rules):
    """A copy in the function's layout, or back from there."""
    return array.swapaxes(1, 2).copy() if rules.lengths_first and name != "mask" else array.copy()


def as_arrays(returned, rules):
    """What was returned, as a tuple of arrays of floats."""
    if isinstance(returned, tuple) != (rules.returns == "both"):
        raise Verdict(UNJUDGED, f"it returned {type(returned).__name__}, but --returns is {rules.returns}")
    parts = returned[:2] if rules.returns == "both" else [returned]
    arrays = [np.asarray(part.detach().cpu() if hasattr(part, "detach") else part) for part in parts]
    for array in arrays:
        if array.dtype.kind not in "biuf":
            raise Verdict(UNJUDGED, f"it returned {array.dtype}, expected real numbers")
    if rules.lengths_first and arrays[0].ndim == 4:
        arrays[0] = arrays[0].swapaxes(1, 2)
    return tuple(array.astype(float) for array in arrays)


def write_cases(rules):
    """Write inputs and expected results as JSON, for a function in any language: 1 MB at most, 3 with the weights."""
    made = []
    for case in cases(rules):
        right = zip(RESULTS[: 1 + (rules.returns == "both")], Tried(case, (), rules).right, strict=False)
        made.append(given(case, rules) | {name: array.round(7) for name, array in right})
    text = ",\n".join(json.dumps(case, default=np.ndarray.tolist) for case in made)
    text = re.sub(r"-?\b(NaN|Infinity)\b", r'"\g<0>"', f"[{text}]")  # JSON has no such numbers
    Path(rules.cases).write_text(text, encoding="utf-8")
    return PASSED, f"{len(made)} cases are written to {rules.cases}"


def judge_answers(rules):
    """The verdict on a JSON file {case name: {"output": …, and "weights": … where both are asked for}}."""
    text = Path(rules.answers).read_text(encoding="utf-8")
    answers, names, results = json.loads(text), RESULTS[: 1 + (rules.returns == "both")], []
    for case in cases(rules):
        try:
            results.append(tuple(np.array(answers[case["name"]][name], float) for name in names))
        except (KeyError, TypeError, ValueError) as error:
            why = f"{rules.answers} has no {' and '.join(names)} of {case['name']!r}: {words_of(error)}"
            raise Verdict(UNJUDGED, why) from None
    code, why = judge(results, rules)
    if code != PASSED and re.search(r"\bnull\b", text):
        why += "\nThere's a null among the answers, which is read as NaN: JSON.stringify writes NaN and infinity so."
    return code, why
