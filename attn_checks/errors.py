"""What Python's exceptions mean to somebody who is learning, and what to do about them."""

import builtins
import difflib
import inspect
import pathlib
import re
import sys
import traceback

import numpy as np

from attn_checks.compare import Raised, words_of

COURSE = "attn_helpers"
FOLDER = pathlib.Path(__file__).resolve().parent
# Frames in these are the course's, not the learner's.
COURSE_PLACES = (
    str(FOLDER),
    *(str(FOLDER.parent / name) for name in (f"{COURSE}.py", "attn_parts", "attn_lessons")),
)


def explained(error):
    """An exception as Raised; one of a learner's own may be like no other."""
    try:
        return Raised(words_of(error), own_line(error)[:200], *hint(error))
    except BaseException:
        return Raised(words_of(error), "", "error", NAMES_ITSELF)


def own_line(error):
    """The last line of the learner's own code on the way to an exception, or ""."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.line and is_own(f.filename)]
    return frames[-1].line if frames else ""


def own_frames(error):
    return [f for f, _ in traceback.walk_tb(error.__traceback__) if is_own(f.f_code.co_filename)]


def is_own(filename):
    """Whether code of this file was written by the learner: it is not the course's and not a library's."""
    return not filename.startswith(COURSE_PLACES) and "site-packages" not in filename


def in_the_call_itself(error):
    """Whether the function could not even be called: no line of its own was reached."""
    frames = traceback.extract_tb(error.__traceback__)
    return all(pathlib.Path(f.filename).parent == FOLDER for f in frames)


def refused_by_the_course(error):
    """Whether a function of the course that the learner calls raised it, on purpose."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return last.filename.startswith(COURSE_PLACES[1:]) and (last.line or "").startswith("raise ")


# Beside the course's own words, which say the remedy
FOLLOWS = "What is expected follows from what else is passed in: is each of them what that function asks for?"
NAMES_ITSELF = "Python's own words about that line stand above: which value in it is not what you thought?"

