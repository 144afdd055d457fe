"""The one way to run a learner's function: a child process calls it, and what comes back is plain data.

One child answers all calls of a check, so that hanging, crashing or eating memory harms nobody, and nothing that the
function patches, prints or closes reaches the notebook. A call that ends the child costs that call; the next question starts
a new one. Where nothing can be forked (macOS, Windows, or once torch, jax or tensorflow are loaded, whose threads do not
survive it) the same steps run in the notebook's own process: exceptions and printed text are still kept in, but an endless
loop needs the Stop button, and a crash ends the kernel.
"""

import builtins
import contextlib
import faulthandler
import gc
import inspect
import io
import json
import linecache
import os
import pathlib
import select
import signal
import sys
import warnings
from typing import NamedTuple

import numpy as np

from attn_checks.compare import Raised, as_arrays, words_of
from attn_checks.errors import explained, is_own

SECONDS = 0.4  # for one call, on a tiny input
MEMORY = 512 * 2**20  # bytes that an answer may take
LONGEST = 50 * 2**20  # bytes of one answer
MOST_NUMBERS = 100_000  # in one result; no input asks for more than a hundred
MOST_IMPORTS = 2000  # during one call
NOT_TO_BE_FORKED = {"jax", "tensorflow", "torch"}
KINDS = "biufcU"  # of numbers and text


class Outcome(NamedTuple):
    """What one call came to."""

    values: tuple | None  # arrays, or None if it raised or gave no arrays
    raised: Raised | None = None
    raw: object = None  # what it returned, as far as that is plain data
    changed: bool = False  # whether an input was changed in place
    printed: str = ""
    warned: tuple = ()  # NumPy's first warning: its words, and the learner's line
    harm: str = ""  # what the call would do to the kernel, by name


in_child = False  # whether this process answers for a function that is being checked


class BadDataError(ValueError):
    """What came from another process is not what was asked for."""


class EndedError(Exception):
    """The child gives no answer to a question; the reason is the name of a harm."""


def can_fork():
    return sys.platform.startswith("linux") and not NOT_TO_BE_FORKED & sys.modules.keys()


class Caller:
    """A learner's function for the length of one check: `with Caller(function, n_results) as caller`.

    Equal cases are asked once; `again` asks a second time, in the same child.
    """

    def __init__(self, function, n_results):
        self.function, self.n_results = function, n_results
        self.child, self.known = None, {}

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        if self.child:
            self.child.end()

    def outcome(self, case):
        """What the function gives on one case, a tuple of arguments."""
        return self.outcomes([case])[0]

    def outcomes(self, cases):
        """An Outcome for each case, in order; after one that does harm no further is asked."""
        texts = list(map(as_text, cases))
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        self.known |= zip(new, map(outcome_of, self.answers(new)), strict=False)
        known = [self.known[text] for text in texts if text in self.known]
        harmed = next((i for i, outcome in enumerate(known) if outcome.harm), len(known))
        return known[: harmed + 1]

    def again(self, cases):
        """What second calls on the same cases give."""
        return list(map(outcome_of, self.answers(list(map(as_text, cases)))))

    def answers(self, texts):
        """Plain data for each case, which is a text; fewer after one that does harm."""
        if not can_fork():
            return until_harm(answer(self.function, json.loads(text), self.n_results) for text in texts)
        found, asleep = [], False
        while len(found) < len(texts):
            self.child = self.child or Child(self.function, self.n_results)
            try:
                for data in self.child.answers(texts[len(found) :]):
                    found.append(data)
            except EndedError as reason:
                self.child = self.child.end()
                # a lock held by another thread at the fork is no fault of the function, and free the next time
                asleep, again = reason.args == ("asleep",), asleep
                if again or not asleep:
                    return [*found, ["harm", "endless-loop" if asleep else str(reason)]]
        return found


