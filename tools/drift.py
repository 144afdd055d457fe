"""Compare the versions that Colab publishes with tests/constraints-colab.txt, and say which lines to change.

    python tools/drift.py FOLDER           fails if a version moved
    python tools/drift.py FOLDER --write   changes those lines instead

FOLDER holds os-info.txt and pip-freeze.txt of github.com/googlecolab/backend-info.
"""

import pathlib
import re
import sys

from _command import ROOT

OURS = "tests/constraints-colab.txt"
NOT_COLABS = "# Not Colab's"  # the line below which the versions are our own choice
THEN = """
Change the commit and the date at the top of the file as well and, if Python moved, python-version in job
colab of .github/workflows/ci.yml. Then run `nox -s colab`."""


def plain(name):
    """The one spelling in which package names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def published(folder):
    """{package: version} of what Colab has; "python" has no third number."""
    system, freeze = ((folder / name).read_text("utf-8") for name in ("os-info.txt", "pip-freeze.txt"))
    versions = {plain(name): version for name, version in re.findall(r"(?m)^([\w.-]+)==(\S+)", freeze)}
    return versions | {"python": re.search(r"(?m)^Python (\d+\.\d+)", system)[1]}


def moved(text, versions):
    """{line number: (package, old version, new line or "")} of each pin that is no longer Colab's."""
    found = {}
    for number, line in enumerate(text.partition(NOT_COLABS)[0].splitlines(), 1):
        pin = re.fullmatch(r"((?:# )?([\w.-]+)(?:==| ))(\S+)", line)
        if pin and (new := versions.get(plain(pin[2]))) != pin[3]:
            found[number] = pin[2], pin[3], new and pin[1] + new
    return found


def main(folder, *options):
    text = (ROOT / OURS).read_text("utf-8")
    found = moved(text, published(pathlib.Path(folder)))
    if found and options != ("--write",):
        said = [
            f"{OURS}:{number}: {name} {old} moved. "
            + (f"Write {line}" if line else "pip-freeze.txt has no version of it")
            for number, (name, old, line) in found.items()
        ]
        raise SystemExit("\n".join(said) + THEN)
    lines = text.splitlines(keepends=True)
    for number, (_, _, line) in found.items():
        lines[number - 1] = line + "\n" if line else ""
    (ROOT / OURS).write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
