"""Make a lesson into an Otter assignment: tests that Otter Grader runs on the lesson's notebook as students hand it in.

python tools/otter_assignment.py 04 --output otter-04      writes otter-04/tests/ and otter-04/autograder.zip
otter run -a otter-04/autograder.zip student.ipynb      writes results.json; `otter grade` does it in a container

One test for each exercise, by its checker: what Otter shows of a wrong answer is the checker's own message. The zip holds
the course, so that the checkers are there where Otter runs. Run this with a Python that has otter-grader 7 and ipykernel
beside what requirements.txt lists, in an environment of its own.
"""

import argparse
import functools
import pathlib
import shutil
import subprocess
import sys
import tempfile

from set_address import ROOT

sys.path.insert(0, str(ROOT))
from attn_checks.grading import contents  # noqa: E402

TEST = """from otter.test_files import test_case

OK_FORMAT = False

name = "{name}"
points = 1


@test_case(points=1, hidden=False)
def {function}(env):
    import attn_checks as check

    feedback = {call}
    assert feedback.status == "passed", feedback.message
"""
COURSE = ("attn_helpers.py", "attn_parts", "attn_checks", "attn_lessons", "notebooks")
copy_folder = functools.partial(shutil.copytree, ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
NEEDS = ("numpy", "matplotlib", "ipywidgets")


def tests_of(lesson):
    """{name of a file: text of an Otter test}, one for each exercise of a lesson."""
    if lesson not in contents.lessons():
        raise SystemExit(f"there is no lesson {lesson}; give one of {', '.join(contents.lessons())}")
    asked, _ = contents.lessons()[lesson]
    return {f"{identifier(each)}.py": test_of(each) for each in asked}


def identifier(asked):
    return "".join(c if c.isalnum() else "_" for c in asked.name)


def test_of(asked):
    given = ", ".join(f"env.get({name!r})" for name in asked.given)
    if asked.checker == "explain":
        call = f"check.explain({asked.name!r}, {given})"
    elif asked.is_function:
        call = f"check.require({asked.checker!r}, {given})"
    else:
        call = f"check.{asked.checker}({given})"
    return TEST.format(name=asked.name, function=f"test_{identifier(asked)}", call=call)


def pack(folder):
    """Have Otter make autograder.zip of the tests in a folder and of the course."""
    with tempfile.TemporaryDirectory() as made:
        for part in COURSE:
            copy = copy_folder if (ROOT / part).is_dir() else shutil.copy
            copy(ROOT / part, pathlib.Path(made, part))
        pins = (ROOT / "requirements.txt").read_text().splitlines()
        needs = [line for line in pins if line.startswith(NEEDS)]
        pathlib.Path(made, "requirements.txt").write_text("\n".join([*needs, "ipykernel"]) + "\n")
        command = ["otter", "generate", "-t", str(folder / "tests"), "-o", str(folder / "autograder.zip")]
        command += ["-r", "requirements.txt", *COURSE]
        done = subprocess.run([sys.executable, "-m", *command], cwd=made, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(
            f"otter generate failed (is otter-grader 7 installed in this Python?):\n{done.stderr[-2000:]}"
        )


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("lesson", help="number of a lesson, as 04")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="a new or empty folder")
    parser.add_argument("--tests-only", action="store_true", help="write the tests, make no zip")
    asked = parser.parse_args(arguments)
    if asked.output.exists() and any(asked.output.iterdir()):
        raise SystemExit(f"{asked.output} is not empty: give a new folder")
    (asked.output / "tests").mkdir(parents=True)
    for name, text in tests_of(asked.lesson).items():
        (asked.output / "tests" / name).write_text(text, encoding="utf-8")
    if not asked.tests_only:
        pack(asked.output.resolve())


if __name__ == "__main__":
    main()
