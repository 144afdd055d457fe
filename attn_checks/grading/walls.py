"""What keeps a student's process in: a place of its own, and as many walls as this system has."""

import compileall
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

import matplotlib

from attn_checks.grading.walled_kernel import landlock_version

COURSE = pathlib.Path(__file__).resolve().parents[2]
PARTS = (
    "attn_helpers.py",
    "attn_parts",
    "attn_checks",
    "attn_lessons",
    "notebooks/data",
)  # what lessons need
MOST_BYTES = 20 * 2**20  # of a student's other files, which the notebook may read
# namespaces of its own: no network, no sight of other processes, all of its processes end with the first, and that with
# the grader
UNSHARE = (
    "setpriv --pdeathsig KILL "
    "unshare --user --map-root-user --net --ipc --pid --fork --kill-child --mount --mount-proc"
).split()
# a new process knows these of the grader's environment, and nothing else
PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH")


class Limits(NamedTuple):
    """What one notebook may take."""

    seconds: int = 20  # for one cell
    memory: int = 2048  # MB


class Walls(NamedTuple):
    """What this system has to keep a process in."""

    namespaces: bool
    landlock: int  # its version, 0 for none
    linux: bool

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
        if not self.linux:
            lacks.append("A notebook's memory may not be limited.")
        return lacks


def walls_here():
    """Tries what this system allows."""
    linux = sys.platform.startswith("linux")
    return Walls(linux and namespaces_allowed(), landlock_version(), linux)


def namespaces_allowed():
    tried = [*UNSHARE, "mount", "-t", "tmpfs", "none", tempfile.gettempdir()]
    try:
        return subprocess.run(tried, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def pristine_course(folder):
    """A copy of what lessons need of the course, compiled: each notebook gets a copy of that, and none waits for Python."""
    for part in PARTS:
        source, target = COURSE / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            shutil.copy2(source, target)
    compileall.compile_dir(folder, quiet=2)
    return folder


class Place:
    """A new folder with a copy of the course and of what a student handed in; removed at the end of its `with`.

    `course` is a pristine_course, beside which the new folder is made; `hidden` are folders that the process is not to see,
    `beside` is the student's own.

    Attributes
    ----------
    folder : pathlib.Path
        All of it, the only one in which the process may write.
    work : pathlib.Path
        Where the notebook runs, inside the copy of the course: its setup cell finds the course above itself.
    """

    def __init__(self, walls, course, limits, hidden=(), beside=None):
        self.walls, self.course, self.limits = walls, course, limits
        self.hidden, self.beside = hidden, beside

    def __enter__(self):
        self.made = tempfile.TemporaryDirectory(dir=self.course.parent, ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self.made.name).resolve()
        shutil.copytree(self.course, self.folder / "course")
        self.work = self.folder / "course" / "notebooks"
        if self.beside:
            copy_files(self.beside, self.work)
        for name in ("home", "tmp", "fonts", "kernels/walled"):
            (self.folder / name).mkdir(parents=True)
        for fonts in pathlib.Path(matplotlib.get_cachedir()).glob("fontlist-*.json"):
            shutil.copy(fonts, self.folder / "fonts")  # to look for all fonts takes seconds
        (self.folder / "kernels/walled/kernel.json").write_text(json.dumps(self.kernel()), encoding="utf-8")
        return self

    def __exit__(self, *problem):
        self.made.cleanup()

    def kernel(self):
        """The kernel's specification: the command that starts it behind its walls."""
        settings = {
            "namespaces": self.walls.namespaces,
            "hidden": [str(folder) for folder in (*self.hidden, self.course.parent.resolve())],
            "landlock": bool(self.walls.landlock),
            "place": str(self.folder),
            "memory": self.limits.memory * 2**20,
        }
        script = pathlib.Path(__file__).with_name("walled_kernel.py")
        python = [sys.executable, str(script), json.dumps(settings)]
        options = ["-f", "{connection_file}", "--HistoryManager.enabled=False"]
        command = [*(UNSHARE if self.walls.namespaces else []), *python, *options]
        return {"argv": command, "display_name": "walled", "language": "python"}

    def environment(self):
        kept = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return kept | {
            "PYTHONPATH": str(self.folder / "course"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HOME": str(self.folder / "home"),
            "USERPROFILE": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            "TEMP": str(self.folder / "tmp"),
            "MPLCONFIGDIR": str(self.folder / "fonts"),
            "MPLBACKEND": "agg",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "PIP_NO_INDEX": "1",  # to look for an index that cannot be reached takes half a minute
            "GIT_TERMINAL_PROMPT": "0",
        }


def copy_files(folder, target):
    """Copies what stands beside a notebook, as far as it is files and folders and not too much."""
    left = MOST_BYTES
    for above, folders, files in os.walk(folder):
        folders[:] = [name for name in sorted(folders) if not name.startswith(".")]
        for name in sorted(files):
            source = pathlib.Path(above, name)
            if source.is_symlink() or not source.is_file() or source.suffix == ".ipynb":
                continue
            left -= source.stat().st_size
            if left < 0:
                return
            with contextlib.suppress(OSError):
                into = target / source.relative_to(folder)
                into.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, into)
