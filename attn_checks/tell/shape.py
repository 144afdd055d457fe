"""What is said of a result that can't be compared cell by cell: it's of another type or shape."""

import numpy as np

from attn_checks.recognise.answer import Answer
from attn_checks.run.child import Caller
from attn_checks.run.compare import as_arrays, close, same
from attn_checks.run.raised import source_of
from attn_checks.run.sizes import typed_size
from attn_checks.tell.feedback import name_list, sentences


def wrong_shape(answer: Answer, at: int) -> tuple[int | None, str | None, str] | None:
    """Which result to show (None: none), a short name, and what to say; None if it can be compared."""
    exercise = answer.exercise
    want = exercise.wanted[at]
    got = answer.outcomes[at]
    raw = got.raw
    if raw is None:
        told = "On this input you return None. Does an if or a loop keep it from reaching its return?"
        return None, "returns-nothing", told
    n_results = len(want.arrays)
    parts = got.values
    if parts is None and n_results > 1 and type(raw) is tuple:
        parts = raw
    if parts is not None and len(parts) != n_results:
        return None, "wrong-number-of-results", wrong_number(exercise, len(parts))
    if got.values is None:
        told = ragged(raw, want.arrays[0].size)
        if told:
            return None, "ragged", told
        return None, "not-numbers", not_numbers(exercise, want, raw)
    is_text = want.arrays[0].dtype.kind == "U"
    are_text = [part.dtype.kind == "U" for part in got.arrays]
    if isinstance(raw, str) or (any(are_text) and not is_text):
        return None, "not-numbers", not_numbers(exercise, want, raw)
    if is_text and not all(are_text):
        return None, "not-text", "Expected the tokens themselves, as text."
    order = order_of_results(exercise, want, got)
    if order:
        names = name_list(exercise.results)
        told = f"On this input all are right, but you return {order} instead of {names}."
        return 0, "other-order-of-results", told
    for number, part in enumerate(got.arrays):
        found = wrong_array(exercise, want.arrays[number], part, number)
        if found:
            return number, *found
    if exercise.exact and got.arrays[0].dtype != bool:
        return 0, "not-boolean", "The cells should be True and False (dtype bool), not numbers."
    return None


def wrong_number(exercise, count):
    """How many results came, and how many should."""
    came = "1 result" if count == 1 else f"{count} results"
    names = exercise.results
    return f"You return {came}, but the exercise asks for {len(names)}: {name_list(names)}."


def order_of_results(exercise, want, got):
    """The right results in the order in which they came, where that is another one; or ""."""
    right = dict(zip(exercise.results, want.arrays, strict=True))
    names = []
    for mine in got.arrays:
        alike = [name for name in right if same((mine,), (right[name],))]
        names += alike[:1]
    is_other = names != list(right) and sorted(names) == sorted(right)
    return name_list(names) if is_other else ""


def wrong_array(exercise, want, got, number):
    """A short name, and what to say, of one array of another shape or kind; or None."""
    if want.shape != got.shape:
        of = f" of {exercise.results[number]}" if len(exercise.results) > 1 else ""
        should = f"The shape{of} should be {want.shape}." if want.shape else ""
        return "wrong-shape", sentences(should, other_shape(want, got))
    if got.dtype.kind == "c":
        return None, "Your numbers are complex, with a part in j. Did you take the root of a negative number?"
    if got.dtype == bool != want.dtype:
        return "not-numbers", "Expected numbers, got truth values (True or False), as a comparison gives."
    return None


def other_shape(want, got):
    """What is true of a result that has a different shape from the right one."""
    if not want.ndim:
        return "Return one number, not several."
    if not got.ndim and want.size > 1:
        return "Yours is a single value. Did you sum everything, or return inside a loop?"
    if got.ndim != want.ndim:
        axes = "1 axis" if got.ndim == 1 else f"{got.ndim} axes"
        told = f"Yours has {axes} instead of {want.ndim}."
        right = got.size == want.size and close(got.ravel(), want.ravel()).all()
        return f"{told} Its entries are right." if right else told
    told = []
    pairs = []
    for axis, (mine, right) in enumerate(zip(got.shape, want.shape, strict=True)):
        if mine != right:
            told.append(f"Axis {axis} has length {mine}, not {right}.")
            pairs.append((mine, right))
    if len(pairs) == 2 and pairs[0] == pairs[1][::-1]:
        told.append("Are the two exchanged?")
    return " ".join(told)


