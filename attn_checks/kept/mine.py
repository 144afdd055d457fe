"""`mine`: the reader's functions where they are kept and still pass their checks, else the course's."""

import ast
import base64
import contextlib
import functools
import linecache
import math
import pprint
import sys
import zlib
from collections.abc import Callable

import numpy as np

from attn_checks.kept.file import (
    FILE,
    IMPORTS,
    NotKeptError,
    heading,
    is_off,
    keeps,
    locked,
    merged,
    parts_of,
    path,
    read,
    write,
)
from attn_checks.recognise.answer import Exercise
from attn_checks.run import call, child
from attn_parts.example import load_example

LONGEST = 2**20  # bytes of source that are loaded
GPT = "my_gpt"  # its name in the reader's file
MOST_SAMPLES, LONGEST_TEXT = 20, 300  # of a GPT that is kept; characters
ALLOWED = *IMPORTS, ast.FunctionDef, ast.Assign


class Mine:
    """Your functions: `mine.softmax` is yours once it has passed, and the course's until then; a line says whose runs.

    Yours are in my_attention.py, beside the notebook. Where that folder is forgotten, as in Colab, `mine.code()` prints one
    line that puts all of them into another notebook.

    Raises
    ------
    AttributeError
        If there is no exercise of that name; the message lists those that there are.

    Examples
    --------
    >>> from attn_checks import mine
    >>> mine.softmax([0.0, 0.0])
    run by the course's softmax, yours hasn't passed its check yet
    array([0.5, 0.5])
    """

    __module__ = "attn_checks"  # from where a kept function imports `mine`

    def __init__(
        self, exercises: Callable[[], dict[str, Exercise]], passes: Callable[[Exercise, Callable], bool]
    ):
        self._exercises, self._passes = exercises, passes
        self._passed: dict[
            tuple[str, str], bool
        ] = {}  # (name, text of the file) -> whether that function still passes
        self._known: dict[tuple, tuple[Callable, str]] = {}  # what was found, by name and version of the file
        self._told: set[str] = set()  # whose functions run, as far as it was said in this cell

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._exercises():
            raise AttributeError(f"mine has no {name!r}; the exercises are {', '.join(self._exercises())}")
        function, by = self._found(self._exercises()[name])
        in_each_cell(self._begins_cell)
        if (
            by not in self._told and not call.running
        ):  # while an answer is checked nothing is printed but by it
            print(by)
        self._told.add(by)
        return function

    def __str__(self):
        """The line below a lesson's setup cell: which functions are already the reader's."""
        try:
            yours = [name for name in parts_of("" if is_off() else read(path())) if name in self._exercises()]
        except (NotKeptError, OSError) as reason:
            return f"None of your functions can be used here: {reason}"
        if not yours:
            return (
                f"Yours so far: nothing yet. A function that passes its check is kept in {FILE}, and "
                "runs what follows."
            )
        return f"Yours so far, in {FILE}: {', '.join(yours)}."

    def _begins_cell(self, info=None):
        self._told.clear()

    def __dir__(self):
        return ["code", "keep_gpt", "keep_sentence", "load", "page", "sentence", *self._exercises()]

    def _found(self, exercise):
        """The function that runs, and the words that say whose it is; a loop asks often, so each version of the file is read once."""
        key = exercise.name, version_of_file(), child.in_child
        if key not in self._known:
            self._known[key] = self._found_now(exercise)
        return self._known[key]

    def _found_now(self, exercise):
        name, by = exercise.name, f"run by the course's {exercise.name}"
        try:
            text = "" if is_off() else read(path())
            if name not in parts_of(text):
                return exercise.right, f"{by}, yours hasn't passed its check yet"
            function = loaded(text)[name]
        except NotKeptError as reason:
            return exercise.right, f"{by}: {reason}"
        except OSError as error:
            return exercise.right, f"{by}: {FILE} can't be read ({error.strerror})."
        except (Exception, SystemExit) as error:  # of a line that the reader wrote into the file
            return exercise.right, f"{by}: {FILE} raises {type(error).__name__}: {error}"
        if child.in_child:  # which may start no other, and it passed when it was kept
            return function, f"run by your {name}, kept in {heading(exercise)[2:]}"
        if (name, text) not in self._passed:
            self._passed[name, text] = self._passes(exercise, function)
        if not self._passed[name, text]:
            return exercise.right, f"{by}: yours, in {FILE}, doesn't pass check.{name} any longer"
        return in_arrays(exercise, function), f"run by your {name}, kept in {heading(exercise)[2:]}"

    def keep_sentence(self, words, Q, K):
        """Keep a sentence of your own, for `mine.sentence()` in later lessons.

        Parameters
        ----------
        words : list of str
            Its L words, 2 to 12.
        Q, K : array_like (L, d)
            A query and a key for each word.

        Raises
        ------
        ValueError
            If the numbers of words, queries and keys differ, or queries and keys differ in width.
        """
        try:
            Q, K = np.array(Q, float), np.array(K, float)
        except ValueError:
            raise ValueError(
                "every row of Q and K needs the same number of columns, all of them numbers"
            ) from None
        if not 2 <= len(words) <= 12 or Q.ndim != 2 or Q.shape != K.shape or len(Q) != len(words):
            raise ValueError(
                f"expected 2 to 12 words, and Q and K with a row for each of them and the same columns, "
                f"got {len(words)} words, Q {Q.shape} and K {K.shape}"
            )
        course = courses_sentence()
        if not keeps() or (list(words), Q.tolist(), K.tolist()) == (
            course[0],
            course[1].tolist(),
            course[2].tolist(),
        ):
            return print("Put in words and numbers of your own, then they're kept.")
        parts = {"words": list(map(str, words)), "Q": Q.tolist(), "K": K.tolist()}
        if reason := keep_value("# my sentence", "sentence", parts):
            return print(f"Your sentence isn't kept: {reason}")
        return print(f"Kept in {FILE}: “{' '.join(words)}”.")

    def sentence(self):
        """Words, Q and K of the sentence that you kept, or of the course's until then; a line says which."""
        try:
            own = loaded("" if is_off() else read(path())).get("sentence")
            if own is None:
                print("the course's sentence, yours isn't kept yet (lesson 01)")
                return courses_sentence()
            words, Q, K = own["words"], np.array(own["Q"]), np.array(own["K"])
        except Exception as reason:  # whatever the reader has made of the file
            print(f"the course's sentence, because yours in {FILE} can't be used: {reason}")
            return courses_sentence()
        print(f"your sentence, “{' '.join(words)}”")
        return words, Q, K

    def keep_gpt(self, samples, loss, baseline, source):
        """Keep what your own GPT wrote, for `mine.page()`; what was kept before is replaced.

        Parameters
        ----------
        samples : list of str
            1 to 20 texts that it wrote, each of at most 300 characters.
        loss, baseline : float
            The loss on held-out text: your GPT's, and that of the baseline, which counts pairs (a bigram model).
        source : str
            A line that says what it was trained on.

        Raises
        ------
        ValueError
            If one of them is something else; the message says which, and what is expected.

        Examples
        --------
        >>> from attn_checks import mine
        >>> mine.keep_gpt(["miramel", "tolven"], 2.05, 2.46, "400 made-up names of dragons")
        In a notebook of your own, my_attention.py keeps what your GPT wrote.
        """
        parts = parts_of_gpt(samples, loss, baseline, source)
        if not keeps():
            return print(f"In a notebook of your own, {FILE} keeps what your GPT wrote.")
        if reason := keep_value("# lesson 13: my GPT", GPT, parts):
            return print(f"What your GPT wrote isn't kept: {reason}")
        told = f"{len(parts['samples'])} samples, loss {parts['loss']:.2f}, baseline {parts['baseline']:.2f}"
        return print(f"Kept in {FILE}: what your GPT wrote ({told}).")

    def page(self, path="my_attention.html", *, name="", without=(), mistakes=True):
        """Write one HTML file of what is yours: functions, pictures made with them, your GPT, mistakes you overcame.

        It needs nothing from elsewhere, and anyone can verify it: `python -m attn_checks verify my_attention.html`, or
        the page *Verify* of the course's site. Only functions that still pass their checks are shown, the course's never.

        Parameters
        ----------
        path : str
            Where to write it; the name ends in .html. A file that is there is replaced.
        name : str
            Yours, for the title.
        without : sequence of str
            Names of functions and of mistakes ("wrong-axis") to leave out, "sentence" for the pictures, "my_gpt" for
            what your GPT wrote. What calls a function that is left out is left out too, and you're told.
        mistakes : bool
            False leaves out all mistakes. They are remembered in my_mistakes.json, beside the notebook, and nowhere else.

        Raises
        ------
        ValueError
            If path doesn't end in .html, or `without` has a name that isn't yours.

        Examples
        --------
        >>> from attn_checks import mine
        >>> mine.page(name="Zoë", without=["weighted_mean"], mistakes=False)
        my_attention.html isn't written: pass a check first, so that my_attention.py has a function to show.
        """
        from attn_checks.kept.show import write_page  # which needs the exercises

        if not str(path).endswith(".html"):
            raise ValueError(f"path is where the page goes, such as 'my_attention.html', got {path!r}")
        if isinstance(without, str):
            raise ValueError(f"without is a list of names, such as [{without!r}], got {without!r}")
        print("\n".join(write_page(self, path, without, mistakes, name)))

    def code(self):
        """Print one line that puts your functions into a notebook on another machine, comments and docstrings left out."""
        try:
            tree = ast.parse(read(path()))
        except NotKeptError as reason:
            return print(reason)
        tree.body = [node for node in tree.body if isinstance(node, ALLOWED)]
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        if not parts_of(text := ast.unparse(tree)):
            return print(f"{FILE} has nothing of yours yet. Pass a check, then call mine.code() again.")
        return print(f'mine.load("{base64.b85encode(zlib.compress(text.encode(), 9)).decode()}")')

    def load(self, code):
        """Put the functions that `mine.code()` printed into my_attention.py; those that are there already stay."""
        try:
            text = unpacked(code)
            imports = [ast.unparse(node) for node in ast.parse(text).body if isinstance(node, IMPORTS)]
            with locked(path()):
                here = read(path())
                known = parts_of(here)
                new = {name: source for name, source in parts_of(text).items() if name not in known}
                for name, source in new.items():
                    lesson = heading(self._exercises()[name]) if name in self._exercises() else "# mine"
                    here = merged(here, lesson, source, name, imports)
                write(path(), here)
        except NotKeptError as reason:
            return print(f"Nothing was loaded: {reason}")
        except OSError as error:
            return print(f"Nothing was loaded, because {FILE} can't be written here ({error.strerror}).")
        stayed = f" Already here: {', '.join(known)}." if known else ""
        return print(f"Loaded into {FILE}: {', '.join(new) or 'nothing new'}.{stayed}")


