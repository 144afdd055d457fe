"""Train the GPTs of lesson 13 and store them: one on first names with what it writes at stages, and others without a part.

python tools/train_own_gpt.py    writes notebooks/data/own_gpt.json; takes about ten minutes. The tests train some again

Parts are left out by the wrong ways that the lesson's own exercises know, such as a block without `X +`.
"""

import numpy as np

import _command
from attn_lessons.lesson08 import block as blocks
from attn_lessons.lesson13 import _training, block_backward, gpt_gradients, next_letter
from attn_parts import language_model as lm
from attn_parts.gpt import start_gpt
from attn_parts.learning import Adam
from attn_parts.own_list import load_list
from train_many_heads import store

FILE = _command.ROOT / "notebooks" / "data" / "own_gpt.json"
LETTERS = "\nabcdefghijklmnopqrstuvwxyz"
POSITIONS, HEADS, SEED = 16, 4, 1
STEPS = 600
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
    data = {"how": HOW, "names": names(lines), "parts": parts(lines), "short": short(lines)}
    store(FILE, data)


def split(lines):
    """Windows to train on, and held-out ones: every tenth line."""
    kept = [line for place, line in enumerate(lines) if place % 10]
    return windows(kept), windows(lines[::10]), kept


def windows(lines, length=POSITIONS):
    """As lesson 13 makes them: one from the line break before each line on, the text taken as a circle."""
    text = "\n" + "\n".join(lines)
    numbers = np.array([LETTERS.index(letter) for letter in text])
    starts = np.flatnonzero(numbers == 0)
    return np.resize(numbers, len(text) + length)[starts[:, None] + np.arange(length + 1)]