# kind of exception, a part of its text (or several, one of which), short name, what to do about it
# fmt: off
HINTS = (
    (SystemExit, "", "ends-python",
     "exit(), quit() and sys.exit() end Python, and with it this kernel. A function ends with return."),
    (EOFError, "input()", "waits-for-input",
     "Nobody types while a function is checked. All that it needs is passed in."),
    (RecursionError, "", "calls-itself",
     "It calls itself, and that call calls itself again. Did you mean a function of another name, the course's (attn.) or NumPy's (np.)?"),
    (TypeError, "ellipsis", "leftover-dots",
     "There is a ... in that line, where a value belongs."),
    (AttributeError, "'NoneType' object has no attribute 'append'", "append-gives-none",
     "append lengthens the list itself and returns None: with a name and = before it the list is lost."),
    (TypeError, "'numpy.ndarray' object is not callable", "brackets",
     "An array is followed by round brackets, as if it were a function. Square ones pick from it; .T and .shape take none."),
    (ValueError, "does not have enough dimensions", "no-matrix",
     "One side of @ is no matrix: a single number, None, or a method without its round brackets."),
    (ValueError, "negative dimensions", "negative-size",
     "A size came out below 0. For which of the values passed in?"),
    (ValueError, "inhomogeneous", "ragged",
     "An array needs rows of equal length, and these rows have different ones. np.concatenate joins rows of any lengths to one long row."),
    (ValueError, "setting an array element", "one-place-for-many",
     "Where one number belongs, several were put. What is the shape of what stands right of the = ?"),
    (ValueError, "could not broadcast input array", "one-place-for-many",
     "What stands right of the = has another shape than the place that it is put into."),
    (ValueError, "zero-dimensional arrays", "joined-unlike",
     "A single number cannot be joined to a row: put it in brackets, [x]."),
    (ValueError, "one unknown dimension", "two-unknown-sizes",
     "One -1 stands for the size that is left over. Of two, reshape cannot know how to share it: write one of them out."),
    (ValueError, "same number of dimensions", "joined-unlike",
     "What is joined needs the same number of axes: a table has two, a single row has one. np.vstack puts a row below a table."),
    (ValueError, "except for the concatenation axis", "joined-unlike",
     "Tables below one another need the same width, side by side the same height. Which table should take which row?"),
    (ValueError, "must have the same shape", "joined-unlike",
     "np.stack puts arrays of one shape along a new axis. np.concatenate joins them along one that they have."),
    (ValueError, "cannot reshape", "reshape",
     "reshape keeps all numbers: the sizes of the new shape, multiplied, give as many as there are."),
    (ValueError, "values to unpack", "unpacking",
     "Left of = stand more names, or fewer, than there are values on its right."),
    (TypeError, "the `-` operator", "minus-of-booleans",
     "Truth values know no minus. ~ turns a mask round, & asks for two conditions at once."),
    (TypeError, ("bitwise_xor", "type(s) for ^"), "power",
     "^ is no power in Python, ** is."),
    (TypeError, "'list' object cannot be interpreted as an integer", "list-for-a-number",
     "A whole number is wanted there, and this is a list. `for x in` a list goes through its entries, without range."),
    (TypeError, "'numpy.ndarray' object cannot be interpreted as an integer", "list-for-a-number",
     "A whole number is wanted there, and this is an array. len(...) or .shape[...] says how many it has."),
    (TypeError, "cannot be interpreted as an integer", "whole-number-wanted",
     "A size, a count or an axis is a whole number: / always gives a decimal one, // a whole one."),
    (TypeError, "interpret 'True' as a data type", "unnamed-argument",
     "The second place there is for a dtype. Give keepdims by its name."),
    (UnboundLocalError, "", "unbound-name",
     "That name gets its value only on a way that was not taken here, such as inside an if. Is a line indented too far?"),
    ((TypeError, AttributeError), "'NoneType'", "none-used",
     "Something in that line is None. Does a function of yours forget its return?"),
    (ValueError, "both or neither of x and y", "where-without-else",
     "np.where takes a condition, what stands where it holds, and what stands elsewhere."),
    (ValueError, "axes don't match array", "transpose-of-some-axes",
     "NumPy's transpose wants a new order for all axes. To exchange two of them there is swapaxes."),
    (np.exceptions.AxisError, "", "axis-out-of-range",
     "Not every array has that many axes. Counted from the end, -1 and -2 are there in a matrix and in a batch; a single row has -1 alone."),
    (ValueError, "truth value", "truth-of-an-array",
     "`if`, `not` and `and` want one truth value, an array has many. np.where chooses cell by cell, ~ turns a mask round; of an optional array ask whether it `is not None`."),
    (IndexError, "boolean index", "mask-as-index",
     "A mask used as an index needs the shape of the array itself. np.where broadcasts it."),
    (IndexError, "with size 0", "index-out-of-bounds",
     "That array is empty: it has no first and no last entry. Ask for its length first."),
    (IndexError, "tuple index out of range", "axis-out-of-range",
     "A shape has one entry for each axis, and not every input has that many. Counted from the end, -1 and -2 are there in a matrix and in a batch."),
    (IndexError, "index out of range", "index-out-of-bounds",
     "That list has fewer entries. An empty one has no first and no last: ask whether it holds anything, `if it:`, before you pick."),
    (IndexError, "too many indices", "too-many-indices",
     "There are more indices between those brackets than the array has axes. Inputs differ in their number of axes."),
    (IndexError, "invalid index to scalar", "too-many-indices",
     "That is a single number, and nothing can be picked from it: an index too many, or a loop that has reached the numbers already."),
    ((IndexError, TypeError), ("only integers, slices", "arrays used as indices", "slices, not float", "slices, not numpy.float"), "no-position",
     "An index is a position, a whole number. A weight or a mean is none; argmax gives the position of the largest where max gives its size."),
    (IndexError, "out of bounds", "index-out-of-bounds",
     "An index went past the end. Inputs differ in size: count along the very axis that the index runs on."),
    (ValueError, "einstein sum", "einsum-axes",
     "In einsum a letter stands for one axis, and `...` for any number of axes in front, or none."),
    (ValueError, "matmul", "shape-mismatch",
     "@ wants as many columns on its left as there are rows on its right. Print both shapes just before that line."),
    (TypeError, "list indices must be integers or slices, not str", "no-position",
     "A list is asked by position, a whole number; this is a text. A dictionary, {}, is asked by any key."),
    (TypeError, "tuple indices must be integers or slices", "tuple-as-array",
     "That is a tuple, a shape or several results, and no array: one number picks one entry of it."),
    (TypeError, "list indices must be integers or slices", "list-as-array",
     "A list takes one number, or one slice, as its index. np.asarray(...) makes an array of it."),
    (TypeError, "Cannot cast ufunc", "whole-numbers",
     "An array made of whole numbers, or of True and False, holds nothing else. Make a new one, with np.zeros and a shape: that one holds any number."),
    (TypeError, "tri() missing", "matrix-wanted",
     "np.tril and np.triu cut a matrix: give them a whole matrix, not one number."),
    (TypeError, "argument 'keepdim'", "unknown-argument",
     "NumPy spells it keepdims."),
    (TypeError, "argument 'dim'", "unknown-argument",
     "PyTorch's dim is NumPy's axis."),
    (TypeError, "unexpected keyword argument", "unknown-argument",
     "That function takes no argument of this name. Its help (type its name and a question mark) lists those it takes."),
    (TypeError, "invalid keyword argument", "unknown-argument",
     "Python's own max, min and sum know no such argument. NumPy's do: np.max, or a method of the array."),
    (TypeError, "slice indices must be", "no-position",
     "The ends of a slice are whole numbers, and one of these is something else. / always gives a decimal number, // a whole one; a list, a mean or a weight is no position."),
    (TypeError, "required positional argument", "argument-missing",
     "A function in that line got fewer arguments than it needs. Which ones does it ask for, in which order? Given without names, the last ones are called missing, whichever was left out."),
    (TypeError, "can be converted to Python scalars", "one-number-wanted",
     "Functions of Python's math take one number. NumPy's of the same name, np.exp for math.exp, take a whole array."),
    (TypeError, "'tuple' object is not callable", "brackets",
     "A shape is a tuple: its entries stand in square brackets, Q.shape[-1]."),
    (TypeError, "object is not callable", "brackets",
     "Round brackets call a function, and what stands before them is none. Is a * missing there, or was the name of a function given to something else?"),
    (TypeError, "method' object does not support item assignment", "not-called",
     "A method stands there without its round brackets: it has not been called."),
    (TypeError, "item assignment", "cannot-be-changed",
     "Single numbers, tuples and texts cannot be changed in part. An array or a list can."),
    (TypeError, "has no len()", "one-number-given",
     "len counts the entries of a list or an array, and this is one number."),
    (TypeError, "argument must be a string", "one-number-wanted",
     "int() and float() take one number, and this is several. np.asarray(...) makes an array of a list, which can be compared as a whole."),
    (TypeError, "cannot unpack", "unpacking",
     "Left of = stand several names, right of it a single thing. A shape has several sizes, one entry of it is one."),
    (TypeError, "object is not subscriptable", "brackets",
     "Square brackets pick from an array or a list; a function is called with round ones."),
    (TypeError, "object is not iterable", "one-number-given",
     "A loop needs several values, and this is one. Without an axis, max, sum and argmax give one for the whole array."),
    (TypeError, ("as a data type", "given by name", "values for argument 'dtype'"), "shape-in-brackets",
     "NumPy takes a shape as one argument, a pair in brackets: np.ones((2, 3)) has 2 rows and 3 columns."),
    (TypeError, "scalar index", "list-indexed-by-array",
     "Where one whole number belongs, a position in a list or an axis, stands an array. Take positions one by one in a loop; as an argument, see which place it stands in."),
    (TypeError, "Axis must be specified", "axis-wanted",
     "np.average has to be told along which axis the weights run: one weight for each row, axis 0, or for each column."),
    (TypeError, "concatenate list", "list-as-array",
     "Between lists + joins one to the other, and wants a list on both sides. np.asarray(...) makes an array, which adds number by number."),
    (TypeError, "multiply sequence", "list-as-array",
     "A list times a number repeats it. np.asarray(...) makes an array, which multiplies number by number."),
    (TypeError, ("and 'list'", "'list' and"), "list-as-array",
     "A list cannot be reckoned with as a whole. np.asarray(...) makes an array of it."),
    (TypeError, ("ufunc 'invert'", "unary ~"), "not-truth-values",
     "~ turns truth values round, and these are numbers. Where does the mask come from? A comparison gives truth values."),
    (TypeError, ("ufunc 'bitwise_", "for &"), "not-truth-values",
     "& and | join truth values, cell by cell, and bind tighter than a comparison: each condition stands in parentheses, (a < b) & (b < c)."),
    (TypeError, "no callable", "not-an-array-of-numbers",
     "That array holds objects (lists, None, texts), not numbers. How was it made?"),
    (TypeError, "builtin_function_or_method", "not-called",
     "A method stands there without its round brackets: it has not been called."),
    (TypeError, ("positional argument", "takes exactly"), "number-of-arguments",
     "A function in that line gets more arguments than it takes, or fewer. Its help (its name and a question mark) lists them."),
    (ValueError, "1- or 2-d", "matrix-wanted",
     "np.diag takes a row or a single matrix. Of a batch np.diagonal picks the diagonals, once it is told which two axes make the matrix."),
    (ValueError, ("zero-size array", "is empty", "empty sequence"), "nothing-there",
     "There is nothing to take that of: what stands in the brackets is empty. Which input, slice or list is?"),
    (ValueError, "is not in list", "not-found",
     "What is looked for does not stand in that list. Is it the right list to look in?"),
    (ValueError, "negative integer powers", "power",
     "A whole number of NumPy's has no negative power. A decimal one has: 2.0, or dtype float."),
    (ValueError, ("math domain error", "nonnegative input", "positive input"), "outside-the-domain",
     "A root or a logarithm of a negative number, or of 0. Which number reaches it?"),
    (ValueError, "read-only", "read-only",
     "That array is a view that cannot be written to. Work on a copy, .copy(), or build a new one."),
    (ValueError, "repeated axis", "transpose-of-some-axes",
     "Each axis is named once, in its new place."),
    (OverflowError, "infinity", "infinite",
     "An infinite number has no whole one beside it. Where does it come from: an overflow, or −inf put in on purpose?"),
    (OverflowError, "", "overflow",
     "The result is too large for any float. Which change keeps the powers small? (np.exp gives inf there, where math.exp fails.)"),
    (ZeroDivisionError, "", "divided-by-zero",
     "What stands below the line is 0 for this input. What does it count, and is there always one?"),
    (KeyError, "", "no-such-key",
     "That dictionary has no entry of this name yet. Ask with `in` first, or see whether the names are spelt as they were put in."),
    (ValueError, ("broadcast", "mismatch", "shape", "aligned", "dimension"), "shape-mismatch",
     "Two shapes do not fit. Print both just before that line."),
)
# short names of exceptions, a pattern in the learner's line, what to do then, with what the pattern found
BY_LINE = (
    ("truth-of-an-array", r"(?<![.\w])(?:max|min|sorted)\(",
     "Python's max, min and sorted compare whole arrays with one another. NumPy's go through the numbers."),
    ("truth-of-an-array", r"^(?:if|elif|while)\b(?!.*mask)[^=!<>]*(?:[=!<>]=|[<>])(?! *None)[^=!<>]*$",
     "That comparison has a truth value for each entry, and one is wanted there. np.where chooses entry by entry; or go through the entries in a loop."),
    ("truth-of-an-array", r"^(?!.*\b(?:if|while|not)\b).*(?:[&|]|\b(?:and|or)\b|[<>]=?[^<>]*[<>])",  # joined, or a chain
     "An array has many truth values; `and`, `or` and a chain such as a < b < c want one. Join conditions cell by cell with &, each in parentheses, (a < b) & (b < c): & binds tighter than <."),
    ("unpacking", r"\bfor \w+, *\w+ in [(\[]?(\w+), *(\w+)[)\]]? *[:)\]]",
     "A loop over {0}, {1} has two rounds: one brings all of {0}, the next all of {1}. zip({0}, {1}) brings an entry of each in every round."),
    ("unpacking", r"^[^,]*\bfor [^=]*,[^=]* in\b",
     "Between `for` and `in` stand more names, or fewer, than one round of the loop brings values. enumerate(...) brings the position with each entry, zip(...) an entry of each."),
    ("unpacking", r"\.shape *$",
     "Left of = there has to be one name for each axis, and inputs may differ in their number of axes. Counted from the end, .shape[-1] is always the last."),
    ("brackets", r"\.(size|ndim)\(",
     ".{0} is a number in NumPy, and takes no brackets. How long an axis is stands in .shape: .shape[-1] is the length of the last."),
    ("none-used", "mask", "Something in that line is None. An optional mask may be: ask first whether it `is not None`."),
    ("ragged one-place-for-many", r"attention\w*\(",
     "Attention returns two arrays, the output and the weights: give each a name, or pick one."),
    ("list-indexed-by-array", r"(?:concatenate|stack)\(",
     "What is to be joined is one argument, a list in square brackets; the second place there is for the axis."),
    # np.max(a, b) or np.min(a, b), where b is neither a whole number nor named
    ("whole-number-wanted list-indexed-by-array axis-out-of-range", r"np\.a?(max|min)\((?:[^(),]|\([^()]*\))*, *(?![-\d]|\w+ *=)",
     "np.{0} takes one array, and its second place is the axis. np.{0}imum compares two arrays, entry by entry."),
    ("whole-number-wanted", "^[^/]*$",
     "A size, a count or an axis is a whole number. np.ceil, np.sqrt or a mean give a decimal one: int(...) makes it whole."),
    ("shape-in-brackets", r"\.view\(", "NumPy's view is another thing than PyTorch's. Here there is reshape."),
    ("index-out-of-bounds", r"\[[^\]]*\w *\+ *\w",
     "The index is a sum, and reaches past the last row or column. Up to where may it go?"),
    ("shape-mismatch", r"np\.(diag|outer)\(",
     "np.{0} works on single rows, not on each row of a table: go row by row, or see what a product of two axes gives."),
)
# fmt: on


