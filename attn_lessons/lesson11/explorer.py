"""Lesson 11: a sentence in the language model: all heads small, one large, and the likeliest next words."""

import functools

import numpy as np

from attn_parts.colours import BLOCKED, FAINT, KEY, LIT, SOFT, WEIGHTS, color_table
from attn_parts.explorer import ALL, Choice, Explorer, Slider, Text
from attn_parts.formatting import listed, number_told
from attn_parts.language_model import (
    HEADS,
    LAYERS,
    load_language_model,
    next_words,
    run_language_model,
)
from attn_parts.mathematics import causal_mask
from attn_parts.svg import Drawing
from attn_parts.toy_corpus import LEXICON, LONGEST, word_numbers

TEXT = "chai hot, dog tame, cup red, river wide. cup red, river wide, chai"
TAME = "chai tame, dog hot, cup red. cup red, chai"  # the lesson asks for it
SAID = {",": "comma", ".": "full stop"}
EVERY = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
SIDE, APART = 88, 98  # of a small table, and from one to the next
LARGE = 400  # side of the large one


def explore_language_model() -> Explorer:
    """Explore a text of your own in lesson 11's language model: what heads attend to, and likely next words.

    Controls: text (words of the model), head (layer and head, chosen by a click), row (the position to look
    at: what it attends to, and the likeliest words after it), off (ablated heads), how (zero or mean),
    temperature (0.25 to 4, log).
    """
    off = {"nothing": ()} | {f"layer {layer}, head {head}": ((layer, head),) for layer, head in EVERY}
    off |= {f"all of layer {layer}": tuple((layer, head) for head in range(HEADS)) for layer in range(LAYERS)}
    controls = [
        Text("text", TEXT),
        Choice(
            "head",
            EVERY[0],
            {f"{layer} · {head}": (layer, head) for layer, head in EVERY},
            buttons=True,
        ),
        Slider("row", 18, 0, LONGEST - 1, at_most=_last_row),
        Choice("off", (), off),
        Choice("how", "zero", ["zero", "mean"], width=130),
        Slider("temperature", 1.0, 0.25, 4.0, 0.5, log=2),
    ]
    frames = [
        {"head": ALL, "row": ALL},
        {"off": ALL, "head": ALL},
        {"off": ALL, "row": [12, 13, 15]},
        {"temperature": ALL, "off": ALL},
        {"text": [TAME], "head": ALL},
    ]
    return Explorer(_draw_model, controls, frames, _follow)


def _last_row(values):
    """The row of the text's last word, or the present row if the model can't read the text."""
    try:
        return len(word_numbers(values["text"])) - 1
    except ValueError:  # the picture says why
        return values["row"]


def _follow(moved, values):
    """Move to the last word of a new text."""
    return {"row": _last_row(values)} if moved == "text" else {}


_model = functools.cache(load_language_model)


@functools.lru_cache(maxsize=64)
def _run(text, off, how):
    return run_language_model(_model(), text, off=off, how=how)


