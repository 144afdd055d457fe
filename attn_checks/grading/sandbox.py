"""What keeps a student's process in: a folder of its own, limits, and as many walls as this system has.

The grader asks a `Worker`. Run as a script, in the student's process and before anything of theirs is
there, this file puts up the walls, which hold for the process and all that it starts and cannot be taken
down. Landlock holds for the one thread that asks for it, so until then only Python's own modules are
imported.
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
MOST_PROCESSES, MOST_FILES, MOST_BYTES = 64, 5000, 200 * 2**20
LARGEST_FILE, LONGEST = 64 * 2**20, 5 * 2**20  # bytes of a file, and of one answer
STARVED = 5  # times longer may a cell take where a busy machine lets it wait
INTERRUPTED = threading.Event()  # set when the grader is to stop
# namespaces of its own: no network, no sight of other processes; all of its processes end with the first, and
# that with the grader
UNSHARE = (
    "setpriv --pdeathsig KILL "
    "unshare --user --map-root-user --net --ipc --pid --fork --kill-child --mount --mount-proc"
).split()
# a new process knows these of the grader's environment, and has these in a folder of its own
PASSED_ON = "PATH", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH"
HOME = "HOME", "USERPROFILE", "TMPDIR", "TEMP", "MPLCONFIGDIR"
SETTINGS = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "MPLBACKEND": "agg",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "PIP_NO_INDEX": "1",  # to look for an index that cannot be reached takes half a minute
    "GIT_TERMINAL_PROMPT": "0",
}
# system calls of Landlock, the same on every kind of processor
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
END_WITH_PARENT, NO_NEW_PRIVILEGES = 1, 38


# why a process is stopped, or what it did that has it stopped
STOPPED = {
    "hangs": "did not come to an end in {seconds} seconds",
    "ends-python": "ended Python (os._exit, a crash, or more memory than there is)",
    "forks": "started dozens of processes",
    "too-large": "took more than {memory} MB of memory",
    "fills-the-disk": "wrote more than 200 MB, or 5,000 files",
    "garbles": "wrote into the line of the grader's answers",
}


class StoppedError(Exception):
    """The student's process was stopped, or stopped itself: a short name, and what it did, in words."""


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
        alone = not self.namespaces
        only_tcp = alone and self.landlock >= 4
        lacks = {
            "A notebook can reach the network.": alone and self.landlock < 4,
            "A notebook cannot open TCP connections, but can send UDP, and ask for names.": only_tcp,
            "A notebook can write wherever you can write.": not self.landlock,
            "A notebook can stop your other programs.": alone and self.landlock < 6,
            "A notebook can read what you can read, other students' notebooks too.": alone,
            "A notebook can talk to programs that listen in a file, as Docker does.": alone,
            "A notebook's memory may not be limited.": not LINUX,
        }
        return [sentence for sentence, holds in lacks.items() if holds]


def walls_here():
    """Tries what this system allows."""
    tried = [*UNSHARE, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()]
    try:
        allowed = subprocess.run(tried, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        allowed = False
    version = ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1) if LINUX else 0
    return Walls(allowed and LINUX, max(0, version))


def pristine_course(folder):
    """Copy what lessons need of the course, and compile it: each notebook gets a copy of that."""
    import matplotlib  # not in the student's process

    for name in ("attn_checks", "attn_lessons", "attn_parts", "notebooks/data"):
        shutil.copytree(COURSE / name, folder / "course" / name)
    shutil.copy(COURSE / "attn_helpers.py", folder / "course")
    compileall.compile_dir(folder, quiet=2)
    (folder / "home").mkdir()
    for fonts in pathlib.Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
        shutil.copy(fonts, folder / "home")  # to look for all fonts takes seconds
    return folder