def hint(error):
    """The short name of an exception, and what to do about it."""
    if isinstance(error, TypeError) and in_the_call_itself(error):
        advice = "Does the def line take the parameters that the exercise names, in that order and with their defaults?"
        return "wrong-parameters", advice
    text = words_of(error)
    if refused_by_the_course(error):
        told = scores_one_by_one(own_line(error)) if "x is a single number" in text else flattened(error)
        return "refused-by-the-course", told or (FOLLOWS if "expected (" in text else "")
    if own_line(error).lstrip().startswith(("raise ", "assert ")):
        return "own-refusal", "It is your own line that refuses this input. It is one that should work."
    if "(...)" in own_line(error):
        return "leftover-dots", "There is a ... in that line, where a value belongs."
    for kind, part, mistake, advice in HINTS:
        parts = [part] if isinstance(part, str) else part
        if isinstance(error, kind) and any(each in text for each in parts):
            return mistake, by_line(mistake, error, own_line(error)) or advice
    if isinstance(error, ModuleNotFoundError):
        return "module-missing", f"No {error.name} is installed here. The lessons need NumPy alone."
    if isinstance(error, NameError):
        return "undefined-name", undefined_name(error)
    if isinstance(error, AttributeError):
        return "unknown-attribute", unknown_attribute(error)
    return "error", NAMES_ITSELF


