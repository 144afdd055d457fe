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

try:
    import resource
except ImportError:  # Windows
    resource = None

LINUX = sys.platform.startswith("linux")
COURSE = pathlib.Path(__file__).resolve().parents[2]
PARTS = (
    "attn_helpers.py",
    "attn_parts",
    "attn_checks",
    "attn_lessons",
    "notebooks/data",
)  # what lessons need
MOST_BESIDE = 20 * 2**20  # bytes of a student's other files, which the notebook may read
MOST_PROCESSES, MOST_FILES, MOST_BYTES = 64, 5000, 200 * 2**20
LARGEST_FILE, LONGEST = 64 * 2**20, 5 * 2**20  # bytes of a file, and of one answer
STARVED = 5  # times longer may a cell take where a busy machine lets it wait
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
# Numbers of system calls and access rights, the same on every kind of processor: linux/landlock.h
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
WRITE_FILE, TRUNCATE, ALL_WRITING = 1 << 1, 1 << 14, 0x1FF2
TCP, SIGNALS_AND_ABSTRACT_SOCKETS = 0b11, 0b11
SINCE = {"refer": 2, "truncate": 3, "tcp": 4, "scopes": 6}  # version of Landlock
END_WITH_PARENT, NO_NEW_PRIVILEGES, BIND = 1, 38, 4096


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
        if not self.namespaces and self.landlock < SINCE["tcp"]:
            lacks.append("A notebook can reach the network.")
        elif not self.namespaces:
            lacks.append("A notebook cannot open TCP connections, but can send UDP, and ask for names.")
        if not self.landlock:
            lacks.append("A notebook can write wherever you can write.")
        if not self.namespaces and self.landlock < SINCE["scopes"]:
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

    for part in PARTS:
        source, target = COURSE / part, folder / "course" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, target)
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

    Raises
    ------
    StoppedError
        From `ask`: the process did not answer in time, took too much, or has ended.
    """

    live, lock, closed = set(), threading.Lock(), False

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
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with Worker.lock:
            if Worker.closed:
                raise StoppedError("interrupted")
            self.process = subprocess.Popen(self.command(), cwd=work, env=self.environment(), **pipes)
            Worker.live.add(self)
        threading.Thread(target=self.listen, daemon=True).start()
        return self

    def __exit__(self, *problem):
        self.end()
        self.made.cleanup()

    def command(self):
        """How Python is started behind its walls."""
        settings = {
            "namespaces": self.walls.namespaces,
            "hidden": [str(folder) for folder in (*self.hidden, self.course.parent.resolve())],
            "landlock": bool(self.walls.landlock),
            "place": str(self.folder),
            "memory": self.limits.memory * 2**20,
        }
        python = [sys.executable, __file__, json.dumps(settings)]
        return [*UNSHARE, *python] if self.walls.namespaces else python

    def environment(self):
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        own = {"PYTHONPATH": "course", "HOME": "home", "USERPROFILE": "home", "TMPDIR": "tmp", "TEMP": "tmp"}
        own["MPLCONFIGDIR"] = "fonts"
        return kept | SETTINGS | {name: str(self.folder / part) for name, part in own.items()}

    def listen(self):
        """In a thread: put each line that the process writes into the queue, and None at its end."""
        with contextlib.suppress(ValueError):  # it was closed meanwhile
            for line in iter(lambda: self.process.stdout.readline(LONGEST), b""):
                self.lines.put(line)
        self.lines.put(None)

    def ask(self, *question, seconds=30):
        """What the process answers, as data."""
        begun, (worked, _) = time.monotonic(), self.work()
        with contextlib.suppress(OSError):  # it has ended, which the queue tells
            self.process.stdin.write(f"{json.dumps(question)}\n".encode())
            self.process.stdin.flush()
        while True:
            try:
                line = self.lines.get(timeout=0.25)
            except queue.Empty:
                if reason := self.taken_too_much() or self.hangs(time.monotonic() - begun, worked, seconds):
                    raise StoppedError(reason) from None
                continue
            try:
                data = json.loads(line) if line else ["stopped", "ends-python"]
            except (ValueError, RecursionError):
                raise StoppedError("garbles") from None
            if type(data) is list and data[:1] == ["stopped"]:
                raise StoppedError(str(data[-1])[:20])
            return data

    def starts(self):
        """Whether the process comes to the point where it answers."""
        try:
            return self.ask("ready", seconds=60)
        except StoppedError:
            return False

    def hangs(self, passed, worked, seconds):
        """Why it takes too long, or ""; time in which a busy machine let it wait is not counted."""
        if passed < seconds:
            return ""
        now, is_running = self.work()
        late = not is_running or now - worked > seconds / 2 or passed > STARVED * seconds
        return "hangs" if late else ""

    def started(self):
        """This process and all that it has started, as psutil has them."""
        import psutil  # not in the student's process

        try:
            process = psutil.Process(self.process.pid)
            found = [process, *process.children(recursive=True)]
        except psutil.Error:
            return []
        self.seen.update(found)
        return found

    def work(self):
        """The seconds that all of it has worked, and whether any of it wants to go on."""
        done, is_running = 0, False
        for process in self.started():
            with contextlib.suppress(Exception):  # it has ended
                times = process.cpu_times()
                done += times.user + times.system
                is_running |= process.status() in ("running", "disk-sleep")
        return done, is_running

    def taken_too_much(self):
        """Why it is to be ended, or ""."""
        started, most = self.started(), self.limits.memory * 2**20
        if len(started) > MOST_PROCESSES:
            return "forks"
        if sum(map(memory_of, started)) > most:
            return "too-large"
        return "fills-the-disk" if is_full(self.folder) else ""

    def end(self):
        """End the process and all that it has started; some start others meanwhile."""
        for _ in range(20):
            started = self.started()
            for process in self.seen:  # some have let go of the one that started them
                with contextlib.suppress(Exception):
                    process.kill()
            if not started[1:]:
                break
            time.sleep(0.05)
        self.process.kill()
        self.process.wait()
        Worker.live.discard(self)


def end_all():
    """End all students' processes, and start no other."""
    with Worker.lock:
        Worker.closed = True
        live = list(Worker.live)
    for worker in live:
        worker.end()


