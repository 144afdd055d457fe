"""Lesson 13: losses while a GPT learns, beside those of counting; and what each part of it is for."""

import numpy as np

from attn_parts.colours import BLUE, FAINT, KEY, LIT, SOFT, VALUE
from attn_parts.example import load_data
from attn_parts.stills import CardsPicture
from attn_parts.svg import Drawing

LEFT, TOP, WIDTH, HEIGHT = 60, 34, 480, 210  # of the curves
LOWEST, HIGHEST = 1.5, 3.4  # of the losses drawn
PARTS = {  # in the file -> as it is told
    "all": "everything",
    "no MLP": "no MLP",
    "no positions": "no positions",
    "one head": "one head, not four",
    "no normalisation": "no normalisation",
    "four blocks": "four blocks",
    "four blocks, no residual": "four blocks, no X +",
}


def plot_losses(seen, lines=None):
    """Draw the losses of a training, and others to compare them with as lines.

    Parameters
    ----------
    seen : dict
        As `watch_loss` returns it.
    lines : dict, optional
        Name of each line to its loss.

    Examples
    --------
    >>> plot_losses({"step": [1, 2], "training": [3.3, 2.8], "held_out": [3.1, 2.9]}, {"guessing": 3.3})
    Picture: Losses, step 2. Training 2.80, held-out 2.90. guessing 3.30.
    """
    return CardsPicture(*draw_losses(seen, lines or {}))


def draw_losses(seen, lines, texts=(), high=HIGHEST):
    """A Drawing of the curves with the lines, and below it what the model writes; and its description."""
    last = seen["step"][-1]
    low = LOWEST if min(seen["training"]) > LOWEST else 0.0
    drawing = Drawing(760, TOP + HEIGHT + (64 if texts else 44), f"Losses, step {last}")

    def at(step, loss):
        height = (min(max(loss, low), high) - low) / (high - low)
        return LEFT + WIDTH * step / last, TOP + HEIGHT * (1 - height)

    drawing.text(LEFT, 14, "loss: mean of −ln p of the next letter", font=16, bold=True)
    for loss in np.arange(low, high, 0.5 if high == HIGHEST else 1):
        drawing.text(LEFT - 8, at(0, loss)[1], f"{loss:g}", anchor="end", font=15)
    axis(
        drawing,
        LEFT,
        TOP + HEIGHT,
        WIDTH,
        {0: "step 0", 0.5: f"{last / 2:g}", 1: f"{last:g}"},
    )
    for loss in lines.values():
        (left, y), (right, _) = at(0, loss), at(last, loss)
        drawing.line(left, y, right, y, color=FAINT, dash="4 4")
    for name, color in (("training", BLUE), ("held_out", LIT)):
        drawing.curve(
            [at(*pair) for pair in zip(seen["step"], seen[name])],
            color,
        )
    named = [
        *((at(last, loss)[1], f"{name} {loss:.2f}", SOFT) for name, loss in lines.items()),
        (
            at(last, seen["training"][-1])[1],
            f"training {seen['training'][-1]:.2f}",
            BLUE,
        ),
        (
            at(last, seen["held_out"][-1])[1],
            f"held-out {seen['held_out'][-1]:.2f}",
            KEY,
        ),
    ]
    for y, (_, name, color) in zip(apart([y for y, *_ in sorted(named)]), sorted(named)):
        drawing.text(LEFT + WIDTH + 10, y, name, font=15, color=color)
    if texts:
        drawing.text(LEFT, TOP + HEIGHT + 52, ", ".join(texts), font=16, room=WIDTH + 200)
    told = "; ".join(f"{name} {loss:.2f}" for name, loss in lines.items())
    description = f"Training {seen['training'][-1]:.2f}, held-out {seen['held_out'][-1]:.2f}."
    return drawing, description + (f" {told}." if told else "")


def axis(drawing, x, y, width, marks):
    """A line with numbers below it, large enough for a slide."""
    drawing.line(x, y, x + width, y, color=FAINT)
    for part, name in marks.items():
        drawing.line(x + part * width, y, x + part * width, y + 5, color=FAINT)
        drawing.text(x + part * width, y + 18, name, anchor="middle", font=15)


def apart(places, least=18):
    """Heights of labels, moved down until none is on another, and back up where they leave the picture."""
    found = []
    for place in places:
        found.append(max(place, found[-1] + least) if found else place)
    over = max(0, found[-1] - (TOP + HEIGHT + 8))
    for i in range(len(found) - 1, -1, -1):
        found[i] = min(found[i], found[i + 1] - least) if i + 1 < len(found) else found[i] - over
    return found


def plot_parts():
    """Draw the held-out losses of GPTs that were trained without one of their parts: a dot for each seed."""
    stored = load_data("own_gpt")["parts"]
    low, high, row = 1.9, 2.9, 34
    drawing = Drawing(760, 40 + row * len(PARTS) + 44, "Trained again, without a part")
    left, width = 210, 500
    told = []
    drawing.text(
        left,
        16,
        "held-out loss after training, three seeds each",
        font=16,
        bold=True,
    )
    for place, (name, label) in enumerate(PARTS.items()):
        y = 46 + row * place
        losses = stored[name]
        drawing.text(left - 14, y, label, anchor="end", font=15)
        drawing.line(left, y, left + width, y, color=FAINT, dash="1 4")
        for loss in losses:
            drawing.dot(
                left + width * (loss - low) / (high - low),
                y,
                6,
                VALUE if name.endswith("X +") else BLUE,
            )
        drawing.text(
            left + width * (max(losses) - low) / (high - low) + 14,
            y - 10,
            f"{np.median(losses):.2f}",
            font=15,
        )
        told.append(f"{label}: " + ", ".join(f"{loss:.2f}" for loss in losses))
    marks = {(loss - low) / (high - low): f"{loss:.1f}" for loss in (1.9, 2.1, 2.3, 2.5, 2.7, 2.9)}
    axis(drawing, left, 40 + row * len(PARTS), width, marks)
    return CardsPicture(drawing, "Held-out losses. " + "; ".join(told) + ".")


def plot_short():
    """Draw both losses of a GPT that trains on a hundred names, and how many of 100 that it writes are
    copied.
    """
    stored = load_data("own_gpt")["short"]
    drawing, told = draw_losses(stored, {}, high=6.6)
    last = stored["step"][-1]
    drawing.title = "A hundred names, learned by heart"
    drawing.height += 44
    foot = TOP + HEIGHT + 70
    drawing.text(
        LEFT,
        foot - 18,
        "of 100 names that it writes, so many are copied from the list:",
        font=15,
        color=SOFT,
    )
    for step, copied in zip(stored["step"], stored["copied"]):
        drawing.text(
            LEFT + WIDTH * step / last,
            foot + 4,
            str(copied),
            anchor="middle",
            font=15,
            bold=True,
        )
    copies = ", ".join(f"{many} at step {step}" for step, many in zip(stored["step"], stored["copied"]))
    return CardsPicture(drawing, f"{told} Copied of 100: {copies}.")
