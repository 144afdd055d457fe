"""A student's notebook run, cell by cell, in a kernel behind walls; and the grader's questions to that kernel.

What comes back is data from a process that may be hostile. It is counted, it has a time limit, and it is never more than
an answer.
"""

import asyncio
import contextlib
import logging
import os
import pathlib
import signal
import subprocess
import threading
import time
from queue import Empty

import nbformat
import psutil
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from attn_checks.call import BadDataError, from_text

MOST_OUTPUT = 10 * 2**20  # letters that a notebook may print or show
STARVED = 5  # times longer may a cell take where a busy machine lets it wait
MOST_PROCESSES, MOST_FILES, MOST_BYTES = 64, 5000, 200 * 2**20
QUIET = logging.getLogger("attn_checks.grading.kernel")
QUIET.setLevel(logging.CRITICAL + 1)
HERE = "__import__('attn_checks.grading.answering', fromlist=['answering'])"


class StoppedError(Exception):
    """The student's process was stopped, or stopped itself; the reason is a short name."""


class Kernel(NotebookClient):
    """The kernel of one notebook, for the length of a `with`.

    Raises
    ------
    StoppedError
        From `run` and `ask`: the kernel did not answer in time, or has ended.
    """

    def __init__(self, place, limits):
        super().__init__(
            nbformat.v4.new_notebook(), log=QUIET, timeout=STARVED * limits.seconds, allow_errors=True
        )
        self.nb.cells = [None]  # the one that runs now
        self.place, self.memory = place, limits.memory * 2**20
        self.kernel_name, self.startup_timeout = "walled", 60
        self.seconds, self.begun = limits.seconds, None  # when a cell was begun, and the work done until then
        self.printed, self.reason, self.ended = 0, "", threading.Event()

    def create_kernel_manager(self):
        specs = KernelSpecManager(
            kernel_dirs=[str(self.place.folder / "kernels")], ensure_native_kernel=False
        )
        self.km = AsyncKernelManager(kernel_name="walled", kernel_spec_manager=specs, log=QUIET)
        self.km.connection_file = str(self.place.folder / "kernel.json")
        if (
            self.place.walls.linux
        ):  # a socket in a folder reaches through the wall, one of the network does not
            self.km.transport, self.km.ip = "ipc", str(self.place.folder / "k")
        return self.km

    def __enter__(self):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        where = {"cwd": str(self.place.work), "env": self.place.environment()}
        self.setup = self.setup_kernel(cleanup_kc=True, **where, **quiet)
        try:
            self.setup.__enter__()
        except RuntimeError as error:
            raise StoppedError("does-not-start") from error
        threading.Thread(target=self.watch, daemon=True).start()
        self.ask(f"{HERE}.prepare(globals())", seconds=60)
        return self

    def __exit__(self, *problem):
        self.ended.set()
        end_all()
        with contextlib.suppress(Exception):  # whatever is left of it
            self.setup.__exit__(None, None, None)
        end_all()

    def watch(self):
        """In a thread: end the kernel when it takes too much, and remember why."""
        while not self.ended.wait(0.25):
            reason = taken_too_much(self.memory, self.place.folder)
            if reason or self.hangs():
                reason = reason or "hangs"
                self.stop(reason)
                return

    def hangs(self):
        """Whether a cell takes too long; time in which a busy machine let it wait is not counted."""
        begun = self.begun
        if begun is None or time.monotonic() - begun[0] < self.seconds:
            return False
        done, is_running = work_of_all()
        return not is_running or done - begun[1] > self.seconds / 2

    def stop(self, reason):
        self.reason = self.reason or reason
        end_all()

    def process_message(self, msg, cell, cell_index):
        self.printed += len(str(msg["content"]))
        if self.printed > MOST_OUTPUT:
            self.stop("floods")
        if msg["msg_type"] == "status":
            return super().process_message(msg, cell, cell_index)
        return None  # what it shows is looked at by nobody

    def run(self, source):
        """Run one cell. Exceptions in it are the student's matter; a StoppedError if the kernel is lost."""
        self.begun = time.monotonic(), work_of_all()[0]
        try:
            self.execute_cell(nbformat.v4.new_code_cell(source), 0, store_history=False)
        except CellTimeoutError:
            raise StoppedError(self.reason or "hangs") from None
        except (DeadKernelError, RuntimeError, asyncio.CancelledError):
            raise StoppedError(self.reason or "ends-python") from None
        finally:
            self.begun = None

    def ask(self, expression, seconds=30):
        """What an expression gives in the kernel, as data."""
        code = {"answer": expression}
        message = self.kc.execute("", silent=True, store_history=False, user_expressions=code)
        reply = run_sync(self.reply_to)(message, seconds)
        answer = reply["content"].get("user_expressions", {}).get("answer", {})
        text = answer.get("data", {}).get("text/plain") if answer.get("status") == "ok" else None
        if not isinstance(text, str):
            raise BadDataError(f"no answer: {str(answer.get('evalue'))[:200]}")
        return from_text(text)

    async def reply_to(self, message, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                reply = await self.kc.get_shell_msg(timeout=0.5)
            except Empty:
                if not await self.km.is_alive():
                    raise StoppedError(self.reason or "ends-python") from None
            else:
                if reply["parent_header"].get("msg_id") == message:
                    return reply
        self.stop("hangs")
        raise StoppedError(self.reason)

    def keep(self, expressions, only_functions):
        return self.ask(f"{HERE}.keep(globals(), {list(expressions)!r}, {only_functions!r})")

    def describe(self, number):
        return self.ask(f"{HERE}.describe({int(number)})")

    def outcomes(self, number, cases, n_results):
        """Cases are a text, as answering.py reads it."""
        return self.ask(f"{HERE}.outcomes({int(number)}, {cases!r}, {int(n_results)})")


def work_of_all():
    """The seconds that all that this process has started has worked, and whether any of it wants to go on."""
    done, is_running = 0, False
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            done += times.user + times.system
            is_running |= process.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)
    return done, is_running


def taken_too_much(memory, folder):
    """Why what this process has started is to be ended, or None."""
    started = psutil.Process().children(recursive=True)
    if len(started) > MOST_PROCESSES:
        return "forks"
    seems_much = memory_of(started, "memory_info", "rss") > memory  # counts what they share for each of them
    if seems_much and memory_of(started, "memory_full_info", "pss") > memory:
        return "too-large"
    return "fills-the-disk" if is_full(folder) else None


def memory_of(processes, asked, kind):
    taken = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            measured = getattr(process, asked)()
            taken += getattr(measured, kind, measured.rss)  # pss is Linux's
    return taken


def is_full(folder):
    files = size = 0
    for above, _, names in os.walk(folder):
        for name in names:
            files += 1
            with contextlib.suppress(OSError):
                size += pathlib.Path(above, name).lstat().st_blocks * 512
            if files > MOST_FILES or size > MOST_BYTES:
                return True
    return False


def end_all(seconds=10):
    """End all that this process has started, and what those have; some start others while they are ended."""
    end = time.monotonic() + seconds
    while (started := psutil.Process().children(recursive=True)) and time.monotonic() < end:
        for process in started:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(started, timeout=0.5)


def end_with_the_grader():
    """On Linux: this process ends when the grader does; and what it starts becomes its child again when orphaned."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        import ctypes

        library = ctypes.CDLL(None)
        library.prctl(1, signal.SIGKILL, 0, 0, 0)
        library.prctl(36, 1, 0, 0, 0)
