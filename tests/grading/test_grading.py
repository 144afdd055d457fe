"""A class graded: each notebook gets its own verdict, and what is done is not done again."""

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
from attn_checks.exercise import exercises
from attn_checks.grading import grade as grading
from attn_checks.grading import reports, submissions
from attn_checks.grading.notebook import Row, on_other_inputs
from attn_checks.grading.sandbox import Limits, Walls, walls_here
from attn_checks.run.child import Caller

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="walls are Linux's")
SOME = "moved copied-stub-below syntax-error not-json no-notebook deeply-nested lacks-it-above".split()
SOME += "raises-above raises-elsewhere hostile-hangs hostile-writes-outside hostile-garbles".split()
SOME += "hostile-edits-the-checker hostile-looks-up hostile-calls-out hostile-html =1+1<script>".split()
PASSED = Row("softmax", "passed", "", "Right.")


@pytest.fixture
def class_of(tmp_path_factory):
    """Make a folder with the notebooks of the students whose names are wanted."""
    with socket.create_server(("127.0.0.1", 0)) as server:  # which no notebook may call

        def hand_in(wanted):
            folder = tmp_path_factory.mktemp("grading")
            _, port = server.getsockname()
            everybody = students.everybody(folder / "class" / "outside.txt", port)
            some = [student for student in everybody if wanted(student.name)]
            students.hand_in(some, folder / "class")
            return some, folder

        yield hand_in


def grade(folder, tell=lambda *told: None, walls=None, seconds=6):
    walls = walls or walls_here()
    return grading.grade(folder / "class", folder / "out", walls, Limits(seconds), tell=tell)


