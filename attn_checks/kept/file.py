"""What the reader keeps: a function that passes its check goes into my_attention.py, beside the notebook.

The file is the reader's: one function below the other, importable without the course. It's written whole or not at all,
and nothing else in it is changed. Only a cell of a notebook keeps something: scripts and tests don't, nor does grading.
"""

import ast
import builtins
import contextlib
import inspect
import itertools
import os
import pathlib
import sys
import tempfile
import textwrap
import time
import types

from attn_checks.kept.source import attributes, free_names, imported

FILE = "my_attention.py"
OFF = "ATTENTION_COURSE_ONLY"  # in the environment where no reader's file may be read or written: grading, tests
HEAD = '''"""My attention: what I wrote in the course "Attention from Scratch", each function as it passed its check.

This file is yours: read it, import it, change it. A function that passes again replaces the one of its name.
"""
'''
OF_THE_COURSE = (
    "with contextlib.suppress(ImportError):  # only what calls the course's functions needs it\n    "
)
COURSE = "import attn_", "from attn_"  # how its imports begin; loaded from a line, they have their `with`
UNREADABLE = "{} can't be read as Python{}. Correct it, or give it another name, and a new one is begun."


IMPORTS = ast.Import, ast.ImportFrom, ast.With  # with: OF_THE_COURSE


class NotKeptError(Exception):
    """Why a function isn't kept, or the file can't be used, in a sentence for the reader."""


def path():
    return pathlib.Path.cwd() / FILE


def is_off():
    return OFF in os.environ


def keeps():
    """Whether anything is kept here: only in a notebook, and where no grader or test runs it."""
    shell = sys.modules.get("IPython")
    return not is_off() and shell is not None and shell.get_ipython() is not None


def keep(exercise, function):
    """Put a function that passed into the reader's file; what to say of it, "" outside a notebook."""
    if not keeps():
        return ""
    try:
        with locked(path()):
            text = read(path())
            source, imports = source_to_keep(exercise.name, function, parts_of(text))
            write(path(), merged(text, heading(exercise), source, exercise.name, imports))
    except NotKeptError as reason:
        return f"It isn't kept in {FILE}: {reason}"
    except OSError as error:
        return f"It isn't kept, because {FILE} can't be written here ({error.strerror})."
    except Exception as error:  # of a function whose own type answers our questions
        return (
            f"It isn't kept: {type(error).__name__} while its source was read. Write it with `def` in a cell."
        )
    return f"Kept in {FILE}: from now on, mine.{exercise.name} is yours."


def heading(exercise):
    """The comment above a kept function: `# lesson 04`."""
    return f"# lesson {exercise.right.__module__.split('.')[1].removeprefix('lesson')}"


# --- From a function to its source ----------------------------------------------------------------


def source_to_keep(name, function, known):
    """The source of a function as it goes into the file beside those already `known`, and the imports that it needs."""
    if not inspect.isfunction(function) or function.__name__ != name:
        raise NotKeptError(f"only a function that begins with `def {name}(` can be.")
    if function.__code__.co_freevars:
        raise NotKeptError(f"it uses `{function.__code__.co_freevars[0]}` of a function around it.")
    source = source_of(function)
    tree = ast.parse(source)
    if not isinstance(tree.body[0], ast.FunctionDef):
        raise NotKeptError(f"only a function that begins with `def {name}(` can be.")
    lines = [origin(used, function.__globals__, known) for used in sorted(free_names(source) - {name})]
    uses = attributes(tree, "mine")
    if all(node.attr in known for node in uses):  # then nothing of `mine` is left
        lines = [line for line in lines if not line.endswith(" mine")]
    return without_mine(source, uses, known), [line for line in lines if line]


def source_of(function):
    try:
        return textwrap.dedent(inspect.getsource(function)).strip()
    except (OSError, TypeError):
        raise NotKeptError("Python no longer has its source. Run its cell again, then this one.") from None


