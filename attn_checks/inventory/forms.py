"""The two forms, and what a class is given: pages, notebooks, a table for answers on paper."""

import functools
import pathlib

import nbformat
from nbformat import v4

from attn_checks.ask.questions import as_html, read
from attn_checks.tell.page import rendered

HERE = pathlib.Path(__file__).parent
FORMS = "A", "B"
RUN_ALL = (
    "Choose *Run All Cells* in the menu *Run* first (in Colab *Run all* in *Runtime*), then click an answer "
    "below each question."
)
LAST_CELL = '# Write your name between the quotes, then run this cell.\nhand_in("")'
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},  # by which JupyterLite finds its kernel without asking
    "colab": {"generative_ai_disabled": True},
}
PARAGRAPHS = (HERE / "instructions.md").read_text(encoding="utf-8").strip().split("\n\n")


@functools.cache
def forms():
    """{"A": {idea: Question}, "B": …}, the twelve ideas in one order."""
    found = {form: read(HERE / f"form_{form.lower()}.md", form) for form in FORMS}
    return {
        form: {name.removeprefix(f"{form}-"): question for name, question in asked.items()}
        for form, asked in found.items()
    }


def columns():
    """The heads of the table into which answers on paper are typed."""
    return ["name", "form", *(str(number) for number, _ in enumerate(forms()["A"], 1))]


def notebook_of(form):
    """A form as a notebook that asks by clicks and needs nothing but ipywidgets."""
    head = "\n\n".join([f"# Attention, form {form}", *PARAGRAPHS, RUN_ALL])
    clicks = (HERE / "clicks.py").read_text(encoding="utf-8")
    cells = [
        v4.new_markdown_cell(head),
        v4.new_code_cell(clicks.replace("<form>", form)),
    ]
    for number, question in enumerate(forms()[form].values(), 1):
        text = question.text.replace("\n", "\n\n", 1)  # Markdown wants an empty line above a table
        options = [option for option, _ in question.options.values()]
        cells += [
            v4.new_markdown_cell(f"**{number}.** {text}"),
            v4.new_code_cell(f"ask({number}, {options})"),
        ]
    cells.append(v4.new_code_cell(LAST_CELL))
    return v4.new_notebook(cells=cells, metadata=METADATA)


def files():
    """{name: text} of what a class is given: each form as a page and a notebook, an empty table."""
    written = {"answers.csv": ",".join(columns()) + "\n"}
    for form, asked in forms().items():
        given = {"form": form, "questions": asked.values(), "paragraphs": PARAGRAPHS, "as_html": as_html}
        written[f"form-{form}.html"] = rendered(HERE / "form.html", **given)
        written[f"form-{form}.ipynb"] = nbformat.writes(notebook_of(form))
    return written
