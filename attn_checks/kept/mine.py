"""`mine`: the reader's functions where they are kept and still pass their checks, else the course's."""

import ast
import base64
import functools
import linecache
import math
import pprint
import zlib
from collections.abc import Callable

import numpy as np

from attn_checks.kept.file import (
    FILE,
    IMPORTS,
    NotKeptError,
    heading,
    keeps,
    merged,
    parts_of,
    path,
    read,
    shell,
    write,
)
from attn_checks.recognise.answer import Exercise
from attn_checks.run import call, child
from attn_parts.example import load_example

GPT = "my_gpt"  # its name in the reader's file
MOST_SAMPLES, LONGEST_TEXT = 20, 300  # of a GPT that is kept; characters
CARRIED = *IMPORTS, ast.FunctionDef, ast.Assign  # by mine.code()


class Mine:
    """Your functions: `mine.softmax` is yours once it has passed, the course's until then; a line says which.

    Yours are in my_attention.py, beside the notebook. Where that folder is forgotten, as in Colab,
    `mine.code()` prints one line that puts all of them into another notebook.

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
        self._exercises = exercises
        self._passes = passes
        self._known: dict[tuple, tuple[Callable, str]] = {}  # what was found, by name and text of the file
        self._told: set[str] = set()  # whose functions run, as far as it was said in this cell
        if shell():
            shell().events.register("pre_run_cell", lambda info: self._told.clear())

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._exercises():
            raise AttributeError(f"mine has no {name!r}; the exercises are {', '.join(self._exercises())}")
        function, by = self._found(self._exercises()[name])
        is_new = by not in self._told or shell() is None
        if is_new and not call.running:  # while an answer is checked nothing is printed but by it
            print(by)
        self._told.add(by)
        return function

    def __str__(self):
        """The line below a lesson's setup cell: which functions are already the reader's."""
        try:
            yours = [name for name in parts_of(read()) if name in self._exercises()]
        except NotKeptError as reason:
            return f"None of your functions can be used here: {reason}"
        if yours:
            return f"Yours so far, in {FILE}: {', '.join(yours)}."
        how = f"A function that passes its check is kept in {FILE}, and runs what follows."
        return f"Yours so far: nothing yet. {how}"

    def __dir__(self):
        return ["code", "keep_gpt", "keep_sentence", "load", "page", "sentence", *self._exercises()]

    def _found(self, exercise):
        """The function that runs, and the words that say whose it is."""
        by = f"run by the course's {exercise.name}"
        try:
            key = exercise.name, read(), child.in_child
            if key not in self._known:
                self._known[key] = self._found_in(key[1], exercise)
            return self._known[key]
        except NotKeptError as reason:
            return exercise.right, f"{by}: {reason}"
        except (Exception, SystemExit) as error:  # of a line that the reader wrote into the file
            return exercise.right, f"{by}: {FILE} raises {type(error).__name__}: {error}"

    def _found_in(self, text, exercise):
        name = exercise.name
        by = f"run by the course's {exercise.name}"
        if name not in parts_of(text):
            return exercise.right, f"{by}, yours hasn't passed its check yet"
        function = loaded(text)[name]
        # a child may start no other, and the function passed when it was kept
        if not child.in_child and not self._passes(exercise, function):
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
        shapes = {np.shape(row) for row in (*Q, *K)}
        if not 2 <= len(words) <= 12 or len(shapes - {()}) != 1 or not len(words) == len(Q) == len(K):
            raise ValueError(
                "expected 2 to 12 words, and Q and K with a row for each word, all with the same number of "
                f"columns, got {len(words)} words, {len(Q)} and {len(K)} rows"
            )
        if not keeps() or parts_of_sentence(words, Q, K) == parts_of_sentence(*courses_sentence()):
            return print("Put in words and numbers of your own, then they're kept.")
        if keep_value("# my sentence", "sentence", parts_of_sentence(words, Q, K)):
            print(f"Kept in {FILE}: “{' '.join(words)}”.")

    def sentence(self):
        """Words, Q and K of the sentence that you kept, or of the course's until then; a line says which."""
        try:
            own = loaded(read()).get("sentence")
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
            The loss on held-out text: your GPT's, and that of a bigram model, which counts pairs.
        source : str
            A line that says what it was trained on.

        Raises
        ------
        ValueError
            If one of them is something else; the message says what is expected.

        Examples
        --------
        >>> from attn_checks import mine
        >>> mine.keep_gpt(["miramel", "tolven"], 2.05, 2.46, "400 made-up names of dragons")
        In a notebook of your own, my_attention.py keeps what your GPT wrote.
        """
        parts = parts_of_gpt(samples, loss, baseline, source)
        if not keeps():
            return print(f"In a notebook of your own, {FILE} keeps what your GPT wrote.")
        if keep_value("# lesson 13: my GPT", GPT, parts):
            told = f"{len(samples)} samples, loss {loss:.2f}, baseline {baseline:.2f}"
            print(f"Kept in {FILE}: what your GPT wrote ({told}).")

    def page(self, path="my_attention.html", *, name="", without=(), mistakes=True):
        """Write one HTML file of what is yours: functions, pictures by them, your GPT, mistakes you overcame.

        It needs nothing from elsewhere, and anyone can verify it: with the command
        `python -m attn_checks verify my_attention.html`, or on the page *Verify* of the course's site. Only
        functions that still pass their checks are shown, the course's never.

        Parameters
        ----------
        path : str
            Where to write it; the name ends in .html. A file that is there is replaced.
        name : str
            Yours, for the title.
        without : sequence of str
            Names of functions and of mistakes ("wrong-axis") to leave out, "sentence" for the pictures,
            "my_gpt" for what your GPT wrote. What calls a function that is left out is left out too, and
            you're told.
        mistakes : bool
            False leaves out all mistakes. They are remembered in my_mistakes.json, beside the notebook, and
            nowhere else.

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
        print("\n".join(write_page(self, path, without, mistakes, name)))

    def code(self):
        """Print one line that puts your functions into another notebook, without comments and docstrings."""
        try:
            tree = ast.parse(read())
        except NotKeptError as reason:
            return print(reason)
        tree.body = [node for node in tree.body if isinstance(node, CARRIED)]
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        if not parts_of(text := ast.unparse(tree)):
            return print(f"{FILE} has nothing of yours yet. Pass a check, then call mine.code() again.")
        return print(f'mine.load("{base64.b85encode(zlib.compress(text.encode(), 9)).decode()}")')

    def load(self, code):
        """Put the functions that `mine.code()` printed into my_attention.py, beside those that are there."""
        if not keeps():
            return print("Nothing was loaded: only a notebook of your own keeps functions.")
        try:
            text = unpacked(code)
            imports = [ast.unparse(node) for node in ast.parse(text).body if isinstance(node, IMPORTS)]
            here = read()
            known = parts_of(here)
            new = {name: source for name, source in parts_of(text).items() if name not in known}
            for name, source in new.items():
                lesson = heading(self._exercises()[name]) if name in self._exercises() else "# mine"
                here = merged(here, lesson, source, name, imports)
            write(path(), here)
        except NotKeptError as reason:
            return print(f"Nothing was loaded: {reason}")
        stayed = f" Already here: {', '.join(known)}." if known else ""
        return print(f"Loaded into {FILE}: {', '.join(new) or 'nothing new'}.{stayed}")


