"""Sphinx settings of the exported pages; tools/pages.py lays out the sources and runs Sphinx."""

root_doc = "notebooks/00_start_here"
project = "Attention from Scratch"
copyright = "the authors of Attention from Scratch, text and figures CC BY 4.0"
extensions = ["myst_nb", "sphinx_copybutton"]
suppress_warnings = ["myst.header"]  # a notebook's headings may skip a level below a question

nb_execution_mode = "off"  # the stored outputs are the truth: nbval has proved them
nb_merge_streams = True
myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 4

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["palette.css", "frames.css", "pages.css"]
html_js_files = ["pages.js", "frames.js"]
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_use_index = False  # there is nothing in it
html_show_search_summary = False  # a page opened from a folder may not read the others
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
# a copy button copies code, never a prompt or an output
copybutton_selector = ".cell_input pre, .highlight-python pre, .highlight-sh pre, .highlight-powershell pre"

# one file beside the pages, formulas drawn as SVG: no font, no network
mathjax_path = "tex-svg-full.js"
mathjax3_config = {"svg": {"fontCache": "global"}, "options": {"enableMenu": False}}
