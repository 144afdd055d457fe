"""Judge any attention function: it passes, or its bug is named with the smallest input that shows it.

In a process of its own it gets query, key and value of shape (batch, heads, L, d), a mask as fourth argument where a case
has one, and `is_causal=True` or `softcap=…` where the options ask for them. Its results are compared with
softmax(QKᵀ·scale)·V under the conventions of the options, then with what each known bug gives on the same cases.
"""

import importlib
import itertools
import json
import multiprocessing
import operator
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from attn_checks.compare import words_of

PASSED, BUG, UNJUDGED = range(3)  # exit codes
WORDS = ("passed", "bug", "could not be judged")


class Verdict(Exception):  # noqa: N818, it's raised where there are no numbers to compare
    """An exit code, and why."""


# smallest first: the name; batch, heads, L_q, L_k, d_k, d_v; how large the query is; a mask (1 = may attend) or options
CASES = [
    ("two tokens", (1, 1, 2, 2, 2, 1), 1, {}),
    ("more keys than queries", (1, 1, 2, 3, 4, 2), 1, {}),
    ("batch and heads", (2, 3, 4, 5, 6, 3), 1, {}),
    ("large scores", (1, 1, 2, 3, 4, 2), 10_000, {}),
    ("a mask", (1, 1, 2, 2, 2, 1), 1, {"mask": "10 11"}),
    ("a mask with gaps", (1, 1, 3, 3, 4, 2), 1, {"mask": "110 011 101"}),
    ("a query with every key blocked", (1, 1, 2, 3, 4, 2), 1, {"mask": "000 101"}),
    ("padding", (2, 2, 3, 3, 5, 2), 1, {"mask": "110 110 110 100 100 100"}),
    ("large scores and a mask", (1, 1, 2, 3, 4, 2), 20_000, {"mask": "101 001"}),
    ("causal", (1, 1, 2, 2, 2, 1), 1, {"is_causal": True}),
    ("causal, fewer queries than keys", (1, 1, 3, 4, 3, 2), 1, {"is_causal": True}),
    ("causal, a single query", (1, 1, 1, 3, 4, 2), 1, {"is_causal": True}),
    ("softcap", (1, 1, 2, 3, 4, 2), 1, {"softcap": 1}),
    ("softcap and a mask", (1, 1, 2, 3, 4, 2), 1, {"mask": "110 011", "softcap": 1}),
]


def cases(rules):
    """The cases that the options ask for; in `mask` True = may attend, however it's passed in."""
    made, rng = [], np.random.default_rng(3432)  # no ties among large scores
    asked = {"mask": rules.mask != "none", "is_causal": rules.causal != "none", "softcap": rules.softcap}
    for name, (batch, heads, L_q, L_k, d_k, d_v), factor, extra in CASES:
        case = {"name": name}
        for part, shape in (("query", (L_q, d_k)), ("key", (L_k, d_k)), ("value", (L_k, d_v))):
            case[part] = rng.integers(-3, 4, (batch, heads, *shape)).astype(np.float32)
        case["query"] *= factor
        case |= {option: asked[option] for option in extra}
        if "mask" in extra:
            cells = list(extra["mask"].replace(" ", ""))
            case["mask"] = np.reshape(cells, (batch, 1, L_q, L_k)) == "1"
        if all(asked[option] for option in extra):
            made.append(case)
    return made


# --- attention step by step, and its bugs -------------------------------------------------------------------


def softmax(scores, axis=-1, stable=True):
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True) if stable else scores)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def capped(at, scores):
    cap = at.case.get("softcap")
    return cap * np.tanh(scores / cap) if cap else scores


def triangle(at, aligned, shift=0):
    """Which pairs may attend if it's causal, or with the triangle moved to the right."""
    return np.tri(at.L_q, at.L_k, shift + (0 if aligned == "upper-left" else at.L_k - at.L_q), dtype=bool)


def weights(at, fill=-np.inf, **how):
    return softmax(np.where(at.allowed, at.scores, fill), **how)


def turned(at, matrix):
    return matrix.swapaxes(-1, -2) if at.L_q == at.L_k else matrix


