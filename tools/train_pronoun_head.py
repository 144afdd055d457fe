"""Train the head of lesson 00 and store what it looks at while it learns.

python tools/train_pronoun_head.py    writes notebooks/data/pronoun_head.json; the tests train it again
"""

import numpy as np

from _command import store
from attn_parts import learning
from train_many_heads import pronouns

STEPS = 500
RATE = 0.01
SIZE = 1.0
SEEDS = {"looks": 1, "does not look": 7}
FRAMES = range(0, STEPS + 1, 10)
HOW = (
    "Made by tools/train_pronoun_head.py with attn_parts/learning.py. One attention head of width 8 learns "
    "from 20 sentences of a toy language and is shown here on five others, one for each noun: "
    "weights[frame][noun][word] is what the last word, it, looks at, answers[frame][noun][answer] the "
    "probability of each next word, answers_without_noun the probabilities after training when the noun is "
    "taken out of the sentence. of_20_seeds counts, for random starts of two sizes, how many heads give all "
    "five right answers more than half, and how many of those look at every noun with more than half of "
    "their attention."
)


def collect():
    """Everything that is stored."""
    pairs = zip(learning.NOUNS, learning.DESCRIPTIONS, strict=True)
    return {
        "how": HOW,
        "steps": STEPS,
        "rate": RATE,
        "start": SIZE,
        "nouns": learning.NOUNS,
        "answers": list(learning.NEXT_WORD.values()),
        "sentences": [learning.pronoun_sentence(*pair) for pair in pairs],
        "frames": list(FRAMES),
        "heads": {name: train(seed) for name, seed in SEEDS.items()},
        "of_20_seeds": [count(size) for size in (0.1, SIZE)],
    }


def train(seed):
    """One head from its random start to the end, looked at in every frame."""
    head = learning.start_head(seed, SIZE)
    seen = learning.watch_training(head, STEPS, RATE)
    del seen["frames"]
    unseen, _ = learning.pronoun_sentences(unseen=True)
    unseen[:, 1] = 0  # a row of zeros: no word at all
    _, answers = learning.run_head(head, unseen)
    return {"seed": seed, **seen, "answers_without_noun": np.round(answers[0], 3).tolist()}


def count(size):
    """Of 20 heads that start at random numbers of this size: how many answer, how many of them look."""
    found = pronouns(range(20), size)
    answer, look = ((np.array(found[name]) > 0.5).all(axis=1) for name in ("answers", "looks"))
    return {"start": size, "answer": int(answer.sum()), "answer and look": int((answer & look).sum())}


if __name__ == "__main__":
    store("pronoun_head", collect())
