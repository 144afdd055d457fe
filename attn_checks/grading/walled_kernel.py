"""A Jupyter kernel behind walls: what is set up here holds for it and all that it starts, and cannot be undone.

Run by walls.py as a script, before anything of a student's is there. It imports Python's own modules alone: Landlock
holds for the one thread that asks for it, and what that thread starts.
"""

import contextlib
import ctypes
import json
import os
import sys

try:
    import resource
except ImportError:  # Windows
    resource = None

LARGEST_FILE = 64 * 2**20  # bytes
MOST_PROCESSES = 64
# Numbers of system calls and access rights, the same on every kind of processor: linux/landlock.h
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
WRITE_FILE, TRUNCATE, ALL_WRITING = 1 << 1, 1 << 14, 0x1FF2
TCP, SIGNALS_AND_ABSTRACT_SOCKETS = 0b11, 0b11
SINCE = {"refer": 2, "truncate": 3, "tcp": 4, "scopes": 6}  # version of Landlock
NO_NEW_PRIVILEGES, BIND = 38, 4096


def main():
    settings = json.loads(sys.argv[1])
    sys.path.pop(0)  # the folder of this script, whose files are not for notebooks
    if settings["namespaces"]:
        hide(settings["hidden"], settings["place"])
        limit_processes()
    limit(settings["memory"])
    if settings["landlock"]:
        write_only_in(settings["place"])
    os.environ.pop("JPY_PARENT_PID", None)  # it has no parent that it could see
    sys.argv[1:] = sys.argv[2:]
    from ipykernel.kernelapp import launch_new_instance

    launch_new_instance()


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


def landlock_version():
    """The version of Landlock that this kernel has, 0 for none."""
    if not sys.platform.startswith("linux"):
        return 0
    return max(0, ctypes.CDLL(None).syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def write_only_in(place):
    """Landlock: nothing is written, made or removed but in this folder, and no TCP; OSError where that fails."""
    version = landlock_version()
    writing = ALL_WRITING
    if version >= SINCE["refer"]:
        writing |= 1 << 13
    if version >= SINCE["truncate"]:
        writing |= TRUNCATE
    fields = [
        writing,
        TCP if version >= SINCE["tcp"] else 0,
        SIGNALS_AND_ABSTRACT_SOCKETS if version >= SINCE["scopes"] else 0,
    ]
    known = 3 if version >= SINCE["scopes"] else 2 if version >= SINCE["tcp"] else 1
    attributes = (ctypes.c_uint64 * known)(*fields[:known])
    rules = called(CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(8 * known), 0)
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
