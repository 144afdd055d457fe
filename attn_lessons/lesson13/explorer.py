"""Lesson 13: what a GPT writes at seven stages of its training, by temperature and top-p, and what is new."""

from attn_lessons.lesson13.pictures import LEFT, TOP, WIDTH, draw_losses
from attn_parts.colours import KEY, LIT, SOFT
from attn_parts.example import load_data
from attn_parts.explorer import Choice, Explorer

LINES = {"guessing": 3.2958}
RIGHT = 330  # the second column of what it writes


def explore_gpt():
    """Explore what the GPT of lesson 13 writes while it learns: ten names by step, temperature and top-p.

    Controls: step (of training), temperature, top_p. Each set of names is stored, from the same random
    numbers.
    """
    samples = load_data("own_gpt")["names"]["samples"]
    first, *_ = samples.values()
    heats, cuts = zip(*(name.split() for name in first))
    return Explorer(
        _draw,
        [
            Choice("step", 600, [int(step) for step in samples], buttons=True),
            Choice(
                "temperature",
                1.0,
                [float(heat) for heat in dict.fromkeys(heats)],
                buttons=True,
            ),
            Choice(
                "top_p",
                1.0,
                [float(cut) for cut in dict.fromkeys(cuts)],
                buttons=True,
            ),
        ],
    )


def _draw(step, temperature, top_p):
    """The curve with its dot above, and below it ten names, new ones in bold."""
    stored = load_data("own_gpt")["names"]
    texts, copied = (
        stored["samples"][str(step)][f"{temperature} {top_p}"],
        set(stored["copied"]),
    )
    drawing, _ = draw_losses(stored["losses"], LINES)
    drawing.title = f"What the GPT writes after {step} steps"
    x = LEFT + WIDTH * step / stored["steps"]
    drawing.line(x, TOP, x, TOP + 210, color=LIT)
    foot = TOP + 210 + 66
    drawing.height = foot + 5 * 24 + 6
    drawing.text(
        LEFT,
        foot - 16,
        "it writes (bold: new, grey: copied from the list)",
        font=15,
        color=SOFT,
    )
    for place, text in enumerate(texts):
        new = text not in copied
        drawing.text(
            (LEFT, RIGHT)[place // 5],
            foot + 10 + 24 * (place % 5),
            text or "(nothing)",
            font=17,
            color=KEY if new else SOFT,
            bold=new,
        )
    news = sum(text not in copied for text in texts)
    return (
        drawing,
        f"It writes {', '.join(text or 'nothing' for text in texts)}: {news} of {len(texts)} are new.",
    )
