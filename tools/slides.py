"""Build a deck of slides of every lesson, for a projector without a network: open index.html in the folder.

    python tools/slides.py --output FOLDER      a new or empty folder, or one that this command filled before

The cells' slide marks say what is on a slide (tools/slide_marks.py). reveal.js and MathJax come from the
package registry of npm, of one version each, their contents checked; nothing else is fetched. Explorers move,
predictions answer. No lesson is run: the decks show what the notebooks store.
"""

import html
import io
import pathlib
import re
import shutil
import tarfile
import tempfile

import nbformat
from nbconvert.exporters import SlidesExporter
from traitlets.config import Config

import _command
import files
import frames
import lesson_page
import pages
import set_address
import slide_marks
from attn_parts.colours import night_css, palette_css

SETTINGS = _command.ROOT / "tools" / "slides"
REGISTRY = "https://registry.npmjs.org"
# npm's package: its archive, the sha256 of that, and the files that decks use
LIBRARIES = {
    "reveal.js": (
        "reveal.js-4.6.1.tgz",
        "4f4121ef2b8e7e9398bdecd7b3b6ce5e0ee3a2f5af221708eb6c4ce03bcae6be",
        ["dist/reveal.js", "dist/reveal.css", "plugin/notes/notes.js"],
    ),
    "mathjax": (
        "mathjax-3.2.2.tgz",
        "1b9c0a1c44df864e915690558e72adb9cc5203360daefd385084ced3b6c64c09",
        ["es5/tex-svg-full.js"],
    ),
}
MADE_HERE = "deck/deck.js"
# what a title says to a reader of the notebook, and not to a class
FOR_READERS = re.compile(r"(?m)^(\[Open in.*|\[← .*|\[map\].*|.*→\]\(.*|\*\*(Time|You need):\*\*.*)$\n*")
# how headings, quotations, tables, formulas, code and lists begin
NO_PROSE = re.compile(r"[#>|$`<]|[-*] |\d+\. ")
BARE = 160  # letters besides a heading; with so few on it a slide shows more at once
# where an explorer begins, if the lesson's own beginning would give something away
OPENS = {"l00-explore": {"step": 0}}
# a line of code that says less than what it shows
SHOWS_ITSELF = re.compile(r"(check\.\w+|attn\.(explore_\w+|plot_pipeline))\([^\n]*\)$")
LESSON_LINK = re.compile(r"\]\((\d\d_\w+)\.ipynb(?:#[^)\s]*)?\)")


def main(arguments=None):
    folder = _command.writer_of(__doc__).parse_args(arguments).output
    pages.refuse_to_overwrite(folder, MADE_HERE)
    with tempfile.TemporaryDirectory() as temporary:
        built = build(pathlib.Path(temporary, "slides"))
        pages.put(built, folder)
    return f"The slides are in {folder}: open index.html."


def build(folder, draw=frames.pack):
    """Write all decks to the new `folder` and return it."""
    shared = folder / "deck"
    (shared / "frames").mkdir(parents=True)
    for name, content in libraries():
        (shared / name).write_bytes(content)
    for name in ("deck.css", "deck.js", "../pages/frames.css", "../pages/frames.js"):
        shutil.copy(SETTINGS / name, shared)
    (shared / "palette.css").write_text(palette_css(), "utf-8")
    (shared / "night.css").write_text(night_css(".attn-shown"), "utf-8")
    exporter = deck_exporter()
    links = []
    for path in _command.NOTEBOOKS:
        title, text, plans = deck(path, exporter)
        (folder / f"{path.stem}.html").write_text(text, "utf-8")
        for name, plan in plans.items():
            (shared / "frames" / f"{name}.js").write_text(draw(plan, name), "utf-8")
        links.append(f'<li><a href="{path.stem}.html">{html.escape(title)}</a></li>')
    site = f"https://{set_address.pages(set_address.current())}/"
    index = (SETTINGS / "index.html").read_text("utf-8").replace("$links", "\n".join(links))
    (folder / "index.html").write_text(index.replace("$site", site), "utf-8")
    return folder


def deck(path, exporter):
    """(title, HTML, {name: Plan of an explorer on a slide}) of one lesson."""
    notebook = _command.read(path)
    plans = {}
    title = re.match(r"# (.*)", notebook.cells[0].source)[1]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            told = FOR_READERS.sub("", lesson_page.reworded(cell.source, cell.id))
            cell.source = LESSON_LINK.sub(r"](\1.html)", told)
        elif cell.metadata.get("slideshow", {}).get("slide_type") != "skip":
            lesson_page.drop_blanks(cell)
            plans |= lesson_page.make_live(cell, OPENS.get(cell.id, {}))
            lesson_page.link_outputs(cell)
            cell.metadata.transient = {"remove_source": bool(SHOWS_ITSELF.match(cell.source))}
    notebook.cells = for_a_class(notebook.cells)
    text, _ = exporter.from_notebook_node(notebook, {"title": title})
    return title, text, plans


def for_a_class(cells):
    """The cells with long prose in the speaker's notes, and what follows a bare heading beside it at once."""
    found = []
    bare = False
    begins = ""  # the mark of a slide whose own text went to the notes
    for cell in cells:
        mark = cell.metadata["slideshow"]["slide_type"]
        told = ""
        if mark == "fragment":
            mark = begins or ("-" if bare else mark)
        if mark not in ("notes", "skip"):
            bare = False
            begins = ""
            if cell.cell_type == "markdown":
                cell.source, told = shown_and_told(cell.source)
                if not cell.source:
                    begins = mark if "slide" in mark else ""
                    mark = "skip"
                bare = "slide" in mark and len(re.sub(r"(?m)^#.*$", "", cell.source)) < BARE
        cell.metadata["slideshow"] = {"slide_type": mark}
        found.append(cell)
        if told:
            notes = nbformat.v4.new_markdown_cell(told, metadata={"slideshow": {"slide_type": "notes"}})
            found.append(notes)
    return found


def shown_and_told(text):
    """A text in two: what is on the slide, and the prose that would make it too long, for the notes."""
    if re.match(r"#+ Exercise", text) or "```" in text or "<details>" in text:
        return text, ""
    room = slide_marks.LONG
    parts = [[], []]
    for block in re.split(r"\n\n+", text.strip()):
        is_prose = not NO_PROSE.match(block)
        room -= len(block) * is_prose
        parts[is_prose and room < 0].append(block)
    return ["\n\n".join(part) for part in parts]


def deck_exporter():
    """nbconvert's exporter of slides, with the template of tools/slides."""
    config = Config()
    config.CSSHTMLHeaderPreprocessor.style = "default"
    return SlidesExporter(
        config=config,
        template_name="deck",
        extra_template_basedirs=[str(SETTINGS)],
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
    )


def libraries():
    """Pairs of name and content of the files that decks take from npm's packages."""
    for package, (archive, digest, inside) in LIBRARIES.items():
        try:
            files.fetch({archive: digest}, f"{REGISTRY}/{package}/-/")
        except OSError as problem:
            raise SystemExit(f"{problem}: slides need npm's registry once, when first built.") from None
        with tarfile.open(fileobj=io.BytesIO(files.read(archive, digest))) as opened:
            for file in inside:
                yield pathlib.Path(file).name, opened.extractfile(f"package/{file}").read()


if __name__ == "__main__":
    print(main())
