"""Sphinx settings of the exported pages; tools/pages.py lays out the sources and runs Sphinx."""

import json
import pathlib
import re

from docutils import nodes

root_doc = "notebooks/00_start_here"
html_title = project = "Attention from Scratch"
copyright = "the authors of Attention from Scratch, text and figures CC BY 4.0"
extensions = ["myst_nb", "sphinx_copybutton"]
suppress_warnings = ["myst.header"]  # a notebook's headings may skip a level below a question

nb_execution_mode = "off"  # the stored outputs are the truth: nbval has proved them
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 4

html_theme = "furo"
html_context = {"master_doc": "index"}  # the title of every page leads to the front page
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["palette.css", "frames.css", "exercise.css", "pages.css"]
html_js_files = ["pages.js", "frames.js", "exercise.js"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_use_index = False  # there is nothing in it
templates_path = ["templates"]
html_additional_pages = {"search": "search.html"}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
# a copy button copies code, never a prompt or an output
copybutton_selector = ".cell_input pre, .highlight-python pre, .highlight-sh pre, .highlight-powershell pre"

# one file beside the pages, formulas drawn as SVG: no font, no network
mathjax_path = "tex-svg-full.js"
mathjax3_config = {"svg": {"fontCache": "global"}, "options": {"enableMenu": False}}

TAG = re.compile(r"<[a-z/][^>]*>")


def setup(app):
    # Sphinx's own search counts no words, and shows no excerpts where a page may not read other files
    app.connect("builder-inited", lambda app: setattr(app.builder, "search", False))
    app.connect("build-finished", write_sections)


def write_sections(app, problem):
    """Write what search.js looks through: [address, title, sections] of each page."""
    if problem:
        return
    pages = []
    for name in sorted(app.env.found_docs):
        unread = () if name == "mistakes" else (nodes.raw,)
        found = [section(part, unread) for part in app.env.get_doctree(name).findall(nodes.section)]
        pages.append([f"{name}.html", app.env.titles[name].astext(), found])
    script = f"const pages = {json.dumps(pages, ensure_ascii=False)};\n"
    pathlib.Path(app.outdir, "_static", "sections.js").write_text(script, "utf-8")


def section(part, unread):
    """[anchor, heading, text] of one section, without sections in it and nodes of the kinds in `unread`."""
    own = [child for child in part.children[1:] if not isinstance(child, nodes.section)]
    texts = [text for child in own for text in child.findall(nodes.Text)]
    unread += (nodes.math, nodes.math_block)
    said = " ".join(TAG.sub(" ", text.astext()) for text in texts if not isinstance(text.parent, unread))
    return [part["ids"][0], part[0].astext(), " ".join(said.split())]
