"""Lesson 00: the three cards of a word, query, key and value, as a drawing."""

from attn_parts.colours import FAINT, INK, KEY, QUERY, SOFT, VALUE
from attn_parts.example import KINDS, MEANINGS, load_example
from attn_parts.stills import CardsPicture
from attn_parts.sums import whole, worked_out
from attn_parts.svg import Drawing

ROW, CARD_WIDTH = 21, 124


def plot_cards(looking="hot", found="chai"):
    """Draw query, key and value of two words of the running example, and what the first finds in the second.

    >>> plot_cards("hot", "chai").alt[-67:]
    '= 6. Passed on to hot: its value (drink 4, warm 1), times a weight.'
    """
    tokens, X, W_Q, W_K, W_V = load_example()
    cards = {}
    for word in (looking, found):
        x = X[tokens.index(word)]
        cards[word] = {
            "query": (KINDS, x @ W_Q),
            "key": (KINDS, x @ W_K),
            "value": (MEANINGS, x @ W_V),
        }
    query = cards[looking]["query"][1]
    key = cards[found]["key"][1]
    match = worked_out(query, key)
    drawing = Drawing(720, 306, "Three cards each")
    for place, head in enumerate(("query: looks for", "key: is", "value: passes on")):
        drawing.text(
            76 + 165 * place,
            16,
            head,
            bold=True,
            color=(QUERY, KEY, VALUE)[place],
        )
    for y, word in ((34, looking), (200, found)):
        drawing.text(12, y + 44, word, font=19, bold=True)
        for place, (kind, color) in enumerate(
            (
                ("query", QUERY),
                ("key", KEY),
                ("value", VALUE),
            )
        ):
            lit = kind == "query" if y == 34 else kind != "query"
            _draw_card(drawing, 76 + 165 * place, y, *cards[word][kind], color, lit)
    drawing.line(138, 126, 262, 198, color=INK, width=2, arrow=True)
    drawing.text(222, 160, f"match: {match}", bold=True)
    drawing.line(532, 222, 622, 222, color=VALUE, width=2)
    drawing.line(622, 222, 622, 112, color=VALUE, width=2, arrow=True)
    drawing.text(622, 54, f"passed on to {looking}:", anchor="middle", color=VALUE, bold=True)
    passed = _in_words(*cards[found]["value"])
    for y, line in ((74, f"its value ({passed}),"), (94, "times a weight")):
        drawing.text(622, y, line, anchor="middle", color=VALUE)
    spoken = ". ".join(
        f"{word}: " + "; ".join(f"{kind} {_in_words(*card)}" for kind, card in three.items())
        for word, three in cards.items()
    )
    return CardsPicture(
        drawing,
        f"{spoken}. The query of {looking} and the key of {found}: {match}. Passed on to "
        f"{looking}: its value ({passed}), times a weight.",
    )


def _draw_card(drawing, x, y, names, numbers, color, lit):
    drawing.box(
        x,
        y,
        CARD_WIDTH,
        ROW * len(names) + 8,
        edge=color,
        thick=3 if lit else 1,
    )
    for place, (name, entry) in enumerate(zip(names, numbers)):
        middle = y + 4 + ROW * (place + 0.5)
        ink = INK if entry else SOFT
        drawing.text(x + 10, middle, name, color=ink, bold=bool(entry))
        drawing.text(
            x + CARD_WIDTH - 12,
            middle,
            whole(entry),
            anchor="end",
            color=ink,
            bold=bool(entry),
        )
        if place:
            top = y + 4 + ROW * place
            drawing.line(x + 8, top, x + CARD_WIDTH - 8, top, color=FAINT, width=0.4)


def _in_words(names, numbers):
    """Name the entries of a card that aren't 0: "drink 4, warm 1"."""
    return ", ".join(f"{name} {whole(n)}" for name, n in zip(names, numbers) if n) or "nothing"
