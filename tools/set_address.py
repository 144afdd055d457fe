"""Write the address where the course is published into every link and setup cell.

    python tools/set_address.py OWNER/NAME              e.g. ada/attention-from-scratch
    python tools/set_address.py OWNER/NAME --ref v1.0   a branch, tag or whole commit id other than main
    python tools/set_address.py OWNER/NAME --colab 2026.07   a past runtime of Colab, or newest
    python tools/set_address.py --check OWNER/NAME      change nothing, fail unless this is the address

The address in use stands in pyproject.toml, table [tool.attention-from-scratch]; every other place is
written from it. The command can be repeated, from any address to any other.
"""

import json
import pathlib
import re
import tomllib
import urllib.parse
from typing import NamedTuple

from _command import ROOT, parser_of

SETUP_CELL = pathlib.Path(__file__).with_name("setup_cell.txt")
UNSET = "YOUR_ACCOUNT/attention-from-scratch"
# GitHub: accounts are letters, digits and single hyphens, up to 39; repositories allow . and _ as well.
REPOSITORY = rf"[A-Za-z0-9](?:-?[A-Za-z0-9]){{0,38}}/(?!\.{{1,2}}$)[A-Za-z0-9._-]{{1,100}}|{UNSET}"
REF = r"[A-Za-z0-9][A-Za-z0-9._-]*"
EXPECTED = {  # what the parts of an Address match, and how that is said
    REPOSITORY: "an address on GitHub, OWNER/NAME, such as ada/attention-from-scratch",
    REF: "a branch, tag or commit fit for a link: letters, digits, '.', '_' and '-'",
    r"newest|20\d\d\.\d\d": "a runtime of Colab: newest, or one such as 2026.07",
}
TEXT_FILES = [
    "tools/setup_cell.txt",
    "*.md",
    "teaching/*.md",
    "attn_lessons/*/teaching.md",
    "*.cff",
    "notebooks/*.ipynb",
]
TEXT_FILES += [".github/**/*.yml", ".github/**/*.md", "binder/*", "attn_*/**/*.html"]


class Address(NamedTuple):
    repository: str
    ref: str
    colab_runtime: str = "newest"


def current(root=ROOT):
    """The address that the course has now, from pyproject.toml."""
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    table = settings["tool"]["attention-from-scratch"]
    return Address(table["repository"], table["ref"], table["colab_runtime"])


def setup_cell():
    """The text of every lesson's setup cell."""
    return SETUP_CELL.read_text("utf-8").rstrip("\n")


def colab(notebook):
    """Where Colab opens one notebook."""
    address = current()
    blob = f"{address.repository}/blob/{address.ref}/notebooks/{notebook}"
    return f"https://colab.research.google.com/github/{blob}"


def colab_metadata(address=None):
    """What every notebook tells Colab: no assistant, who would do the exercises, and a pinned runtime."""
    runtime = (address or current()).colab_runtime
    pinned = {"runtime_attributes": {"runtime_version": runtime}} if runtime != "newest" else {}
    return {"generative_ai_disabled": True, **pinned}


def binder(notebook):
    """Where Binder opens one notebook."""
    address = current()
    urlpath = urllib.parse.quote(f"lab/tree/notebooks/{notebook}", safe="")
    return f"https://mybinder.org/v2/gh/{address.repository}/{address.ref}?urlpath={urlpath}"


def in_browser(notebook):
    """Where the pages open one notebook to run in the reader's browser."""
    return f"https://{pages(current())}/lite/notebooks/index.html?path=notebooks/{notebook}"


def links(notebook):
    """The line of links that open one notebook, in words, because pictures come from other hosts."""
    ways = {"your browser": in_browser, "Colab": colab, "Binder": binder}
    return " · ".join(f"[Open in {name}]({address(notebook)})" for name, address in ways.items())


def set_address(new, root=ROOT):
    """Write `new` everywhere below `root`; return the files that changed."""
    old = current(root)
    changed = []
    for path in files_with_addresses(root):
        before = path.read_text("utf-8")
        after = rewrite(before, old, new)
        if path.suffix == ".ipynb":
            after = told_to_colab(after, new)
        if after != before:
            path.write_text(after, "utf-8", newline="\n")
            changed.append(path)
    return changed


def files_with_addresses(root=ROOT):
    found = {path for pattern in TEXT_FILES for path in root.glob(pattern) if path.is_file()}
    return [root / "pyproject.toml", *sorted(found)]


def rewrite(text, old, new):
    """`text` with the old repository and, where a link names a branch or tag, the old ref replaced."""
    repository = rf"(?<![\w-]){re.escape(old.repository)}(?![\w-])"
    ref = re.escape(old.ref)
    with_ref = rf"(?P<start>{repository})(?P<way>/blob/|/tree/|/raw/|/| ){ref}(?=[/?\\\"')\s]|$)"
    text = re.sub(with_ref, rf"\g<start>\g<way>{new.ref}", text)
    text = re.sub(rf'(?m)^ref = "{ref}"', f'ref = "{new.ref}"', text)
    text = re.sub(r'(?m)^colab_runtime = ".*"', f'colab_runtime = "{new.colab_runtime}"', text)
    text = re.sub(rf"(?<![\w.-]){re.escape(pages(old))}(?![\w-])", pages(new), text)
    return re.sub(repository, new.repository, text)


def pages(address):
    """Where GitHub shows the pages of this repository."""
    return "{}.github.io/{}".format(*address.repository.split("/"))


def told_to_colab(text, address):
    """The notebook `text` with what it tells Colab."""
    notebook = json.loads(text)
    notebook["metadata"]["colab"] = colab_metadata(address)
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main(arguments=None):
    now = current()
    parser = parser_of(__doc__)
    parser.add_argument("repository", metavar="OWNER/NAME")
    parser.add_argument("--ref", default=now.ref, help="what links and setup cells use")
    parser.add_argument("--colab", default=now.colab_runtime, help="newest, or a past runtime")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if the address is another")
    asked = parser.parse_args(arguments)
    address = Address(asked.repository, asked.ref, asked.colab)
    for text, (pattern, wanted) in zip(address, EXPECTED.items(), strict=True):
        if not re.fullmatch(pattern, text):
            parser.error(f"{text!r} isn't {wanted}")
    if asked.check:
        if address == now:
            return f"The course's address is {now.repository}, {now.ref}."
        raise SystemExit(
            f"The course's links name {now.repository}, {now.ref}. Run\n"
            f"    python tools/set_address.py {address.repository} --ref {address.ref}\n"
            "and commit what it changes."
        )
    changed = set_address(address)
    return f"The course's address is {address.repository}, {address.ref}: {len(changed)} files changed."


if __name__ == "__main__":
    print(main())
