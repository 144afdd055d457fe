"""Attention on two pages of A4, to print: formula, code with shapes, masks, and the mistakes of each step.

    python tools/summary.py --output FOLDER     writes attention.pdf

Drawn by the lessons' own functions, the mistakes in the checkers' words; it reads in black and white.
tools/pages.py puts it on the pages.
"""

import re

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

import _command
import attn_checks as check
import attn_helpers as attn
from attn_parts.colours import FAINT, INK, SOFT
from attn_parts.formatting import wrapped
from attn_parts.heatmaps import draw_pipeline

A4 = (8.27, 11.69)  # inches
LEFT, RIGHT = 0.07, 0.93  # of the width
LINE = 1.32  # from line to line, in sizes of the letters
EMPHASIS = re.compile(r"(?<!\w)\*(\w[^*]*?)\*")
FORMULA = (
    r"$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^{\mathsf{T}}}{\sqrt{d_k}} + M\right)V$"
)
# step, its code, the shape of what it makes, what it is for, its lesson
STEPS = [
    (
        "project",
        "Q, K, V = X @ W_Q, X @ W_K, X @ W_V",
        "(L, d_k), (L, d_k), (L, d_v)",
        "looks for, is, hands over",
        "01",
    ),
    ("scores", "scores = Q @ K.swapaxes(-1, -2)", "(…, L_q, L_k)", "each query meets each key", "01"),
    ("scale", "scaled = scores / np.sqrt(Q.shape[-1])", "(…, L_q, L_k)", "size 1 at every width", "02"),
    ("mask", "masked = np.where(mask, scaled, -np.inf)", "(…, L_q, L_k)", "True = may look", "03"),
    (
        "softmax",
        "powers = np.exp(masked - masked.max(axis=-1, keepdims=True))\n"
        "weights = powers / powers.sum(axis=-1, keepdims=True)",
        "(…, L_q, L_k)",
        "each row sums to 1",
        "04",
    ),
    ("mix", "output = weights @ V", "(…, L_q, d_v)", "a weighted mean of the values", "05"),
]
MASKS = [
    ("True = may look", "this course, PyTorch's scaled_dot_product_attention, JAX, ONNX"),
    ("True = blocked", "PyTorch's nn.MultiheadAttention: turn it round with ~mask"),
    ("0 and −inf", "the M of the formula: added to the scaled scores"),
]
HEADS = [
    ("one head", "its own columns of Q, K and V, d_head = d_model / n_heads wide; scaled by √d_head"),
    (
        "split",
        "X.reshape(L, n_heads, d_head).swapaxes(0, 1): (n_heads, L, d_head); reshape alone breaks words",
    ),
    ("join", "the heads side by side, (L, n_heads · d_head), then @ W_O"),
]
# step -> which mistakes of the checkers of attention, of heads and of the backward pass
MISTAKES = {
    "Scores": ["no-transpose", "elementwise", "reversed-axes", "queries-and-keys-swapped"],
    "Scale": ["not-scaled", "divided-by-d-k", "divided-by-root-of-length"],
    "Mask": ["inverted-mask", "multiplied-by-zero", "mask-after-softmax", "finite-mask-value"],
    "Softmax": ["wrong-axis", "missing-keepdims", "no-max-subtraction", "global-max"],
    "Mix": ["values-first", "transposed-weights"],
    "Heads": ["reshape-without-transpose", "scaled-by-d-model", "no-output-projection"],
    "Backwards": ["elementwise-jacobian", "scale-forgotten"],
}
CHECKERS = {"Heads": "multi_head", "Backwards": "attention_backward"}