def flattened(error):
    """What to say if a line before has made one row of a table."""
    codes = [frame.f_code for frame in own_frames(error)]
    if any({"np", "append"} <= set(code.co_names) and ("axis",) not in code.co_consts for code in codes):
        return "np.append without an axis makes one long row of both. With axis=0, or by np.vstack, a row comes below the others."
    return ""


def scores_one_by_one(line):
    """What to say of softmax of a few numbers that were not put in one array, or ""."""
    several = re.search(r"softmax\((\w+, *[a-z]\w*)\)", line)
    return f"All scores that share go in together, as one array or list: [{several[1]}]." if several else ""


def by_line(mistake, error, line):
    """What the learner's line tells beyond the exception, or ""."""
    for mistakes, pattern, advice in BY_LINE:
        found = re.search(pattern, line) if mistake in mistakes.split() else None
        if found:
            return advice.format(*found.groups())
    name = re.search(r"variable '(\w+)'", str(error)) if mistake == "unbound-name" else None
    if name and re.match(rf"{name[1]} *([-+*/@]=|= .*\b{name[1]}\b)", line):
        return f"In its first round {name[1]} has no value yet to go on from. Give it one before the loop."
    return two_shapes(error, line) if mistake == "shape-mismatch" else ""


def two_shapes(error, line):
    """Which two sizes do not fit, where an exception says so."""
    text = str(error)
    sizes = re.search(r"operand 1 .*\(size (\d+) is different from (\d+)\)", text)
    if sizes:
        return f"@ wants as many columns on its left as there are rows on its right; {of_product(error, line, int(sizes[2]), int(sizes[1]))}"
    if re.search(r"\.shape\b(?! *\[)", line) and re.search(r"[/*]|sqrt", line):
        return "A shape is a tuple with a size for each axis. Which of them is meant?"
    shapes = re.findall(r"\(([\d,]+)\)", text) if "broadcast together" in text else []
    if len(shapes) != 2:
        return ""
    if re.search(r"[\w\])] *\* *[\w(]", line) and "@" not in line:
        return "* goes cell by cell, and wants shapes that fit. Are rows to meet columns? That is @."
    pairs = zip(*(reversed([int(n) for n in shape.split(",") if n]) for shape in shapes), strict=False)
    unlike = [pair for pair in pairs if pair[0] != pair[1] and 1 not in pair]
    meets = f": here {unlike[0][0]} meets {unlike[0][1]}" if unlike else ""
    return f"Shapes are held side by side from their ends, and sizes must be equal, or one of them 1{meets}."


