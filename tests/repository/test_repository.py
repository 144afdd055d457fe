"""What surrounds the lessons: the public address, README, links, versions, an older Python."""

import re
import shutil
import subprocess
import tomllib

import nbformat
import pytest
import yaml
from uv import find_uv_bin

import check_links
import course
import draw_readme
import pages
import set_address
from course import ROOT
from environments import python

ADDRESS = set_address.current()
# Everywhere that a repository of GitHub, or a branch of it, must be the course's own.
REPOSITORY = re.compile(
    r"(?:colab\.research\.google\.com/github/|mybinder\.org/v2/gh/|codespaces\.new/"
    r"|repository-code: https://github\.com/|git clone [^\n]*?https://github\.com/"
    r"|COURSE = \\?.https://github\.com/|https://github\.com/(?=[^)\s]+/actions))"
    r"([^/\s]+/[^/\s\"')]+)"
)
PAGES = re.compile(r"Open in your browser\]\(https://([^/\s.]+)\.github\.io(/[^/\s]+)/")
REF = re.compile(
    r"/blob/([^/\s]+)/notebooks/|mybinder\.org/v2/gh/[^/]+/[^/]+/([^?\s]+)\?|COURSE = \S+ ([\w.-]+)"
)


def read(name):
    return (ROOT / name).read_text("utf-8")


def contents(root):
    return {path: path.read_text("utf-8") for path in set_address.files_with_addresses(root)}


def test_every_address_can_be_set_again_and_again(tmp_path):
    """And back, after which every file is as it was: so all copies of the address here are equal."""
    for path in set_address.files_with_addresses(ROOT):
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / path.relative_to(ROOT))
    before = contents(tmp_path)
    for address in (set_address.Address("bob-2/my.course_1", "v1.0", "2026.07"), ADDRESS):
        set_address.set_address(address, tmp_path)
        assert set_address.current(tmp_path) == address
        text = "\n".join(contents(tmp_path).values())
        assert {*REPOSITORY.findall(text), *map("".join, PAGES.findall(text))} == {address.repository}
        assert set(map("".join, REF.findall(text))) == {address.ref}
        told = course.read(tmp_path / "notebooks" / course.NOTEBOOKS[3].name).metadata.colab
        pinned = told.get("runtime_attributes", {}).get("runtime_version", "newest")
        assert (pinned, told["generative_ai_disabled"]) == (address.colab_runtime, True)
        assert set_address.set_address(address, tmp_path) == [], "the second time nothing is left to change"
    assert contents(tmp_path) == before


def test_address_leaves_longer_names_alone():
    old = set_address.Address("ada/course", "main")
    new = set_address.Address("bob/lessons", "v1.0")
    text = "gh/ada/course-2 https://ada.github.io/course/ canada/course ada/course.git gh/ada/course/main?x"
    changed = "gh/ada/course-2 https://bob.github.io/lessons/ canada/course bob/lessons.git"
    assert set_address.rewrite(text, old, new) == f"{changed} gh/bob/lessons/v1.0?x"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["https://github.com/ada/course"], "isn't an address on GitHub, OWNER/NAME"),
        (["a--b/c"], "isn't an address"),
        (["ada/.."], "isn't an address"),
        (["ada/course", "--ref", "a/b"], "isn't a branch, tag or commit"),
        (["ada/course", "--colab", "26.7"], "isn't a runtime of Colab"),
    ],
)
def test_malformed_address_is_refused(arguments, why, capsys):
    with pytest.raises(SystemExit):
        set_address.main(["--check", *arguments])
    assert why in capsys.readouterr().err


def test_another_address_is_noticed_with_the_command_to_run():
    set_address.main(["--check", ADDRESS.repository])
    with pytest.raises(SystemExit, match="python tools/set_address.py ada/course --ref v9.9\n"):
        set_address.main(["--check", "ada/course", "--ref", "v9.9"])


def test_links_that_lead_nowhere_are_named(tmp_path):
    """Documents have GitHub's anchors, notebooks JupyterLab's; code and other hosts are left alone."""
    (tmp_path / "guide.md").write_text("# How to *do* it!\n```sh\n# no heading\n```\n")
    cells = [nbformat.v4.new_markdown_cell("## Which way, `K.T`?"), nbformat.v4.new_code_cell("'[x](gone)'")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "lesson.ipynb")
    good = (
        "[a](guide.md#how-to-do-it) [b](lesson.ipynb#Which-way,-K.T?) [c](https://x.org) `[d](e)` [f](#here)"
    )
    bad = [
        "gone.md",
        "guide.md#no-heading",
        "lesson.ipynb#which-way",
        "#there",
        f"{ROOT.as_posix()}/README.md",
    ]
    links = " ".join(f"[x]({target})" for target in bad) + " <img src='none.png'>"
    (tmp_path / "start.md").write_text(f"# Here\n{good}\n{links}\n")
    found = check_links.broken_links(tmp_path / "start.md")
    assert [line.split(": ")[1] for line in found] == [*bad, "none.png"]
    assert check_links.main([tmp_path / "start.md"]) == 1
    assert check_links.main([tmp_path / "guide.md", tmp_path / "lesson.ipynb"]) == 0


