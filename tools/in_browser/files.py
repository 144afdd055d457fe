"""Get what runs Python in a reader's browser: Pyodide, NumPy, matplotlib, widgets, and the course as two wheels.

    python tools/in_browser/files.py FOLDER                   gather all of it
    python tools/in_browser/files.py --pin PYODIDE            take over the release unpacked in the folder PYODIDE

pyodide.toml names each file with its sha256, pyodide-lock.json is Pyodide's own list of its packages without those that
nobody here uses. A file comes from the cache, from Pyodide's public address or out of a package on PyPI, and counts only
by its sha256.
"""

import argparse
import contextlib
import hashlib
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
from email.parser import Parser

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


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--cache", type=pathlib.Path, default=CACHE)
    parser.add_argument("--pin", type=pathlib.Path, metavar="PYODIDE")
    given = parser.parse_args(arguments)
    if given.pin:
        return pin(given.pin, given.cache)
    if not given.folder:
        parser.error("name a folder to gather the files in")
    gather(given.folder, given.cache)
    size = sum(path.stat().st_size for path in given.folder.iterdir())
    return f"{given.folder} has what runs Python in a browser, {size / 1e6:.1f} MB."


def gather(folder, cache=CACHE):
    """Put into a folder, made if need be, Pyodide with its lock, all wheels, the course's too, and their licenses."""
    pins = tomllib.loads(PINS.read_text("utf-8"))
    lock = json.loads(LOCK.read_text("utf-8"))
    of_pyodide = pins["core"] | {each["file_name"]: each["sha256"] for each in lock["packages"].values()}
    cache.mkdir(parents=True, exist_ok=True)
    fetch_pyodide(missing(of_pyodide, cache), pins, cache)
    fetch_wheels(missing(pins["wheels"], cache), cache)
    folder.mkdir(parents=True, exist_ok=True)
    for name, digest in (of_pyodide | pins["wheels"]).items():
        path = kept(cache, name, digest)
        (folder / name).write_bytes(verified(path.read_bytes(), digest, f"{path}, delete it and try again:"))
    enter(lock["packages"], [*map(folder.joinpath, pins["wheels"]), *course_wheel.write(folder)])
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1) + "\n", "utf-8")
    licences = [LICENCES.format(**pins), *map(licence, sorted(folder.glob("*.whl")))]
    (folder / "LICENSES.txt").write_text("\n".join(licences), "utf-8")


def verified(content, digest, where):
    """The bytes of a file, if they are the right ones; else nothing goes on."""
    if (found := hashlib.sha256(content).hexdigest()) != digest:
        raise SystemExit(
            f"{where} these aren't the bytes that tools/in_browser names (sha256 {found}, not {digest})."
        )
    return content


def kept(cache, name, digest):
    """Where the cache has a file; another release's file of the same name is elsewhere."""
    return cache / f"{digest[:12]}-{name}"


def missing(wanted, cache):
    return {name: digest for name, digest in wanted.items() if not kept(cache, name, digest).exists()}


def keep(content, name, digest, cache, where):
    """Write a file of the cache, if these are its bytes; whole or not at all, whoever else is writing it."""
    path = kept(cache, name, digest)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(verified(content, digest, where))
    part.replace(path)


def fetch_pyodide(wanted, pins, cache):
    """Bring files of Pyodide into the cache, out of a package on PyPI where its public address can't be reached."""
    try:
        for name, digest in list(wanted.items()):
            address = pins["public"].format(version=pins["version"], name=name)
            with urllib.request.urlopen(address, timeout=30) as answer:
                keep(answer.read(), name, digest, cache, f"{address}:")
            del wanted[name]
    except OSError as problem:  # no network, or one that ends at the registries
        print(f"{problem}: taking Pyodide out of {pins['registry']} on PyPI instead.")
        with downloaded([pins["registry"]]) as found, zipfile.ZipFile(next(found.iterdir())) as package:
            for name, digest in wanted.items():
                keep(package.read(pins["folder"] + name), name, digest, cache, f"{pins['registry']}, {name}:")