STEPS = {  # in this order: each gets what the ones before it made
    "scale": lambda at: at.rules.scale or at.d_k**-0.5,
    "mask": lambda at: at.case.get("mask", at.all),
    "is_causal": lambda at: triangle(at, at.rules.causal) if "is_causal" in at.case else at.all,
    "allowed": lambda at: at.mask & at.is_causal,
    "scaled": lambda at: at.query @ at.key.swapaxes(-1, -2) * at.scale,
    "scores": lambda at: capped(at, at.scaled),
    "weights": weights,
    # the weights of a query whose keys are all blocked
    "empty": lambda at: {"nan": np.nan, "mean": 1 / at.L_k}.get(at.rules.blocked, 0.0),
    "shares": lambda at: np.where(at.allowed.any(axis=-1, keepdims=True), at.weights, at.empty),
    "output": lambda at: at.shares @ at.value,
}
BUGS = {  # by the step that is wrong, and by name: what it makes of the right result and of the steps before
    "scale": {
        "the scores aren't scaled": lambda at: 1.0,
        "the scores are divided by √d_k": lambda at: at.d_k**-0.5,
        "the scores are divided by d_k, or by √d_k twice": lambda at: 1 / at.d_k,
        "the scores are multiplied by √d_k": lambda at: at.d_k**0.5,
        "the scores are divided by √d_model, d_model = heads·d_k": lambda at: (at.heads * at.d_k) ** -0.5,
        "the scores are divided by √(number of heads)": lambda at: at.heads**-0.5,
        "the scores are divided by √d_v, the width of the values": lambda at: at.value.shape[-1] ** -0.5,
        "the scores are divided by √L_k, the number of keys": lambda at: at.L_k**-0.5,
        "the scores are multiplied by 0": lambda at: 0.0,
    },
    "mask": {
        "the mask has no effect": lambda at: at.all,
        "the mask is read the other way round": lambda at: ~at.mask,
        "the mask of the first sequence is used for all": lambda at: at.mask[:1],
        "the mask's rows and columns are exchanged": lambda at: turned(at, at.mask),
    },
    "is_causal": {
        "is_causal has no effect": lambda at: at.all,
        "is_causal has no effect on a single query": lambda at: at.is_causal | (at.L_q == 1),
        "the causal triangle is strict: no query attends to itself": lambda at: triangle(at, at.rules.causal, -1),
        "the causal triangle reaches one key too far": lambda at: triangle(at, at.rules.causal, 1),
        "the causal triangle leaves the later keys": lambda at: ~triangle(at, at.rules.causal, -1),
        "the causal triangle starts in the upper left": lambda at: triangle(at, "upper-left"),
        "the causal triangle ends in the lower right": lambda at: triangle(at, "lower-right"),
    },
    "allowed": {"mask and is_causal have no effect": lambda at: at.all},
    "scores": {"softcap has no effect": lambda at: at.scaled},
    "weights": {
        "softcap comes after the mask": lambda at: softmax(capped(at, np.where(at.allowed, at.scaled, -np.inf))),
        "blocked scores are set to about 0": lambda at: weights(at, fill=0),
        "blocked scores are set to a number that isn't low enough": lambda at: weights(at, fill=-1e4),
        "blocked scores are lowered by too little": lambda at: softmax(at.scores - 1e4 * ~at.allowed),
        "a boolean mask is added to the scores as 0 and 1": lambda at: softmax(at.scores + at.allowed),
        "the mask comes after softmax, so rows don't sum to 1": lambda at: softmax(at.scores) * at.allowed,
        "the mask comes after softmax":
            lambda at: (late := softmax(at.scores) * at.allowed) / late.sum(axis=-1, keepdims=True),
        "softmax runs over the queries": lambda at: weights(at, axis=-2),
        "softmax runs over the heads": lambda at: weights(at, axis=1),
        "softmax runs over the batch": lambda at: weights(at, axis=0),
        "softmax runs over the whole matrix": lambda at: weights(at, axis=(-2, -1)),
        "large scores overflow: softmax doesn't subtract the largest": lambda at: weights(at, stable=False),
        "the weights are scaled, not the scores":
            lambda at: softmax(np.where(at.allowed, at.scores / at.scale, -np.inf)) * at.scale,
    },
    "empty": {
        "a query with every key blocked gives NaN": lambda at: np.nan,
        "a query with every key blocked gives zeros": lambda at: 0.0,
        "a query with every key blocked gives the mean of all values": lambda at: 1 / at.L_k,
        "a query with every key blocked attends as if none were": lambda at: softmax(at.scores),
    },
    "output": {
        "the weights are transposed before they meet the values": lambda at: turned(at, at.shares) @ at.value,
        "the outputs of all positions are added up": lambda at: at.output.sum(axis=-2),
    },
}  # fmt: skip


@np.errstate(all="ignore")
def attend(case, rules, wrong=(), dtype=float):
    """All that the steps make of one case, some of them wrong: (step, name of the bug)."""
    at = SimpleNamespace(case=case, rules=rules)
    at.query, at.key, at.value = (case[name].astype(dtype) for name in ("query", "key", "value"))
    _, at.heads, at.L_q, at.d_k = at.query.shape
    at.L_k = at.key.shape[-2]
    at.all = np.ones((at.L_q, at.L_k), bool)
    bugs = {
        step: BUGS[step][name] for step, name in wrong if step in case or step not in ("mask", "is_causal")
    }
    for step, way in STEPS.items():
        setattr(at, step, way(at))
        if step in bugs:
            setattr(at, step, bugs[step](at))
    return at


# --- the verdict --------------------------------------------------------------------------------------------