def parts_of_gpt(samples, loss, baseline, source):
    """What is kept of a GPT, as a dict; ValueError if it's something else."""
    if not isinstance(samples, list | tuple) or not all(isinstance(each, str) for each in (*samples, source)):
        raise ValueError(
            'expected samples as a list of texts, such as ["miramel", "tolven"], and source as a text'
        )
    texts = {f"sample {number}": text for number, text in enumerate(samples, 1)} | {"source": source}
    for name, text in texts.items():
        if len(text) > LONGEST_TEXT:
            raise ValueError(
                f"{name} has {len(text)} characters, and {LONGEST_TEXT} are kept: cut it, [:{LONGEST_TEXT}]"
            )
    if not 1 <= len(samples) <= MOST_SAMPLES or not source.strip():
        raise ValueError(
            f"expected 1 to {MOST_SAMPLES} samples and a source, got {len(samples)} and {source!r}"
        )
    losses = {}
    for name, value in (("loss", loss), ("baseline", baseline)):
        try:
            losses[name] = round(float(value), 4)
        except (TypeError, ValueError):
            losses[name] = math.nan
        if not 0 <= losses[name] < math.inf:
            raise ValueError(f"expected {name} as a number of at least 0, got {value!r}")
    return {"source": " ".join(source.split()), **losses, "samples": list(map(str, samples))}