def parts_of_sentence(words, Q, K):
    """What is kept of a sentence."""
    return {
        "words": list(map(str, words)),
        "Q": np.array(Q, float).tolist(),
        "K": np.array(K, float).tolist(),
    }


def courses_sentence():
    example = load_example()
    return example.tokens, example.X @ example.W_Q, example.X @ example.W_K


def parts_of_gpt(samples, loss, baseline, source):
    """What is kept of a GPT; ValueError if it's something else."""
    are_texts = isinstance(samples, list | tuple) and all(
        isinstance(text, str) for text in (*samples, source)
    )
    if (
        not are_texts
        or not 1 <= len(samples) <= MOST_SAMPLES
        or max(map(len, (*samples, source))) > LONGEST_TEXT
    ):
        raise ValueError(
            f"expected 1 to {MOST_SAMPLES} samples as a list of texts, and source as a text, each of at most "
            f"{LONGEST_TEXT} characters; text[:{LONGEST_TEXT}] cuts one"
        )
    if not all(
        isinstance(each, int | float | np.number) and 0 <= each < math.inf for each in (loss, baseline)
    ):
        raise ValueError(
            f"expected loss and baseline as numbers of at least 0, got {loss!r} and {baseline!r}"
        )
    losses = {"loss": round(float(loss), 4), "baseline": round(float(baseline), 4)}
    return {"source": " ".join(source.split()), **losses, "samples": list(samples)}


def keep_value(heading, name, parts):
    """Put `name = parts` into the reader's file; whether it could be, and if not, say why."""
    source = f"{name} = {pprint.pformat(parts, width=100, sort_dicts=False)}"
    try:
        write(path(), merged(read(), heading, source, name))
    except NotKeptError as reason:
        print(f"It isn't kept: {reason}")
        return False
    return True


def in_arrays(exercise, function):
    """A function whose lists come as arrays where the exercise asks for arrays: a check accepts both."""
    if any(value.dtype.kind == "U" for value in exercise.wanted[0].values):
        return function

    def as_array(part):
        return np.array(part) if isinstance(part, list) else part

    @functools.wraps(function)
    def wrapped(*given, **options):
        result = function(*given, **options)
        return tuple(map(as_array, result)) if isinstance(result, tuple) else as_array(result)

    return wrapped


def unpacked(code):
    """The source in a line that `mine.code()` printed."""
    try:
        text = zlib.decompress(base64.b85decode(code)).decode()
        ast.parse(text)
    except (ValueError, TypeError, SyntaxError, zlib.error):
        raise NotKeptError(
            "that isn't a whole line of mine.code(). Copy it again, from mine.load( to the last )."
        ) from None
    return text


def loaded(text):
    """What the reader's file defines; an error in it names its line."""
    name = str(path())
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    namespace = {"__name__": "my_attention", "__file__": name}
    exec(compile(text, name, "exec"), namespace)
    return namespace
