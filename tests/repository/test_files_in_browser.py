"""What runs Python in a browser is known by its sha256, and the course's wheel has all that it needs."""

import hashlib
import json
import re
import subprocess
import sys
import zipfile

import pytest

import attn_checks as check
from course import ROOT

sys.path.append(str(ROOT / "tools" / "in_browser"))
import course_wheel  # noqa: E402
import files  # noqa: E402

PINS = 'version = "9"\npublic = "{folder}/public/{{name}}"\nregistry = "none==0"\nfolder = ""\n[core]\n"a.mjs" = "{digest}"\n[wheels]\n'


@pytest.fixture
def pinned(tmp_path, monkeypatch):
    """A folder where `public` is the address of a Pyodide that consists of a.mjs."""
    (tmp_path / "public").mkdir()
    (tmp_path / "public" / "a.mjs").write_text("right")
    text = PINS.format(folder=tmp_path.as_uri(), digest=hashlib.sha256(b"right").hexdigest())
    monkeypatch.setattr(files, "PINS", tmp_path / "pins.toml")
    monkeypatch.setattr(files, "LOCK", tmp_path / "lock.json")
    files.PINS.write_text(text)
    files.LOCK.write_text('{"packages": {}}')
    return tmp_path


def test_a_second_build_asks_nobody(pinned):
    files.gather(pinned / "first", pinned / "cache")
    (pinned / "public" / "a.mjs").unlink()
    files.gather(pinned / "second", pinned / "cache")
    for name in ("a.mjs", "pyodide-lock.json", "LICENSES.txt"):
        assert (pinned / "second" / name).read_bytes() == (pinned / "first" / name).read_bytes() != b""


@pytest.mark.parametrize("place", ["public", "cache"])
def test_a_wrong_byte_stops_it_and_names_the_file(pinned, place):
    if place == "cache":
        files.gather(pinned / "first", pinned / "cache")
    [wrong] = (pinned / place).glob("*a.mjs")
    wrong.write_text("wrong")
    with pytest.raises(SystemExit, match=rf"{re.escape(wrong.name)}.* these aren't the bytes"):
        files.gather(pinned / "second", pinned / "cache")
    assert not (pinned / "second" / "a.mjs").exists()


def test_the_course_runs_from_its_wheel_alone(tmp_path):
    wheel = course_wheel.write(tmp_path)
    assert wheel.read_bytes() == course_wheel.write(tmp_path).read_bytes()
    with zipfile.ZipFile(wheel) as content:
        content.extractall(tmp_path / "site")
    say = "import json, attn_helpers as attn, attn_checks as check; attn.load_data('reference_vectors'); print(json.dumps("
    say += (
        "[check.__file__, list(check.EXERCISES), list(check.QUESTIONS), check.softmax(lambda x: x).message]))"
    )
    done = subprocess.run([sys.executable, "-c", say], cwd=tmp_path / "site", capture_output=True, check=True)
    place, exercises, questions, message = json.loads(done.stdout)
    assert place.startswith(str(tmp_path))
    assert exercises == list(check.EXERCISES)
    assert questions == list(check.QUESTIONS)
    assert message == check.softmax(lambda x: x).message


def test_it_is_entered_into_the_lock_with_what_lessons_import(pinned):
    files.gather(pinned / "site", pinned / "cache")
    lock = json.loads((pinned / "site" / "pyodide-lock.json").read_text())
    course = lock["packages"]["attention-from-scratch"]
    assert {"attn_helpers", "attn_checks"} <= set(course["imports"])
    assert course["depends"] == []
    content = (pinned / "site" / course["file_name"]).read_bytes()
    assert hashlib.sha256(content).hexdigest() == course["sha256"]
