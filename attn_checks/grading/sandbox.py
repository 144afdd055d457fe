"""What keeps a student's process in: a place of its own, limits, and as many walls as this system has.

The grader makes a `Place` and asks the `Worker` in it. Run as a script, in the student's process and before anything of
theirs is there, this file puts up the walls, which hold for the process and all that it starts and cannot be taken down.
Landlock holds for the one thread that asks for it, so until then only Python's own modules are imported.
"""

import compileall
import contextlib
import ctypes
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

import psutil

LINUX = sys.platform.startswith("linux")
COURSE = pathlib.Path(__file__).resolve().parents[2]
MOST_BESIDE = 20 * 2**20  # bytes of a student's other files, which the notebook may read
MOST_PROCESSES, MOST_FILES, MOST_BYTES = 64, 5000, 200 * 2**20
LARGEST_FILE, LONGEST = 64 * 2**20, 5 * 2**20  # bytes of a file, and of one answer
STARVED = 5  # times longer may a cell take where a busy machine lets it wait
INTERRUPTED = threading.Event()  # set when the grader is to stop
# namespaces of its own: no network, no sight of other processes, all of its processes end with the first, and that with
# the grader
UNSHARE = (
    "setpriv --pdeathsig KILL "
    "unshare --user --map-root-user --net --ipc --pid --fork --kill-child --mount --mount-proc"
).split()
# a new process knows these of the grader's environment, and nothing else
PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
SETTINGS = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "MPLBACKEND": "agg",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PIP_NO_INDEX": "1",  # to look for an index that cannot be reached takes half a minute
    "GIT_TERMINAL_PROMPT": "0",
}
FOLDERS = {"PYTHONPATH": "course", "HOME": "home", "USERPROFILE": "home", "TMPDIR": "tmp", "TEMP": "tmp", "MPLCONFIGDIR": "fonts"}  # fmt: skip
# system calls of Landlock, the same on every kind of processor
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
END_WITH_PARENT, NO_NEW_PRIVILEGES = 1, 38


class StoppedError(Exception):
    """The student's process was stopped, or stopped itself; the reason is a short name."""


class Limits(NamedTuple):
    """What one notebook may take."""

    seconds: int = 20  # for one cell
    memory: int = 2048  # MB


class Walls(NamedTuple):
    """What this system has to keep a process in."""

    namespaces: bool
    landlock: int  # its version, 0 for none

    def missing(self):
        """What is not stopped here, a sentence each."""
        lacks = []
        if not self.namespaces and self.landlock < 4:
            lacks.append("A notebook can reach the network.")
        elif not self.namespaces:
            lacks.append("A notebook cannot open TCP connections, but can send UDP, and ask for names.")
        if not self.landlock:
            lacks.append("A notebook can write wherever you can write.")
        if not self.namespaces and self.landlock < 6:
            lacks.append("A notebook can stop your other programs.")
        if not self.namespaces:
            lacks.append("A notebook can read what you can read, other students' notebooks too.")
            lacks.append("A notebook can talk to programs that listen in a file, as Docker does.")
        if not LINUX:
            lacks.append("A notebook's memory may not be limited.")
        return lacks


def walls_here():
    """Tries what this system allows."""
    return Walls(LINUX and namespaces_allowed(), landlock_version())


def namespaces_allowed():
    tried = [*UNSHARE, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()]
    try:
        return subprocess.run(tried, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def landlock_version():
    """The version of Landlock that this kernel has, 0 for none."""
    return max(0, ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)) if LINUX else 0


# ---------------------------------------------------------------------------
# In the grader
# ---------------------------------------------------------------------------


def pristine_course(folder):
    """Copy into a folder what lessons need of the course, and compile it: each notebook gets a copy of that."""
    import matplotlib  # not in the student's process

    for source in [*COURSE.glob("attn_*"), COURSE / "notebooks" / "data"]:
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        target = folder / "course" / source.relative_to(COURSE)
        target.parent.mkdir(parents=True, exist_ok=True)
        copy(source, target)
    compileall.compile_dir(folder, quiet=2)
    for name in ("home", "tmp", "fonts"):
        (folder / name).mkdir()
    for fonts in pathlib.Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
        shutil.copy(fonts, folder / "fonts")  # to look for all fonts takes seconds
    return folder


