"""Train the language model of lesson 11 and store its numbers.

python tools/train_language_model.py    writes notebooks/data/language_model.json; takes some minutes
"""

import base64

import numpy as np

from _command import store
from attn_parts import language_model as lm
from attn_parts.mathematics import split_heads
from attn_parts.toy_corpus import toy_texts

SEED = 0
STEPS = 1500
SENTENCE = "chai hot, dog tame, cup red. cup red, chai"
HOW = (
    "Made by tools/train_language_model.py. numbers: all numbers of the model as 16-bit floats, one after "
    "another in the order of SHAPES in attn_parts/language_model.py, in base64. logits: what the code that "
    "trained it gives for the sentence, worked out in 64-bit floats from the stored numbers. curve: at some "
    "of the steps the step, the loss, and the largest previous-token and induction score of any head, and "
    "without_decay the same for a training without weight decay, both from a later run: machines round "
    "differently, so from step 500 on the third digit can differ between two runs. means: the mean output "
    "of each head at each position over 64 texts, as 16-bit floats of shape (2, 4, 48, 16) in base64."
)


def main():
    model, curve = train()
    _, without_decay = train(decay=0)
    numbers = lm.packed(model)
    stored = lm.unpacked(numbers)
    logits, _ = lm.run_language_model(stored, SENTENCE)
    data = {
        "how": HOW,
        "seed": SEED,
        "steps": STEPS,
        "curve": curve,
        "without_decay": without_decay,
        "numbers": numbers,
        "sentence": SENTENCE,
        "logits": np.round(logits, 5).tolist(),
        "means": means(stored),
    }
    store("language_model", data)


def train(**how):
    """One model from its random start to the end, and its loss and largest scores on the way."""
    model = lm.start_language_model(SEED)
    curve = []
    for step, loss in lm.train_language_model(model, SEED, STEPS, **how):
        if step % 100 == 0 or step == STEPS - 1:
            largest = [round(float(score.max()), 3) for score in scores(model)]
            curve.append([step, round(loss, 3), *largest])
            print(curve[-1], flush=True)
    return model, curve


def means(model):
    """The mean output of each head at each position, over the texts that lesson 11 ablates heads on."""
    words, _ = toy_texts(64, lm.LONGEST + 1, [999, 0], unseen=True)
    _, _, kept = lm._forward(model, words[:, :-1])
    outputs = np.array([split_heads(layer["joined"].mean(axis=0), lm.HEADS) for layer in kept])
    return base64.b64encode(outputs.astype("<f2").tobytes()).decode("ascii")


def scores(model):
    """Each head's previous-token score and induction score, in lists read twice."""
    rng = np.random.default_rng([999, 2])
    lists = np.array([np.tile(rng.permutation(200)[:24], 2) for _ in range(32)])
    _, weights = lm.run_language_model(model, lists)
    previous = np.diagonal(weights, -1, -2, -1).mean(axis=(1, -1))
    return previous, np.diagonal(weights, -23, -2, -1)[..., 1:].mean(axis=(1, -1))


if __name__ == "__main__":
    main()