TURN = "Is one of them to be turned, does it stand on the wrong side of @, or is another one meant?"


def of_product(error, line, columns, rows):
    """Of `a @ b` whose sizes do not fit: how many there are, by name where the line gives one, and why that may be."""
    frames = own_frames(error)
    for left, right in re.findall(r"(?<![\w.])(\w+) *@ *(\w+)(?![\w.\[(])", line):
        a, b = (frames[-1].f_locals.get(name) for name in (left, right))
        is_pair = type(a) is type(b) is np.ndarray and min(a.ndim, b.ndim) > 0
        if is_pair and (a.shape[-1], b.shape[-2:][0]) == (columns, rows):
            has = f"here {left} {a.shape} has {columns}, and {right} {b.shape} has {rows}"
            spread = [n for n in a.shape[:-1] if n * columns == rows and a.ndim > 2]
            if spread:
                return f"{has}. {left} has {rows} over two axes, {spread[0]} · {columns}: are they still to become one?"
            if not {columns, *a.shape[-2:-1]} & {*b.shape[-2:]}:  # no size of one is a size of the other
                return f"{has}. Turned or exchanged they do not fit either: is another one meant, or does one still lack a row that the other has got?"
            return f"{has}. {TURN}"
    return f"here there are {columns} and {rows}. {TURN}"