class Child:
    """A process that answers calls of a function: a line of cases goes in, a line comes out for each."""

    def __init__(self, function, n_results):
        asked, questions = os.pipe()
        answers, answered = os.pipe()
        with warnings.catch_warnings(action="ignore"):  # that there are threads: the child needs none of them
            self.process = os.fork()
        if self.process == 0:
            os.close(questions)
            serve(function, n_results, asked, answered)
        os.close(asked)
        os.close(answered)
        self.questions, self.reading, self.read = questions, answers, bytearray()

    def end(self):
        """End the process and all that it started."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process, signal.SIGKILL)
        os.close(self.questions)
        os.close(self.reading)

    def answers(self, texts):
        """Yield the data of each answer as it comes; EndedError where none does."""
        try:
            with os.fdopen(self.questions, "w", closefd=False, encoding="ascii") as file:
                file.write(f"[{','.join(texts)}]\n")
        except BrokenPipeError:
            raise EndedError("ends-python") from None
        for _ in texts:
            try:
                data = self.line()
                outcome_of(data)
            except (ValueError, RecursionError):  # the function itself wrote into this pipe
                raise EndedError("ends-python") from None
            if data[0] == "harm":
                raise EndedError(data[1])
            yield data

    def line(self):
        """The data of the next line that is not empty: an empty one is a sign of life, sent at every import."""
        for _ in range(MOST_IMPORTS):
            while b"\n" not in self.read:
                if reason := self.lateness():
                    raise EndedError(reason)
                part = os.read(self.reading, 2**16)
                self.read += part
                if not part or len(self.read) > LONGEST:
                    raise EndedError("too-large" if part else "ends-python")
            line, _, self.read = self.read.partition(b"\n")
            if line:
                return json.loads(line)
        raise EndedError("endless-loop")

    def lateness(self):
        """Why the child has said nothing for too long; time in which a busy machine let it wait is not counted."""
        _, before = self.state()
        for _ in range(50):
            if select.select([self.reading], [], [], SECONDS)[0]:
                return ""
            state, worked = self.state()
            if worked - before > 0.75 * SECONDS:
                break
            if state not in "RD":
                return "asleep"
        return "endless-loop"

    def state(self):
        """The letter of the process's state, and the seconds that it has worked."""
        stat = pathlib.Path(f"/proc/{self.process}/stat").read_text(encoding="ascii")
        state, *fields = stat.rpartition(")")[2].split()
        return state, (int(fields[10]) + int(fields[11])) / os.sysconf("SC_CLK_TCK")


def serve(function, n_results, asked, answered):
    """In the child: answer each line of questions. Does not return."""
    global in_child
    in_child = True
    try:
        gc.disable()  # it would write to memory that is shared until then
        os.setsid()  # a group of its own
        limit_memory()
        faulthandler.disable()
        sys.stderr = io.StringIO()
        os.register_at_fork(
            before=lambda: os.write(answered, b'["harm", "forks"]\n'), after_in_child=lambda: os._exit(0)
        )
        sys.addaudithook(lambda event, _: event == "import" and os.write(answered, b"\n"))
        with (
            os.fdopen(asked, encoding="ascii") as questions,
            os.fdopen(answered, "w", encoding="ascii") as answers,
        ):
            for line in questions:
                for case in json.loads(line):
                    answers.write(f"{json.dumps(answer(function, case, n_results))}\n")
                    answers.flush()
    finally:
        os._exit(0)