def test_a_folder_with_something_else_is_never_overwritten(tmp_path):
    for name in ("thesis.txt", ".nojekyll"):  # a branch of pages made in another way
        (tmp_path / name).touch()
    with pytest.raises(SystemExit, match="holds something else"):
        pages.refuse_to_overwrite(tmp_path, ".buildinfo", ".nojekyll")


def test_readme_pictures_are_what_their_script_draws_and_described():
    for name, svg in draw_readme.pictures().items():
        assert read(f".github/{name}") == svg, "run python tools/draw_readme.py"
        assert len(svg.encode()) < 150_000
    for tag in re.findall(r"<img\b[^>]*>", read("README.md")):
        assert re.search(r'alt="[^"]{20,}"', tag), tag


def test_readme_lists_every_lesson_with_its_minutes():
    listed = re.findall(r"\]\(notebooks/(\w+\.ipynb)\).* (\d+) \|", read("README.md"))
    told = [course.read(path).cells[0].source for path in course.NOTEBOOKS]
    times = [re.search(r"\*\*Time:\*\* (\d+) min", text)[1] for text in told]
    names = [path.name for path in course.NOTEBOOKS]
    assert listed == list(zip(names, times, strict=True))


def packages(name):
    lines = [line.split("#")[0].strip() for line in read(name).splitlines()]
    return [line for line in lines if line]


PINS = dict(re.findall(r"(?m)^(\w+)==([\d.]+)", read("requirements.txt")))  # NumPy's: the newest Python's


def test_versions_are_pinned_in_one_place():
    """What a learner installs, exactly; Binder the same without nbval, the tests on top of it."""
    needed = ["numpy", "matplotlib", "jupyterlab", "ipywidgets"]
    assert {*needed, "nbval"} <= set(PINS)
    assert packages("binder/requirements.txt") == [
        "-c ../requirements.txt",
        *needed,
        "ipykernel>=7.1",
    ]
    first, *beside = packages("tests/requirements.txt")
    assert first == "-r ../requirements.txt"
    assert not set(PINS) & {line.split("==")[0] for line in beside}


@pytest.mark.parametrize("line", tomllib.loads(read("pyproject.toml"))["dependency-groups"]["tried"])
def test_pins_are_among_the_versions_tried(line):
    package, low, high = re.fullmatch(r"(\w+) >=([\d.]+), <([\d.]+)", line).groups()
    assert parts(low) <= parts(PINS[package]) < parts(high)


def parts(version):
    return [int(part) for part in version.split(".")]


@pytest.mark.parametrize(
    "use",
    ["import attn_helpers", "import runpy; runpy.run_module('attn_checks', run_name='__main__')"],
)
def test_an_older_python_gets_one_sentence(use):
    program = f"import sys; sys.version_info = (3, 10, 14); {use}"
    done = python("-S", "-c", program, cwd=ROOT)  # which finds no package, NumPy neither
    assert done.returncode == 1
    assert done.stderr == "This course needs Python 3.11 or newer; this is 3.10.\n"


def test_an_older_python_installs_nothing_and_says_why():
    options = "pip compile -q --no-config --no-index --python-version 3.10 tests/requirements.txt".split()
    done = subprocess.run([find_uv_bin(), *options], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    why = "this-course-needs-python-3-11-or-newer<0, which does not allow any versions"
    assert why in " ".join(done.stderr.split())
    assert packages("requirements.txt")[0].startswith("This-course-needs-Python")  # pip stops at the first


def test_colab_is_tried_with_colabs_python():
    [colab] = re.findall(r"(?m)^# Python (3\.\d+)$", read("tests/constraints-colab.txt"))
    job = yaml.safe_load(read(".github/workflows/ci.yml"))["jobs"]["colab"]
    [python] = [step["with"] for step in job["steps"] if "setup-python" in step.get("uses", "")]
    assert python["python-version"] == colab


def test_ruff_is_the_same_before_a_commit_and_in_tests():
    hooks = re.findall(r"- (ruff==\S+)", read(".pre-commit-config.yaml"))
    assert hooks == [line for line in packages("tests/requirements.txt") if line.startswith("ruff==")]
