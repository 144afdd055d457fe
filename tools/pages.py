"""Build the course as static pages that need no server and no network, for GitHub Pages or a USB stick.

    python -m pip install -r tools/pages/requirements.txt
    python tools/pages.py            into the folder site/
    python tools/pages.py FOLDER     into another, new or empty one

No lesson is run: the pages show the stored outputs. What moves are the explorers, whose pictures are drawn
meanwhile for all that their controls can say (tools/pages/frames.py), and the predictions, which answer.
The language model runs live, and where a server gives the pages, exercises are written and checked in them: their Python
is fetched once, by its sha256 (tools/in_browser/). A broken link fails the build. index.html is "Attention in five minutes" (tools/pages/front.py).
"""

import argparse
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unicodedata
import urllib.parse

import set_address
from set_address import ROOT

SETTINGS = ROOT / "tools" / "pages"
sys.path[:0] = [str(ROOT), str(SETTINGS), str(ROOT / "tools" / "in_browser")]
DOCUMENTS = ["*.md", "teaching/*.md", "attn_lessons/*/teaching.md", "LICENSE*", "CITATION.cff"]
NEEDED = ["sphinx", "myst_nb", "furo", "sphinx_copybutton", "sphinx-mathjax-offline", "a11y_pygments"]
NEEDED += ["numpy", "matplotlib", "ipywidgets", "packaging", "pip"]
NEEDED += ["jupyterlite_core", "jupyterlite_pyodide_kernel", "jupyterlab_widgets", "jupyter_server"]
START = "00_start_here"
WORDING = tomllib.loads((SETTINGS / "wording.toml").read_text(encoding="utf-8"))
OWN = rf"https://{re.escape(set_address.pages(set_address.current()))}/"
OWN_PAGE = re.compile(rf"\({OWN}(\w+)\.html\)")
OWN_NOTEBOOK = re.compile(rf"\[([^\]]*)\]\({OWN}(lite/[^)]*)\)")  # which Sphinx doesn't know
PICTURE_ELSEWHERE = re.compile(r"!\[([^\]]*)\]\(https?://[^)]*\)")
ANCHOR = re.compile(r"(\]\((?![a-z]+:)[^)#\s]*)#([^)\s]+)\)")
SHOWN_LINK = re.compile(r'href="(\d\d_\w+)\.ipynb#([^"]+)"')
NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
# what folds a cell in JupyterLab, what does so in MyST-NB, and what the fold says
FOLDS = [
    ("source_hidden", "hide-input", "the setup cell"),
    ("outputs_hidden", "hide-output", "the answer"),
]
LINKS = re.compile(r"(?m)^\[Open in your browser\].*$")
EXERCISE = re.compile(r"(?m)^(### Exercise \d.*)$")
MENU = """

```{{toctree}}
:hidden:
{caption}
{pages}
```
"""
SECOND_PART = "07"  # the lesson with which it begins
MOVED = {  # lessons that had another number, whose old pages lead to the new ones
    "08_learning": "10_a_head_that_learns",
    "09_language_model": "11_language_model",
    "10_long_sequences": "12_long_sequences",
}
LEADS_ON = '<!DOCTYPE html>\n<meta charset="utf-8"><meta http-equiv="refresh" content="0; url={0}.html"><a href="{0}.html">{0}</a>\n'
NO_ADDRESS = """
Its links to Colab and Binder lead nowhere yet; the address of your repository is still to be set:
    python tools/set_address.py OWNER/NAME"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "site")
    folder = parser.parse_args(arguments).folder.resolve()
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        install = "python -m pip install -r tools/pages/requirements.txt"
        raise SystemExit(f"Missing: {', '.join(missing)}. Run\n    {install}")
    refuse_to_overwrite(folder, ".buildinfo", ".nojekyll")
    import boxes
    import frames
    import front
    import lite

    import summary

    with tempfile.TemporaryDirectory() as temporary:
        sources = pathlib.Path(temporary, "sources")
        built = pathlib.Path(temporary, "built")
        plans = lay_out(sources)
        options = ["-q", "-W", "--keep-going", "-b", "html", "-d", pathlib.Path(temporary, "trees")]
        sphinx = subprocess.Popen([sys.executable, "-m", "sphinx", *options, sources, built])
        drawn = {name: frames.pack(plan, name) for name, plan in plans.items() if not sphinx.poll()}
        if sphinx.wait():
            raise SystemExit("The pages were not built, for the reasons above; nothing was written.")
        boxes.write_python(built / "python")
        lite.build(built / "lite", built / "python")
        (built / "_static" / "frames").mkdir()
        for name, script in drawn.items():
            (built / "_static" / "frames" / f"{name}.js").write_text(script, encoding="utf-8")
        summary.write(built / "summary")
        (built / "index.html").write_text(front.page(), encoding="utf-8")
        for path in (ROOT / "notebooks").glob("*.ipynb"):
            shutil.copy(path, built / "notebooks")
        for old, new in MOVED.items():
            (built / "notebooks" / f"{old}.html").write_text(LEADS_ON.format(new), encoding="utf-8")
        (built / ".nojekyll").touch()  # else GitHub leaves out folders whose name begins with _
        put(built, folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    unset = set_address.current().repository == set_address.UNSET
    return f"The course is in {folder}, {size:.0f} MB: open index.html.{NO_ADDRESS if unset else ''}"


def refuse_to_overwrite(folder, *marks):
    """Only a folder that is new, empty or built by this command, which leaves these files in it, may be replaced."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if (folder / ".git").exists() or not all((folder / mark).is_file() for mark in marks):
        raise SystemExit(f"{folder} holds something else. Name a new or empty folder.")