def limit_memory():
    import resource  # not on every system

    pages = pathlib.Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    taken = int(pages) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    limit = taken + MEMORY if most == resource.RLIM_INFINITY else min(taken + MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


# --- One call -------------------------------------------------------------------------------------


def until_harm(answers):
    found = []
    for data in answers:
        found.append(data)
        if data[0] == "harm":
            break
    return found


@np.errstate(all="warn", under="ignore")
def answer(function, case, n_results):
    """One call of a function, its result taken as generously as it means, as plain data."""
    given, original = ([from_data(argument) for argument in case] for _ in range(2))
    with kept_in() as (printed, warned):
        try:
            raw, values = as_results(function(*given), n_results)
            changed = not all(map(untouched, given, original))
            arrays = "same" if is_same(raw, values) else values and list(map(as_data, values))
            return ["result", as_data(raw), arrays, changed, printed.getvalue()[-200:], *warned]
        except MemoryError:
            return ["harm", "too-large"]
        except KeyboardInterrupt:
            return ["harm", "interrupted"]
        except BaseException as error:  # reported to the learner, as theirs
            return ["raised", explained(error), printed.getvalue()[-200:], *warned]


def as_results(raw, n_results):
    """What a function returned, and the same as arrays."""
    if inspect.iscoroutine(raw):
        raw.close()  # nobody awaits it, and nobody is to be warned of that
    raw = tuple(raw) if isinstance(raw, tuple) else raw  # a named one is a tuple too
    values = as_arrays(unpacked(raw, n_results))
    if sum(array.size for array in values or ()) > MOST_NUMBERS:
        raise MemoryError
    return raw, values


def is_same(raw, values):
    """Whether what was returned is its arrays already: then they need not be sent twice."""
    parts = raw if type(raw) is tuple else (raw,)
    return values is not None and all(type(part) is np.ndarray and part.dtype.kind in KINDS for part in parts)


@contextlib.contextmanager
def kept_in():
    """Keep in what a function prints, asks and warns of, and that it would end Python."""
    streams, asked = {name: getattr(sys, name) for name in ("stdin", "stdout", "stderr")}, builtins.input
    printed, warned, leaving = io.StringIO(), [], leave_notebook()
    printed.close = lambda: None  # closing sys.stdout is no reason to lose a result
    sys.stdout, builtins.input = printed, asks
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = lambda *told: warned.extend([] if warned else own_warning(*told))
            yield printed, warned
    finally:
        vars(sys).update(streams)
        builtins.input = asked
        for kind, call in leaving.items():
            kind.__call__ = call


def leave_notebook():
    """Have exit and quit of a notebook raise as Python's own do; returns what they did before."""
    autocall = sys.modules.get("IPython.core.autocall")
    kinds = [autocall.ExitAutocall, autocall.ZMQExitAutocall] if autocall else []
    before = {kind: kind.__call__ for kind in kinds}
    for kind in kinds:
        kind.__call__ = ends
    return before


def asks(*prompt):
    raise EOFError("nobody is there to answer input()")


def ends(*arguments, **options):
    raise SystemExit


def own_warning(message, category, *where):
    """The words of a warning of NumPy's and the learner's line, as a list of two; an empty one for other warnings."""
    frame = sys._getframe(2)
    while frame and frame.f_code.co_filename != __file__:
        name = frame.f_code.co_filename
        if issubclass(category, RuntimeWarning) and is_own(name) and name != warnings.__file__:
            return [words_of(message), linecache.getline(name, frame.f_lineno).strip()[:200]]
        frame = frame.f_back
    return []


def unpacked(raw, n_results):
    """Lists, tuples and arrays of objects count where the same numbers or tokens in an array would."""
    if isinstance(raw, np.ndarray) and raw.dtype.kind in ("O", "T"):
        raw = raw.tolist()
    is_row = isinstance(raw, list) or (isinstance(raw, np.ndarray) and raw.ndim == 1)
    if n_results > 1 and is_row and len(raw) == n_results:
        return tuple(raw)
    if n_results == 1 and isinstance(raw, tuple) and not any(isinstance(part, np.ndarray) for part in raw):
        return raw if has_stray_comma(raw) else list(raw)
    return raw


def has_stray_comma(raw):
    """Whether a result was made a tuple of one by a comma at the end of its line."""
    return type(raw) is tuple and len(raw) == 1 and isinstance(raw[0], (np.ndarray, list))


def untouched(given, original):
    """Whether an argument is still what it was; lists are looked into."""
    if type(given) is not type(original):
        return False
    if isinstance(original, np.ndarray):
        exact = original.dtype.kind != "f"
        return given.shape == original.shape and np.array_equal(given, original, equal_nan=not exact)
    if isinstance(original, list):
        return len(given) == len(original) and all(map(untouched, given, original))
    return given is original or bool(given == original)


@np.errstate(all="ignore")
def imitate(way, case):
    """What one of the course's own functions gives; they change no input."""
    try:
        raw = way(*case)
    except Exception as error:  # a mistake may well end in one
        return Outcome(None, Raised(words_of(error)))
    return Outcome(as_arrays(raw), None, raw)


# --- Plain data: nothing of it runs when it is read -----------------------------------------------


def outcome_of(data):
    """The Outcome that `answer` told; BadDataError if it told none."""
    try:
        kind, *parts = data
        if kind == "harm":
            return Outcome(None, Raised(str(parts[0])), harm=str(parts[0]))
        if kind == "raised":
            (told, printed, *warned), changed, raw, values = parts, False, None, None
            raised = Raised(*(str(part)[:1000] for part in told))
        else:
            (raw, values, changed, printed, *warned), raised = parts, None
            raw = from_data(raw)
            same = raw if type(raw) is tuple else (raw,)
            values = same if values == "same" else values and tuple(map(from_data, values))
        if not all(isinstance(value, np.ndarray) for value in values or ()):
            raise BadDataError("a result that is no array")
        warned = tuple(str(part)[:200] for part in warned)
        return Outcome(values, raised, raw, bool(changed), str(printed), warned)
    except BadDataError:
        raise
    except Exception as error:
        raise BadDataError(f"no such answer: {str(data)[:80]}") from error


def as_text(case):
    return json.dumps([as_data(argument) for argument in case])


class Unknown:
    """Stands for a value of another kind, whose type has this name."""


def as_data(value, depth=0):
    """A value as lists, numbers and text."""
    if value is ...:
        return ["dots"]
    if value is None or type(value) in (bool, int, float, str):
        return ["plain", value if type(value) is not str else value[:1000]]
    if type(value) is complex:
        return ["complex", value.real, value.imag]
    if np.ma.isMaskedArray(value):
        return ["masked", as_data(np.asarray(value.filled(0))), as_data(np.ma.getmaskarray(value))]
    if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in KINDS:
        return ["array", value.dtype.str, list(value.shape), value.tobytes().hex()]
    if type(value) is np.ndarray and value.dtype.kind == "O" and depth < 20 and value.size <= MOST_NUMBERS:
        return ["objects", list(value.shape), [as_data(part, depth + 1) for part in value.ravel().tolist()]]
    if type(value) in (list, tuple) and depth < 20 and len(value) <= MOST_NUMBERS:
        return [type(value).__name__, [as_data(part, depth + 1) for part in value]]
    return ["other", type(value).__name__]


def from_data(data):
    """The value that `as_data` made this of; BadDataError if it did not."""
    try:
        return value_of(*data)
    except BadDataError:
        raise
    except Exception as error:
        raise BadDataError(f"no such data: {str(data)[:80]}") from error


def value_of(kind, *parts):
    if kind == "dots":
        return ...
    if kind == "plain" and (parts[0] is None or type(parts[0]) in (bool, int, float, str)):
        return parts[0]
    if kind == "complex":
        return complex(*parts)
    if kind == "masked":
        return np.ma.masked_array(from_data(parts[0]), from_data(parts[1]))
    if kind == "array" and np.dtype(parts[0]).kind in KINDS:
        dtype, shape, content = parts
        return np.frombuffer(bytes.fromhex(content), dtype).reshape(shape).copy()
    if kind == "objects":
        made = np.empty(parts[0], object)
        for i, part in enumerate(parts[1]):
            made.flat[i] = from_data(part)
        return made
    if kind in ("list", "tuple"):
        return {"list": list, "tuple": tuple}[kind](map(from_data, parts[0]))
    if kind == "other":
        return type(str(parts[0])[:60], (Unknown,), {})()
    raise BadDataError(f"no such kind of data: {str(kind)[:80]}")