def names(lines):
    known, unseen, kept = split(lines)
    model = start_gpt(SEED, letters=len(LETTERS))
    losses, samples, recent = {"step": [], "training": [], "held_out": []}, {}, []
    samples["0"] = by_settings(model)
    for step, loss in enumerate(_training.courses_loop(model, known, STEPS), 1):
        recent.append(loss)
        if step % (STEPS // 40) == 0:
            found = (
                step,
                round(float(np.mean(recent)), 4),
                round(gpt_gradients.loss_of(model, unseen, HEADS), 4),
            )
            for name, value in zip(losses, found, strict=True):
                losses[name].append(value)
            recent = []
        if step in STAGES:
            samples[str(step)] = by_settings(model)
    written = dict.fromkeys(write(model, 40, np.random.default_rng(1), 0.9, 0.95))
    new = [text for text in written if text not in lines][:12]
    print(losses["held_out"][-1], new, flush=True)
    return {
        "seed": SEED,
        "steps": STEPS,
        "windows": _training.fingerprint(known),
        "losses": losses,
        "samples": samples,
        "new": new,
        "copied": sorted(
            {text for each in samples.values() for some in each.values() for text in some} & set(kept)
        ),
        "numbers": lm.packed(model, model),
    }


def by_settings(model):
    """Ten texts for each temperature and top-p."""
    return {
        f"{temperature} {p}": write(model, 10, np.random.default_rng(0), temperature, p)
        for temperature in TEMPERATURES
        for p in TOP_PS
    }


def write(model, count, rng, temperature=1.0, p=1.0):
    """Texts of at most 15 letters, each until a line break."""
    E, P, *matrices, U = model.values()
    forward, found = gpt_gradients.forward_with(), []
    for _ in range(count):
        text = [0]
        while len(text) < POSITIONS and (len(text) == 1 or text[-1]):
            _, rows, _ = forward(np.array([text]), HEADS, E, P, U, *matrices)
            allowed = np.ones(len(LETTERS), bool)
            chances = next_letter.STEPS.whole({})(rows[0, -1] @ U, temperature, p, allowed)
            text.append(int(rng.choice(len(LETTERS), p=chances)))
        found.append("".join(LETTERS[number] for number in text).strip())
    return found


# --- without a part ---------------------------------------------------------------------------------------


def unnormalised(X):
    return X


NO_RESIDUAL = {
    "block": blocks.STEPS.whole(
        {"add": blocks.ADD_1["no-residual"], "add again": blocks.ADD_2["no-residual (mlp)"]}
    ),
    "back": block_backward.STEPS.whole(
        {
            "attend": lambda X, *W: (
                *block_backward.attend(X, *W)[:-1],
                block_backward.attend(X, *W)[-1] - X,
            ),
            "to_Z": block_backward.D_Z["residual-forgotten (mlp)"],
            "to_X": block_backward.D_X["residual-forgotten"],
        }
    ),
}
"""A block and its backward pass by the name of what is left out."""


def attends_everywhere(X, W_Q, W_K, W_V, W_O, n_heads):
    rows = block_backward.norm(X)
    Q, K, V = (block_backward.maths.split_heads(rows @ W, n_heads) for W in (W_Q, W_K, W_V))
    output, weights = block_backward.maths.scaled_dot_product_attention(Q, K, V)
    joined = block_backward.maths.merge_heads(output)
    return rows, Q, K, V, weights, joined, X + joined @ W_O


NO_MASK = {
    "block": blocks.STEPS.whole({"mask": blocks.MASK["future-visible"]}),
    "back": block_backward.STEPS.whole({"attend": attends_everywhere}),
}


def attends_raw(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (block_backward.maths.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    mask = block_backward.maths.causal_mask(X.shape[-2])
    output, weights = block_backward.maths.scaled_dot_product_attention(Q, K, V, mask)
    joined = block_backward.maths.merge_heads(output)
    return X, Q, K, V, weights, joined, X + joined @ W_O


NO_NORM = {
    "block": blocks.STEPS.whole(
        {
            "normalise": blocks.READS_RAW["attention-reads-raw"],
            "normalise again": blocks.MLP_READS["mlp-reads-raw"],
        }
    ),
    "back": block_backward.STEPS.whole(
        {
            "attend": attends_raw,
            "think": lambda Z, W_1: (Z, np.maximum(Z @ W_1, 0)),
            "to_Z": block_backward.D_Z["norm-forgotten (mlp)"],
            "to_X": block_backward.D_X["norm-forgotten"],
        }
    ),
    "norm": unnormalised,
}
VARIANTS = {
    "all": {},
    "no MLP": {"zero": ("W_1", "W_2")},
    "no positions": {"zero": ("P",)},
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
        found[name] = [held_out for _, held_out in runs]
        if name == "no causal mask":
            found[f"{name}, training"] = [training for training, _ in runs]
        print(name, found[name], flush=True)
    return found


def trained(
    known,
    unseen,
    seed,
    *,
    zero=(),
    heads=HEADS,
    blocks=1,
    block=gpt_gradients.block,
    back=block_backward.right_answer,
    norm=None,
):
    """The losses at the end, of training and on held-out names, each letter asked with those before it alone."""
    width = 48 if blocks == 1 else 32
    model = start_gpt(seed, letters=len(LETTERS), width=width, blocks=blocks)
    for name in zero:
        model[name][...] = 0
    ways = {
        "forward": gpt_gradients.forward_with(block, norm or block_backward.norm),
        "back": gpt_gradients.back_with(back),
    }
    if norm:
        ways["norm"] = gpt_gradients.D_X["norm-forgotten"]
    gradients_of = gpt_gradients.STEPS.whole(ways)
    adam, rng, recent = Adam(model, 0.01), np.random.default_rng(0), []
    for step in range(STEPS):
        numbers = known[rng.integers(len(known), size=64)]
        loss, *gradients = gradients_of(numbers[:, :-1], numbers[:, 1:], heads, *model.values())
        recent.append(loss)
        adam.rate = 0.01 * (1 - step / STEPS)
        named = dict(zip(model, gradients, strict=True))
        adam.step(named | {name: np.zeros_like(model[name]) for name in zero})
    forward = gpt_gradients.forward_with(
        NO_MASK_ASKED if block is NO_MASK["block"] else block, norm or block_backward.norm
    )
    return round(float(np.mean(recent[-50:])), 3), round(
        gpt_gradients.loss_of(model, unseen, heads, forward), 3
    )


NO_MASK_ASKED = (
    gpt_gradients.block
)  # in one block, with the mask each row sees what it would see if the text ended there


def short(lines):
    """A hundred names, by heart."""
    few = lines[:FEW]
    known, unseen = windows(few), windows(lines[FEW : FEW + 300])
    model = start_gpt(SEED, letters=len(LETTERS), width=32)
    found, recent = {"step": [], "training": [], "held_out": [], "copied": []}, []
    for step, loss in enumerate(_training.courses_loop(model, known, STEPS), 1):
        recent.append(loss)
        if step % 50 == 0:
            texts = write(model, 100, np.random.default_rng(0))
            row = (
                step,
                round(float(np.mean(recent)), 3),
                round(gpt_gradients.loss_of(model, unseen, HEADS), 3),
                sum(text in few for text in texts),
            )
            for name, value in zip(found, row, strict=True):
                found[name].append(value)
            recent = []
    print(found, flush=True)
    return found


if __name__ == "__main__":
    main()
