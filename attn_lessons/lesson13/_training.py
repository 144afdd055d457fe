"""Lesson 13: watch a loop of the reader's train a GPT, or the stored training where none is written."""

import itertools
import numbers
import zlib

import numpy as np

from attn_lessons.lesson13.gpt_gradients import loss_of, right_answer
from attn_lessons.lesson13.pictures import draw_losses
from attn_parts.example import load_data
from attn_parts.gpt import check_model, start_gpt
from attn_parts.language_model import unpacked
from attn_parts.learning import Adam, shapes_of
from attn_parts.live_view import show_live
from attn_parts.stills import CardsPicture
from attn_parts.validation import as_count

HEADS = 4
JUDGED = 300  # held-out windows that are looked at while it trains; at the end it's all of them
COURSE = "trained by the course's loop"


def watch_loss(train, model, windows, unseen, steps=600, *, lines=None, write=None):
    """Train a GPT with a loop of your own, and draw its loss while it learns.

    Parameters
    ----------
    train : callable
        `train(model, windows, steps)` changes the model in place and yields the loss before each step. While
        yours isn't written, the course's does the work, and a line says so.
    model : dict
        Arrays by name: see attn_parts/gpt.py.
    windows, unseen : ndarray of int, shapes (n, L + 1)
        Numbers of letters to train on, and held-out ones.
    steps : int
    lines : dict, optional
        Losses to compare with, by name; each is drawn as a line.
    write : callable, optional
        `write()` returns texts that the model writes; some are shown under the curve.

    Returns
    -------
    dict
        Lists "step", "training" (the mean loss since the last entry) and "held_out".
    """
    check_model(model)
    steps = as_count("steps", steps, 1)
    reason = why_not(train)
    if reason:
        stored = stored_training(model, windows, steps)
        print(f"{COURSE}{', and stored' if stored else ''}: {reason}")
        if stored:
            return shown(stored, lines)
    loop = courses_loop if reason else train
    seen = {"step": [], "training": [], "held_out": []}
    view = Live(steps, seen, lines)
    recent = []
    for step, loss in enumerate(loop(model, windows, steps), 1):
        recent.append(float(loss))
        if step % max(steps // 40, 1) == 0 or step == steps:
            judged = unseen if step == steps else unseen[:JUDGED]
            found = step, float(np.mean(recent)), loss_of(model, judged, HEADS)
            for name, value in zip(seen, found):
                seen[name].append(value)
            recent = []
            view.show(write() if write and not reason else ())
    view.close()
    return seen if reason else shown(seen, lines)


def shown(seen, lines):
    """Display the finished picture; what was seen."""
    from IPython.display import display

    display(CardsPicture(*draw_losses(seen, lines or {})))
    return seen


class Live:
    """The picture while it trains."""

    def __init__(self, steps, seen, lines):
        import ipywidgets as widgets

        self.picture, self.seen, self.lines = widgets.HTML(), seen, lines or {}
        told = f"step {steps} of {steps}"
        show_live(self.picture, {"text/html": f"<div>{told}</div>", "text/plain": told})

    def show(self, texts):
        drawing, description = draw_losses(self.seen, self.lines, list(texts)[:8])
        self.picture.value = drawing.svg(description)

    def close(self):
        self.picture.value = ""


def courses_loop(model, windows, steps, rate=0.01, seed=0, gradients_of=right_answer, heads=HEADS):
    """The course's training loop, as the lesson's solution has it."""
    adam, rng = Adam(model, rate), np.random.default_rng(seed)
    for step in range(steps):
        chosen = windows[rng.integers(len(windows), size=64)]
        loss, *gradients = gradients_of(chosen[:, :-1], chosen[:, 1:], heads, *model.values())
        adam.rate = rate * (1 - step / steps)
        adam.step(dict(zip(model, gradients)))
        yield loss


def why_not(train):
    """Why a loop can't be used yet, "" if it can: it's tried on a tiny model."""
    model = start_gpt(0, letters=3, width=4, positions=3)
    before = {name: array.copy() for name, array in model.items()}
    found = train(model, np.tile([0, 1, 2, 0], (4, 1)), 3)
    losses = [] if found is None else list(itertools.islice(found, 3))
    if not losses:
        return "yours isn't written yet, or yields no loss"
    if not all(isinstance(loss, numbers.Real) and np.isfinite(loss) for loss in losses):
        return f"yours yields {losses[0]!r:.60}, and a loss is one number"
    if all(np.array_equal(model[name], before[name]) for name in model):
        return "yours yields losses, but changes no parameter"
    return ""


def stored_training(model, windows, steps):
    """The losses of this very training, if it's the stored one; then the model becomes what it became."""
    stored = load_data("own_gpt")["names"]
    start = start_gpt(stored["seed"], letters=27)
    same = shapes_of(model) == shapes_of(start) and np.allclose(model["E"][0], start["E"][0])
    if same and steps == stored["steps"] and fingerprint(windows) == stored["windows"]:
        for name, array in unpacked(stored["numbers"], shapes_of(start)).items():
            model[name][...] = array
        return stored["losses"]
    return None


def fingerprint(windows):
    return [
        len(windows),
        zlib.crc32(np.ascontiguousarray(windows, "<i4").tobytes()),
    ]
