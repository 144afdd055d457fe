"""What runs Python in a browser is known by its sha256."""

import hashlib
import re
import sys

import pytest

from course import ROOT

sys.path.append(str(ROOT / "tools" / "in_browser"))
import files  # noqa: E402

PINS = (
    'version = "9"\npublic = "{folder}/public/"\nregistry = "none==0"\nfolder = '
    '""\n[core]\n"a.mjs" = "{digest}"\n[wheels]\n'
)


@pytest.fixture
def pinned(tmp_path, monkeypatch):
    """A folder where `public` is the address of a Pyodide that consists of a.mjs."""
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "a.mjs").write_text("right")
    text = PINS.format(folder=tmp_path.as_uri(), digest=hashlib.sha256(b"right").hexdigest())
    monkeypatch.setattr(files, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(files, "PINS", tmp_path / "pins.toml")
    monkeypatch.setattr(files, "LOCK", tmp_path / "pyodide-lock.json")
    files.PINS.write_text(text)
    files.LOCK.write_text('{"packages": {}}')
    return tmp_path


def test_a_second_build_asks_nobody(pinned):
    files.gather(pinned / "first")
    (pinned / "public" / "a.mjs").unlink()
    files.gather(pinned / "second")
    for name in ("a.mjs", "pyodide-lock.json", "LICENSES.txt"):
        assert (pinned / "second" / name).read_bytes() == (pinned / "first" / name).read_bytes() != b""


@pytest.mark.parametrize("place", ["public", "cache"])
def test_a_wrong_byte_stops_it_and_names_the_file(pinned, place):
    if place == "cache":
        files.gather(pinned / "first")
    [wrong] = (pinned / place).glob("*a.mjs")
    wrong.write_text("wrong")
    with pytest.raises(SystemExit, match=rf"{re.escape(wrong.name)}.* these aren't the bytes"):
        files.gather(pinned / "second")
    assert not (pinned / "second" / "a.mjs").exists()