def keep_value(heading, name, parts):
    """Put `name = parts` into the reader's file; None, or why not."""
    source = f"{name} = {pprint.pformat(parts, width=100, sort_dicts=False)}"
    try:
        with locked(path()):
            write(path(), merged(read(path()), heading, source, name))
    except (NotKeptError, OSError) as reason:
        return reason


def version_of_file():
    """What differs between two versions of the reader's file; None where there's none to read."""
    try:
        found = None if is_off() else path().stat()
    except OSError:
        return None
    return found and (str(path()), found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def in_arrays(exercise, function):
    """A function whose lists come as arrays where the exercise asks for arrays: a check accepts both."""

    @functools.wraps(function)
    def wrapped(*given, **options):
        result = function(*given, **options)
        if isinstance(result, tuple):
            return tuple(map(as_array, result))
        return as_array(result)

    def as_array(part):
        return np.array(part) if isinstance(part, list) and numeric else part

    numeric = all(value.dtype.kind != "U" for value in exercise.wanted[0].values)
    return wrapped


def in_each_cell(forget):
    """Have a notebook forget, before its next cell runs, what was said in this one; at once where there are no cells."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None:
        forget()
    else:
        with contextlib.suppress(ValueError):  # it's registered once
            shell.events.unregister("pre_run_cell", forget)
        shell.events.register("pre_run_cell", forget)


def courses_sentence():
    example = load_example()
    return example.tokens, example.X @ example.W_Q, example.X @ example.W_K


def unpacked(code):
    """The source in a line that `mine.code()` printed."""
    try:
        unzip = zlib.decompressobj()
        text = unzip.decompress(base64.b85decode(code), LONGEST).decode()
        if unzip.eof and all(isinstance(node, ALLOWED) for node in ast.parse(text).body):
            return text
    except (ValueError, TypeError, SyntaxError, zlib.error, RecursionError, MemoryError):
        pass
    raise NotKeptError(
        "that isn't a whole line of mine.code(). Copy it again, from mine.load( to the last )."
    )


def loaded(text):
    """What the reader's file defines; an error in it names its line."""
    name = str(path())
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    namespace = {"__name__": "my_attention", "__file__": name}
    exec(compile(text, name, "exec"), namespace)
    return namespace