def course_names():
    """The functions of the course, if the learner has imported it; the checkers do without."""
    course = sys.modules.get(COURSE)
    return sorted(name for name, value in vars(course).items() if inspect.isfunction(value)) if course else []


OTHER_LANGUAGES = {"true": "True", "false": "False", "null": "None", "Boolean": "bool", "boolean": "bool"}
SIZES = ("L", "L_q", "L_k", "d", "d_k", "d_v", "d_head", "d_model", "n", "B")
# what an array has in PyTorch, and where NumPy has it
TORCH = {
    "permute": "np.transpose", "unsqueeze": "x[..., None]", "masked_fill": "np.where", "numel": ".size",
    "softmax": "attn.softmax", "float": ".astype(float)", "bool": ".astype(bool)", "expand": "np.broadcast_to",
    "cat": "np.concatenate", "mT": "swapaxes", "bmm": "@", "matmul": "@", "mm": "@", "norm": "np.linalg.norm",
    "logsumexp": "np.log of the sum of np.exp", "contiguous": "no need of it",
}  # fmt: skip


def undefined_name(error):
    """What to say of a name that is defined nowhere."""
    frame, name = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][-1], error.name or ""
    close = difflib.get_close_matches(name, [*frame.f_locals, *dir(builtins)], 1, 0.8)
    if close:
        return f"There is no {name}; is it {close[0]}? {known_names(frame)}"
    if name in OTHER_LANGUAGES:
        return f"Python says {OTHER_LANGUAGES[name]}, not {name}."
    if name in ("torch", "tf", "jnp", "F", "nn"):
        return "The lessons work with NumPy, np; no other library is there."
    if name in sys.stdlib_module_names:
        return f"A module of Python has to be imported first, import {name}. Much of math is in NumPy too: np.sqrt, np.exp, np.inf."
    if name in course_names():
        return f"The course's functions need their prefix: attn.{name}."
    if hasattr(np, name):
        return f"NumPy's functions need its prefix: np.{name}."
    if name in SIZES:
        return f"Nothing is called {name} there. A size can be read off an array that is passed in, by its shape. {known_names(frame)}"
    if re.search(rf"\b{name}\(", own_line(error)):
        return f"There is no function {name} in this notebook. What another lesson defined is not here; has the cell that defines it been run?"
    return f"That name is defined nowhere. Is it spelt otherwise, or has the cell that defines it not been run? {known_names(frame)}"


