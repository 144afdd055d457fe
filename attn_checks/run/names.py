"""What to say of a name, or of an attribute, that isn't there."""

import builtins
import difflib
import inspect
import re
import sys
import traceback

import numpy as np

from attn_checks.run.raised import COURSE, own_line


def course_names():
    """The functions of the course, if the learner has imported it; the checkers do without."""
    course = sys.modules.get(COURSE)
    return sorted(name for name, value in vars(course).items() if inspect.isfunction(value)) if course else []


OTHER_LANGUAGES = {"true": "True", "false": "False", "null": "None", "ln": "np.log", "NaN": "np.nan"}
SIZES = ("L", "L_q", "L_k", "d", "d_k", "d_v", "d_head", "d_model", "n", "B")
# what an array has in PyTorch, and what to write here
TORCH = {
    "permute": "np.transpose",
    "unsqueeze": "x[..., None]",
    "masked_fill": "np.where",
    "numel": ".size",
    "softmax": "attn.softmax",
    "float": ".astype(float)",
    "bool": ".astype(bool)",
    "expand": "np.broadcast_to",
    "matmul": "@",
    "bmm": "@",
}


def undefined_name(error):
    """What to say of a name that is defined nowhere."""
    frame = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][-1]
    name = error.name or ""
    if name in OTHER_LANGUAGES:
        return f"Here it is called {OTHER_LANGUAGES[name]}, not {name}."
    close = difflib.get_close_matches(name, [*frame.f_locals, *dir(builtins)], 1, 0.8)
    if close:
        return f"There is no {name}. Did you mean {close[0]}? {known_names(frame)}"
    if name in ("torch", "tf", "jnp", "F", "nn", "scipy", "special"):
        return "The lessons use only NumPy, as np."
    if name in sys.stdlib_module_names:
        return (
            f"Import this module first: import {name}. NumPy has much of math as well: np.sqrt, np.exp, "
            "np.inf."
        )
    if name in dir(frame.f_globals.get("mine")):
        return f"Functions of other lessons are in `mine`: write mine.{name}."
    if name in course_names():
        return f"The course's functions need their prefix: attn.{name}."
    if hasattr(np, name) and (f"{name}(" in own_line(error) or not callable(getattr(np, name))):
        return f"NumPy's functions need its prefix: np.{name}."
    if name in SIZES:
        return (
            f"There is no {name} in your function. Take the size from the shape of an array that is "
            f"passed in. {known_names(frame)}"
        )
    if re.search(rf"\b{name}\(", own_line(error)):
        return (
            f"There is no function {name} in this notebook. Run the cell that defines it; functions from "
            "other lessons aren't here."
        )
    return f"{name} isn't defined. Check its spelling, or run the cell that defines it. {known_names(frame)}"


def known_names(frame):
    """What there is instead: the names of the function that was running."""
    names = [name for name in frame.f_locals if name.isidentifier() and not name.startswith("_")]
    return f"Your function has these names: {', '.join(names)}." if 0 < len(names) <= 8 else ""


def unknown_attribute(error):
    """What to say of an attribute, or a function of a module, that is not there."""
    name = error.name or ""
    given = error.obj
    if "was removed in the NumPy 2" in str(error):
        return "NumPy 2 removed that name. The message above says what to write instead."
    if given is np and name in course_names():
        return f"NumPy has no {name}. Use the course's attn.{name}, or write your own."
    if inspect.ismodule(given) and given.__name__ == COURSE:
        known = [each for each in course_names() if name in each]
        return f"The course has no {name}" + (f"; it has {', '.join(known)}." if known else ".")
    if isinstance(given, (np.generic, int, float)):
        return f"That is a single number, which has no {name}."
    if name == "append" and isinstance(given, np.ndarray):
        return "An array has no append. np.vstack puts a row below a matrix, in a new array: give it a name."
    if name in TORCH and isinstance(given, np.ndarray):
        return f"{name} is PyTorch's. Write {TORCH[name]} instead."
    if isinstance(given, list) and hasattr(np.ndarray, name):
        return f"A list has no {name}, but an array has. np.asarray(...) turns the list into one."
    if isinstance(given, tuple) and any(isinstance(part, np.ndarray) for part in given):
        return (
            f"This is a tuple of {len(given)} results, and {name} needs one array. Pick it with its index, "
            "such as [0] for the first."
        )
    if isinstance(given, np.ndarray) and hasattr(np, name):
        return f"An array has no method {name}. Use NumPy's function, np.{name}(...)."
    close = difflib.get_close_matches(name, [known for known in dir(given) if known[0] != "_"], 1, 0.75)
    return f"There is no {name} here." + (f" Did you mean {close[0]}?" if close else "")