def origin(name, namespace, known):
    """The import that gives a name in the file, "" where it needs none; NotKeptError if only the notebook knows it."""
    if name not in namespace:
        if hasattr(builtins, name):
            return ""
        raise NotKeptError(f"it uses `{name}`, which isn't defined.")
    value = namespace[name]
    if isinstance(value, types.FunctionType) and name in known and source_of(value) == known[name]:
        return ""
    if line := imported(name, value):
        return line
    raise NotKeptError(
        f"it uses `{name}`, which only this notebook knows. Define what it needs inside the "
        "function, and check it again."
    )


def without_mine(source, uses, known):
    """The source with `f` in place of `mine.f` for each f that is in the file."""
    lines = [line.encode() for line in source.split("\n")]
    for node in sorted(uses, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        if node.attr in known and node.lineno == node.end_lineno:
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = (
                line[: node.col_offset] + node.attr.encode() + line[node.end_col_offset :]
            )
    return b"\n".join(lines).decode()


# --- The file -------------------------------------------------------------------------------------


def read(file):
    """The text of the reader's file, "" if there is none yet; NotKeptError if it isn't Python."""
    try:
        text = file.read_text(encoding="utf-8")
        ast.parse(text)
    except FileNotFoundError:
        return ""
    except SyntaxError as error:
        raise NotKeptError(UNREADABLE.format(FILE, f" (line {error.lineno}: {error.msg})")) from None
    except (ValueError, RecursionError, MemoryError):  # bytes of something else, or thousands of brackets
        raise NotKeptError(UNREADABLE.format(FILE, "")) from None
    return text


def definitions(text):
    """(name, node) of the functions and values that a file defines at its left margin."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node


def parts_of(text):
    """{name: source} of what a file defines; of two of one name, the last."""
    lines = text.split("\n")
    return {name: "\n".join(lines[first_line(node) : node.end_lineno]) for name, node in definitions(text)}


def first_line(node):
    return min(part.lineno for part in [node, *getattr(node, "decorator_list", [])]) - 1


def merged(text, heading, source, name, imports=()):
    """The file with this part in it, in the place of an old one of its name; nothing else is changed."""
    text = text or HEAD
    old = [node for known, node in definitions(text) if known == name]
    if old:
        lines = text.split("\n")
        lines[first_line(old[-1]) : old[-1].end_lineno] = source.split("\n")
        text = "\n".join(lines)
    else:
        text = f"{text.rstrip()}\n\n\n{heading}\n{source}\n"
    return with_imports(text, imports)


def with_imports(text, imports):
    """The file with the imports that it lacks, below those that it has."""
    body = ast.parse(text).body
    present = {ast.unparse(node) for node in body}
    if any("attn_" in line for line in imports):
        imports = [
            "import contextlib",
            *(OF_THE_COURSE + line if line.startswith(COURSE) else line for line in imports),
        ]
    new = [line for line in dict.fromkeys(imports) if ast.unparse(ast.parse(line)) not in present]
    if not new:
        return text
    has_text = ast.get_docstring(ast.Module(body[:1], [])) is not None
    top = [*body[:1]] if has_text else []
    top += itertools.takewhile(lambda node: isinstance(node, IMPORTS), body[len(top) :])
    at = top[-1].end_lineno if top else 0
    space = [""] if len(top) == has_text else []
    lines = text.split("\n")
    return "\n".join([*lines[:at], *space, *new, *lines[at:]])


def write(file, text):
    """Write a file whole or not at all."""
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{FILE}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(text)
        os.replace(temporary, file)
    except BaseException:
        os.unlink(temporary)
        raise


@contextlib.contextmanager
def locked(file, seconds=3):
    """Have kernels write one after the other; the lock of one that died is taken away."""
    lock, late = file.with_name(f".{FILE}.lock"), time.monotonic() + seconds
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
            break
        except FileExistsError:
            if time.monotonic() > late:
                lock.unlink(missing_ok=True)
            time.sleep(0.02)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
