"""Lesson 01: pairs of arrows and their dot products; a row that meets a column."""

import numpy as np

from attn_parts.colours import BLOCKED, FAINT, INK, KEY, LIT, QUERY, SOFT
from attn_parts.example import KINDS, load_example
from attn_parts.stills import CardsPicture
from attn_parts.sums import whole, worked_out
from attn_parts.svg import Drawing

UNIT, PANEL = 24, (240, 152)  # pixels per 1, size of a panel
CELL, HIGH = 68, 30  # of a matrix


def plot_arrows(panels):
    """Pairs of arrows, ride and wind, and their dot products worked out: {"headwind": ([2, 1], [-2, -1])}.

    >>> plot_arrows({"headwind": ([2, 1], [-2, -1])})
    Picture: Arrows and their dot products. Headwind: ride (2, 1), wind (−2, −1), 2·(−2) + 1·(−1) = −5.
    """
    (width, height), rows = PANEL, -(-len(panels) // 2)
    drawing = Drawing(2 * width, rows * height + 30, "Arrows and their dot products")
    spoken = []
    for name, x, color in (("ride", 12, QUERY), ("wind", 80, KEY)):
        drawing.text(x, 16, name, font=15, bold=True, color=color)
    for place, (label, pair) in enumerate(panels.items()):
        x = (place % 2 + 0.5) * width
        y = place // 2 * height + 30
        drawing.box(
            x - width / 2 + 4,
            y,
            width - 8,
            height - 8,
            edge=BLOCKED,
        )
        drawing.text(x, y + 16, label, anchor="middle", font=15, bold=True)
        (a, b), (c, d) = pair
        apart = (a * d == b * c) * 4 / np.hypot(a, b)  # arrows that would hide each other are side by side
        drawing.dot(x, y + 67, 3, FAINT)
        for (east, north), color, side in zip(
            pair,
            (QUERY, KEY),
            (apart, -apart),
        ):
            start_x = x - b * side
            start_y = y + 67 - a * side
            end = start_x + UNIT * east, start_y - UNIT * north
            drawing.line(start_x, start_y, *end, color=color, width=3, arrow=True)
        worked = worked_out(*pair)
        drawing.text(x, y + height - 22, worked, anchor="middle", font=15)
        first, second = ("(" + ", ".join(map(whole, arrow)) + ")" for arrow in pair)
        spoken.append(f"{label.capitalize()}: ride {first}, wind {second}, {worked}.")
    return CardsPicture(drawing, " ".join(spoken))


def plot_product(left="Q", right="K.T", row=3, column=1):
    """One entry of a product of two matrices of the running example: the row and the column that meet in it.

    >>> plot_product("Q", "K.T", row=3, column=1).alt[:85]
    'Q @ K.T. Row 3 of Q (hot) meets column 1 of K.T (chai): 3·2 + 0·0 + 0·0 + 0·0 = 6. Th'
    """
    tokens, X, W_Q, W_K, _ = load_example()
    Q, K = X @ W_Q, X @ W_K
    known = {
        "Q": (Q, tokens, KINDS),
        "K": (K, tokens, KINDS),
        "K.T": (K.T, KINDS, tokens),
    }
    (A, rows, inner), (B, met, columns) = known[left], known[right]
    drawing = Drawing(672, 366, f"{left} @ {right}")
    x, y = (
        70 + CELL * A.shape[1] + 46,
        46 + HIGH * len(B) + 36,
    )  # the corner where all three meet
    for place, name in enumerate(met):
        drawing.text(
            x - 8,
            46 + HIGH * (place + 0.5),
            name,
            anchor="end",
            font=12,
            color=SOFT,
        )
    for place, name in enumerate(inner):
        drawing.text(
            70 + CELL * (place + 0.5),
            y - 11,
            name,
            anchor="middle",
            font=12,
            color=SOFT,
        )
    _draw_matrix(drawing, 70, y, A, row=row, color=QUERY)
    _draw_matrix(drawing, x, 46, B, column=column, color=KEY)
    _draw_matrix(drawing, x, y, A @ B, row=row, column=column, color=LIT)
    for place, name in enumerate(rows):
        lit = place == row
        drawing.text(
            62,
            y + HIGH * (place + 0.5),
            name,
            anchor="end",
            bold=lit,
            color=QUERY if lit else INK,
        )
    for place, name in enumerate(columns):
        lit = place == column
        middle = x + CELL * (place + 0.5)
        drawing.text(
            middle,
            33,
            name,
            anchor="middle",
            font=12,
            bold=lit,
            color=KEY if lit else INK,
        )
    drawing.text(
        62,
        y - 12,
        left,
        anchor="end",
        bold=True,
        font=15,
        color=QUERY,
    )
    drawing.text(x, 14, right, bold=True, font=15, color=KEY)
    drawing.text(x, y - 16, f"{left} @ {right}", bold=True, font=15)
    worked = worked_out(A[row], B[:, column])
    met_here = f"row {rows[row]} · column {columns[column]}: {worked}"
    drawing.text(
        336,
        y + HIGH * len(A) + 26,
        met_here,
        anchor="middle",
        font=15,
    )
    return CardsPicture(
        drawing,
        f"Row {row} of {left} ({rows[row]}) meets column {column} of {right} ({columns[column]}): {worked}. "
        f"The sum is entry [{row}, {column}] of the product.",
    )


def _draw_matrix(drawing, x, y, matrix, *, row=None, column=None, color):
    """Numbers in boxes; a row, a column, or the one cell where both meet is framed."""
    for i, numbers in enumerate(matrix):
        for j, n in enumerate(numbers):
            lit = row in (None, i) and column in (None, j)
            middle = x + CELL * (j + 0.5), y + HIGH * (i + 0.5)
            drawing.box(x + CELL * j, y + HIGH * i, CELL, HIGH, edge=BLOCKED)
            ink = color if lit else INK if n else SOFT
            drawing.text(*middle, whole(n), anchor="middle", font=14, bold=lit, color=ink)
    high = HIGH if row is not None else HIGH * len(matrix)
    wide = CELL if column is not None else CELL * len(matrix[0])
    drawing.box(
        x + CELL * (column or 0),
        y + HIGH * (row or 0),
        wide,
        high,
        edge=color,
        thick=3,
    )
