"""Lesson 03: the four training questions that one sentence sets, and where their answers are."""

from attn_parts.colours import BLOCKED, BLUE, FAINT, INK, LIT, PAPER
from attn_parts.example import WORDS
from attn_parts.heatmaps import Picture

LENGTH = 4
TOKENS = WORDS[:LENGTH]
ANSWERS = WORDS[1 : LENGTH + 1]
COLORS = {
    "": (BLUE, PAPER),
    "read": (BLUE, PAPER),
    "answer": (LIT, PAPER),
    "later": (BLOCKED, INK),
}


def plot_training_questions(answers: bool = False) -> Picture:
    """Draw which row of "The chai is hot so …" must guess which word; with `answers`, also where they are."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    ax = Figure(figsize=(7.4, 3)).add_subplot()
    told = "A grid of 4 queries by 4 keys" + ("" if answers else ", all open")
    told += "; each row must guess the next word."
    for i, (token, answer) in enumerate(zip(TOKENS, ANSWERS)):
        for j in range(LENGTH):
            word = "" if not answers else "read" if j <= i else "answer" if j == i + 1 else "later"
            fill, ink = COLORS[word]
            ax.add_patch(
                Rectangle(
                    (j - 0.5, i - 0.5),
                    1,
                    1,
                    facecolor=fill,
                    edgecolor=PAPER,
                    linewidth=2,
                )
            )
            ax.text(
                j,
                i,
                word,
                ha="center",
                va="center",
                fontsize=9,
                color=ink,
            )
        ax.text(
            4,
            i,
            " ".join(TOKENS[: i + 1]),
            va="center",
            fontsize=11,
            color=INK,
        )
        ax.text(
            6.3,
            i,
            f"→ {answer}?",
            va="center",
            fontsize=11,
            weight="bold",
            color=LIT,
        )
        where = "one cell right of the diagonal" if i + 1 < LENGTH else "not in the grid"
        told += f" Row {token}: guess {answer}{', which is ' + where if answers else ''}."
    for x, header in ((4, "has read"), (6.3, "must guess")):
        ax.text(x, -0.85, header, va="center", fontsize=11, color=FAINT)
    ax.set(xlim=(-0.5, 7.8), ylim=(LENGTH - 0.5, -1.15), ylabel="query")
    # a label of the axis would be centred below the words too
    ax.text(1.5, 4.35, "key", ha="center", va="center", fontsize=10)
    ax.set_xticks(range(LENGTH), TOKENS)
    ax.set_yticks(range(LENGTH), TOKENS)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return Picture(ax.figure, told)
