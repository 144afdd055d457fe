"""Write the versions that Colab publishes into tests/constraints-colab.txt: `python tools/drift.py FOLDER`.

FOLDER holds os-info.txt and pip-freeze.txt of github.com/googlecolab/backend-info. `git diff` says what
moved. Then change the commit and the date at the top of the file as well and, if Python moved, python-version
in job colab of .github/workflows/ci.yml, and run `nox -s colab`.
"""

import pathlib
import re
import sys

from packaging.utils import canonicalize_name

from _command import ROOT

OURS = ROOT / "tests" / "constraints-colab.txt"
NOT_COLABS = "# Not Colab's"  # the line below which the versions are our own choice


def moved(text, system, freeze):
    """The text of our file with Colab's versions; a package that Colab no longer has is left out."""
    versions = {
        canonicalize_name(name): version for name, version in re.findall(r"(?m)^(\S+)==(\S+)", freeze)
    }

    def newer(pin):
        version = versions.get(canonicalize_name(pin[1]))
        return f"{pin[1]}=={version}\n" if version else ""

    pins, mark, own = text.partition(NOT_COLABS)
    [python] = re.findall(r"(?m)^Python (\d+\.\d+)", system)
    pins = re.sub(r"(?m)^# Python \S+$", f"# Python {python}", pins)
    return re.sub(r"(?m)^([\w.-]+)==\S+\n", newer, pins) + mark + own


def main(folder):
    lists = [pathlib.Path(folder, name).read_text("utf-8") for name in ("os-info.txt", "pip-freeze.txt")]
    OURS.write_text(moved(OURS.read_text("utf-8"), *lists), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
