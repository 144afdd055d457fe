"""The one way to run a learner's function: a child process calls it, and what comes back is plain data.

One child answers all calls of a check, so that hanging, crashing or eating memory harms nobody, and nothing
that the function patches, prints or closes reaches the notebook. A call that ends the child costs that call;
the next question starts a new one. Where nothing can be forked (macOS, Windows, or once torch, jax or
tensorflow are loaded, whose threads do not survive it) the same steps run in the notebook's own process:
exceptions and printed text are still kept in, but an endless loop needs the Stop button, and a crash ends the
kernel.
"""

import contextlib
import faulthandler
import gc
import io
import json
import os
import pathlib
import select
import signal
import sys
import warnings

from attn_checks.run.call import answer
from attn_checks.run.data import as_text, outcome_of

SECONDS = 0.4  # for one call, on a tiny input
MEMORY = 512 * 2**20  # bytes that an answer may take
LONGEST = 50 * 2**20  # bytes of one answer
MOST_IMPORTS = 2000  # during one call
NOT_TO_BE_FORKED = {"jax", "tensorflow", "torch"}
in_child = False  # whether this process answers for a function that is being checked


class EndedError(Exception):
    """The child gives no answer to a question; the reason is the name of a harm."""


def can_fork():
    return sys.platform.startswith("linux") and not NOT_TO_BE_FORKED & sys.modules.keys()


class Caller:
    """A learner's function for the length of one check: `with Caller(function, n_results) as caller`.

    Equal cases are asked once; `again` asks a second time, in the same child.
    """

    def __init__(self, function, n_results):
        self.function = function
        self.n_results = n_results
        self.child = None
        self.known = {}

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
            return self.answers_here(texts)
        found = []
        asleep = False
        while len(found) < len(texts):
            self.child = self.child or Child(self.function, self.n_results)
            try:
                for data in self.child.answers(texts[len(found) :]):
                    found.append(data)
            except EndedError as reason:
                self.child = self.child.end()
                # a lock that another thread held at the fork is free the next time
                asleep, again = reason.args == ("asleep",), asleep
                if again or not asleep:
                    return [*found, ["harm", "endless-loop" if asleep else str(reason)]]
        return found

    def answers_here(self, texts):
        """The same where there is no child: what the calls give in this process."""
        found = []
        for text in texts:
            found.append(answer(self.function, json.loads(text), self.n_results))
            if found[-1][0] == "harm":
                break
        return found


class Child:
    """A process that answers calls of a function: a line of cases goes in, a line comes out for each."""

    def __init__(self, function, n_results):
        reads, questions = os.pipe()
        answers, writes = os.pipe()
        with warnings.catch_warnings(action="ignore"):  # that there are threads: the child needs none of them
            self.process = os.fork()
        if self.process == 0:
            os.close(questions)
            serve(function, n_results, reads, writes)
        os.close(reads)
        os.close(writes)
        self.questions = questions
        self.reading = answers
        self.read = bytearray()

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
        """The data of the next line that is not empty: an empty one is sent at every import."""
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
        """Why the child has been silent for too long; a busy machine's delays don't count."""
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


def serve(function, n_results, reads, writes):
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
            before=lambda: os.write(writes, b'["harm", "forks"]\n'), after_in_child=lambda: os._exit(0)
        )
        sys.addaudithook(lambda event, _: event == "import" and os.write(writes, b"\n"))
        with (
            os.fdopen(reads, encoding="ascii") as questions,
            os.fdopen(writes, "w", encoding="ascii") as answers,
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
