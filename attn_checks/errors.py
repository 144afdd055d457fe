"""What Python's exceptions mean to somebody who is learning, and what to do about them."""

import difflib
import inspect
import pathlib
import re
import sys
import traceback

import numpy as np

COURSE = "attn_helpers"
FOLDER = pathlib.Path(__file__).resolve().parent
# Frames in these are the course's, not the learner's.
COURSE_PLACES = (str(FOLDER), *(str(FOLDER.parent / name) for name in (f"{COURSE}.py", "attn_parts")))


class ReportedError(Exception):
    """An exception that was raised in another process, and what these functions said of it there."""

    def __init__(self, words, line, told):
        super().__init__(words)
        self.words, self.line, self.told = words, line, told


def words_of(error):
    """Kind and text of an exception, in one line that is not too long."""
    if isinstance(error, ReportedError):
        return error.words
    try:
        text = " ".join(str(error).split())
    except BaseException:  # its own __str__ fails
        text = "(no text)"
    return f"{type(error).__name__}: {text}"[:180]


def own_line(error):
    """The last line of the learner's own code on the way to an exception, or ""."""
    if isinstance(error, ReportedError):
        return error.line
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.line and is_own(f.filename)]
    return frames[-1].line if frames else ""


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


# Conditions joined by a word, by & without parentheses, or in a chain, a < b < c
JOINED = re.compile(r"[&|]|\b(and|or)\b|[<>]=?[^<>]*[<>]")
NAMES_ITSELF = "Python's own words about that line stand above: which value in it is not what you thought?"

# kind of exception, a part of its text, short name, what to do about it
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
     "An array needs rows of equal length; these are not."),
    (ValueError, "one unknown dimension", "two-unknown-sizes",
     "One -1 stands for the size that is left over. Of two, reshape cannot know how to share it: write one of them out."),
    (ValueError, "same number of dimensions", "joined-unlike",
     "What is joined needs the same number of axes: a table has two, a single row has one."),
    (ValueError, "except for the concatenation axis", "joined-unlike",
     "Tables below one another need the same width, side by side the same height. Which table should take which row?"),
    (ValueError, "must have the same shape", "joined-unlike",
     "np.stack puts arrays of one shape along a new axis. np.concatenate joins them along one that they have."),
    (ValueError, "cannot reshape", "reshape",
     "reshape keeps all numbers: the sizes of the new shape, multiplied, give as many as there are."),
    (ValueError, "values to unpack", "unpacking",
     "Left of = stand more names, or fewer, than there are values on its right. Inputs differ in size and in their number of axes."),
    (TypeError, "the `-` operator", "minus-of-booleans",
     "Truth values know no minus. ~ turns a mask round, & asks for two conditions at once."),
    (TypeError, "bitwise_xor", "power",
     "^ is no power in Python, ** is."),
    (TypeError, "type(s) for ^", "power",
     "^ is no power in Python, ** is."),
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
     "Not every input has that many axes. Counted from the end, -1 and -2 are there in a matrix and in a batch."),
    (ValueError, "truth value", "truth-of-an-array",
     "`if`, `not` and `and` want one truth value, an array has many. np.where chooses cell by cell, ~ turns a mask round; of an optional array ask whether it `is not None`."),
    (IndexError, "boolean index", "mask-as-index",
     "A mask used as an index needs the shape of the array itself. np.where broadcasts it."),
    (IndexError, "out of bounds", "index-out-of-bounds",
     "An index went past the end. Inputs differ in size, down to none at all: count along the very axis that the index runs on."),
    (ValueError, "einstein sum", "einsum-axes",
     "In einsum a letter stands for one axis, and `...` for any number of axes in front, or none."),
    (ValueError, "matmul", "shape-mismatch",
     "@ wants as many columns on its left as there are rows on its right. Print both shapes just before that line."),
    (TypeError, "list indices must be integers or slices", "list-as-array",
     "A list takes one number, or one slice, as its index. np.asarray(...) makes an array of it."),
    (TypeError, "Cannot cast ufunc", "whole-numbers",
     "An array made of whole numbers, or of True and False, holds nothing else. Make a new one, with np.zeros and a shape: that one holds any number."),
    (TypeError, "tri() missing", "matrix-wanted",
     "np.tril and np.triu cut a matrix: give them a whole matrix, not one number."),
    (TypeError, "argument 'keepdim'", "unknown-argument",
     "NumPy spells it keepdims."),
    (TypeError, "unexpected keyword argument", "unknown-argument",
     "That function takes no argument of this name. Its help (type its name and a question mark) lists those it takes."),
    (TypeError, "required positional argument", "argument-missing",
     "A function in that line got fewer arguments than it needs. Which ones does it ask for?"),
    (TypeError, "can be converted to Python scalars", "one-number-wanted",
     "Functions of Python's math take one number. NumPy's of the same name, np.exp for math.exp, take a whole array."),
    (TypeError, "'tuple' object is not callable", "brackets",
     "A shape is a tuple: its entries stand in square brackets, Q.shape[-1]."),
    (TypeError, "object is not subscriptable", "brackets",
     "Square brackets pick from an array or a list; a function is called with round ones."),
    (TypeError, "object is not iterable", "one-number-given",
     "A loop needs several values, and this is one. Without an axis, max, sum and argmax give one for the whole array."),
    (TypeError, "as a data type", "shape-in-brackets",
     "NumPy takes a shape as one argument, a pair in brackets: np.ones((2, 3)) has 2 rows and 3 columns."),
    (TypeError, "scalar index", "list-indexed-by-array",
     "Where one whole number belongs, a position in a list or an axis, stands an array. Take positions one by one in a loop; as an argument, see which place it stands in."),
    (TypeError, "builtin_function_or_method", "not-called",
     "A method stands there without its round brackets: it has not been called."),
    (TypeError, "positional argument", "number-of-arguments",
     "A function in that line gets more arguments than it takes, or fewer. Its help (its name and a question mark) lists them."),
    (TypeError, "takes exactly", "number-of-arguments",
     "A function in that line gets more arguments than it takes, or fewer. Its help (its name and a question mark) lists them."),
    *(
        (ValueError, word, "shape-mismatch", "Two shapes do not fit. Print both just before that line.")
        for word in ("broadcast", "mismatch", "shape", "aligned", "dimension")
    ),
)
# fmt: on


