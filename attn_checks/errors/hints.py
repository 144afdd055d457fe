"""What Python's exceptions mean to someone who is learning, and what to do about them."""

import re

import numpy as np

from attn_checks.errors.names import undefined_name, unknown_attribute
from attn_checks.errors.raised import (
    Raised,
    in_the_call_itself,
    own_line,
    own_lines,
    refused_by_the_course,
    words_of,
)
from attn_checks.errors.shapes import LOST, lost_axis, two_shapes, typed_limit


def explained(error: BaseException) -> Raised:
    """An exception as Raised; one of a learner's own may be like no other."""
    try:
        lacks = (error.name or "") if isinstance(error, NameError) else ""
        mistake, advice = hint(error)
        return Raised(words_of(error), own_line(error)[:200], mistake, advice, lacks)
    except BaseException:
        return Raised(words_of(error), "", "error", NAMES_ITSELF)


NAMES_ITSELF = "Python's own words about that line are above. Print the values in the line to see which one isn't what you thought."

# kind of exception, a part of its text (or several, one of which), short name, what to do about it
HINTS = (
    (
        SystemExit,
        "",
        "ends-python",
        "exit(), quit() and sys.exit() end more than your function. End a function with return.",
    ),
    (
        EOFError,
        "input()",
        "waits-for-input",
        "Your function calls input(), but no one can type while it is checked. Use the arguments instead.",
    ),
    (
        RecursionError,
        "",
        "calls-itself",
        "Your function calls itself again and again. Did you mean a different function, the course's (attn.) or NumPy's (np.)?",
    ),
    (
        AttributeError,
        "'NoneType' object has no attribute 'append'",
        "append-gives-none",
        "append lengthens the list itself and returns None. Write it without a name and = before it, or the list is lost.",
    ),
    (
        TypeError,
        "'numpy.ndarray' object is not callable",
        "brackets",
        "You put parentheses after an array, as if it were a function. Use square brackets to index it, and none at all after .T and .shape.",
    ),
    (
        ValueError,
        "does not have enough dimensions",
        "no-matrix",
        "One side of @ isn't a matrix. It may be a single number, None, or a method without its parentheses.",
    ),
    (
        ValueError,
        "could not broadcast input array",
        "one-place-for-many",
        "The right side of the = has a different shape from the place you put it into. Print both shapes.",
    ),
    (
        ValueError,
        "setting an array element",
        "one-place-for-many",
        "You put several numbers where only one fits. Print the shape of the right side of the =.",
    ),
    (
        ValueError,
        "one unknown dimension",
        "two-unknown-sizes",
        "reshape can work out one size by itself, written as -1, but not two. Write out one of them.",
    ),
    (
        ValueError,
        "same number of dimensions",
        "joined-unlike",
        "You join arrays with different numbers of axes: a matrix has two, a single row has one. np.vstack puts a row below a matrix.",
    ),
    (
        ValueError,
        "except for the concatenation axis",
        "joined-unlike",
        "You join arrays of different widths. Print their shapes: are these the two that belong together?",
    ),
    (
        ValueError,
        "cannot reshape",
        "reshape",
        "reshape keeps all the numbers, so the sizes of the new shape must multiply to as many as there are. Print the shape before that line.",
    ),
    (
        (ValueError, TypeError),
        ("values to unpack", "cannot unpack"),
        "unpacking",
        "You unpack more names, or fewer, than there are values. Count both. A loop over two arrays needs zip(a, b) after `in`.",
    ),
    (
        TypeError,
        "the `-` operator",
        "minus-of-booleans",
        "You can't subtract truth values. ~ inverts a mask, and & combines two conditions.",
    ),
    (
        TypeError,
        (
            "'tuple' object cannot",
            "'list' object cannot",
            "'numpy.ndarray' object cannot",
            "'str' object cannot",
        ),
        "list-for-a-number",
        "That place needs a whole number, and you give it a tuple, a list, an array or a text. len(...) gives the size of a list. + puts one tuple behind another, (2, 3) + (4, 5).",
    ),
    (
        TypeError,
        "cannot be interpreted as an integer",
        "whole-number-wanted",
        "A size, a count or an axis must be a whole number, and here it is something else. / always gives a decimal number; use // instead.",
    ),
    (
        TypeError,
        "interpret 'True' as a data type",
        "unnamed-argument",
        "The second argument of that function is a dtype. Give keepdims by its name.",
    ),
    (
        UnboundLocalError,
        "",
        "unbound-name",
        "That name has no value yet when the line runs. Give it one before the loop. Or is the line that assigns it indented too far, inside an if that did not run?",
    ),
    (
        (TypeError, AttributeError),
        "'NoneType'",
        "none-used",
        "Something in that line is None. Did you forget a return in one of your functions?",
    ),
    (
        ValueError,
        "both or neither of x and y",
        "where-without-else",
        "np.where needs three arguments: a condition, the values where it is True, and the values where it is False.",
    ),
    (
        ValueError,
        "axes don't match array",
        "transpose-of-some-axes",
        "NumPy's transpose needs a new order for all axes. To exchange two of them there is swapaxes.",
    ),
    (
        np.exceptions.AxisError,
        "",
        "axis-out-of-range",
        "This array has fewer axes than that. Counted from the end, a matrix and a batch both have -1 and -2, and a single row has only -1.",
    ),
    (
        ValueError,
        "truth value",
        "truth-of-an-array",
        "`if`, `not` and `and` need one truth value, but an array has many. Use np.where to choose cell by cell, ~ to invert a mask, and `is not None` to test for an optional array.",
    ),
    (
        IndexError,
        "boolean index",
        "mask-as-index",
        "You use a mask as an index, so it needs the same shape as the array. np.where broadcasts it instead.",
    ),
    (
        IndexError,
        ("too many indices", "invalid index to scalar"),
        "too-many-indices",
        "You use more indices in those brackets than the array has axes. Print its shape: np.array([3, 3]) has one axis, np.zeros((3, 3)) has two.",
    ),
    (
        (IndexError, TypeError),
        (
            "only integers, slices",
            "arrays used as indices",
            "slices, not float",
            "slices, not numpy.float",
        ),
        "no-position",
        "An index must be a whole number, and here it is something else. A loop over an array gives its numbers, not their positions, and max gives a value where argmax gives a position.",
    ),
    (
        IndexError,
        "out of bounds",
        "index-out-of-bounds",
        "An index went past the end. Are two indices exchanged, or does its limit come from another axis? Inputs differ in size. (`for row in values` gives rows, not positions.)",
    ),
    (
        ValueError,
        "einstein sum",
        "einsum-axes",
        "The letters in einsum don't match the axes of this input. Each letter names one axis, and `...` any number of leading axes.",
    ),
    (
        ValueError,
        "matmul",
        "shape-mismatch",
        "@ needs as many columns on its left as there are rows on its right. Print both shapes just before that line.",
    ),
    (
        TypeError,
        ("list indices must be integers or slices", "tuple indices must be integers or slices"),
        "list-as-array",
        "A list or a tuple, such as a shape, takes one whole number or one slice as its index. np.asarray(...) turns it into an array, which takes more.",
    ),
    (
        TypeError,
        "Cannot cast ufunc",
        "whole-numbers",
        "An array of whole numbers, or of True and False, can't hold decimals. Make a new one with np.zeros and a shape: it holds any number.",
    ),
    (
        TypeError,
        "tri() missing",
        "matrix-wanted",
        "You give np.tril or np.triu a number, and they need a whole matrix.",
    ),
    (TypeError, "argument 'keepdim'", "unknown-argument", "NumPy spells it keepdims."),
    (TypeError, "argument 'dim'", "unknown-argument", "PyTorch's dim is NumPy's axis."),
    (
        TypeError,
        ("invalid keyword argument", "unexpected keyword argument"),
        "unknown-argument",
        "That function has no argument with this name. Python's own max, min and sum have no axis, but NumPy's have: np.max.",
    ),
    (
        TypeError,
        "required positional argument",
        "argument-missing",
        "You pass fewer arguments than a function in that line needs.",
    ),
    (
        TypeError,
        "can be converted to Python scalars",
        "one-number-wanted",
        "Functions from Python's math take one number. NumPy's functions of the same name take a whole array: np.exp for math.exp.",
    ),
    (
        TypeError,
        "'tuple' object is not callable",
        "brackets",
        "You put parentheses after a tuple. Index a shape with square brackets, Q.shape[-1].",
    ),
    (
        TypeError,
        "object is not callable",
        "brackets",
        "You put parentheses after something that isn't a function. Is a * missing there, or did you give a function's name to something else?",
    ),
    (
        TypeError,
        "object is not subscriptable",
        "brackets",
        "You put square brackets after something that can't be indexed. Call a function with parentheses.",
    ),
    (
        TypeError,
        "object is not iterable",
        "one-number-given",
        "You loop over a single number. To count up to it, write range(len(...)). Without an axis, max, sum and argmax give one number for the whole array.",
    ),
    (
        (TypeError, ValueError),
        ("as a data type", "sub-type of ndarray", "given by name", "values for argument 'dtype'"),
        "shape-in-brackets",
        "NumPy takes a shape as one argument. Put it in parentheses of its own: np.ones((2, 3)) has 2 rows and 3 columns.",
    ),
    (
        TypeError,
        "scalar index",
        "list-indexed-by-array",
        "You use an array where one whole number belongs: in range(...), as an axis, or as the index of a list. For range, take len(...). Otherwise take positions one by one in a loop, or check the order of your arguments.",
    ),
    (
        TypeError,
        ("and 'list'", "'list' and", "concatenate list", "multiply sequence"),
        "list-as-array",
        "You can't do arithmetic on a whole list. Go through it in a loop, or turn it into an array with np.asarray(...).",
    ),
    (
        TypeError,
        ("ufunc 'bitwise_", "for &", "ufunc 'invert'", "unary ~"),
        "not-truth-values",
        "~, & and | work on truth values, and these are numbers. Make truth values with comparisons, each in parentheses: (a < b) & (b < c).",
    ),
    (
        ValueError,
        ("broadcast", "mismatch", "shape", "aligned", "dimension"),
        "shape-mismatch",
        "Two shapes don't fit together. Print both just before that line.",
    ),
)
# short names of exceptions, a pattern in the learner's line, what to do then, with what the pattern found
BY_LINE = (
    (
        "truth-of-an-array",
        r"(?<![.\w])(max|min)\((?:[^(),]|\([^()]*\))*,(?! *(?:axis|key))",
        "Python's {0} compares whole arrays with each other. np.{0}imum compares two arrays entry by entry.",
    ),
    (
        "truth-of-an-array",
        r"(?<![.\w])(max|min)\(\w+\)",
        "Python's {0} compares whole rows of a matrix with each other. np.{0} compares numbers, along an axis.",
    ),
    (
        "truth-of-an-array",
        r"^(?:if|elif|while)\b(?!.*mask)[^=!<>]*(?:[=!<>]=|[<>])(?! *None)[^=!<>]*$",
        "That comparison gives a truth value per entry, but `if` needs a single one. np.where chooses entry by entry, or loop over the entries.",
    ),
    (
        "truth-of-an-array",
        r"^(?!.*\b(?:if|while|not)\b).*(?:[&|]|\b(?:and|or)\b|[<>]=?[^<>]*[<>])",  # joined, or a chain
        "`and`, `or` and a chain such as a < b < c need one truth value, but an array has many. Combine conditions cell by cell with &, each in parentheses: (a < b) & (b < c).",
    ),
    (
        "unpacking",
        r"\bfor \w+, *\w+ in [(\[]?(\w+), *(\w+)[)\]]? *[:)\]]",
        "A loop over {0}, {1} has two rounds: the first gives all of {0}, the second all of {1}. zip({0}, {1}) gives an entry of each in every round.",
    ),
    (
        "unpacking",
        r"\.shape *$",
        "You need one name per axis on the left of the =, but inputs can differ in their number of axes. .shape[-1] is always the last.",
    ),
    (
        "none-used",
        "mask",
        "Something in that line is None. An optional mask may be None, so test first whether it `is not None`.",
    ),
    (
        "list-indexed-by-array",
        r"(?:concatenate|stack)\(",
        "Put the arrays that you join in one list, in square brackets. The second argument is the axis.",
    ),
    # np.max(a, b) or np.min(a, b), where b is neither a whole number nor named
    (
        "whole-number-wanted list-indexed-by-array axis-out-of-range",
        r"np\.a?(max|min)\((?:[^(),]|\([^()]*\))*, *(?![-\d]|\w+ *=)",
        "The second argument of np.{0} is the axis, not another array. np.{0}imum compares two arrays entry by entry.",
    ),
    (
        "index-out-of-bounds",
        r"\[[^\]]*\w *[+*] *\w",
        "You calculate an index, and it goes past the last row or column. Check how far the loop may go. "
        "Does it count pairs of columns? Then it runs over d_model // 2.",
    ),
)


