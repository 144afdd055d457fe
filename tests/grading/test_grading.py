"""A class graded: each notebook gets its own verdict, whatever another does, and what is done is not done again."""

import csv
import io
import re
import socket
import stat
import sys
import zipfile

import pytest

import students
from attn_checks.__main__ import main
from attn_checks.grading import grade as grading
from attn_checks.grading import notebook as judge
from attn_checks.grading import reports, sandbox, submissions
from attn_checks.registry import exercises
from attn_checks.run.child import Caller

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="walls are Linux's")
SHOWN = "moved-ids-gone copied-stub-below syntax-error not-json no-notebook deeply-nested".split()
SHOWN += "lacks-it-above raises-above raises-elsewhere hostile-hangs-deaf hostile-writes-outside".split()
SHOWN += "hostile-edits-the-checker hostile-looks-up hostile-calls-out hostile-html hostile-noise =1+1<script>".split()
PASSED = judge.Row("softmax", "passed", "", "Right.")


@pytest.fixture(scope="module")
def port():
    """Of a server that no notebook may call."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture(scope="module")
def a_class(port, tmp_path_factory):
    """Some of them graded: who they are, the folder, the report and what was told meanwhile."""
    folder = tmp_path_factory.mktemp("grading")
    return hand_in(folder, port, lambda name: name in SHOWN), folder, *grade(folder)


def hand_in(folder, port, wanted):
    """The students whose names are wanted; their notebooks are below `folder` then."""
    known = students.everybody(folder / "class" / "outside.txt", port)
    some = [student for student in known if wanted(student.name)]
    students.hand_in(some, folder / "class")
    return some


def grade(folder, seconds=6):
    told = []
    limits = sandbox.Limits(seconds)
    report = grading.grade(
        folder / "class",
        folder / "out",
        limits=limits,
        tell=lambda *a: told.append(a),
    )
    return report, told


def rows_in(folder):
    with (folder / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_each_has_theirs(some, folder):
    rows = [row | {"student": row["student"].removeprefix("'")} for row in rows_in(folder)]
    assert {s.name: students.unlike(s, rows) for s in some} == {s.name: [] for s in some}
    assert not (folder / "class" / "outside.txt").exists()


@pytest.mark.thorough
@pytest.mark.parametrize(  # lesson 10 trains
    ("whole", "seconds"), [pytest.param(True, 20, marks=pytest.mark.weekly), (False, 6)]
)
def test_whole_lessons_and_the_other_notebooks_get_theirs_too(whole, seconds, port, tmp_path):
    some = hand_in(
        tmp_path,
        port,
        lambda name: name not in SHOWN and name.startswith("right-") == whole,
    )
    grade(tmp_path, seconds)
    assert_each_has_theirs(some, tmp_path)


def test_each_gets_the_verdict_that_is_theirs(a_class):
    some, folder, report, _ = a_class
    assert_each_has_theirs(some, folder)
    asked = {row["student"] for row in rows_in(folder) if row["exercise"] == "softmax"}
    assert f"1 of {len(asked)}: only-known-inputs in softmax" in report.summary()
    sentences = {mistake: say for _, _, mistake, _, say in report.mistakes()}
    assert sentences["wrong-axis"].startswith("In a matrix your columns sum to 1, and your rows don't.")


def test_what_is_graded_is_not_run_again(a_class, monkeypatch):
    some, folder, report, told = a_class
    assert len(told) == len(some) + 1  # all of them, one after the other
    monkeypatch.setattr(grading, "graded", None)  # nobody is there to judge
    again, told = grade(folder)
    assert [done for done, *_ in told] == [len(some)]
    assert again.rows() == report.rows()
    changed = folder / "class" / "not-json" / "a.ipynb"
    changed.write_bytes(b"other words")
    again, told = grade(folder)
    assert [each and each.student for *_, each in told] == [None, "not-json"]
    assert [row["status"] for row in again.rows() if row["student"] == "not-json"] == ["not graded"]


def zipped(files):
    with zipfile.ZipFile(made := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_files_are_found_opened_and_refused(tmp_path):
    link = zipfile.ZipInfo("link.ipynb")
    lies = bytearray(zipped({"a.ipynb": bytes(60 * 2**20)}))
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    told = lies.rfind(b"PK\1\2") + 24
    lies[told : told + 4] = (1000).to_bytes(4, "little")  # the size that it tells
    files = {
        "ann.IPYNB": b"",
        "bob.py": b"",
        "cem/hw.zip": zipped({"x/a.ipynb": "{}", "x/._a.ipynb": ""}),
        "dot.zip": zipped({"../a.ipynb": "", "/b.ipynb": "", link: "/etc/passwd"}),
        "gul.zip": zipped({"a.ipynb": bytes(60 * 2**20)}),
        "hal.zip": zipped(dict.fromkeys(map(str, range(1001)), "")),
        "ida.zip": bytes(lies),
        "jo.zip": b"PK",
        "kim.zip": zipped({"a.txt": ""}),
    }
    for name, content in files.items():
        (tmp_path / "class" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "class" / name).write_bytes(content)
    found, left = submissions.find(
        tmp_path / "class",
        tmp_path / "out",
        tmp_path / "unpacked",
    )
    assert left == ["bob.py"]
    read = {each.notebook: each.path.read_bytes() for each in found if each.path}
    inside = {"dot.zip/a.ipynb": b"", "dot.zip/b.ipynb": b"", "dot.zip/link.ipynb": b"/etc/passwd"}
    assert read == {"ann.IPYNB": b"", "hw.zip/x/a.ipynb": b"{}"} | inside
    assert not any(each.path.is_symlink() for each in found if each.path)
    refused = [(each.student, each.problem[1]) for each in found if each.problem]
    why = ["gul 50 MB", "hal 1000 files", "ida Bad CRC", "jo not a zip", "kim no file that ends"]
    for (who, said), expected in zip(refused, why, strict=True):
        assert expected.startswith(who)
        assert expected.partition(" ")[2] in said
    assert not (tmp_path / "unpacked" / "a.ipynb").exists()


def test_a_student_counts_once_with_the_best_answer(tmp_path):
    failed = judge.Row("", "cell failed", "", "Cell 2 raised.")
    made = [
        (
            "ann",
            "1.ipynb",
            [judge.Row("softmax", "not attempted", "", "m"), failed],
        ),
        (
            "ann",
            "2.ipynb",
            [PASSED],
        ),
        (
            "ann",
            "3.ipynb",
            [judge.Row("softmax", "error", "crash", "m")],
        ),
        (
            "bob",
            "b.ipynb",
            [judge.Row("softmax", "incorrect", "wrong-axis", "m", "Look.")],
        ),
        (
            "cem",
            "c.ipynb",
            [judge.Row("scores", "missing", "", "m")],
        ),
    ]
    rows = [[{"student": who, "notebook": file} | row._asdict() for row in rows] for who, file, rows in made]
    report = reports.Report(rows, 5, ["dora.py"], [])
    reports.write(report, tmp_path)
    graded = "5 of 5 notebooks of 3 students graded"
    counts = ["1 of 2 passed softmax", "0 of 1 passed scores", "1 of 2: wrong-axis in softmax"]
    assert report.summary() == [graded, "not looked at: dora.py", *counts]
    with (tmp_path / "students.csv").open(encoding="utf-8", newline="") as file:
        heads, ann, *_, cem = csv.reader(file)
    assert heads == ["student", "passed", "of", "softmax", "scores", "remarks"]
    assert ann == ["ann", "1", "1", "passed", "", "1.ipynb cell failed"]
    assert cem == ["cem", "0", "1", "", "missing", ""]
    told = (tmp_path / "feedback" / "ann" / "feedback.txt").read_text("utf-8")
    assert "1 of 1 exercises passed" in told
    assert "2.ipynb, softmax: passed\nRight." in told
    assert "dora.py" in (tmp_path / "grades.html").read_text("utf-8")


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    def interrupt(done, *_):
        if done == 2:
            raise KeyboardInterrupt

    (tmp_path / "class").mkdir()
    for name in "abcd":
        (tmp_path / "class" / f"{name}.ipynb").write_text(name)
    judged = []
    monkeypatch.setattr(
        grading,
        "graded",
        lambda each, _: judged.append(each.student) or [PASSED],
    )
    with pytest.raises(KeyboardInterrupt):
        grading.grade(tmp_path / "class", tmp_path / "out", tell=interrupt)
    kept = {row["student"] for row in rows_in(tmp_path)}
    judged.clear()
    grading.grade(tmp_path / "class", tmp_path / "out", tell=lambda *_: None)
    assert len(kept) == 2
    assert set(judged) == set("abcd") - kept


@pytest.mark.parametrize("name", exercises())
def test_what_is_right_stays_right_with_columns_shuffled(name):
    exercise = exercises()[name]
    assert all(outcome.raised is None for outcome in exercise.on_other_inputs().wanted)
    with Caller(exercise.right, len(exercise.results)) as caller:
        assert judge.on_other_inputs(exercise, caller) is None


def test_what_students_write_stays_text(a_class):
    _, folder, _, _ = a_class
    page = (folder / "out" / "grades.html").read_text("utf-8")
    assert not re.search(r"<(script|img|a)\b|<[^>]*\b(src|href|on\w+)=", page)
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "=1+1&lt;script&gt;" in page
    assert {(row["student"], row["notebook"]) for row in rows_in(folder)} >= {("'=1+1<script>", "'@b.ipynb")}
    cells = [cell for row in rows_in(folder) for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(reports.FORMULA)]


def test_without_namespaces_too(port, monkeypatch, tmp_path):
    """Where a system allows nobody namespaces of their own, Landlock keeps files and the network."""
    landlock = sandbox.walls_here().landlock
    if landlock < 4:
        pytest.skip("this Linux has no Landlock that knows the network")
    some = hand_in(
        tmp_path,
        port,
        lambda name: name in ("hostile-writes-outside", "hostile-calls-out"),
    )
    monkeypatch.setattr(grading, "walls_here", lambda: sandbox.Walls(False, landlock))
    report, _ = grade(tmp_path)
    assert_each_has_theirs(some, tmp_path)
    assert report.missing[0].startswith("A notebook cannot open TCP connections, but")


@pytest.mark.parametrize(
    ("folder", "output", "says"),
    [
        ("nowhere", "out", "nowhere is no folder. Give the one that holds"),
        ("empty", "out", "holds no .ipynb, no .zip and no folder"),
        ("full", "full", "--output is the folder of the notebooks itself"),
        ("full", "full/a.ipynb", "--output is a file"),
        ("/", "out", "Put the notebooks into a folder of their own"),
    ],
)
def test_bad_folders_are_told(folder, output, says, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.ipynb").write_text("{}")
    assert main(["grade", folder, "--output", output]) == 2
    assert says in capsys.readouterr().err
