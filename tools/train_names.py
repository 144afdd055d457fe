"""Train two GPTs on first names, one with the causal mask and one that may look ahead, and store both.

python tools/train_names.py    writes notebooks/data/names_models.json; takes about half a minute
"""

from _command import store
from attn_parts import language_model as lm
from attn_parts import names
from attn_parts.mathematics import causal_mask

SETTINGS = {
    "honest": {"mask": causal_mask, "steps": 1000, "seed": 1, "width": 48, "batch": 64, "rate": 0.01},
    "cheat": {"mask": None, "steps": names.STEPS, "seed": 1, **names.SMALL},
}
HOW = (
    "Made by tools/train_names.py. honest was trained with the causal mask, cheat without a mask. numbers: "
    "all parameters of a model as 16-bit floats, one after another in the order of start_gpt in "
    "attn_parts/gpt.py, in base64. losses: those of training at some steps, over the last 50 batches and on "
    "the held-out names, with the same mask."
)


def stored(mask, steps, seed, **how):
    *_, (model, losses) = names.training(mask, steps, seed, **how)
    return {"width": how["width"], "losses": losses, "numbers": lm.packed(model, model)}


if __name__ == "__main__":
    store("names_models", {"how": HOW} | {name: stored(**how) for name, how in SETTINGS.items()})