def answers_in(folder):
    with (folder / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_each_has_theirs(some, folder):
    rows = answers_in(folder)
    for student in some:
        names = student.name, f"'{student.name}"  # as a cell that is no formula
        own = [row for row in rows if row["student"] in names]
        assert not students.unlike(student, own), student.name
    assert not (folder / "class" / "outside.txt").exists()


@pytest.mark.thorough
@pytest.mark.parametrize("whole", [pytest.param(True, marks=pytest.mark.weekly), False])
def test_whole_lessons_and_the_other_notebooks_get_theirs_too(whole, class_of):
    def wanted(name):
        return name not in SOME and name.startswith("right-") == whole

    some, folder = class_of(wanted)
    grade(folder, seconds=20)  # lesson 10 trains
    assert_each_has_theirs(some, folder)


def test_each_gets_the_verdict_that_is_theirs_once_and_as_text(class_of, monkeypatch):
    some, folder = class_of(SOME.__contains__)
    told = []
    report = grade(folder, lambda *given: told.append(given))
    assert len(told) == len(some) + 1  # all of them, one after the other
    assert_each_has_theirs(some, folder)
    say = "In a matrix your columns sum to 1, and your rows don't."
    assert any(what.startswith(say) for *_, what in report.mistakes())
    page = (folder / "out" / "grades.html").read_text("utf-8")
    assert not re.search(r"<(script|img|a)\b|<[^>]*\b(src|href|on\w+)=", page)
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    assert "=1+1&lt;script&gt;" in page
    cells = [cell for row in answers_in(folder) for cell in row.values()]
    assert {"'=1+1<script>", "'@b.ipynb"} <= set(cells)
    assert not [cell for cell in cells if cell.startswith(reports.FORMULA)]

    monkeypatch.setattr(grading, "graded", None)  # nobody is there to judge
    assert grade(folder).rows() == report.rows()
    (folder / "class" / "not-json" / "a.ipynb").write_bytes(b"other words")
    [changed] = (row for row in grade(folder).rows() if row not in report.rows())
    assert changed["student"] == "not-json"
    assert changed["status"] == "not graded"


def zipped(files):
    with zipfile.ZipFile(made := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def test_files_are_found_opened_and_refused(tmp_path):
    link = zipfile.ZipInfo("link.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    lies = bytearray(zipped({"a.ipynb": bytes(60 * 2**20)}))
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
    found, left = submissions.find(tmp_path / "class", tmp_path / "out", tmp_path / "unpacked")
    assert left == ["bob.py"]
    assert {each.notebook: each.path.read_bytes() for each in found if each.path} == {
        "ann.IPYNB": b"",
        "hw.zip/x/a.ipynb": b"{}",
        "dot.zip/a.ipynb": b"",
        "dot.zip/b.ipynb": b"",
        "dot.zip/link.ipynb": b"/etc/passwd",
    }
    assert not any(each.path.is_symlink() for each in found if each.path)
    assert not (tmp_path / "unpacked" / "a.ipynb").exists()
    refused = {each.student: each.problem[1] for each in found if each.problem}
    why = {
        "gul": "50 MB",
        "hal": "1000 files",
        "ida": "Bad CRC",
        "jo": "not a zip",
        "kim": "no file that ends",
    }
    assert refused.keys() == why.keys()
    assert all(words in refused[who] for who, words in why.items())


def test_a_student_counts_once_with_the_best_answer(tmp_path):
    failed = Row("", "cell failed", "", "Cell 2 raised.")
    handed_in = [
        ("ann", "1.ipynb", [Row("softmax", "not attempted", "", "m"), failed]),
        ("ann", "2.ipynb", [PASSED]),
        ("ann", "3.ipynb", [Row("softmax", "error", "crash", "m")]),
        ("bob", "b.ipynb", [Row("softmax", "incorrect", "wrong-axis", "m", "Look.")]),
        ("cem", "c.ipynb", [Row("scores", "missing", "", "m")]),
    ]
    notebooks = []
    for who, file, rows in handed_in:
        own = {"student": who, "notebook": file}
        notebooks.append([own | row._asdict() for row in rows])
    report = reports.Report(notebooks, 5, ["dora.py"], [])
    reports.write(report, tmp_path)
    assert list(report.summary()) == [
        "5 of 5 notebooks of 3 students graded",
        "not looked at: dora.py",
        "1 of 2 passed softmax",
        "0 of 1 passed scores",
        "1 of 2: wrong-axis in softmax",
    ]
    assert (tmp_path / "students.csv").read_text("utf-8").split("\n") == [
        "student,passed,of,softmax,scores,remarks",
        "ann,1,1,passed,,1.ipynb cell failed",
        "bob,0,1,incorrect,,",
        "cem,0,1,,missing,",
        "",
    ]
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

    def graded(submission, new_worker):
        judged.append(submission.student)
        return [PASSED]

    monkeypatch.setattr(grading, "graded", graded)
    with pytest.raises(KeyboardInterrupt):
        grade(tmp_path, interrupt)
    judged.clear()
    report = grade(tmp_path)
    assert len(judged) == 2
    assert report.students() == list("abcd")


@pytest.mark.parametrize("name", exercises())
def test_what_is_right_stays_right_with_columns_shuffled(name):
    exercise = exercises()[name]
    assert all(outcome.raised is None for outcome in exercise.on_other_inputs().wanted)
    with Caller(exercise.right, len(exercise.results)) as caller:
        assert on_other_inputs(exercise, caller) is None


def test_without_namespaces_too(class_of):
    """Where a system allows nobody namespaces of their own, Landlock keeps files and the network."""
    landlock = walls_here().landlock
    if landlock < 4:
        pytest.skip("this Linux has no Landlock that knows the network")
    some, folder = class_of(["hostile-writes-outside", "hostile-calls-out"].__contains__)
    report = grade(folder, walls=Walls(False, landlock))
    assert_each_has_theirs(some, folder)
    assert report.missing[0].startswith("A notebook cannot open TCP connections, but")


@pytest.mark.parametrize(
    ("folder", "output", "says"),
    [
        ("nowhere", "out", "nowhere is no folder. Give the one that holds"),
        ("empty", "out", "holds no .ipynb, no .zip and no folder"),
        ("full", "full", "--output is the folder of the notebooks itself"),
        ("full", "file", "Give --output another folder"),
        ("/", "out", "Put the notebooks into a folder of their own"),
    ],
)
def test_bad_folders_are_told(folder, output, says, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "full" / "a.ipynb").write_text("{}")
    assert main(["grade", folder, "--output", output]) == 2
    assert says in capsys.readouterr().err
