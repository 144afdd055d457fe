"""A second toy language, for wide heads: an adjective whose ending depends on a noun further on.

Spanish has it: *buen coche*, *buena casa*. Here nouns have four genders, so guessing is right
in one case of four, and whoever wants to do better has to look at the noun. A head attends from its last
word, so the arrays have the adjective there, behind the words that it is followed by.
"""

import numpy as np

from attn_parts.learning import Adam, head_gradients, run_head
from attn_parts.validation import as_count

ADJECTIVES, NOUNS, OTHERS, GENDERS = 8, 12, 20, 4  # how many words of each kind; words are numbers here
WORDS = ADJECTIVES + NOUNS + OTHERS
LENGTH = 8
D_V = 16
BATCH = 32
EXAM = 500


def agreement_sentences(n, seed):
    """Sentences of eight one-hot words (n, 8, 40), the adjective last, and the gender of their noun."""
    rng = np.random.default_rng(seed)
    words = ADJECTIVES + NOUNS + rng.integers(OTHERS, size=(n, LENGTH))
    nouns = rng.integers(NOUNS, size=n)
    words[:, 0] = rng.integers(ADJECTIVES, size=n)
    places = rng.integers(1, LENGTH, size=n)
    words[np.arange(n), places] = ADJECTIVES + nouns
    words = np.roll(words, -1, axis=1)
    return np.eye(WORDS)[words], nouns % GENDERS


def start_agreement(seed, d_k, size=1.0):
    """Create an untrained head: only W_Q and W_K are d_k wide, with standard deviation `size`.

    >>> {name: matrix.shape for name, matrix in start_agreement(seed=0, d_k=64).items()}
    {'W_Q': (40, 64), 'W_K': (40, 64), 'W_V': (40, 16), 'W_O': (16, 4)}
    """
    d_k = as_count("d_k", d_k, 1)
    rng = np.random.default_rng(seed)
    return {
        "W_Q": size * rng.standard_normal((WORDS, d_k)),
        "W_K": size * rng.standard_normal((WORDS, d_k)),
        "W_V": rng.standard_normal((WORDS, D_V)),
        "W_O": D_V**-0.5 * rng.standard_normal((D_V, GENDERS)),
    }


def train_agreement(head, seed, rate=0.003, steps=300, scale=None):
    """Train a head of `start_agreement` in place, 32 sentences per step; returns accuracy and loss on others.

    `seed` is that of the sentences, `rate` the length of Adam's steps. Scores are multiplied by `scale`,
    1/√d_k if not given; 1.0 leaves them as they are.
    """
    adam = Adam(head, rate)
    for step in range(steps):
        sentences = agreement_sentences(BATCH, [seed, step])
        _, gradients = head_gradients(head, *sentences, scale=scale)
        adam.step(gradients)
    X, targets = agreement_sentences(EXAM, [seed, steps])
    _, probabilities = run_head(head, X, scale=scale)
    right = probabilities[np.arange(EXAM), targets]
    likeliest = probabilities.argmax(axis=-1)
    accuracy = (likeliest == targets).mean()
    losses = -np.log(np.maximum(right, 1e-300))
    return float(accuracy), float(losses.mean())
