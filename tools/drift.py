"""Compare the versions that Colab publishes with tests/constraints-colab.txt, and say which lines to change.

    python tools/drift.py FOLDER           fails if a version moved
    python tools/drift.py FOLDER --write   changes those lines instead

FOLDER holds os-info.txt and pip-freeze.txt of github.com/googlecolab/backend-info.
"""

import argparse
import pathlib
import re

from set_address import ROOT

OURS = "tests/constraints-colab.txt"
NOT_COLABS = "# Not Colab's"  # the line below which the versions are our own choice
THEN = """
Change the commit and the date at the top of the file as well and, if Python moved, python-version in job colab of
.github/workflows/ci.yml. Then run `nox -s colab`."""


def plain(name):
    """The one spelling in which package names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def published(system, freeze):
    """{package: version} from the text of Colab's two files; "python" has no third number."""
    versions = {plain(name): version for name, version in re.findall(r"(?m)^([\w.-]+)==(\S+)", freeze)}
    return versions | {"python": re.search(r"(?m)^Python (\d+\.\d+)", system)[1]}


def moved(text, versions):
    """(line number, package, old version, new or None, the line to write) of each pin that is no longer Colab's."""
    found = []
    for number, line in enumerate(text.partition(NOT_COLABS)[0].splitlines(), 1):
        pin = re.fullmatch(r"((?:# )?([\w.-]+)(?:==| ))(\S+)", line)
        if pin and (new := versions.get(plain(pin[2]))) != pin[3]:
            found.append((number, pin[2], pin[3], new, f"{pin[1]}{new}"))
    return found


def tell(number, name, old, new, line):
    if new is None:
        return f"{OURS}:{number}: {name} was {old} and is gone. See how pip-freeze.txt lists it, or take the line out."
    return f"{OURS}:{number}: {name} was {old} and is {new} now. Write {line}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="change the lines")
    asked = parser.parse_args(arguments)
    texts = [(asked.folder / name).read_text(encoding="utf-8") for name in ("os-info.txt", "pip-freeze.txt")]
    lines = (ROOT / OURS).read_text(encoding="utf-8").splitlines(keepends=True)
    found = moved("".join(lines), published(*texts))
    said = "\n".join(tell(*each) for each in found) or "Colab's versions are those of our file."
    if found and not asked.write:
        raise SystemExit(said + THEN)
    for number, _, _, new, line in found:
        lines[number - 1] = f"{line}\n" if new else ""
    (ROOT / OURS).write_text("".join(lines), encoding="utf-8")
    return said


if __name__ == "__main__":
    print(main())