def _draw_model(text, head, row, off, how, temperature):
    try:
        tokens = [LEXICON[word] for word in word_numbers(text)]
    except ValueError as error:
        refusal = str(error)
        drawing = Drawing(990, 120, "The language model, which can't read this text")
        drawing.text(10, 24, "The model can't read this text.", bold=True, color=KEY)
        drawing.paragraph(10, 52, f"{refusal[0].upper()}{refusal[1:]}.", 970)
        return drawing, f"{refusal} (row {row}, temperature {temperature:g})."
    row = min(row, len(tokens) - 1)
    logits, weights = _run(text, off, how)
    expected = next_words(logits[row], 8, temperature)
    layer, which = head
    drawing = Drawing(990, 596, f"The language model, layer {layer}, head {which}")
    _draw_wall(drawing, weights, head, off)
    warmth = f", temperature {temperature:g}" if temperature != 1 else ""
    title = f"after “{tokens[row]}”, position {row}{warmth}"
    words = [SAID.get(word, word) for word, _ in expected]
    shares = [share for _, share in expected]
    drawing.bars(
        560,
        370,
        380,
        110,
        shares,
        limits=(0, 1),
        labels=words,
        title=title,
        marks=(0, 0.5, 1),
    )
    cell = min(LARGE / len(tokens), 30)
    allowed = causal_mask(len(tokens))
    grid = drawing.matrix(
        80,
        60,
        weights[head],
        WEIGHTS,
        cell=cell,
        allowed=allowed,
    ).names(tokens, tokens)
    drawing.text(80, 40, f"layer {layer}, head {which}", font=14, bold=True)
    grid.light(row)
    if head in off:
        instead = {"zero": "0", "mean": "its mean"}[how]
        drawing.text(
            200,
            40,
            f"switched off: its output is set to {instead}",
            font=12,
            color=KEY,
        )
    likeliest = listed(words[:5], shares[:5])
    told = f"{_in_words(tokens, row, head, weights[head][row], off, how)} Likeliest next words: {likeliest}."
    drawing.paragraph(10, 560, told, 970, font=13)
    return drawing, told


def _draw_wall(drawing, weights, chosen, off):
    """A small table without numbers for each head, later keys grey, the layer above on top."""
    left, top = 536, 60
    drawing.text(left, 20, "all heads", font=14, bold=True)
    colors, _ = color_table(WEIGHTS.colors)
    cell = SIDE / len(weights[chosen])
    stairs = "".join(f"v{cell:.4g}h{cell:.4g}" for _ in range(len(weights[chosen]) - 1))
    for layer, head in EVERY:
        x = left + head * APART
        y = top + (LAYERS - 1 - layer) * 130
        drawing.box(x, y, SIDE, SIDE, fill=colors[0])  # on it the cells that are not 0
        shades = np.rint(15 * weights[layer, head]).astype(int).tolist()
        cells = {}
        for i, j in np.argwhere(weights[layer, head] > 0.03).tolist():
            cells.setdefault(colors[17 * shades[i][j]], []).append(
                f"M{x + j * cell:.4g} {y + i * cell:.4g}h{cell:.3g}v{cell:.3g}h-{cell:.3g}z"
            )
        drawing.marks += [f'<path fill="{fill}" d="{"".join(parts)}"/>' for fill, parts in cells.items()]
        drawing.marks.append(f'<path fill="{BLOCKED}" d="M{x + cell:.4g} {y:.4g}{stairs}V{y:.4g}z"/>')
        drawing.box(x, y, SIDE, SIDE, edge=FAINT)
        name = f"{layer} · {head}" + (" off" if (layer, head) in off else "")
        drawing.text(
            x,
            y - 10,
            name,
            font=12,
            color=KEY if (layer, head) in off else SOFT,
        )
        if (layer, head) == chosen:
            drawing.box(
                x - 2,
                y - 2,
                SIDE + 4,
                SIDE + 4,
                edge=LIT,
                thick=3,
            )
    drawing.color_bar(
        left + 4 * APART - 4,
        top,
        2 * SIDE,
        WEIGHTS,
        blocked=True,
    )


def _in_words(tokens, row, head, weights, off, how):
    """Say what is switched off, and what the chosen head attends to from this row."""
    names = [
        SAID.get(token, token) + (f" ({place})" if tokens.count(token) > 1 else "")
        for place, token in enumerate(tokens)
    ]
    most = np.argsort(-weights[: row + 1], kind="stable")[:3]
    looks = listed([names[place] for place in most], weights[most], number_told)
    silent = ", ".join(f"{layer} · {which}" for layer, which in off) or "nothing"
    means = " (means)" if off and how == "mean" else ""
    return (
        f"{len(tokens)} words, {silent} switched off{means}. Layer {head[0]}, head {head[1]}: "
        f"“{names[row]}” attends to {looks}."
    )