def fetch_wheels(wanted, cache):
    """Bring wheels into the cache from PyPI."""
    if wanted:
        with downloaded(["==".join(name.split("-")[:2]) for name in wanted]) as found:
            for name, digest in wanted.items():
                keep((found / name).read_bytes(), name, digest, cache, f"{name} from PyPI:")


@contextlib.contextmanager
def downloaded(requirements):
    """A folder with the wheels of these requirements, whatever Python they are for."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-cache-dir"]
        command += ["--only-binary=:all:", "--ignore-requires-python", "-d", folder, *requirements]
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise SystemExit(f"PyPI didn't give {', '.join(requirements)}:\n{done.stderr[-1000:]}")
        yield pathlib.Path(folder)


def enter(packages, wheels):
    """Enter wheels into a lock's packages; of what they require only what is there, since a kernel runs without the rest."""
    for wheel in wheels:
        told = metadata(wheel)
        tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
        packages[canonicalize_name(told["Name"])] = {
            "name": told["Name"],
            "version": told["Version"],
            "file_name": wheel.name,
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "install_dir": "site",
            "package_type": "package",
            "imports": sorted(name.removesuffix(".py") for name in tops if "-" not in name),
            "depends": list(filter(None, map(needed, told.get_all("Requires-Dist", ())))),
            "unvendored_tests": False,
        }
    for package in packages.values():
        package["depends"] = [name for name in package["depends"] if canonicalize_name(name) in packages]


def needed(requirement):
    """The name of what is required, if it is so in a browser, else None."""
    need = Requirement(requirement)
    here = {"sys_platform": "emscripten", "python_version": "3.14", "extra": ""}
    return canonicalize_name(need.name) if not need.marker or need.marker.evaluate(here) else None


def metadata(wheel):
    """What a wheel says of itself, as e-mail headers."""
    with zipfile.ZipFile(wheel) as content:
        (path,) = (name for name in content.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        return Parser().parsestr(content.read(path).decode())


def licence(wheel):
    """What a wheel says of its license, and the texts of it that it carries."""
    told = metadata(wheel)
    kinds = [kind for kind in told.get_all("Classifier", ()) if kind.startswith("License ::")]
    says = told["License-Expression"] or ", ".join(kinds) or (told["License"] or "").split("\n")[0]
    with zipfile.ZipFile(wheel) as content:
        paths = [name for name in content.namelist() if re.search(r"dist-info/.*(LICEN[CS]E|COPYING)", name)]
        texts = [content.read(name).decode(errors="replace").strip() for name in paths]
    return "\n\n".join([f"--- {told['Name']} {told['Version']}: {says}", *texts, ""])


def pin(release, cache):
    """Write the hashes and the lock of the Pyodide unpacked in a folder, such as npm's package of it, and keep its files."""
    cache.mkdir(parents=True, exist_ok=True)
    text = PINS.read_text("utf-8")
    lock = json.loads((release / LOCK.name).read_text("utf-8"))
    version = json.loads((release / "package.json").read_text("utf-8"))["version"]
    for name in tomllib.loads(text)["core"]:
        content = (release / name).read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        keep(content, name, digest, cache, name)
        text = re.sub(rf'(?m)^("{re.escape(name)}") = .*$', rf'\1 = "{digest}"', text)
    PINS.write_text(re.sub(r"(?m)^version = .*$", f'version = "{version}"', text), "utf-8")
    used = {}
    look = list(USED)
    while look:
        name = look.pop()
        used[name] = lock["packages"][name]
        look += [canonicalize_name(need) for need in used[name]["depends"]]
    lock["packages"] = dict(sorted(used.items()))
    LOCK.write_text(json.dumps(lock, indent=1) + "\n", "utf-8")
    return (
        f"tools/in_browser names the files of Pyodide {version} now. "
        "Build the pages, run the browser's tests, and look at the diff."
    )


if __name__ == "__main__":
    print(main())