def known_names(frame):
    """What there is in its place: the names of the function that was running."""
    names = [name for name in frame.f_locals if name.isidentifier() and not name.startswith("_")]
    return f"Known there: {', '.join(names)}." if 0 < len(names) <= 8 else ""


def unknown_attribute(error):
    """What to say of an attribute, or a function of a module, that is not there."""
    name, given = error.name or "", error.obj
    if "was removed in the NumPy 2" in str(error):
        return "NumPy 2 has taken that name away. Its own words above say what to write now."
    if given is np and name in course_names():
        return f"NumPy has no {name}. The course has one, attn.{name}, or write your own."
    if given is np and "inf" in name.lower():
        return "NumPy's infinity is np.inf, and below zero -np.inf."
    if inspect.ismodule(given) and given.__name__ == COURSE:
        near = [known for known in course_names() if name in known]
        return f"The course has no {name}" + (f"; it has {', '.join(near)}." if near else ".")
    if isinstance(given, (np.ndarray, np.generic, list, tuple, int, float)):
        return of_numbers(name, given)
    return f"There is no {name}" + (f"; is it {close[0]}?" if (close := near(name, given)) else " there.")


def of_numbers(name, given):
    """What to say of an attribute that an array, a list, a tuple or a number does not have."""
    if isinstance(given, (np.generic, int, float)):
        return f"That is a single number, and has no {name}."
    kind = "An array" if isinstance(given, np.ndarray) else f"A {type(given).__name__}"
    if name == "append":
        return f"{kind} cannot be lengthened, as a list can. np.vstack and np.concatenate make a new array out of two: their result needs a name."
    if name in TORCH and isinstance(given, np.ndarray):
        return f"{name} is PyTorch's. Here there is {TORCH[name]}."
    if isinstance(given, list) and hasattr(str, name):
        return f"{name} belongs to text, and this is a list already."
    if isinstance(given, tuple):
        return "That is a tuple: a shape, or several results in one. Take it apart first, a name for each."
    if isinstance(given, list) and hasattr(np.ndarray, name):
        return f"A list has no {name}. np.asarray(...) makes an array of it, which has."
    if name == "index":
        return f"{kind} has no index, as a list has. np.flatnonzero tells where a comparison holds, argmax where the largest stands."
    if hasattr(np, name):
        return f"{kind} has no {name} of its own; NumPy has a function for it, np.{name}(...)."
    return f"{kind} has no {name}" + (f"; is it {close[0]}?" if (close := near(name, given, 0.75)) else ".")


def near(name, given, cutoff=0.6):
    """The attribute that is spelt most like a name, in a list; an empty one if none is."""
    return difflib.get_close_matches(name, [known for known in dir(given) if known[0] != "_"], 1, cutoff)
