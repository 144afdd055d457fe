"""Train many small heads and store how well they do: what ÷√d_k buys, and where 20 heads look.

python tools/train_many_heads.py    writes notebooks/data/many_heads.json, in minutes. Tests train a few again

Unscaled training is chaotic: on another machine single heads come out otherwise, the whole does not.
"""

import itertools

import numpy as np

from _command import store
from attn_parts import learning, toy_agreement

WIDTHS = (64, 256, 1024)
RATES = (0.001, 0.003, 0.01, 0.03)
SEEDS = range(5)
STEPS = 300
VARIANTS = {  # name -> (scale of the scores, size of the first W_Q and W_K), for a width
    "scaled": lambda d_k: (None, 1.0),
    "unscaled": lambda d_k: (1.0, 1.0),
    "unscaled, small start": lambda d_k: (1.0, d_k**-0.25),
}
HOW = (
    "Made by tools/train_many_heads.py. agreement: heads that learn adjective endings "
    "(attn_parts/toy_agreement.py), for each variant, d_k and learning rate the accuracy and the loss of "
    "five seeds after 300 steps; guessing gives 0.25. pronoun: the head of lesson 00 from 20 seeds, started "
    "from numbers of size 1; for each seed what it gives to each of the five nouns, the probability of the "
    "right next word, and the loss on the sentences learned, after 500 steps."
)


def agreements():
    """Five heads for each variant, width and rate."""
    found = []
    for d_k, name, rate in itertools.product(WIDTHS, VARIANTS, RATES):
        runs = [agree(name, d_k, rate, seed) for seed in SEEDS]
        accuracy, loss = np.round(runs, 3).T.tolist()
        found.append({"variant": name, "d_k": d_k, "rate": rate, "accuracy": accuracy, "loss": loss})
        print(found[-1], flush=True)
    return found


def agree(name, d_k, rate, seed):
    """Accuracy and loss of one head."""
    scale, size = VARIANTS[name](d_k)
    head = toy_agreement.start_agreement(seed, d_k, size)
    return toy_agreement.train_agreement(head, seed, rate, STEPS, scale=scale)


def pronouns(seeds, size=1.0):
    """What heads from these seeds look at, and how sure they are of the right word."""
    X, nouns = learning.pronoun_sentences(unseen=True)
    looks = []
    answers = []
    losses = []
    for seed in seeds:
        head = learning.start_head(seed, size)
        *_, (_, loss) = learning.train_head(head, *learning.pronoun_sentences())
        weights, probabilities = learning.run_head(head, X)
        looks.append(np.round(weights[:, 1], 3).tolist())
        answers.append(np.round(probabilities[range(5), nouns], 3).tolist())
        losses.append(round(loss, 4))
    return {"looks": looks, "answers": answers, "loss": losses}


if __name__ == "__main__":
    found = {"agreement": agreements(), "pronoun": pronouns(range(20))}
    store("many_heads", {"how": HOW, "steps": STEPS} | found)