FLATTENED = "np.append without an axis makes one long row. np.vstack puts a row below a matrix."


def hint(error):
    """The short name of an exception, and what to do about it."""
    if isinstance(error, TypeError) and in_the_call_itself(error):
        advice = "Your function could not be called. Give its def line the parameters that the exercise names, in that order and with their defaults."
        return "wrong-parameters", advice
    text, line = words_of(error), own_line(error)
    if refused_by_the_course(error):
        is_flat = re.search(r"np\.append\((?!.*axis)", own_lines(error))
        return "refused-by-the-course", FLATTENED if is_flat else ""
    if line.lstrip().startswith(("raise ", "assert ")):
        return "own-refusal", "Your own line refuses this input, but the exercise asks for an answer here."
    if "(...)" in line:
        return "leftover-dots", "There is a ... in that line, where a value belongs."
    for kind, part, mistake, advice in HINTS:
        parts = [part] if isinstance(part, str) else part
        if isinstance(error, kind) and any(each in text for each in parts):
            return mistake, by_line(mistake, error, line) or advice
    if isinstance(error, ModuleNotFoundError):
        return "module-missing", f"{error.name} isn't installed here. The lessons need only NumPy."
    if isinstance(error, NameError):
        return "undefined-name", undefined_name(error)
    if isinstance(error, AttributeError):
        return "unknown-attribute", unknown_attribute(error)
    return "error", NAMES_ITSELF


def by_line(mistake, error, line):
    """What the learner's line says beyond the exception, or ""."""
    for mistakes, pattern, advice in BY_LINE:
        found = re.search(pattern, line) if mistake in mistakes.split() else None
        if found:
            return advice.format(*found.groups())
    name = re.search(r"variable '(\w+)'", str(error)) if mistake == "unbound-name" else None
    if name and re.match(rf"{name[1]} *([-+*/@]=|= .*\b{name[1]}\b)", line):
        return f"In the first round of the loop {name[1]} has no value yet. Give it one before the loop."
    if mistake == "index-out-of-bounds":
        return typed_limit(error, line)
    if mistake == "one-place-for-many" and "broadcast" in str(error) and lost_axis(error):
        return f"The right side of the = has a different shape from the place you put it into. {LOST}"
    return two_shapes(error, line) if mistake == "shape-mismatch" else ""
