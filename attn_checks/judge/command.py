"""The command: it runs the function in another process, or reads what it answered, and tells the verdict."""

import importlib
import inspect
import json
import multiprocessing
import operator
import re
import warnings
from argparse import Namespace
from pathlib import Path

import numpy as np

from attn_checks.judge.cases import cases, given, shown
from attn_checks.judge.verdict import (
    BUG,
    PASSED,
    RESULTS,
    UNJUDGED,
    WORDS,
    Compared,
    Verdict,
    close,
    verdict_on,
)
from attn_checks.run.raised import words_of


def run(rules: Namespace) -> tuple[int, str]:
    """The command: its exit code, and what it prints."""
    way = write_cases if rules.cases else judge_answers if rules.answers else judge_function
    try:
        code, why = way(rules)
    except Verdict as verdict:
        code, why = verdict.args
    except KeyboardInterrupt:
        code = UNJUDGED
        why = "interrupted"
    except (OSError, ValueError, RecursionError) as error:  # of a file
        code = UNJUDGED
        why = words_of(error)
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
    np.seterr(all="ignore")  # what overflows is seen in the numbers
    warnings.simplefilter("ignore")
    try:
        function, array = imported(rules)
        verdict = verdict_on([call(function, array, case, rules) for case in cases(rules)], rules)
    except Verdict as reason:
        verdict = reason.args
    there.send(verdict)


def imported(rules):
    """The function, and what makes arrays for it."""
    module, _, attribute = rules.function.partition(":")
    try:
        library = importlib.import_module({"jax": "jax.numpy"}.get(rules.library, rules.library))
        return operator.attrgetter(attribute)(importlib.import_module(module)), library.asarray
    except BaseException as error:  # whatever a module does when it's imported
        why = f"{rules.function!r} can't be imported as MODULE:FUNCTION: {words_of(error)}"
        raise Verdict(UNJUDGED, why) from None


def call(function, array, case, rules):
    """What a function gives on a case, a tuple of arrays, or the Verdict if it raises."""
    options = given(case, rules)
    where = f"\n{shown(case, rules)}"
    asked = {name: options.pop(name) for name in ("query", "key", "value", "mask") if name in options}
    del options["name"]
    arrays = {name: array(turned(name, part, rules)) for name, part in asked.items()}
    positional = list(arrays.values())
    if "mask" in arrays and takes_mask(function):  # in some libraries another argument comes fourth
        options["mask"] = positional.pop()
    try:
        first = as_arrays(function(*positional, **options), rules)
        after = {name: turned(name, np.asarray(part), rules) for name, part in arrays.items()}
        again = as_arrays(function(*positional, **options), rules)
    except Verdict:
        raise
    except BaseException as error:  # it's what the function does
        return Verdict(UNJUDGED, f"it raised {words_of(error)}{where}")
    if not all(np.array_equal(after[name], asked[name]) for name in asked):
        raise Verdict(BUG, f"it changes its input in place{where}")
    if not all(close(a, b, rules.tolerance) for a, b in zip(first, again, strict=True)):
        raise Verdict(BUG, f"called again, it gives another result; is dropout on?{where}")
    return first


def takes_mask(function):
    try:
        return "mask" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # it's written in another language
        return False


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


def asked_for(rules):
    return RESULTS if rules.returns == "both" else RESULTS[:1]


def write_cases(rules):
    """Write inputs and expected results as JSON, for any language: 1 MB at most, 3 with the weights."""
    made = []
    for case in cases(rules):
        right = zip(asked_for(rules), Compared(case, (), rules).right, strict=False)
        made.append(given(case, rules) | {name: array.round(7) for name, array in right})
    text = ",\n".join(json.dumps(case, default=np.ndarray.tolist) for case in made)
    text = re.sub(r"-?\b(NaN|Infinity)\b", r'"\g<0>"', f"[{text}]")  # JSON has no such numbers
    Path(rules.cases).write_text(text, encoding="utf-8")
    return PASSED, f"{len(made)} cases are written to {rules.cases}"


def judge_answers(rules):
    """The verdict on a JSON file {case name: {"output": …, and "weights": … where both are asked for}}."""
    answers = json.loads(Path(rules.answers).read_text(encoding="utf-8"))
    names = asked_for(rules)
    results = []
    for case in cases(rules):
        try:
            results.append(tuple(np.array(answers[case["name"]][name], float) for name in names))
        except (KeyError, TypeError, ValueError) as error:
            why = f"{rules.answers} has no {' and '.join(names)} of {case['name']!r}: {words_of(error)}"
            raise Verdict(UNJUDGED, why) from None
    return verdict_on(results, rules)