class Worker:
    """A student's process, for the length of a `with`: in a folder of its own, the only one in which it may write.

    `course` is a pristine_course, beside which the new folder is made; `hidden` are folders that the process is not to see,
    `beside` is the student's own, of which it gets a copy.
    """

    def __init__(self, walls, course, limits, hidden=(), beside=None):
        self.walls, self.course, self.limits, self.hidden = walls, course, limits, hidden
        self.beside, self.lines, self.seen = beside, queue.Queue(maxsize=10), set()

    def __enter__(self):
        self.made = tempfile.TemporaryDirectory(dir=self.course.parent, ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.made.name).resolve()
        shutil.copytree(self.course, self.folder, dirs_exist_ok=True)
        work = self.folder / "course" / "notebooks"  # the setup cell finds the course above itself
        if self.beside:
            copy_files(self.beside, work)
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        own = {name: str(self.folder / part) for name, part in FOLDERS.items()}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(self.command(), cwd=work, env=kept | SETTINGS | own, **pipes)
        threading.Thread(target=self.listen, daemon=True).start()
        return self

    def __exit__(self, *problem):
        """End the process and all that it has started; some start others meanwhile."""
        for _ in range(20):
            others = self.started()[1:]
            for process in self.seen:  # some have let go of the one that started them
                with contextlib.suppress(psutil.Error):
                    process.kill()
            if not others:
                break
            time.sleep(0.05)
        self.process.kill()
        self.process.wait()
        self.made.cleanup()

    def command(self):
        """How Python is started behind its walls."""
        settings = {
            "namespaces": self.walls.namespaces,
            "hidden": [str(folder) for folder in (*self.hidden, self.course.parent.resolve())],
            "landlock": self.walls.landlock,
            "place": str(self.folder),
            "memory": self.limits.memory * 2**20,
        }
        python = [sys.executable, __file__, json.dumps(settings)]
        return [*UNSHARE, *python] if self.walls.namespaces else python

    def listen(self):
        """In a thread: put each line that the process writes into the queue, and one for its end."""
        with contextlib.suppress(ValueError):  # it was closed meanwhile
            for line in iter(lambda: self.process.stdout.readline(LONGEST), b""):
                self.lines.put(line)
        self.lines.put(b'["stopped", "ends-python"]')

    def ask(self, *question, seconds=30):
        """What the process answers, as data; StoppedError if it does not in time, takes too much, or has ended."""
        begun, before = time.monotonic(), self.work()[0]
        with contextlib.suppress(OSError):  # it has ended, which the queue tells
            self.process.stdin.write(f"{json.dumps(question)}\n".encode())
            self.process.stdin.flush()
        line = None
        while line is None:
            if INTERRUPTED.is_set():
                raise KeyboardInterrupt
            try:
                line = self.lines.get(timeout=0.25)
            except queue.Empty:
                if reason := self.taken_too_much() or self.hangs(time.monotonic() - begun, before, seconds):
                    raise StoppedError(reason) from None
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise StoppedError("garbles") from None
        if type(data) is list and data[:1] == ["stopped"]:
            raise StoppedError(str(data[-1])[:20])
        return data

    def hangs(self, passed, before, seconds):
        """Why it takes too long, or ""; time in which a busy machine let it wait is not counted."""
        worked, is_running = self.work()
        is_late = not is_running or worked - before > seconds / 2 or passed > STARVED * seconds
        return "hangs" if passed > seconds and is_late else ""

    def started(self):
        """This process and all that it has started."""
        found = []
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self.process.pid)
            found = [process, *process.children(recursive=True)]
        self.seen.update(found)
        return found

    def work(self):
        """The seconds that all of it has worked, and whether any of it wants to go on."""
        done, is_running = 0, False
        for process in self.started():
            with contextlib.suppress(psutil.Error):  # it has ended
                done += sum(process.cpu_times()[:2])
                is_running |= process.status() in ("running", "disk-sleep")
        return done, is_running

    def taken_too_much(self):
        """Why it is to be ended, or ""."""
        started = self.started()
        if len(started) > MOST_PROCESSES:
            return "forks"
        if sum(map(memory_of, started)) > self.limits.memory * 2**20:
            return "too-large"
        return "fills-the-disk" if is_full(self.folder) else ""