def put(built, folder):
    """Put what was built in the place of what was built before."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(built, folder)


def lay_out(sources):
    """The course's documents and lessons as Sphinx reads them, in the new folder `sources`.

    Returns {name: Plan} of the explorers whose frames are to be drawn.
    """
    import boxes
    import front

    import libraries
    import mistakes_table
    import results
    from attn_parts.colours import night_css, palette_css

    static = sources / "_static"
    static.mkdir(parents=True)
    shutil.copy(SETTINGS / "conf.py", sources)
    shutil.copytree(SETTINGS / "templates", sources / "templates")
    for name in ("pages.css", "pages.js", "frames.css", "frames.js", "search.js"):
        shutil.copy(SETTINGS / name, static)
    front.write_static(static)
    boxes.write_static(static)
    (static / "palette.css").write_text(palette_css() + night_css(".attn-shown"), encoding="utf-8")
    mathjax = pathlib.Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent
    shutil.copy(mathjax / "static" / "mathjax" / "tex-svg-full.js", static)
    (sources / "notebooks").mkdir()
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(path, sources / "notebooks")
    for path in (path for pattern in DOCUMENTS for path in ROOT.glob(pattern)):
        (sources / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, sources / path.relative_to(ROOT))
    (sources / "mistakes.md").write_text(mistakes_table.page(), encoding="utf-8")
    (sources / "libraries.md").write_text(libraries.page(), encoding="utf-8")
    results.write(sources)
    for_teachers = sorted(path.relative_to(sources).as_posix() for path in sources.glob("*/**/*.md"))
    put_below(sources / "TEACHING.md", [*for_teachers, "mistakes.md"])
    put_below(sources / "CONTRIBUTING.md", ["MAINTAINING.md", "results.md", "libraries.md"])
    for path in sources.rglob("*.md"):
        text = OWN_PAGE.sub(r"(/\1.md)", path.read_text(encoding="utf-8")).replace('".github/', '"_static/')
        up = "../" * (len(path.relative_to(sources).parts) - 1)
        path.write_text(to_own_notebooks(as_sphinx_links(text), up), encoding="utf-8")
    plans = {}
    lessons = sorted((sources / "notebooks").glob("*.ipynb"))
    for path in lessons:
        plans |= rewrite_lesson(path, menu(lessons) if path.stem == START else "")
    return plans


def menu(lessons):
    """What the menu of all pages lists, teachers' pages apart from the students'."""
    names = [path.stem for path in lessons]
    groups = {
        "Part 1: attention": ["self", *(name for name in names if START < name < SECOND_PART)],
        "Part 2: a language model": [name for name in names if name > SECOND_PART],
        "The course": ["About the course </README>", "/TUTOR", "/CONTRIBUTING"],
        "For teachers": ["/TEACHING"],
    }
    return "".join(
        MENU.format(caption=f":caption: {name}\n", pages="\n".join(pages)) for name, pages in groups.items()
    )


def put_below(document, pages):
    """Give a document of the menu pages that open below it."""
    listed = "\n".join("/" + page.removesuffix(".md") for page in pages)
    with document.open("a", encoding="utf-8") as file:
        file.write(MENU.format(caption="", pages=listed))


def rewrite_lesson(path, contents):
    """Links as Sphinx has them, the same cells folded as in JupyterLab, what moves made to, `contents` below the last cell.

    Returns {name: Plan} of its explorers.
    """
    import boxes
    import front

    notebook = json.loads(path.read_text(encoding="utf-8"))
    plans = {}
    elsewhere = ""
    boxes.put(path.name, notebook)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            text = reworded("".join(cell["source"]), cell["id"])
            elsewhere = elsewhere or to_own_notebooks("".join(LINKS.findall(text)[:1]), "../")
            download = f'<a href="{path.name}" download>Download the notebook</a>'
            text = LINKS.sub(f"Run the cells and do the exercises: {elsewhere} · {download}\n", text)
            cell["source"] = as_sphinx_links(
                EXERCISE.sub(rf"\1\n\nAnswer it where code runs: {elsewhere}\n", text)
            )
        else:
            fold(cell["metadata"])
            # the empty output that keeps JupyterLab's folds silent is not needed here
            cell["outputs"] = [o for o in cell["outputs"] if o.get("data") != {"text/plain": []}]
            if "".join(cell["source"]) == front.EXPLORER:
                front.put_model(cell)
            else:
                plans |= make_live(cell)
            link_outputs(cell)
    if contents:
        end = {"cell_type": "markdown", "id": "contents", "metadata": {}, "source": contents}
        notebook["cells"].append(end)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return plans


def reworded(text, cell):
    """A text of a lesson as tools/pages/wording.toml words it for a page, where nothing runs."""
    for said, instead in WORDING.get(cell, ()):
        if said not in text:
            raise SystemExit(f"{cell} doesn't say {said!r} any longer: change tools/pages/wording.toml.")
        text = text.replace(said, instead)
    return text


def make_live(cell):
    """Put controls above an explorer's still, and replies beside a prediction's; {name: Plan} of the explorer."""
    import frames
    import predictions

    source = "".join(cell["source"])
    stills = frames.stills(cell)
    if make := frames.explorer_of(source):
        if plan := frames.plan(make):
            (still,) = stills
            still["text/html"] = frames.as_html(plan, cell["id"], still["text/html"])
            return {cell["id"]: plan}
        print(f"{source} stays a still picture: it declares no frames (MAINTAINING, Build the pages).")
    elif slug := predictions.asked(source):
        (still,) = stills
        still["text/html"] = predictions.as_html(slug, still["text/html"])
    return {}


def link_outputs(cell):
    """Have what a check says link to the pages of lessons, not to their notebooks."""
    for data in (output["data"] for output in cell["outputs"] if "text/html" in output.get("data", {})):
        text = "".join(data["text/html"])
        data["text/html"] = SHOWN_LINK.sub(lambda m: f'href="{m[1]}.html#{page_id(m[2])}"', text)


def page_id(anchor):
    """The id that Sphinx gives a heading, from JupyterLab's anchor of it."""
    plain = (
        unicodedata.normalize("NFKD", urllib.parse.unquote(anchor).lower()).encode("ascii", "ignore").decode()
    )
    return re.sub(r"^[-0-9]+|-+$", "", re.sub(r"[^a-z0-9]+", "-", plain))


def as_githubs(anchor):
    """JupyterLab's anchor of a heading, or GitHub's, as GitHub's."""
    return NOT_IN_ANCHORS.sub("", urllib.parse.unquote(anchor).lower())


def fold(metadata):
    """Fold a cell's code or outputs on the page, where its metadata folds them in JupyterLab."""
    hidden = metadata.get("jupyter", {})
    for mark, tag, what in FOLDS:
        if hidden.get(mark):
            metadata["tags"] = [*metadata.get("tags", []), tag]
            metadata["mystnb"] = {"code_prompt_show": f"Show {what}", "code_prompt_hide": f"Hide {what}"}


def to_own_notebooks(text, up):
    """Markdown in which links to notebooks that run in the browser are relative, on a page so far below the first one."""
    return OWN_NOTEBOOK.sub(rf'<a href="{up}\2">\1</a>', text)


def as_sphinx_links(text):
    """Markdown whose badges are plain links and whose local anchors have the form that MyST gives to headings."""
    text = PICTURE_ELSEWHERE.sub(r"\1", re.sub(r"\)\s\[!\[", ") · [![", text))
    return ANCHOR.sub(lambda link: f"{link[1]}#{as_githubs(link[2])})", text)


if __name__ == "__main__":
    print(main())
