"""Lesson 07: vectors split into one, two or four heads, and which columns of the output each head writes."""

import numpy as np

from attn_parts.colours import FAINT, HEADS, SOFT, WEIGHTS, scale_around_zero
from attn_parts.example import KINDS, MEANINGS, load_example
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.formatting import listed, number
from attn_parts.mathematics import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from attn_parts.svg import Drawing

CELL, LEFT, TOP, STEP = (
    42,
    58,
    74,
    250,
)  # of a cell, the first matrix, and from one matrix to the next
LOWER = TOP + 4 * CELL + 156  # where the cells of the second row of matrices begin


def explore_heads() -> Explorer:
    """Explore the example's Q, K and V split into heads, one head's weights, and all heads' output (lesson
    07).

    V holds its two columns twice, so that four heads have a column each. Controls: heads (1, 2 or 4), head
    (the one whose weights are shown), row (the token followed).
    """
    heads = Choice("heads", 4, [1, 2, 4], width=120)
    return Explorer(
        _draw_heads,
        [heads, Slider("head", 0, 0, 3, below="heads"), Slider("row", 2, 0, 3)],
    )


def _draw_heads(heads, head, row):
    tokens, X, W_Q, W_K, W_V = load_example()
    head, wide = min(head, heads - 1), 4 // heads
    Q, K, V = X @ W_Q, X @ W_K, np.hstack([X @ W_V] * 2)
    per_head, weights = scaled_dot_product_attention(*(split_heads(A, heads) for A in (Q, K, V)))
    output = merge_heads(per_head)
    scale = scale_around_zero(Q, K, V, output, label="value")
    drawing = Drawing(860, LOWER + 4 * CELL + 110, f"Heads: {heads}, and what head {head} does")
    split = ("Q", Q, KINDS), ("K", K, KINDS), ("V", V, MEANINGS * 2)
    for place, (name, values, columns) in enumerate(split):
        grid = drawing.matrix(LEFT + STEP * place, TOP, values, scale, cell=CELL, digits=0)
        _cut(drawing, grid.names(tokens, columns), name, heads, head)
    grid.color_bar()
    seen = drawing.matrix(LEFT, LOWER, weights[head], WEIGHTS, cell=CELL).names(tokens, tokens)
    seen.title(f"weights of head {head}").light(row).color_bar()
    out = drawing.matrix(LEFT + 2 * STEP, LOWER, output, scale, cell=CELL).names(tokens, MEANINGS * 2)
    _cut(drawing, out, "outputs concatenated", heads, head)
    out.light(row)
    middle = LOWER + 2 * CELL
    drawing.line(
        seen.right + 86,
        middle,
        out.x - 60,
        middle,
        color=HEADS[head],
        width=3,
        arrow=True,
    )
    drawing.text(
        (seen.right + out.x + 26) / 2,
        middle - 16,
        f"× V of head {head}",
        anchor="middle",
    )
    mine, held = slice(head * wide, (head + 1) * wide), output[row]
    columns = f"{wide} column{'s' * (heads < 4)} wide"
    count = f"{heads} heads, each {columns}" if heads > 1 else f"1 head, {columns}"
    told = (
        f"{count}. Head {head} ({', '.join(KINDS[mine])}): “{tokens[row]}” attends to "
        f"{listed(tokens, weights[head, row])}, and gets {listed((MEANINGS * 2)[mine], held[mine])}. "
        f"Concatenated, “{tokens[row]}” holds {', '.join(map(number, held))}."
    )
    drawing.paragraph(10, LOWER + 4 * CELL + 56, told, drawing.width - 20, font=14)
    return drawing, told


def _cut(drawing, grid, title, heads, chosen):
    """Write a title, and the head above each column. Frame the chosen head's columns."""
    drawing.text(grid.x, grid.y - 52, title, font=14, bold=True)
    drawing.text(grid.x - 8, grid.y - 26, "head", anchor="end", font=12, color=SOFT)
    wide = 4 * grid.cell / heads
    for head in range(heads):
        x, color = grid.x + head * wide, HEADS[head]
        drawing.text(
            x + wide / 2,
            grid.y - 26,
            str(head),
            anchor="middle",
            bold=True,
            color=color,
        )
        drawing.box(x + 2, grid.y - 14, wide - 4, 6, fill=color)
        edge, thick = (color, 4) if head == chosen else (FAINT, 1)
        drawing.box(x, grid.y, wide, 4 * grid.cell, edge=edge, thick=thick)