class Worker:
    """A student's process, for the length of a `with`. It may write in a folder of its own only.

    `course` is a pristine_course, beside which the new folder is made; `hidden` are folders that the
    process is not to see, `beside` are the student's own files, (path, name), of which it gets copies.
    """

    def __init__(self, walls, course, limits, hidden=(), beside=()):
        self.limits, self.lines, self.seen = limits, queue.Queue(maxsize=10), set()
        self.made = tempfile.TemporaryDirectory(dir=course.parent, ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.made.name).resolve()
        shutil.copytree(course, self.folder, dirs_exist_ok=True)
        work = self.folder / "course" / "notebooks"  # the setup cell finds the course above itself
        for source, name in beside:
            with contextlib.suppress(OSError):
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, work / name)
        known = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        own = dict.fromkeys(HOME, str(self.folder / "home")) | {"PYTHONPATH": str(work.parent)}
        unseen = [str(folder) for folder in (*hidden, course.parent.resolve())]
        settings = json.dumps([*walls, unseen, str(self.folder), int(limits.memory * 2**20)])
        self.process = subprocess.Popen(
            [*(UNSHARE if walls.namespaces else []), sys.executable, __file__, settings],
            cwd=work,
            env=known | SETTINGS | own,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        threading.Thread(target=self.listen, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        """End the process and all that it has started, some of which have let go of it."""
        self.usage()
        with contextlib.suppress(OSError, AttributeError):  # Windows has no groups
            os.killpg(self.process.pid, signal.SIGKILL)
        for process in self.seen:
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.kill()
        self.process.wait()
        self.made.cleanup()

    def listen(self):
        """In a thread: put each line that the process writes into the queue, and an empty one at its end."""
        with contextlib.suppress(ValueError):  # it was closed meanwhile
            for line in iter(lambda: self.process.stdout.readline(LONGEST), b""):
                self.lines.put(line)
        self.lines.put(b"")

    def run(self, source):
        """(a short name, words) of why a cell did not run to its end, or None."""
        match self.ask("run", source, seconds=self.limits.seconds):
            case [str(name), str(words)]:
                return name[:60], words[:300]
        return None

    def ask(self, *question, seconds=30):
        """What the process answers, as data; StoppedError if it is late, takes too much, or has ended."""
        begun, before, line = time.monotonic(), None, None
        with contextlib.suppress(OSError):  # it has ended, which the queue tells
            self.process.stdin.write(f"{json.dumps(question)}\n".encode())
            self.process.stdin.flush()
        while line is None:
            if INTERRUPTED.is_set():
                raise KeyboardInterrupt
            try:
                line = self.lines.get(timeout=0.25)
            except queue.Empty:
                started, worked, memory = self.usage()
                before, passed = worked if before is None else before, time.monotonic() - begun
                # where it works a little, a busy machine may have let it wait
                waits = 0.1 < worked - before < seconds / 2 and passed < STARVED * seconds
                self.stop_if("forks", len(started) > MOST_PROCESSES)
                self.stop_if("too-large", memory > self.limits.memory * 2**20)
                self.stop_if("fills-the-disk", is_full(self.folder))
                self.stop_if("hangs", passed > seconds and not waits)
        self.stop_if("ends-python", not line)
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            self.stop_if("garbles", True)

    def stop_if(self, reason, holds):
        if holds:
            raise StoppedError(reason, STOPPED[reason].format(**self.limits._asdict()))

    def usage(self):
        """This process and those it has started, the seconds they have worked, and the bytes they take."""
        started, worked, memory = [], 0, 0
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self.process.pid)
            started = [process, *process.children(recursive=True)]
        self.seen.update(started)
        for process in started:
            with contextlib.suppress(psutil.Error):  # it has ended
                worked += sum(process.cpu_times()[:4])
                taken = process.memory_full_info()
                memory += getattr(taken, "pss", taken.uss)  # pss divides what several have in common
        return started, worked, memory


def is_full(folder):
    """Whether there are too many files in a folder, or they take too much."""
    sizes = []
    for above, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):  # it is gone
                sizes.append(os.lstat(os.path.join(above, name)).st_size)
    return len(sizes) > MOST_FILES or sum(sizes) > MOST_BYTES


def main():
    """In the student's process: put up the walls, then run the worker."""
    namespaces, landlock, hidden, place, memory = json.loads(sys.argv[1])
    sys.path.pop(0)  # the folder of this script, whose files are not for notebooks
    if namespaces:
        hide(hidden, place)
    elif LINUX:
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    limit(memory, namespaces)
    if landlock:
        write_only_in(place, landlock)
    from attn_checks.grading import worker

    worker.main()


def hide(folders, place):
    """In this namespace: put empty folders in place of these, except for the place itself."""
    here = os.getcwd()
    kept = os.open(place, os.O_PATH)
    for folder in folders:
        mount("-t", "tmpfs", "-o", "size=64k", "none", folder)
    os.makedirs(place, exist_ok=True)
    mount("--no-canonicalize", "--bind", f"/proc/self/fd/{kept}", place, pass_fds=[kept])
    os.close(kept)
    os.chdir(here)


def mount(*words, **options):
    subprocess.run(["mount", *words], check=True, **options)


def limit(memory, namespaces):
    """Limit the memory of one process, the size of one file, and the processes in this namespace."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # not on every system
        import resource

        most = {resource.RLIMIT_FSIZE: LARGEST_FILE, resource.RLIMIT_CORE: 0, resource.RLIMIT_AS: memory}
        most |= {resource.RLIMIT_NPROC: MOST_PROCESSES} if namespaces else {}
        for name, value in most.items():
            resource.setrlimit(name, (value, value))
    if namespaces:
        # root has no limit but this (Linux 6.14); the first 300 are given away once only
        with contextlib.suppress(OSError):
            pathlib.Path("/proc/sys/kernel/pid_max").write_text("400")


def write_only_in(place, version):
    """Landlock: nothing is written, made or removed except in this folder, and no TCP."""
    # bits of linux/landlock.h: 1 to write a file, 4 to 12 to make and remove, 13 to move (version 2), 14 to
    # truncate (3)
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
