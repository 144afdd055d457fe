"""Lesson 05: all of attention, stage by stage, following the row of one token."""

import math

import numpy as np

from attn_parts.colours import (
    BLOCKED,
    FAINT,
    INK,
    LIT,
    SOFT,
    WEIGHTS,
    scale_around_zero,
)
from attn_parts.example import load_example
from attn_parts.explorer import ALL, Explorer, Slider, Step, Switch
from attn_parts.formatting import digits_that_fit, gives, number
from attn_parts.heatmaps import STAGES
from attn_parts.mathematics import causal_mask, scaled_dot_product_attention
from attn_parts.svg import Drawing


def explore_pipeline() -> Explorer:
    """Show all of attention, stage by stage, and follow the row of one token (lesson 05).

    With 4 tokens and d_k = 4 it shows the running example, else random numbers. Controls: stage (0 to 5, the
    names are STAGES), length (1 to 8), d_k (1 to 8), row (the token followed), causal; back and forward are
    buttons.
    """
    controls = [
        Step("back", "stage", -1),
        Step("forward", "stage", 1),
        Slider("stage", len(STAGES) - 1, 0, len(STAGES) - 1),
        Slider("length", 4, 1, 8),
        Slider("d_k", 4, 1, 8),
        Slider("row", 3, 0, 7, below="length"),
        Switch("causal", True),
    ]
    frames = [
        {"stage": ALL, "length": ALL, "row": ALL, "causal": ALL},
        {"stage": ALL, "d_k": ALL, "causal": ALL},
    ]
    return Explorer(_draw_pipeline, controls, frames)


def _draw_pipeline(stage, length, d_k, row, causal):
    example = load_example() if (length, d_k) == (4, 4) else load_example(length, d_k)
    tokens, row = example.tokens, min(row, length - 1)
    parts = _pipeline_parts(*(example.X @ W for W in example[2:]), causal)
    cell = 44 if max(length, d_k) <= 4 else 29
    step = max(250, 74 + cell * max(length, d_k))
    high = cell * length + 84
    title = f"Attention, step {stage + 1} of {len(STAGES)}: {STAGES[stage]}"
    drawing = Drawing(4 * step + 90, 140 + 2 * high, title, example.source)
    _draw_stages(drawing, stage)
    vectors = scale_around_zero(*(values for begins, _, values in parts if begins in (0, 5)), label="value")
    scores = scale_around_zero(*(values for begins, _, values in parts if begins in (1, 2, 3)))
    for place, (begins, name, values) in enumerate(parts):
        x = 66 + step * (place % 4)
        y = 86 + high * (place // 4)
        if begins > stage:  # an empty frame
            drawing.text(x, y - 16, name, color=SOFT)
            drawing.box(
                x,
                y,
                values.shape[1] * cell,
                len(values) * cell,
                edge=BLOCKED,
            )
            continue
        scale = {0: vectors, 5: vectors, 4: WEIGHTS}.get(begins, scores)
        grid = drawing.matrix(x, y, values, scale, cell=cell).title(name)
        grid.names(tokens, tokens if begins in (1, 2, 3, 4) else ())
        if name not in "KV":
            grid.light(row)
        if begins == stage:
            drawing.box(
                x - 60,
                y - 28,
                step - 4,
                grid.foot - y + 32,
                edge=LIT,
                thick=2,
            )
    apart = max(2 * high / 3, 90)  # so that no colour bar reaches the next, even for one token
    for place, scale in enumerate((vectors, scores, WEIGHTS)):
        if stage >= (0, 1, 4)[place]:
            y = 86 + apart * place
            tall = max(apart - 64, 36)
            drawing.color_bar(4 * step + 20, y, tall, scale, blocked=causal and place > 0)
    lines = _row_in_words(stage, tokens, row, parts)
    y = 76 + 2 * high
    for place, line in enumerate(lines):
        y = drawing.paragraph(10, y, line, drawing.width - 20, bold=not place)
    return (
        drawing,
        f"{length} tokens, d_k = {d_k}. {' '.join(lines)} Numbers: {example.source}.",
    )


def _pipeline_parts(Q, K, V, causal):
    """Return every matrix of the pipeline as (stage where it appears, title, values)."""
    allowed = causal_mask(len(Q)) | (not causal)
    scores = Q @ K.T
    scaled = scores / math.sqrt(Q.shape[-1])
    output, weights = scaled_dot_product_attention(Q, K, V, allowed)
    return (
        (0, "Q", Q),
        (0, "K", K),
        (0, "V", V),
        (1, "scores = QKᵀ", scores),
        (2, f"scaled = scores / √{Q.shape[-1]}", scaled),
        (3, "masked", np.where(allowed, scaled, -np.inf)),
        (4, "weights = softmax", np.where(allowed, weights, -np.inf)),
        (5, "output = weights · V", output),
    )


def _row_in_words(stage, tokens, row, parts):
    """Say in short lines what one step does to the row of one token and the key that it attends to most."""
    Q, K, V, scores, scaled, masked, weights, output = (values for _, _, values in parts)
    name = tokens[row]
    best = int(np.argmax(weights[row]))
    width = Q.shape[1]
    total = weights[row][np.isfinite(weights[row])].sum()
    blocked = [token for token, score in zip(tokens, masked[row]) if np.isneginf(score)]
    score = scores[row, best]
    after = number(scaled[row, best])
    root = math.sqrt(width)
    digits = digits_that_fit(lambda n: gives(round(score, n) / round(root, n), after))
    told = [
        f"{name} looks with its row of Q, is found by its row of K and contributes its row of V.",
        f"Queries and keys are {width} wide, values {V.shape[1]}.",
        f"{name} · {tokens[best]} = {number(score)}:",
        f"the query of {name} times the key of {tokens[best]}, entry by entry, added up.",
        f"{number(score, digits)} becomes {after}:",
        f"divided by √{width} = {number(root, digits)}.",
        f"Blocked for {name}: {', '.join(blocked) or 'nothing'}.",
        "A blocked score is −inf, whatever it was.",
        f"{name} gives {tokens[best]} the most: {number(weights[row, best])}.",
        f"The row sums to {number(total)}.",
        f"{name} now holds {', '.join(map(number, output[row]))}:",
        "the sum of the values, weighted by its row of weights.",
    ]  # two lines a stage
    return [f"Step {stage + 1}: {STAGES[stage]}", *told[2 * stage : 2 * stage + 2]]


def _draw_stages(drawing, stage):
    """Write the names of all steps on top, those done so far in ink, the current one lit."""
    step = drawing.width / len(STAGES)
    for place, name in enumerate(STAGES):
        now = place == stage
        fill, edge = (LIT, LIT) if now else ("none", FAINT)
        color = INK if place <= stage else SOFT
        drawing.box(step * place + 12, 8, step - 24, 32, fill=fill, edge=edge)
        drawing.text(
            step * (place + 0.5),
            24,
            f"{place + 1}  {name}",
            anchor="middle",
            color=color,
            bold=now,
        )
