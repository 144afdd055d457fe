"""Attention on two pages of A4, to print: formula, code with shapes, masks, and the mistakes of each step.

    python tools/summary.py --output FOLDER     writes attention.pdf

Its words are in summary.toml, the mistakes in the checkers'. Drawn by the lessons' own functions; it reads in
black and white. tools/pages.py puts it on the pages.
"""

import re
import tomllib

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import _command
import attn_checks as check
import attn_helpers as attn
from attn_parts.colours import FAINT, INK, SOFT
from attn_parts.formatting import wrapped
from attn_parts.heatmaps import draw_pipeline

WORDS = tomllib.loads((_command.ROOT / "tools" / "summary.toml").read_text("utf-8"))
A4 = (8.27, 11.69)  # inches
LEFT, RIGHT = 0.07, 0.93  # of the width
LINE = 1.32  # from line to line, in sizes of the letters
EMPHASIS = re.compile(r"(?<!\w)\*(\w[^*]*?)\*")


def main(arguments=None):
    folder = _command.writer_of(__doc__).parse_args(arguments).output
    return f"Attention on two pages is in {write(folder)}."


def write(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with PdfPages(folder / "attention.pdf", metadata={"Title": "Attention on two pages"}) as pdf:
        pdf.savefig(page_of_steps())
        pdf.savefig(page_of_mistakes())
    return folder / "attention.pdf"


class Sheet:
    """A page that is written from top to bottom; `y` is how far down it is, as a share of the height."""

    def __init__(self, title):
        self.figure = Figure(figsize=A4)
        self.y = 0.965
        self.write(title, size=17, weight="bold", gap=0.004)

    def write(self, text, left=LEFT, right=RIGHT, size=8.5, gap=0.006, color=INK, **font):
        """A paragraph between two shares of the width, its lines broken where needed; moves down past it."""
        points = (right - left) * A4[0] * 72
        for part in text.split("\n"):
            for line in wrapped(part, points, size, "weight" in font):
                self.y -= LINE * size / 72 / A4[1]
                look = font | {"size": size, "color": color}
                self.figure.text(left, self.y, line, parse_math=False, **look)
        self.y -= gap

    def heading(self, text):
        self.y -= 0.008
        self.write(text, size=11, weight="bold", gap=0.005)
        self.figure.add_artist(Line2D([LEFT, RIGHT], [self.y, self.y], color=FAINT, linewidth=0.6))
        self.y -= 0.003

    def row(self, name, *columns, gap=0.006, size=8.5):
        """A name, and paragraphs beside it and each other, each with what `write` takes."""
        top = self.y
        bottoms = []
        for text, style in ((name, {"weight": "bold", "right": columns[0][1]["left"] - 0.01}), *columns):
            self.y = top
            self.write(text, **{"gap": gap, "size": size} | style)
            bottoms.append(self.y)
        self.y = min(bottoms)

    def picture(self, height, left=LEFT, right=RIGHT):
        """Axes of this height, a share of the page's, below what is written."""
        self.y -= height
        return self.figure.add_axes([left, self.y, right - left, height])


def page_of_steps():
    sheet = Sheet("Attention on two pages")
    sheet.write(WORDS["intro"], color=SOFT)
    sheet.y -= 0.045
    centred = {"ha": "center", "va": "center"}
    sheet.figure.text(0.5, sheet.y, WORDS["formula"], size=19, color=INK, **centred)
    sheet.y -= 0.038
    draw_pipeline(sheet.picture(0.05), None)
    sheet.heading("Step by step, in NumPy")
    for step in WORDS["steps"]:
        code = step["code"], {"left": 0.16, "right": 0.61, "family": "monospace", "size": 7}
        told = f"{step['shape']}\n{step['what']}", {"left": 0.63, "size": 7.4}
        sheet.row(step["name"], code, told)
    sheet.write(WORDS["shapes"], color=SOFT)
    sheet.heading("The running example: The chai is hot")
    draw_example(sheet)
    sheet.write(WORDS["example"])
    for heading, left in (("Masks, as they are written elsewhere", 0.25), ("Several heads", 0.2)):
        sheet.heading(heading)
        for name, told in WORDS[heading].items():
            sheet.row(name, (told, {"left": left}), gap=0.002)
    return sheet.figure


def draw_example(sheet):
    """The weights of the running example, without and with the causal mask."""
    tokens, X, W_Q, W_K, W_V = attn.load_example()
    causal = attn.causal_mask(len(tokens))
    top = sheet.y - 0.03
    for mask, title, left in ((None, "Weights", 0.14), (causal, "Causal: no word sees a later one", 0.58)):
        sheet.y = top
        _, weights = attn.self_attention(X, W_Q, W_K, W_V, mask)
        ax = sheet.picture(0.15, left, left + 0.28)
        attn.plot_attention(weights, tokens, mask=mask, title=title, ax=ax)
    sheet.y -= 0.05


def page_of_mistakes():
    sheet = Sheet("Mistakes, and what they look like")
    sheet.write(WORDS["mistakes_intro"], color=SOFT)
    for heading, checked in WORDS["mistakes"].items():
        sheet.heading(heading)
        for checker, shorts in checked.items():
            known = {mistake.short: mistake for mistake in check.EXERCISES[checker].known()}
            for mistake in map(known.get, shorts):
                name = f"{mistake.name[:1].upper()}{mistake.name[1:]} [{mistake.short}]"
                said = EMPHASIS.sub(r"\1", mistake.say) + f" (lesson {mistake.see[1:3]})"
                sheet.row(name, (said, {"left": 0.37}), size=7.5, gap=0.0015)
    return sheet.figure


if __name__ == "__main__":
    print(main())
