"""Train the GPTs of lesson 13 and store them: one on first names, with what it writes, others without a part.

python tools/train_own_gpt.py    writes notebooks/data/own_gpt.json, in ten minutes. Tests train some again

Parts are left out by the wrong ways that the lesson's own exercises know, such as a block without `X +`.
"""

from collections import defaultdict
from functools import partial

import numpy as np

from _command import store
from attn_lessons.lesson08 import block as plain
from attn_lessons.lesson13 import block_backward as backward
from attn_lessons.lesson13 import gpt_gradients, next_letter
from attn_lessons.lesson13._training import courses_loop, fingerprint
from attn_parts.gpt import start_gpt
from attn_parts.language_model import packed
from attn_parts.names import LETTERS, POSITIONS
from attn_parts.own_list import load_list

HEADS, SEED, STEPS = 4, 1, 600
STAGES = 0, 25, 50, 100, 200, 400, 600
TEMPERATURES, TOP_PS = (0.5, 0.8, 1.0, 1.5), (0.5, 0.9, 1.0)
FEW = 100  # names of a short list
SEEDS = 1, 2, 3
HOW = (
    "Made by tools/train_own_gpt.py with the course's answers to the exercises of lesson 13. names: a "
    "GPT of width 48 on first names; numbers: its parameters after 600 steps, as in "
    "names_models.json; losses: of training, the mean since the last entry, and on the held-out "
    "names; samples: ten texts by step, temperature and top-p; copied: those of them that it had "
    "read; new: some that are on no list. parts: the loss on held-out names of three seeds each after "
    "600 steps, without a part; without the causal mask: of training at the end, and on held-out "
    "names asked with what comes before alone. short: a hundred of the names, width 32; by step the "
    "two losses, and how many of 100 texts are in the list."
)


def main():
    lines = load_list("names.txt")
    store("own_gpt", {"how": HOW, "names": names(lines), "parts": parts(lines), "short": short(lines)})


def split(lines):
    """Windows to train on, and held-out ones: every tenth line."""
    kept = [line for place, line in enumerate(lines) if place % 10]
    return windows(kept), windows(lines[::10]), kept


def windows(lines):
    """As lesson 13 makes them: one from the line break before each line on, the text taken as a circle."""
    text = "\n" + "\n".join(lines)
    numbers = np.array([LETTERS.index(letter) for letter in text])
    starts = np.flatnonzero(numbers == 0)
    return np.resize(numbers, len(text) + POSITIONS)[starts[:, None] + np.arange(POSITIONS + 1)]


