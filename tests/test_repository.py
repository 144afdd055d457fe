"""What surrounds the lessons: the public address, README, Binder, workflow, licences."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import yaml

import set_address
from course import ROOT

ADDRESS = set_address.current()
# Everywhere that a repository of GitHub stands in a way that must be the course's own.
OWN = re.compile(
    r"colab\.research\.google\.com/github/(?P<colab>[^/\s]+/[^/\s]+)/blob/(?P<colab_ref>[^/\s]+)/"
    r"|mybinder\.org/v2/gh/(?P<binder>[^/\s]+/[^/\s]+)/(?P<binder_ref>[^?\s]+)\?"
    r"|git clone [^\n]*?https://github\.com/(?P<clone>[^/\s]+/[^/\s\"']+)"
    r"|COURSE = .https://github\.com/(?P<cell>[^/\s]+/[^/\s]+) (?P<cell_ref>[\w.-]+)"
    r"|(?:repository-code: |\]\()https://github\.com/(?P<link>[^/\s]+/[^/\s)]+)(?=[\n)]|/actions)"
)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def own_addresses(root):
    """(file, repository or ref) for every occurrence below `root`."""
    for path in set_address.files_with_addresses(root):
        for match in OWN.finditer(path.read_text(encoding="utf-8").replace("\\n", "\n").replace('\\"', '"')):
            for kind, value in match.groupdict().items():
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
        assert value == wanted, f"{file}: run python .ci/set_address.py {ADDRESS.repository}"


def test_address_can_be_set_again_and_again(tmp_path):
    course = copy_of_the_course(tmp_path)
    before = {path: path.read_bytes() for path in course.rglob("*") if path.is_file()}
    addresses = [
        ("ada/attention-from-scratch", "main"),
        ("bob-2/my.course_1", "v1.0"),
        ("c/d", "main"),
        ADDRESS,
    ]
    for address in (set_address.Address(*given) for given in addresses):
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
    text = "https://github.com/ada/course-2 canada/course ada/course.git gh/ada/course/main?x ada/course"
    assert set_address.rewrite(text, old, new) == (
        "https://github.com/ada/course-2 canada/course bob/lessons.git gh/bob/lessons/v1.0?x bob/lessons"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        "ada",
        "https://github.com/ada/course",
        "ada/course/more",
        "a_b/course",
        "-a/course",
        "a--b/c",
        "ada/..",
        "ada/ x",
    ],
)
def test_malformed_address_is_refused(wrong):
    with pytest.raises(SystemExit, match="is no GitHub address. Expected OWNER/NAME"):
        set_address.read_address(wrong, "main")


def test_malformed_branch_is_refused():
    with pytest.raises(SystemExit, match="no branch, tag or commit fit for a link"):
        set_address.read_address("ada/course", "a b")


def test_another_repository_name_is_noticed_with_the_command_to_run():
    def check(repository):
        command = [sys.executable, ".ci/set_address.py", "--check", repository]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert check(ADDRESS.repository).returncode == 0
    done = check("somebody/else")
    assert done.returncode == 1
    assert "python .ci/set_address.py somebody/else" in done.stderr


def slug(heading):
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("file", sorted(path.name for path in ROOT.glob("*.md")))
def test_links_of_the_documents_lead_somewhere(file):
    text = read(file)
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'\bsrc="([^"]+)"', text)
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        assert (ROOT / (name or file)).exists(), f"{file}: {target} does not exist"
        if anchor:
            known = [slug(title) for title in re.findall(r"(?m)^#+ (.+)$", read(name or file))]
            assert anchor in known, f"{file}: {target}: headings are {known}"


def test_readme_pictures_have_alternative_text():
    tags = re.findall(r"<img\b[^>]*>", read("README.md"))
    assert tags
    for tag in tags:
        assert re.search(r'alt="[^"]{20,}"', tag), tag


def test_readme_lists_every_lesson():
    listed = re.findall(r"\]\(notebooks/(\w+\.ipynb)\)", read("README.md"))
    assert listed == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


def test_workflow_runs_what_the_readme_says():
    assert "pytest" in re.search(r"<!-- test -->\n```sh\n(.*)\n```", read("README.md"))[1]
    workflow = yaml.safe_load(read(".github/workflows/ci.yml"))
    job = workflow["jobs"]["test"]
    assert ".ci/run" in [step.get("run") for step in job["steps"]]
    assert os.name == "nt" or os.access(ROOT / ".ci" / "run", os.X_OK)
    assert job["strategy"]["matrix"]["python"] == ["3.11", "3.14"]
    for step in job["steps"]:
        assert "uses" not in step or re.search(r"@[0-9a-f]{40}$", step["uses"]), f"{step}: pin it to a commit"


def requirements(name):
    lines = [line.split("#")[0].strip() for line in read(name).splitlines()]
    return [line for line in lines if line]


def test_versions_are_pinned_in_one_place():
    pinned = dict(line.split("==") for line in requirements("requirements.txt"))
    options, *packages = requirements("binder/requirements.txt")
    assert options == "-c ../requirements.txt"
    assert packages == ["numpy", "matplotlib", "jupyterlab", "ipywidgets"]
    assert set(packages) <= set(pinned)


def test_binder_names_a_supported_python():
    assert re.fullmatch(r"python-3\.1[1-4]", read("binder/runtime.txt").strip())


def test_licences_and_citation():
    assert "MIT License" in read("LICENSE")
    assert "https://creativecommons.org/licenses/by/4.0/" in read("LICENSE-CC-BY-4.0")
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["license"] == ["MIT", "CC-BY-4.0"]
    assert citation["repository-code"] == f"https://github.com/{ADDRESS.repository}"