def judge(results, rules):
    """The verdict on the results of all cases, tuples of arrays: an exit code, and why."""
    asked = [(case, rules, got) for case, got in zip(cases(rules), results, strict=True)]
    case, _, got = next((each for each in asked if not agree(*each)), (None,) * 3)
    if case is None:
        return PASSED, f"right on all {len(asked)} cases"
    text, right = f"{name_of(asked)}\n{shown(case, rules)}", attend(case, rules)
    for name, expected, mine in zip(("output", "weights"), (right.output, right.shares), got, strict=False):
        text += f"\n{name} expected\n{expected.round(3)}\n{name} got\n{mine.round(3)}"
    return BUG, text


def name_of(asked):
    """The name of the bug that gives the same numbers in every case, or of two in different steps."""
    every = [(step, name) for step, ways in BUGS.items() for name in ways]
    pairs = [(one, two) for one, two in itertools.combinations(every, 2) if one[0] != two[0]]
    for bugs in [*zip(every), *pairs]:
        for dtype in (float, np.float32):  # they overflow in different places
            if all(agree(*each, bugs, dtype) for each in asked):
                return ", and ".join(name for _, name in bugs)
    return "the numbers are those of no known bug"


def agree(case, rules, got, wrong=(), dtype=float):
    """Whether the arrays that a function gave are those of attention, or of attention with these bugs."""
    made = attend(case, rules, wrong, dtype)
    for mine, expected in zip(got, (made.output, made.shares), strict=False):
        if mine.shape != expected.shape:
            return False
        if rules.blocked == "any" and mine.ndim == 4:
            seen = attend(case, rules).allowed.any(axis=-1, keepdims=True)
            mine, expected = np.where(seen, mine, 0), np.where(seen, expected, 0)
        if not close(mine, expected, rules):
            return False
    return True


def close(a, b, rules):
    return np.allclose(a, b, rules.tolerance, rules.tolerance, equal_nan=True)


def given(case, rules):
    """What a call gets, by name, its mask in the convention of the options."""
    if "mask" not in case or rules.mask == "true-attends":
        return dict(case)
    blocked = ~case["mask"]
    return case | {"mask": blocked if rules.mask == "true-blocks" else np.float32([0, -np.inf])[blocked * 1]}


def shown(case, rules):
    """A case in full, so that a reader can type it in."""
    return "\n".join(f"{name} = {value!r}" for name, value in given(case, rules).items())


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
    """What a function gives on a case, a tuple of arrays."""
    options, where = given(case, rules), f"\n{shown(case, rules)}"
    arguments = [options.pop(name) for name in ("query", "key", "value", "mask") if name in options]
    del options["name"]
    arrays = [array(argument.copy()) for argument in arguments]
    try:
        first = as_arrays(function(*arrays, **options), rules)
        unchanged = all(map(np.array_equal, map(np.asarray, arrays), arguments))
        again = as_arrays(function(*arrays, **options), rules)
    except Verdict:
        raise
    except BaseException as error:  # it's what the function does
        raise Verdict(UNJUDGED, f"it raised {words_of(error)}{where}") from None
    if not unchanged:
        raise Verdict(BUG, f"it changes its input in place{where}")
    if not all(close(a, b, rules) for a, b in zip(first, again, strict=True)):
        raise Verdict(BUG, f"called again, it gives another result; is dropout on?{where}")
    return first


def as_arrays(returned, rules):
    """What was returned, as a tuple of arrays of floats."""
    if isinstance(returned, tuple) != (rules.returns == "both"):
        raise Verdict(UNJUDGED, f"it returned {type(returned).__name__}, but --returns is {rules.returns}")
    parts = returned[:2] if rules.returns == "both" else [returned]
    arrays = [np.asarray(part.detach().cpu() if hasattr(part, "detach") else part) for part in parts]
    for array in arrays:
        if array.dtype.kind not in "biuf":
            raise Verdict(UNJUDGED, f"it returned {array.dtype}, expected real numbers")
    return tuple(array.astype(float) for array in arrays)


def write_cases(rules):
    """Write inputs and expected results as JSON, for a function in any language."""
    made = []
    for case in cases(rules):
        right = attend(case, rules)
        made.append(given(case, rules) | {"output": right.output, "weights": right.shares})
    text = json.dumps(made, indent=1, default=np.ndarray.tolist)
    text = re.sub(r"-?\b(NaN|Infinity)\b", r'"\g<0>"', text)  # JSON has no such numbers
    Path(rules.cases).write_text(text, encoding="utf-8")
    return PASSED, f"{len(made)} cases are written to {rules.cases}"


def judge_answers(rules):
    """The verdict on a JSON file {case name: {"output": …, and "weights": … where both are asked for}}."""
    answers = json.loads(Path(rules.answers).read_text(encoding="utf-8"))
    names, results = ["output", "weights"][: 1 + (rules.returns == "both")], []
    for case in cases(rules):
        try:
            results.append(tuple(np.array(answers[case["name"]][name], float) for name in names))
        except (KeyError, TypeError, ValueError) as error:
            why = f"{rules.answers} has no {' and '.join(names)} of {case['name']!r}: {words_of(error)}"
            raise Verdict(UNJUDGED, why) from None
    return judge(results, rules)