def memory_of(process):
    """Bytes that a process takes; of what several share, its part."""
    try:
        measured = process.memory_full_info()
        return getattr(measured, "pss", measured.uss)  # pss is Linux's
    except Exception:  # it has ended
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


def copy_files(folder, target):
    """Copies what stands beside a notebook, as far as it is files and folders and not too much."""
    left = MOST_BESIDE
    for source in sorted(folder.rglob("*")):
        inside = source.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts[:-1]) or source.suffix == ".ipynb":
            continue
        if source.is_file() and not source.is_symlink():
            left -= source.stat().st_size
            if left < 0:
                return
            with contextlib.suppress(OSError):
                (target / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target / inside)


# ---------------------------------------------------------------------------
# In the student's process
# ---------------------------------------------------------------------------


def main():
    settings = json.loads(sys.argv[1])
    sys.path.pop(0)  # the folder of this script, whose files are not for notebooks
    if settings["namespaces"]:
        hide(settings["hidden"], settings["place"])
        limit_processes()
    elif LINUX:
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    limit(settings["memory"])
    if settings["landlock"]:
        write_only_in(settings["place"])
    from attn_checks.grading import worker

    worker.main()


def hide(folders, place):
    """In this namespace: empty folders in place of these, but for the place itself, which stays where it was."""
    here, kept = os.getcwd(), os.open(place, os.O_PATH)
    for folder in folders:
        mount("none", folder, "tmpfs", 0, "size=64k")
    os.makedirs(place, exist_ok=True)
    mount(f"/proc/self/fd/{kept}", place, "", BIND, "")
    os.close(kept)
    os.chdir(here)


def mount(source, target, kind, flags, options):
    library = ctypes.CDLL(None, use_errno=True)
    words = [os.fsencode(word) for word in (source, target, kind, options)]
    if library.mount(*words[:3], ctypes.c_ulong(flags), words[3]):
        raise OSError(ctypes.get_errno(), f"{os.strerror(ctypes.get_errno())} (mount on {target})")


def limit_processes():
    """So many processes in this namespace: by the user's limit, which root has not, and by their numbers (Linux 6.14)."""
    resource.setrlimit(resource.RLIMIT_NPROC, (MOST_PROCESSES, MOST_PROCESSES))
    with contextlib.suppress(OSError), open("/proc/sys/kernel/pid_max", "w", encoding="ascii") as file:
        file.write("400")  # the first 300 are given away once only


def limit(memory):
    """Bytes of memory for one process, and of one file; no core dumps."""
    for name, most in (("RLIMIT_AS", memory), ("RLIMIT_FSIZE", LARGEST_FILE), ("RLIMIT_CORE", 0)):
        with contextlib.suppress(AttributeError, ValueError, OSError):  # not on every system
            resource.setrlimit(getattr(resource, name), (most, most))


def write_only_in(place):
    """Landlock: nothing is written, made or removed but in this folder, and no TCP; OSError where that fails."""
    version = landlock_version()
    writing = ALL_WRITING
    if version >= SINCE["refer"]:
        writing |= 1 << 13
    if version >= SINCE["truncate"]:
        writing |= TRUNCATE
    fields = [writing]
    if version >= SINCE["tcp"]:
        fields.append(TCP)
    if version >= SINCE["scopes"]:
        fields.append(SIGNALS_AND_ABSTRACT_SOCKETS)
    attributes = (ctypes.c_uint64 * len(fields))(*fields)
    rules = called(CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(8 * len(fields)), 0)
    for path, rights in ((place, writing), ("/dev/null", writing & (WRITE_FILE | TRUNCATE))):
        opened = os.open(path, os.O_PATH)
        rule = rights.to_bytes(8, sys.byteorder) + opened.to_bytes(4, sys.byteorder)
        called(ADD_RULE, rules, 1, rule, 0)
        os.close(opened)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    called(RESTRICT_SELF, rules, 0)
    os.close(rules)


def called(number, *arguments):
    """What a system call returns; OSError if it fails."""
    library = ctypes.CDLL(None, use_errno=True)
    given = library.syscall(number, *arguments)
    if given < 0:
        raise OSError(ctypes.get_errno(), f"{os.strerror(ctypes.get_errno())} (system call {number})")
    return given


if __name__ == "__main__":
    main()
