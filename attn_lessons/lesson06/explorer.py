"""Lesson 06: attention weights as a heatmap, one row of it as bars, one cell of it as a sum."""

import math

from attn_parts.colours import SOFT, WEIGHTS
from attn_parts.example import WORDS, load_example
from attn_parts.explorer import ALL, Explorer, Slider, Switch, Text
from attn_parts.formatting import (
    PRINT_UP_TO,
    digits_that_fit,
    gives,
    matrix_in_words,
    number,
    number_told,
    text_width,
    wrapped,
)
from attn_parts.mathematics import (
    causal_mask,
    entropy,
    scaled_dot_product_attention,
)
from attn_parts.sums import products
from attn_parts.svg import Drawing

START = {
    "words": " ".join(WORDS[:4]),
    "d_k": 4,
    "seed": 0,
}  # with these the numbers are those set by hand
PRODUCTS = 8  # of a longer dot product only the first are written


def explore_attention() -> Explorer:
    """Attention weights as a heatmap, one row of it as bars, one cell of it as a sum (lesson 06).

    At the start the numbers are those of the running example, set by hand; with other words, another d_k or
    seed they are random, and the picture says so. Controls: words (your own, 1 to 32), length (of the words
    of the lessons, 1 to 32), d_k (1 to 64, log), row and column (the cell looked at), seed, causal, scaling.
    """
    controls = [
        Text("words", START["words"]),
        Slider("length", 4, 1, len(WORDS)),
        Slider("d_k", START["d_k"], 1, 64, log=2),
        Slider("seed", START["seed"], 0, 99),
        Slider("row", 3, 0, len(WORDS) - 1, below="length"),
        Slider("column", 1, 0, len(WORDS) - 1, below="length"),
        Switch("causal", False),
        Switch("scaling", True),
    ]
    said = "premature optimization is the root of all evil"
    frames = [
        {"row": ALL, "column": ALL, "causal": ALL, "scaling": ALL},
        {"words": [said], "seed": range(20), "row": ALL},
        {"words": [START["words"], said], "d_k": ALL, "seed": range(20)},
        {"length": ALL, "row": [3], "column": [1], "causal": ALL},
    ]
    return Explorer(_draw_attention, controls, frames, _follow)


def _follow(moved, values):
    """Typed words set the length, and a chosen length writes that many of the lessons' words."""
    if moved == "words":
        return {"length": len(values["words"].split())}
    return {"words": " ".join(WORDS[: values["length"]])} if moved == "length" else {}


def _draw_attention(words, length, d_k, seed, row, column, causal, scaling):
    d_k, words = round(d_k), words.split()
    by_hand = {"words": " ".join(words), "d_k": d_k, "seed": seed} == START
    example = load_example() if by_hand else load_example(d_k=d_k, seed=seed, words=words)
    tokens, X, W_Q, W_K, W_V = example
    row, column = min(row, len(tokens) - 1), min(column, len(tokens) - 1)
    allowed = causal_mask(len(tokens)) | (not causal)
    Q, K = X @ W_Q, X @ W_K
    scale = 1 / math.sqrt(d_k) if scaling else 1.0
    _, weights = scaled_dot_product_attention(Q, K, X @ W_V, allowed, scale=scale)
    title = f"Attention weights, {len(tokens)} tokens, d_k = {d_k}"
    names = tokens[row], tokens[column]
    cell = f"Cell {names[0]} → {names[1]}: blocked, a later key."
    if allowed[row, column]:
        cell = _cell_in_words(
            names,
            Q[row],
            K[column],
            scale,
            weights[row, column],
        )
    whole = matrix_in_words(weights, allowed, tokens, tokens, "weight")
    looks = weights[row]
    most = math.log(allowed[row].sum())
    followed = (
        f"Row {names[0]}: largest weight {number_told(looks.max())}, entropy {entropy(looks):.2f} "
        f"of at most ln {allowed[row].sum()} = {most:.2f}."
    )
    told = whole, followed, cell
    drawing = _draw(
        (title, example.source),
        tokens,
        weights,
        allowed,
        (row, column),
        told,
    )
    return drawing, f"{' '.join(told)} Numbers: {example.source}."


def _draw(title_and_source, tokens, weights, allowed, chosen, told):
    """The heatmap, bars for the chosen row, and all of it told below."""
    (row, column), length = chosen, len(tokens)
    cell = 44 if length <= 6 else 34 if length <= PRINT_UP_TO else max(13, 400 // length)
    side = cell * length
    names = max(text_width(token, 13) for token in tokens)
    left = names + 14
    deep = 50 + max(side, 200) + 24 + names
    bars = left + side + 130
    width = max(bars + 346, 620)
    lines = [line for part in told for line in wrapped(part, width - 20, 13)]
    drawing = Drawing(width, deep + 20 + 19 * len(lines), *title_and_source)
    drawing.text(10, 14, "queries down the side, keys along the bottom", font=12, color=SOFT)
    grid = drawing.matrix(
        left,
        50,
        weights,
        WEIGHTS,
        cell=cell,
        allowed=allowed,
    ).names(tokens, tokens)
    grid.light(row).light(row, column)
    drawing.color_bar(
        grid.right + 16,
        50,
        150,
        WEIGHTS,
        blocked=not allowed.all(),
    )
    looked_at = [weight if may else None for weight, may in zip(weights[row], allowed[row])]
    title = f"what {tokens[row]} attends to"
    axis = {"limits": (0, 1), "marks": (0, 0.5, 1)}
    drawing.bars(
        bars,
        76,
        330,
        150,
        looked_at,
        labels=tokens,
        title=title,
        lit=column,
        **axis,
    )
    for place, line in enumerate(lines):
        drawing.text(10, deep + 10 + 19 * place, line)
    return drawing


def _cell_in_words(names, query, key, scale, weight):
    """One score as a sum of products, what scaling makes of it, and the weight that comes out."""
    exact = float(query @ key)
    scaled = _plain(exact * scale)
    score = _plain(exact, digits_that_fit(lambda n: gives(round(exact, n) * scale, scaled)))
    digits = 2
    more = f" + … ({len(query)} products)"
    if len(query) <= PRODUCTS:
        digits = digits_that_fit(lambda n: gives(query.round(n) @ key.round(n), score))
        more = ""
    first = (numbers[:PRODUCTS].tolist() for numbers in (query, key))
    worked = products(*first, lambda value: _plain(value, digits)) + more
    divided = "" if scale == 1 else f"; {score} / √{len(query)} = {scaled}"
    return f"Cell {names[0]} → {names[1]}: q·k = {worked} = {score}{divided}; weight {number_told(weight)}."


def _plain(value, digits=2):
    """A number with a true minus sign, whole where it is whole."""
    text = f"{value:.0f}" if value.is_integer() else number(value, digits)
    return text.replace("-", "−")
