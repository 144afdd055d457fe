"""What is true of a result that can't be compared cell by cell: it's of another type or shape."""

from attn_checks.recognise.answer import Answer
from attn_checks.run.compare import close, same
from attn_checks.run.raised import source_of
from attn_checks.run.sizes import typed_size
from attn_checks.tell.values import described, name_list, odd_part, ragged, sentences


def wrong_shape(answer: Answer, at: int) -> tuple[int | None, str | None, str] | None:
    """Which result to show (None: none), a short name, and what to say; None if it can be compared."""
    exercise = answer.exercise
    want = answer.exercise.wanted[at]
    got = answer.outcomes[at]
    raw = got.raw
    values = got.values
    is_text = want.arrays[0].dtype.kind == "U"
    if raw is None:
        told = "On this input you return None. Does an if or a loop keep it from reaching its return?"
        return None, "returns-nothing", told
    if values is None and type(raw) is tuple and 1 < len(want.arrays) != len(raw):
        return None, "wrong-number-of-results", wrong_number(exercise, len(raw))
    if values is None and (parts := ragged(raw, want.arrays[0].size)):
        return None, "ragged", parts
    holds_text = not is_text and any(part.dtype.kind == "U" for part in values or ())
    if values is None or isinstance(raw, str) or holds_text:
        return None, "not-numbers", not_numbers(exercise, want, raw)
    if len(values) != len(want.arrays):
        return None, "wrong-number-of-results", wrong_number(exercise, len(values))
    if is_text and any(part.dtype.kind != "U" for part in values):
        return None, "not-text", "Expected the tokens themselves, as text."
    if order := order_of_results(exercise, want, got):
        text = (
            f"On this input all are right, but you return {order} instead of {name_list(exercise.results)}."
        )
        return 0, "other-order-of-results", text
    for number, part in enumerate(values):
        if found := wrong_array(exercise, want.arrays[number], part, number):
            return number, *found
    if exercise.exact and values[0].dtype != bool:
        return 0, "not-boolean", "The cells should be True and False (dtype bool), not numbers."
    return None


def wrong_number(exercise, count):
    """How many results came, and how many should."""
    results = "1 result" if count == 1 else f"{count} results"
    return f"You return {results}, but the exercise asks for {len(exercise.results)}: {name_list(exercise.results)}."


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


def order_of_results(exercise, want, got):
    """The right results in the order in which they came, where that is another one; or ""."""
    names = []
    for mine in got.values:
        pairs = zip(exercise.results, want.arrays, strict=True)
        names += [name for name, right in pairs if same((mine,), (right,))][:1]
    is_other = names != list(exercise.results) and sorted(names) == sorted(exercise.results)
    return name_list(names) if is_other else ""


def other_shape(want, got):
    """What is true of a result that has a different shape from the right one."""
    if not want.ndim:
        return "Return one number, not several."
    if not got.ndim and want.size > 1:
        return "Yours is a single value. Did you sum everything, or return inside a loop?"
    if got.ndim != want.ndim:
        right = got.size == want.size and close(got.ravel(), want.ravel()).all()
        axes = "1 axis" if got.ndim == 1 else f"{got.ndim} axes"
        return f"Yours has {axes} instead of {want.ndim}.{' Its entries are right.' if right else ''}"
    axes = [i for i in range(want.ndim) if want.shape[i] != got.shape[i]]
    told = " ".join(f"Axis {i} has length {got.shape[i]}, not {want.shape[i]}." for i in axes)
    first = axes[0]
    last = axes[-1]
    are_two = len(axes) == 2 and (got.shape[first], got.shape[last]) == (want.shape[last], want.shape[first])
    return f"{told} Are the two exchanged?" if are_two else told


def always_one_shape(answer: Answer, number: int) -> str:
    """What to say of a result that has the same shape on all inputs, where the right one has not; or ""."""
    pairs = zip(answer.outcomes, answer.exercise.wanted, strict=False)
    given = [(mine, right) for mine, right in pairs if len(mine.arrays) > number]
    mine = {outcome.arrays[number].shape for outcome, _ in given}
    right = {outcome.arrays[number].shape for _, outcome in given}
    if len(given) == 1 or len(mine) > 1 or len(right) == 1 or () in mine:
        return ""
    typed = typed_size(source_of(answer.caller.function), mine.pop())
    return sentences("Your result has the same shape on every input.", typed)


def not_numbers(exercise, want, raw):
    """What came where numbers, or text, should have come."""
    first = want.arrays[0]
    parts = raw if type(raw) is tuple and len(raw) == len(want.arrays) > 1 else ()
    both = zip(exercise.results, parts, strict=False)
    odd = [f"{name} is {described(part)}" for name, part in both if type(part) is tuple or odd_part(part)]
    is_text = first.dtype.kind == "U"
    kind = "a list of text" if is_text else "True and False" if exercise.exact else "numbers"
    got = f"; {', '.join(odd)}" if odd else f", got {described(raw, (str,) if is_text else ())}"
    return f"Expected {kind if first.ndim else 'one number'}{got}."