def names(lines):
    known, unseen, kept = split(lines)
    model = start_gpt(SEED, letters=len(LETTERS))
    samples = {"0": by_settings(model)}
    losses = defaultdict(list)
    for step in watched(losses, model, known, unseen, STEPS // 40, 4):
        if step in STAGES:
            samples[str(step)] = by_settings(model)
    written = dict.fromkeys(write(model, 40, 1, 0.9, 0.95))
    sampled = {text for texts in samples.values() for some in texts.values() for text in some}
    return {
        "seed": SEED,
        "steps": STEPS,
        "windows": fingerprint(known),
        "losses": losses,
        "samples": samples,
        "new": [text for text in written if text not in lines][:12],
        "copied": sorted(sampled & set(kept)),
        "numbers": packed(model, model),
    }


def short(lines):
    """A hundred names, by heart."""
    few = lines[:FEW]
    unseen = windows(lines[FEW : FEW + 300])
    model = start_gpt(SEED, letters=len(LETTERS), width=32)
    losses = defaultdict(list)
    for step in watched(losses, model, windows(few), unseen, 50, 3):
        if step % 50 == 0:
            losses["copied"].append(sum(text in few for text in write(model, 100, 0)))
    return losses


def watched(losses, model, known, unseen, every, digits):
    """Train by the course's loop. Yields each step, and enters the losses of every so many."""
    recent = []
    for step, loss in enumerate(courses_loop(model, known, STEPS), 1):
        recent.append(loss)
        if step % every == 0:
            losses["step"].append(step)
            losses["training"].append(round(float(np.mean(recent)), digits))
            held_out = gpt_gradients.loss_of(model, unseen, HEADS)
            losses["held_out"].append(round(held_out, digits))
            recent = []
        yield step


def by_settings(model):
    """Ten texts for each temperature and top-p."""
    return {f"{t} {p}": write(model, 10, 0, t, p) for t in TEMPERATURES for p in TOP_PS}


def write(model, count, seed, temperature=1.0, p=1.0):
    """Texts of at most 15 letters, each until a line break."""
    E, P, *matrices, U = model.values()
    forward = gpt_gradients.forward_with()
    chances_of = next_letter.STEPS.whole({})
    rng = np.random.default_rng(seed)
    allowed = np.ones(len(LETTERS), bool)
    found = []
    for _ in range(count):
        text = [0]
        while len(text) < POSITIONS and (len(text) == 1 or text[-1]):
            _, rows, _ = forward(np.array([text]), HEADS, E, P, U, *matrices)
            chances = chances_of(rows[0, -1] @ U, temperature, p, allowed)
            text.append(int(rng.choice(len(LETTERS), p=chances)))
        found.append("".join(LETTERS[number] for number in text).strip())
    return found


# --- without a part ---------------------------------------------------------------------------------------


def attend_without_residual(X, *others):
    *found, Z = backward.attend(X, *others)
    return *found, Z - X


# what takes the place of steps of the block, of its backward pass and of the gradients around it
NO_RESIDUAL = {
    "block": {"add": plain.ADD_1["no-residual"], "add again": plain.ADD_2["no-residual (mlp)"]},
    "back": {
        "attend": attend_without_residual,
        "to_Z": backward.D_Z["residual-forgotten (mlp)"],
        "to_X": backward.D_X["residual-forgotten"],
    },
}
# each letter is asked with those before it alone, where one block with the mask sees what it was trained on
NO_MASK = {
    "block": {"mask": plain.MASK["future-visible"]},
    "back": {"attend": partial(backward.attend, mask=lambda length: None)},
    "asked": {},
}
NO_NORM = {
    "block": {
        "normalise": plain.READS_RAW["attention-reads-raw"],
        "normalise again": plain.MLP_READS["mlp-reads-raw"],
    },
    "back": {
        "attend": partial(backward.attend, norm=np.array),
        "think": partial(backward.think, norm=np.array),
        "to_Z": backward.D_Z["norm-forgotten (mlp)"],
        "to_X": backward.D_X["norm-forgotten"],
    },
    "gradients": {"norm": gpt_gradients.D_X["norm-forgotten"]},
    "norm": np.array,
}
VARIANTS = {
    "all": {},
    "no MLP": {"zero": ("W_1", "W_2")},  # where both are 0, no gradient moves either
    "no positions": {
        "zero": ("P",),
        "gradients": {"at P": gpt_gradients.AT_P["positions-not-moved"]},
    },
    "one head": {"heads": 1},
    "no normalisation": NO_NORM,
    "no causal mask": NO_MASK,
    "four blocks": {"blocks": 4},
    "four blocks, no residual": {"blocks": 4, **NO_RESIDUAL},
}


def parts(lines):
    """Three seeds of each, the training loss at the end only where there is no mask."""
    known, unseen, _ = split(lines)
    found = {}
    for name, how in VARIANTS.items():
        runs = [trained(known, unseen, seed, **how) for seed in SEEDS]
        training, found[name] = map(list, zip(*runs, strict=True))
        if name == "no causal mask":
            found[f"{name}, training"] = training
        print(name, found[name], flush=True)
    return found


def trained(known, unseen, seed, *, zero=(), heads=HEADS, blocks=1, **ways):
    """The losses at the end, of training and on held-out names."""
    width = 48 if blocks == 1 else 32
    model = start_gpt(seed, letters=len(LETTERS), width=width, blocks=blocks)
    for name in zero:
        model[name][...] = 0
    gradients_of, forward = passes(**ways)
    losses = list(courses_loop(model, known, STEPS, gradients_of=gradients_of, heads=heads))
    held_out = gpt_gradients.loss_of(model, unseen, heads, forward)
    return round(float(np.mean(losses[-50:])), 3), round(held_out, 3)


def passes(block=None, back=None, gradients=None, norm=backward.norm, asked=None):
    """The gradients of a GPT with other steps, and the forward pass by which it's asked."""
    forward = gpt_gradients.forward_with(plain.STEPS.whole(block or {}), norm)
    ways = {"forward": forward, "back": gpt_gradients.back_with(backward.STEPS.whole(back or {}))}
    asked = forward if asked is None else gpt_gradients.forward_with(norm=norm)
    return gpt_gradients.STEPS.whole(ways | (gradients or {})), asked


if __name__ == "__main__":
    main()
