"""Lesson 01: a query that the reader writes, its dot product with every key, and the output."""

import functools

from attn_parts.colours import BLOCKED, FAINT, INK, KEY, QUERY, SOFT, VALUE
from attn_parts.example import KINDS, MEANINGS, load_example
from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.formatting import digits_that_fit, gives, listed, number
from attn_parts.mathematics import softmax
from attn_parts.sums import products, whole
from attn_parts.svg import Drawing

OWN = "your own"
ENTRIES = [f"q_{kind}" for kind in KINDS]
LEFT, CELL = 62, 84  # where the cells of the keys begin, and how wide they are
TOP, STEP = 122, 46  # where the first word begins, and how far the next one is
SCORE, HALF, BAR, BAR_WIDTH, DRINK, WARM = (
    436,
    486,
    516,
    92,
    682,
    736,
)  # columns beside the cells


def explore_dot_product():
    """Write a query: its dot product with every key, entry by entry, the weights, and the output (lesson 01).

    Controls: query (whose it is, or "your own"), and its four numbers, q_thing, q_description, q_article,
    q_verb.
    """
    queries = _queries()
    controls = [Choice("query", "hot", [*queries, OWN], width=170)]
    controls += [Slider(name, start, -9, 9) for name, start in zip(ENTRIES, queries["hot"])]
    some = (
        [-9, -4, 0, 1, 2, 3, 9],
        [-9, -4, 0, 2, 4, 9],
        [-9, -4, 0, 4, 9],
        [-9, -4, -1, 0, 4, 9],
    )
    frames = [dict(zip(ENTRIES, some))]  # the queries of the words are among them
    return Explorer(_draw_dot_product, controls, frames, _follow)


@functools.cache
def _queries():
    """The query of each word as whole numbers, *hot* first."""
    tokens, X, W_Q, _, _ = load_example()
    return dict(zip(tokens[::-1], (X @ W_Q)[::-1].astype(int).tolist()))


def _follow(moved, values):
    """A chosen word sets the four numbers, and numbers that are no word's query are the reader's own."""
    if moved == "query":
        return dict(zip(ENTRIES, _queries().get(values["query"], ())))
    entries = [values[name] for name in ENTRIES]
    return {"query": next((word for word, query in _queries().items() if query == entries), OWN)}


def _draw_dot_product(query, **entries):
    tokens, X, _, W_K, W_V = load_example()
    q = list(entries.values())
    K = X @ W_K
    V = X @ W_V
    scores = K @ q
    weights = softmax(scores / 2)
    output = weights @ V
    drawing = Drawing(780, 352, "One query, all keys, and the output")
    _draw_heads(drawing, q)
    digits = digits_that_fit(
        lambda n: all(map(gives, weights.round(n) @ V, map(number, output))),
        least=3,
    )
    for i, token in enumerate(tokens):
        _draw_word(
            drawing,
            TOP + STEP * i,
            token,
            q,
            K[i],
            scores[i],
            weights[i],
            V[i],
            digits,
        )
    y = TOP + STEP * len(tokens)
    for end in (0, 1):
        drawing.text(
            BAR + BAR_WIDTH * end,
            y - 14,
            str(end),
            anchor="middle",
            font=11,
        )
    drawing.line(LEFT, y, WARM + 24, y, color=FAINT)
    total = "output: weight × value, added up"
    drawing.text(
        DRINK - 40,
        y + 24,
        total,
        anchor="end",
        bold=True,
        color=VALUE,
    )
    for x, entry in zip((DRINK, WARM), output):
        drawing.box(x - 25, y + 7, 50, 34, edge=VALUE, thick=3)
        drawing.text(
            x,
            y + 24,
            number(entry),
            anchor="middle",
            font=15,
            bold=True,
        )
    best = " and ".join(token for token, score in zip(tokens, scores) if score == scores.max())
    return drawing, (
        f"Query, {query}: {listed(KINDS, q, whole)}. Scores: {listed(tokens, scores, whole)}. "
        f"Largest weight: {best}, {number(weights.max(), 3)}. Output: {listed(MEANINGS, output)}."
    )


def _draw_heads(drawing, query):
    for place, (kind, entry) in enumerate(zip(KINDS, query)):
        middle = LEFT + CELL * (place + 0.5)
        drawing.text(middle, 16, kind, anchor="middle")
        drawing.box(middle - 36, 30, 72, 30, edge=QUERY, thick=2)
        drawing.text(
            middle,
            45,
            whole(entry),
            anchor="middle",
            font=16,
            bold=True,
            color=QUERY,
        )
    drawing.text(8, 45, "query", bold=True, color=QUERY)
    drawing.text(LEFT, TOP - 36, "query × key, entry by entry", bold=True, color=KEY)
    for x, head in (
        (SCORE, "score"),
        (HALF, "half"),
        (DRINK, MEANINGS[0]),
        (WARM, MEANINGS[1]),
    ):
        drawing.text(
            x,
            TOP - 36,
            head,
            anchor="middle",
            bold=True,
            color=VALUE if x > HALF else INK,
        )
    drawing.text(BAR, TOP - 36, "weight", bold=True)
    drawing.text(
        (DRINK + WARM) / 2,
        TOP - 58,
        "value",
        anchor="middle",
        bold=True,
        color=VALUE,
    )


def _draw_word(drawing, y, token, query, key, score, weight, value, digits):
    drawing.text(8, y, token, font=15, bold=True)
    for place, (q, k) in enumerate(zip(query, key)):
        middle = LEFT + CELL * (place + 0.5)
        drawing.box(middle - 36, y - 15, 72, 30, edge=KEY)
        ink = INK if q * k else SOFT
        drawing.text(
            middle,
            y,
            products([q], [k]),
            anchor="middle",
            font=14,
            color=ink,
            bold=bool(q * k),
        )
        sign = "+" if place < 3 else "="
        drawing.text(LEFT + CELL * (place + 1), y, sign, anchor="middle")
    drawing.text(
        SCORE,
        y,
        whole(score),
        anchor="middle",
        font=16,
        bold=True,
    )
    drawing.text(HALF, y, whole(score / 2), anchor="middle")
    drawing.box(BAR, y - 11, BAR_WIDTH, 22, fill="none", edge=BLOCKED)
    drawing.box(BAR, y - 11, BAR_WIDTH * weight, 22, fill=INK)
    drawing.text(
        BAR + BAR_WIDTH + 6,
        y,
        number(weight, digits),
        font=12,
        room=40,
    )
    for x, entry in ((DRINK, value[0]), (WARM, value[1])):
        drawing.box(x - 24, y - 15, 48, 30, edge=VALUE)
        drawing.text(
            x,
            y,
            whole(entry),
            anchor="middle",
            color=INK if entry else SOFT,
            bold=bool(entry),
        )
