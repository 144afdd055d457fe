"""What surrounds the lessons: the public address, README, links, Binder, licences."""

import re
import shutil
import tomllib

import nbformat
import pytest
import yaml

import check_links
import course
import draw_heatmap
import nbval_pictures
import pages
import set_address
from course import ROOT

ADDRESS = set_address.current()
# Everywhere that a repository of GitHub stands in a way that must be the course's own.
OWN = re.compile(
    r"colab\.research\.google\.com/github/(?P<colab>[^/\s]+/[^/\s]+)/blob/(?P<colab_ref>[^/\s]+)/"
    r"|mybinder\.org/v2/gh/(?P<binder>[^/\s]+/[^/\s]+)/(?P<binder_ref>[^?\s]+)\?"
    r"|git clone [^\n]*?https://github\.com/(?P<clone>[^/\s]+/[^/\s\"']+)"
    r"|COURSE = .https://github\.com/(?P<cell>[^/\s]+/[^/\s]+) (?P<cell_ref>[\w.-]+)"
    r"|codespaces\.new/(?P<codespaces>[^/\s]+/[^/\s)]+)\)"
    r"|Read it as pages\]\(https://(?P<pages>[^/\s.]+\.github\.io/[^/\s]+)/"
    r"|repository-code: https://github\.com/(?P<cited>[^/\s]+/[^/\s]+)"
    r"|https://github\.com/(?P<link>[^/\s]+/[^/\s)]+)/actions"
)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def own_addresses(root):
    """(file, repository or ref) for every occurrence below `root`."""
    for path in set_address.files_with_addresses(root):
        for match in OWN.finditer(path.read_text(encoding="utf-8").replace("\\n", "\n").replace('\\"', '"')):
            for kind, value in match.groupdict().items():
                if kind == "pages" and value:
                    value = value.replace(".github.io", "")
                if value:
                    yield path.relative_to(root).as_posix(), kind, value


def copy_of_the_course(folder):
    for path in set_address.files_with_addresses(ROOT):
        target = folder / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return folder


def test_every_address_is_the_one_in_pyproject():
    found = list(own_addresses(ROOT))
    assert {"README.md", "CITATION.cff"} <= {file for file, _, _ in found}
    for file, kind, value in found:
        wanted = ADDRESS.ref if kind.endswith("_ref") else ADDRESS.repository
        assert value == wanted, f"{file}: run python tools/set_address.py {ADDRESS.repository}"


def test_address_can_be_set_again_and_again(tmp_path):
    course = copy_of_the_course(tmp_path)
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    for address in (
        set_address.Address("bob-2/my.course_1", "v1.0"),
        set_address.Address("c/d", "main"),
        ADDRESS,
    ):
        set_address.set_address(address, course)
        assert set_address.current(course) == address
        values = {(kind.endswith("_ref"), value) for _, kind, value in own_addresses(course)}
        assert values == {(False, address.repository), (True, address.ref)}
        assert set_address.set_address(address, course) == [], "the second time nothing is left to change"
        for notebook in (course / "notebooks").glob("*.ipynb"):
            assert set_address.badges(notebook.name, address) in notebook.read_text(encoding="utf-8")
    assert {path: path.read_bytes() for path in course.rglob("*") if path.is_file()} == before


def test_address_leaves_longer_names_alone():
    old, new = set_address.Address("ada/course", "main"), set_address.Address("bob/lessons", "v1.0")
    text = "https://github.com/ada/course-2 https://ada.github.io/course/ canada/course ada/course.git gh/ada/course/main?x ada/course"
    assert set_address.rewrite(text, old, new) == (
        "https://github.com/ada/course-2 https://bob.github.io/lessons/ canada/course bob/lessons.git gh/bob/lessons/v1.0?x bob/lessons"
    )


WRONG = [
    "ada",
    "https://github.com/ada/course",
    "ada/course/more",
    "a_b/course",
    "-a/course",
    "a--b/c",
    "ada/..",
]


@pytest.mark.parametrize("wrong", WRONG)
def test_malformed_address_is_refused(wrong):
    with pytest.raises(SystemExit, match="is no GitHub address. Expected OWNER/NAME"):
        set_address.read_address(wrong, "main")


def test_another_repository_name_is_noticed_with_the_command_to_run():
    set_address.main(["--check", ADDRESS.repository])
    with pytest.raises(SystemExit, match="python tools/set_address.py somebody/else\n"):
        set_address.main(["--check", "somebody/else"])
    with pytest.raises(SystemExit, match=f"python tools/set_address.py {ADDRESS.repository} --ref v9.9\n"):
        set_address.main(["--check", ADDRESS.repository, "--ref", "v9.9"])