def main(arguments=None):
    return f"Attention on two pages is in {write(_command.output_of(__doc__, arguments))}."


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
        """A paragraph between two shares of the width, its lines broken where they must be; moves down past it."""
        points = (right - left) * A4[0] * 72
        bold = "weight" in font
        for line in (line for part in text.split("\n") for line in wrapped(part, points, size, bold)):
            self.y -= LINE * size / 72 / A4[1]
            self.figure.text(left, self.y, line, size=size, color=color, parse_math=False, **font)
        self.y -= gap

    def heading(self, text):
        self.y -= 0.008
        self.write(text, size=11, weight="bold", gap=0.005)
        self.figure.add_artist(Line2D([LEFT, RIGHT], [self.y, self.y], color=FAINT, linewidth=0.6))
        self.y -= 0.003

    def row(self, *columns, **style):
        """Paragraphs side by side, each (text, left, right) with a style of its own if it has one."""
        top = self.y
        bottoms = []
        for text, left, right, *own in columns:
            self.y = top
            self.write(text, left, right, **(style | dict(*own)))
            bottoms.append(self.y)
        self.y = min(bottoms)

    def picture(self, height, left=LEFT, right=RIGHT):
        """Axes of this height, a share of the page's, below what is written."""
        self.y -= height
        return self.figure.add_axes([left, self.y, right - left, height])


def page_of_steps():
    sheet = Sheet("Attention on two pages")
    sheet.write(
        "A word looks at others by holding its query against their keys, and the result is a weighted mean "
        "of their values. Formula: equation (1) of Vaswani et al., Attention Is All You Need (2017), with "
        "the mask written out.",
        color=SOFT,
    )
    sheet.y -= 0.045
    sheet.figure.text(0.5, sheet.y, FORMULA, size=19, ha="center", va="center", color=INK)
    sheet.y -= 0.038
    draw_pipeline(sheet.picture(0.05), None)
    sheet.heading("Step by step, in NumPy")
    for step, code, shape, what, lesson in STEPS:
        sheet.row(
            (step, LEFT, 0.15, {"weight": "bold"}),
            (code, 0.16, 0.61, {"family": "monospace", "size": 7}),
            (f"{shape}\n{what} (lesson {lesson})", 0.63, RIGHT, {"size": 7.4}),
        )
    sheet.write(
        "L_q queries, L_k keys; leading axes (…) are batch and heads. A query that may look at nothing gets "
        "zeros: test for it, else 0/0 is NaN.",
        color=SOFT,
    )
    sheet.heading("The running example: The chai is hot")
    tokens, X, W_Q, W_K, W_V = attn.load_example()
    causal = attn.causal_mask(len(tokens))
    sheet.y -= 0.03
    top = sheet.y
    height = 0.15
    for mask, title, left in ((None, "Weights", 0.14), (causal, "Causal: no word sees a later one", 0.58)):
        sheet.y = top
        _, weights = attn.self_attention(X, W_Q, W_K, W_V, mask)
        ax = sheet.picture(height, left, left + 0.28)
        attn.plot_attention(weights, tokens, mask=mask, title=title, ax=ax)
    sheet.y -= 0.05
    sheet.write(
        "Rows are queries and sum to 1: hot gives chai 0.87. With the values [0 0], [4 1], [0 0], [0 4] "
        "(drink, warm) hot gets back 0.87·[4 1] + 0.04·[0 4] = [3.48 1.04]. Hatched: blocked.",
    )
    sheet.heading("Masks, as they are written elsewhere")
    for written, where in MASKS:
        sheet.row((written, LEFT, 0.24, {"weight": "bold"}), (where, 0.25, RIGHT), gap=0.002)
    sheet.heading("Several heads")
    for name, what in HEADS:
        sheet.row((name, LEFT, 0.19, {"weight": "bold"}), (what, 0.2, RIGHT), gap=0.002)
    return sheet.figure


def page_of_mistakes():
    sheet = Sheet("Mistakes, and what they look like")
    sheet.write(
        "Most run without an error. Check the shape, the row sums and one number that you know in advance. "
        "In brackets is the checkers' name for it.",
        color=SOFT,
    )
    for step, shorts in MISTAKES.items():
        sheet.heading(step)
        exercise = check.EXERCISES[CHECKERS.get(step, "attention")]
        known = {mistake.short: mistake for mistake in exercise.known()}
        for mistake in map(known.get, shorts):
            name = f"{mistake.name[:1].upper()}{mistake.name[1:]} [{mistake.short}]"
            said = EMPHASIS.sub(r"\1", mistake.say) + f" (lesson {mistake.see[1:3]})"
            sheet.row((name, LEFT, 0.36, {"weight": "bold"}), (said, 0.37, RIGHT), size=7.5, gap=0.0015)
    return sheet.figure


if __name__ == "__main__":
    print(main())
