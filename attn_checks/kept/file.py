"""What the reader keeps: a function that passes its check goes into my_attention.py, beside the notebook.

The file is the reader's: one function below the other, importable without the course. It's written whole or
not at all, and nothing else in it is changed. Only a cell of a notebook keeps something: scripts and tests
don't, nor does grading.
"""

import ast
import builtins
import functools
import inspect
import os
import re
import symtable
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType

from attn_checks.recognise.answer import Exercise

FILE = "my_attention.py"
OFF = "ATTENTION_COURSE_ONLY"  # in the environment where no reader's file may be used: grading, tests
HEAD = '''"""My attention: what I wrote in the course "Attention from Scratch".

Each function is as it passed its check. This file is yours: read it, import it, change it. A function that
passes again replaces the one of its name.
"""

import numpy as np
'''
OF_THE_COURSE = """try:  # only what calls the course's functions needs it
    {}
except ImportError:
    pass"""
IMPORTS = ast.Import, ast.ImportFrom, ast.Try
NOT_WHOLE = "only a function that begins with `def {}(` can be."
NOT_KNOWN = """it uses `{}`, which only this notebook knows. Define what it needs inside the function, and \
check it again."""
UNREADABLE = "{} can't be read as Python{}. Correct it, or give it another name, and a new one is begun."

parsed = functools.lru_cache(ast.parse)  # for each version of the file once


class NotKeptError(Exception):
    """Why a function isn't kept, or the file can't be used, in a sentence for the reader."""


def path() -> Path:
    return Path.cwd() / FILE


def shell():
    """The notebook in which this runs, None in a script."""
    module = sys.modules.get("IPython")
    return module and module.get_ipython()


def keeps() -> bool:
    """Whether anything is kept here: only in a notebook, and where no grader or test runs it."""
    return OFF not in os.environ and shell() is not None


def keep(exercise: Exercise, function: Callable) -> str:
    """Put a function that passed into the reader's file; what to say of it, "" outside a notebook."""
    if not keeps():
        return ""
    try:
        text = read()
        source = source_of(exercise.name, function, parts_of(text))
        imports = imports_of(source, exercise.name, function, parts_of(text))
        write(path(), merged(text, heading(exercise), source, exercise.name, imports))
    except NotKeptError as reason:
        return f"It isn't kept in {FILE}: {reason}"
    except Exception as error:  # of a function whose own type answers our questions
        how = "Write it with `def` in a cell."
        return f"It isn't kept: {type(error).__name__} while its source was read. {how}"
    return f"Kept in {FILE}: from now on, mine.{exercise.name} is yours."


def heading(exercise: Exercise) -> str:
    """The comment above a kept function: `# lesson 04`."""
    return f"# lesson {exercise.right.__module__.split('.')[1].removeprefix('lesson')}"


# --- From a function to its source ----------------------------------------------------------------


def source_of(name, function, known):
    """The source of a function as it goes into the file, where `mine.f` is `f` for each f that is there."""
    if not inspect.isfunction(function) or function.__name__ != name:
        raise NotKeptError(NOT_WHOLE.format(name))
    try:
        source = textwrap.dedent(inspect.getsource(function)).strip()
    except (OSError, TypeError):
        raise NotKeptError("Python no longer has its source. Run its cell again, then this one.") from None
    for used in known.keys() - set(function.__code__.co_varnames):  # `scores = mine.scores(Q, K)` stays
        source = re.sub(rf"\bmine\.{used}\b", used, source)
    return source


def imports_of(source, name, function, known):
    """The imports that a function needs; NotKeptError if it uses what only the notebook knows."""
    needed = []
    for used in sorted(free_names(source) - {name}):
        value = function.__globals__.get(used, getattr(builtins, used, NOT_KNOWN))
        is_kept = used in known and (value is NOT_KNOWN or isinstance(value, FunctionType))
        if not is_kept and value is not getattr(builtins, used, None):
            needed.append(import_of(used, value))
    return needed


def free_names(source: str) -> set[str]:
    """Names that a definition takes from outside, builtins included, in its body, decorators or head."""
    found = set()
    tables = [symtable.symtable(source, "", "exec")]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used = [symbol for symbol in table.get_symbols() if symbol.is_global() and symbol.is_referenced()]
        found |= {symbol.get_name() for symbol in used}
    return found


def import_of(name, value):
    """What imports a value under a name, such as `import numpy as np`."""
    own = getattr(value, "__name__", name)
    module = getattr(value, "__module__", None)
    renamed = f" as {name}" if own != name else ""
    if isinstance(value, ModuleType):
        line = f"import {own}{renamed}"
    elif module != "__main__" and getattr(sys.modules.get(module), own, None) is value:
        line = f"from {module} import {own}{renamed}"
    elif getattr(sys.modules["numpy"], own, None) is value:
        line = f"from numpy import {own}{renamed}"
    else:
        raise NotKeptError(NOT_KNOWN.format(name))
    return OF_THE_COURSE.format(line) if " attn_" in line else line


# --- The file -------------------------------------------------------------------------------------


def read() -> str:
    """The text of the reader's file, "" where there's none; NotKeptError if it isn't Python."""
    try:
        text = "" if OFF in os.environ else path().read_text(encoding="utf-8")
        parsed(text)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise NotKeptError(f"{FILE} can't be read ({error.strerror}).") from None
    except SyntaxError as error:
        raise NotKeptError(UNREADABLE.format(FILE, f" (line {error.lineno}: {error.msg})")) from None
    except (ValueError, RecursionError, MemoryError):  # bytes of something else, or thousands of brackets
        raise NotKeptError(UNREADABLE.format(FILE, "")) from None
    return text


def definitions(text: str) -> Iterator[tuple[str, slice]]:
    """The name and the lines of each function and value that a file defines at its left margin."""
    for node in parsed(text).body:
        first = min(part.lineno for part in [node, *getattr(node, "decorator_list", [])])
        lines = slice(first - 1, node.end_lineno)
        if isinstance(node, ast.FunctionDef):
            yield node.name, lines
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, lines


def parts_of(text: str) -> dict[str, str]:
    """{name: source} of what a file defines; of two of one name, the last."""
    lines = text.split("\n")
    return {name: "\n".join(lines[where]) for name, where in definitions(text)}


def merged(text: str, heading: str, source: str, name: str, imports=()) -> str:
    """The file with this part in it, in the place of an old one of its name; nothing else is changed."""
    text = text or HEAD
    old = dict(definitions(text)).get(name)
    if old:
        lines = text.split("\n")
        lines[old] = source.split("\n")
        text = "\n".join(lines)
    else:
        text = f"{text.rstrip()}\n\n\n{heading}\n{source}\n"
    return with_imports(text, imports)


def with_imports(text, imports):
    """The file with the imports that it lacks, below the first that it has."""
    body = parsed(text).body
    present = set(map(ast.unparse, body))
    new = [line for line in imports if ast.unparse(ast.parse(line)) not in present]
    at = next((node.end_lineno for node in body if isinstance(node, IMPORTS)), 0)
    lines = text.split("\n")
    return "\n".join([*lines[:at], *new, *lines[at:]])


def write(file: Path, text: str) -> None:
    """Write a file whole or not at all; NotKeptError where that can't be."""
    new = file.with_name(f".{file.name}.new")
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(new, file)
    except OSError as error:
        raise NotKeptError(f"{file.name} can't be written here ({error.strerror}).") from None