def test_links_that_lead_nowhere_are_named(tmp_path):
    """Documents have GitHub's anchors, notebooks JupyterLab's; code and addresses on the web are left alone."""
    (tmp_path / "guide.md").write_text("# How to *do* it!\n```sh\n# no heading\n```\n")
    cells = [nbformat.v4.new_markdown_cell("## Which way, `K.T`?"), nbformat.v4.new_code_cell("'[x](gone)'")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "lesson.ipynb")
    good = "[a](guide.md#how-to-do-it) [b](lesson.ipynb#Which-way,-K.T?) [c](https://x.org/y) `[d](e)` [f](#here)"
    bad = [
        "gone.md",
        "guide.md#no-heading",
        "lesson.ipynb#which-way",
        "#there",
        f"{ROOT.as_posix()}/README.md",
    ]
    links = " ".join(f"[x]({target})" for target in bad) + " <img src='none.png'>\n[^1]: a note\n[y]: none.md"
    bad += ["none.png", "none.md"]
    (tmp_path / "start.md").write_text(f"# Here\n{good}\n{links}\n")
    found = check_links.broken_links(tmp_path / "start.md")
    assert [line.split(": ")[1] for line in found] == bad
    assert check_links.main([str(tmp_path / "start.md")]) == 1
    assert check_links.main([str(tmp_path / "guide.md"), str(tmp_path / "lesson.ipynb")]) == 0


@pytest.mark.parametrize("mark", [None, ".nojekyll", ".git"])
def test_a_folder_with_something_else_is_never_overwritten(tmp_path, mark):
    (tmp_path / "thesis.txt").write_text("mine")
    if mark:  # a branch of pages made in another way
        (tmp_path / mark).touch()
    with pytest.raises(SystemExit, match="holds something else"):
        pages.refuse_to_overwrite(tmp_path, ".buildinfo", ".nojekyll")


def test_readme_pictures_have_alternative_text():
    for tag in re.findall(r"<img\b[^>]*>", read("README.md")):
        assert re.search(r'alt="[^"]{20,}"', tag), tag


def test_readme_picture_is_what_its_script_draws(tmp_path, request):
    draw_heatmap.main(tmp_path / "drawn.png")
    files = draw_heatmap.PICTURE, tmp_path / "drawn.png"
    stored, now = (nbval_pictures.picture(file.read_bytes()) for file in files)
    coarse = request.config.getoption("--coarse-pictures")
    assert nbval_pictures.difference(stored, now, coarse) is None, "run python tools/draw_heatmap.py"


def test_readme_lists_every_lesson_with_its_minutes():
    listed = re.findall(r"\]\(notebooks/(\w+\.ipynb)\).* (\d+) \|", read("README.md"))
    times = {
        path.name: re.search(r"\*\*Time:\*\* (\d+) min", course.read(path).cells[0].source)
        for path in course.NOTEBOOKS
    }
    wanted = [(name, time[1]) for name, time in sorted(times.items())]
    differ = sorted(set(listed) ^ set(wanted))
    assert listed == wanted, (
        f"README's table must have a row for each lesson, in order, with its minutes: {differ}"
    )


def packages(name):
    lines = [line.split("#")[0].strip() for line in read(name).splitlines()]
    return [line for line in lines if line]


PINS = dict(
    re.findall(r"(?m)^(\w+)==([\d.]+)", read("requirements.txt"))
)  # NumPy's is the one of the newest Python


def test_versions_are_pinned_in_one_place():
    """What a learner installs, exactly; Binder the same without nbval, the tests on top of it."""
    assert {"numpy", "matplotlib", "jupyterlab", "ipywidgets", "nbval"} <= set(PINS)
    needed = ["numpy", "matplotlib", "jupyterlab", "ipywidgets"]
    assert packages("binder/requirements.txt") == ["-c ../requirements.txt", *needed]
    first, *beside = packages("tests/requirements.txt")
    assert first == "-r ../requirements.txt"
    assert not set(PINS) & {line.split("==")[0] for line in beside}


@pytest.mark.parametrize("line", tomllib.loads(read("pyproject.toml"))["dependency-groups"]["tried"])
def test_pins_are_among_the_versions_tried(line):
    package, low, high = re.fullmatch(r"(\w+) >=([\d.]+), <([\d.]+)", line).groups()
    assert parts(low) <= parts(PINS[package]) < parts(high)


def parts(version):
    return [int(part) for part in version.split(".")]


def test_colab_is_tried_with_colabs_python():
    [colab] = re.findall(r"(?m)^# Python (3\.\d+)$", read("tests/constraints-colab.txt"))
    job = yaml.safe_load(read(".github/workflows/ci.yml"))["jobs"]["colab"]
    assert [
        step["with"]["python-version"] for step in job["steps"] if "setup-python" in step.get("uses", "")
    ] == [colab]


def test_binder_names_a_supported_python():
    assert re.fullmatch(r"python-3\.1[1-4]", read("binder/runtime.txt").strip())


def test_licences_and_citation():
    assert "MIT License" in read("LICENSE")
    assert "https://creativecommons.org/licenses/by/4.0/" in read("LICENSE-CC-BY-4.0")
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["license"] == ["MIT", "CC-BY-4.0"]
    assert citation["repository-code"] == f"https://github.com/{ADDRESS.repository}"
