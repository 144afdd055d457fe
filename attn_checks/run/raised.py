"""An exception as data, and which of its frames are the learner's own lines."""

import functools
import inspect
import linecache
import os
import pathlib
import re
import textwrap
import traceback
from types import FunctionType
from typing import NamedTuple

COURSE = "attn_helpers"
CHECKS = pathlib.Path(__file__).resolve().parents[1]
# Frames in these are the course's, not the learner's.
BESIDE = f"{COURSE}.py", "attn_parts", "attn_lessons"
COURSE_PLACES = (str(CHECKS), *(str(CHECKS.parent / name) for name in BESIDE))
STANDARD_LIBRARY = os.path.realpath(os.path.dirname(os.__file__))


def own_line(error):
    """The last line of the learner's own code on the way to an exception, or ""."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.line and is_own(f.filename)]
    return frames[-1].line if frames else ""


def own_frames(error):
    return [f for f, _ in traceback.walk_tb(error.__traceback__) if is_own(f.f_code.co_filename)]


def is_own(filename):
    """Whether code of this file was written by the learner: it is not the course's and not a library's."""
    return (
        not real(filename).startswith((*COURSE_PLACES, STANDARD_LIBRARY)) and "site-packages" not in filename
    )


real = functools.cache(os.path.realpath)  # a notebook may reach the course through .. or a link


def in_the_call_itself(error):
    """Whether the function could not even be called: no line of its own was reached."""
    frames = traceback.extract_tb(error.__traceback__)
    return all(real(f.filename).startswith(COURSE_PLACES[0]) for f in frames)


def refused_by_the_course(error):
    """Whether a function of the course that the learner calls raised it, on purpose."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return real(last.filename).startswith(COURSE_PLACES[1:]) and (last.line or "").startswith("raise ")


def own_lines(error):
    """The learner's lines on the way to an exception: from each function's head to where it failed."""
    return "".join(
        "".join(linecache.getlines(f.f_code.co_filename)[f.f_code.co_firstlineno - 1 : number])
        for f, number in traceback.walk_tb(error.__traceback__)
        if is_own(f.f_code.co_filename)
    )


def source_of(function: object) -> str:
    """The learner's lines of a function, or "" where they aren't known."""
    try:
        return inspect.getsource(function) if type(function) is FunctionType else ""
    except OSError:
        return ""


class Raised(NamedTuple):
    """What is told of an exception: its words, the learner's own line, a short name, what to do about it."""

    words: str
    line: str = ""
    mistake: str = "error"
    advice: str = ""
    lacks: str = ""  # a name that isn't defined


def words_of(error: BaseException) -> str:
    """Kind and text of an exception, in one line that is not too long."""
    try:
        text = str(error)[:1000]  # shortening a million letters takes seconds
        of_product = r"Input operand 1 has a mismatch.*n\?,k.*\(size (\d+) is different from (\d+)\)"
        text = re.sub(of_product, r"rows of \2 numbers can't meet columns of \1", text)
    except BaseException:  # its own __str__ fails
        text = "(no text)"
    return textwrap.shorten(f"{type(error).__name__}: {text}", 180, placeholder=" …").removesuffix(":")