def hint(error):
    """The short name of an exception, and what to do about it."""
    if isinstance(error, ReportedError):
        return error.told
    if isinstance(error, TypeError) and in_the_call_itself(error):
        advice = "Does the def line take the parameters that the exercise names, in that order and with their defaults?"
        return "wrong-parameters", advice
    text = words_of(error)
    if refused_by_the_course(error):
        return "refused-by-the-course", ""  # its own words say the remedy
    if own_line(error).lstrip().startswith(("raise ", "assert ")):
        return "own-refusal", "It is your own line that refuses this input. It is one that should work."
    if "(...)" in own_line(error):
        return "leftover-dots", "There is a ... in that line, where a value belongs."
    for kind, part, mistake, advice in HINTS:
        if isinstance(error, kind) and part in text:
            return mistake, by_line(mistake, error, own_line(error)) or advice
    if isinstance(error, NameError):
        return "undefined-name", undefined_name(error)
    if isinstance(error, AttributeError):
        return "unknown-attribute", unknown_attribute(error)
    return "error", NAMES_ITSELF


def by_line(mistake, error, line):
    """What the learner's line tells beyond the exception, or ""."""
    if mistake == "truth-of-an-array":
        if re.search(r"(?<![.\w])(max|min|sorted)\(", line):
            return "Python's max, min and sorted compare whole arrays with one another. NumPy's go through the numbers."
        if JOINED.search(line) and not re.search(r"\b(if|while|not)\b", line):
            return "An array has many truth values; `and`, `or` and a chain such as a < b < c want one. Join conditions cell by cell with &, each in parentheses, (a < b) & (b < c): & binds tighter than <."
    if mistake == "none-used" and "mask" in line:
        return "Something in that line is None. An optional mask may be: ask first whether it `is not None`."
    name = re.search(r"variable '(\w+)'", str(error)) if mistake == "unbound-name" else None
    if name and re.match(rf"{name[1]} *([-+*/@]=|= .*\b{name[1]}\b)", line):
        return f"In its first round {name[1]} has no value yet to go on from. Give it one before the loop."
    return ""


def course_names():
    """The functions of the course, if the learner has imported it; the checkers do without."""
    course = sys.modules.get(COURSE)
    return sorted(name for name, value in vars(course).items() if inspect.isfunction(value)) if course else []


def undefined_name(error):
    """What to say of a name that is defined nowhere."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    close = difflib.get_close_matches(error.name or "", frames[-1].f_locals, 1, 0.8)
    if close:
        return f"There is no {error.name}; is it {close[0]}?"
    if error.name in sys.stdlib_module_names:
        return f"A module of Python has to be imported first, import {error.name}. Much of math is in NumPy too: np.sqrt, np.exp, np.inf."
    if error.name in course_names():
        return f"The course's functions need their prefix: attn.{error.name}."
    if hasattr(np, error.name or ""):
        return f"NumPy's functions need its prefix: np.{error.name}."
    return "That name is defined nowhere. Is a parameter spelt otherwise, or has the cell that defines it not been run?"


def unknown_attribute(error):
    """What to say of an attribute, or a function of a module, that is not there."""
    if "was removed in the NumPy 2" in str(error):
        return "NumPy 2 has taken that name away. Its own words above say what to write now."
    if error.obj is np and error.name in course_names():
        return f"NumPy has no {error.name}. The course has one, attn.{error.name}, or write your own."
    if inspect.ismodule(error.obj) and error.obj.__name__ == COURSE:
        near = [name for name in course_names() if error.name in name]
        return f"The course has no {error.name}" + (f"; it has {', '.join(near)}." if near else ".")
    known = [name for name in dir(error.obj) if not name.startswith("_")]
    close = difflib.get_close_matches(error.name or "", known, 1)
    return f"There is no {error.name}" + (f"; is it {close[0]}?" if close else " there.")