def memory_of(process):
    """Bytes that a process takes; of what several share, its part."""
    try:
        measured = process.memory_full_info()
        return getattr(measured, "pss", measured.uss)  # pss is Linux's
    except psutil.Error:  # it has ended
        return 0


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


def files_in(folder):
    """All files below a folder, in order, but links and what is hidden."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not path.is_symlink() and not hidden:
            yield path


def copy_files(folder, target):
    """Copy what is beside a notebook, as far as it is not too much."""
    left = MOST_BESIDE
    for source in [path for path in files_in(folder) if path.suffix != ".ipynb"]:
        left -= source.stat().st_size
        if left >= 0:
            copy = target / source.relative_to(folder)
            with contextlib.suppress(OSError):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, copy)


# ---------------------------------------------------------------------------
# In the student's process
# ---------------------------------------------------------------------------


def main():
    settings = json.loads(sys.argv[1])
    sys.path.pop(0)  # the folder of this script, whose files are not for notebooks
    if settings["namespaces"]:
        hide(settings["hidden"], settings["place"])
    elif LINUX:
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    limit(settings["memory"], settings["namespaces"])
    if settings["landlock"]:
        write_only_in(settings["place"], settings["landlock"])
    from attn_checks.grading import worker

    worker.main()


def hide(folders, place):
    """In this namespace: empty folders in place of these, but for the place itself, which stays where it was."""
    here, kept = os.getcwd(), os.open(place, os.O_PATH)
    for folder in folders:
        mount("-t", "tmpfs", "-o", "size=64k", "none", folder)
    os.makedirs(place, exist_ok=True)
    mount("--no-canonicalize", "--bind", f"/proc/self/fd/{kept}", place, pass_fds=[kept])
    os.close(kept)
    os.chdir(here)


def mount(*words, **options):
    subprocess.run(["mount", *words], check=True, **options)


def limit(memory, namespaces):
    """Bytes of memory for one process, and of one file; no core dumps; so many processes in this namespace."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        most = {resource.RLIMIT_FSIZE: LARGEST_FILE, resource.RLIMIT_CORE: 0, resource.RLIMIT_AS: memory}
        most |= {resource.RLIMIT_NPROC: MOST_PROCESSES} if namespaces else {}
        for name, value in most.items():
            resource.setrlimit(name, (value, value))
    if namespaces:
        with contextlib.suppress(OSError), open("/proc/sys/kernel/pid_max", "w", encoding="ascii") as file:
            file.write(
                "400"
            )  # root has no limit but this (Linux 6.14); the first 300 are given away once only


def write_only_in(place, version):
    """Landlock: nothing is written, made or removed but in this folder, and no TCP; OSError where that fails.

    Rights are bits of linux/landlock.h: 1 to write a file, 4 to 12 to make and remove, 13 to move (version 2), 14 to truncate (3).
    """
    truncate = (version >= 3) << 14
    writing = 0x1FF2 | (version >= 2) << 13 | truncate
    fields = [writing, *[0b11] * (version >= 4), *[0b11] * (version >= 6)]  # TCP; signals, abstract sockets
    attributes = (ctypes.c_uint64 * len(fields))(*fields)
    rules = called(CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(8 * len(fields)), 0)
    for path, rights in ((place, writing), ("/dev/null", 1 << 1 | truncate)):
        opened = os.open(path, os.O_PATH)
        rule = rights.to_bytes(8, sys.byteorder) + opened.to_bytes(4, sys.byteorder)
        called(ADD_RULE, rules, 1, rule, 0)
        os.close(opened)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    called(RESTRICT_SELF, rules, 0)
    os.close(rules)


def called(number, *arguments):
    """What a system call returns; OSError if it fails."""
    given = ctypes.CDLL(None).syscall(number, *arguments)
    if given < 0:
        raise OSError(f"system call {number} fails")
    return given


if __name__ == "__main__":
    main()