def always_one_shape(answer, number):
    """What to say of a result that has the same shape on all inputs, where the right one has not; or ""."""
    mine = set()
    right = set()
    for outcome, wanted in zip(answer.outcomes, answer.exercise.wanted, strict=False):
        if len(outcome.arrays) > number:
            mine.add(outcome.arrays[number].shape)
            right.add(wanted.arrays[number].shape)
    if len(mine) > 1 or len(right) == 1 or () in mine:
        return ""
    typed = typed_size(source_of(answer.caller.function), mine.pop())
    return sentences("Your result has the same shape on every input.", typed)


# --- What came instead of numbers -----------------------------------------------------------------


def not_numbers(exercise, want, raw):
    """What came where numbers, or text, should have come."""
    first = want.arrays[0]
    is_text = first.dtype.kind == "U"
    kind = "one number"
    if first.ndim:
        kind = "a list of text" if is_text else "True and False" if exercise.exact else "numbers"
    odd = []
    if type(raw) is tuple and len(raw) == len(exercise.results) > 1:
        named = zip(exercise.results, raw, strict=True)
        odd = [
            f"{name} is {described(part)}" for name, part in named if type(part) is tuple or odd_part(part)
        ]
    if odd:
        return f"Expected {kind}; {', '.join(odd)}."
    return f"Expected {kind}, got {described(raw, (str,) if is_text else ())}."


def array_of(given: object) -> np.ndarray | None:
    """The array that a learner hands over as a value, made as carefully; None if it holds no real numbers."""
    with Caller(lambda: as_arrays((given,)), 1) as caller:
        values = caller.outcome(()).values
    return values[0] if values and values[0].dtype.kind in "iufb" else None


def no_array(given: object, shape: tuple[int, ...]) -> str:
    """What to say of a value that came instead of an array of numbers."""
    if type(given) is np.ndarray and given.dtype.kind in "iufb":  # too large to be copied and looked at
        return f"Expected shape {shape}, got {given.shape}."
    return f"Expected an array of numbers, shape {shape}, got {described(given)}."


# names of what is no array, and of what holds none
KINDS = {
    "list": "a list",
    "tuple": "a tuple",
    "str": "a single text",
    "ndarray": "an array",
    "generator": "a generator, made by yield or by a `for` in parentheses (return a list instead)",
}
NOT_CALLED = "a function that isn't called"
ODD = {
    "NoneType": "None",
    "ellipsis": "...",
    "str": "text",
    "ufunc": NOT_CALLED,
    "function": NOT_CALLED,
}


def described(raw, fine=()):
    """What something is, and the first thing in it that is no number, nor of a `fine` type."""
    kind = type(raw)  # what isn't asked is whether it is an array: a learner's own type may answer anything
    if kind in (np.ndarray, np.ma.MaskedArray) and raw.dtype.kind != "O":
        return f"an array of {'text' if raw.dtype.kind == 'U' else raw.dtype}"
    if kind is tuple and any(type(part) is np.ndarray for part in raw):
        return f"a tuple of {len(raw)} results (give each a name, or pick one)"
    name = KINDS.get(kind.__name__, f"an object of type {kind.__name__}")
    parts = raw.tolist() if kind is np.ndarray else raw
    odd = odd_part(parts, fine) if type(parts) in (list, tuple) else ""
    return f"{name} that holds {odd}" if odd else name


def odd_part(raw, fine=(), depth=9):
    """The type of the first thing in a result that is no number, or ""; a list may hold itself."""
    kind = type(raw)
    if kind in (list, tuple) and raw and depth:
        found = (odd_part(part, fine, depth - 1) for part in raw)
        return next(filter(None, found), "")
    if kind is np.ndarray and raw.dtype.kind in "biuf":
        return ""
    if issubclass(kind, (bool, int, float, np.number, np.bool_, *fine)):
        return ""
    return ODD.get(kind.__name__, kind.__name__)


def ragged(raw, size):
    """How the parts of a list differ in length or shape, so that they make no array of this size; or ""."""
    parts = raw if type(raw) in (list, tuple) else ()
    kinds = {type(part) for part in parts}
    if kinds <= {list, tuple} and len(set(map(len, parts))) > 1:
        return "The rows of your result have different lengths. Each row needs an entry for every column."
    shapes = {str(part.shape) for part in parts} if kinds == {np.ndarray} else ()
    if len(shapes) < 2:
        return ""
    advice = "Did you type a size that should come from the input?"
    if sum(part.size for part in parts) == size:
        advice = "np.concatenate makes one."
    different = f"{' and '.join(sorted(shapes))}, so they make no single array"
    return f"The arrays in your list have different shapes, {different}. {advice}"
