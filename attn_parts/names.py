"""First names for the small GPT of gpt.py: the list, training with any mask, the loss, and new names.

The list is in notebooks/data/names.txt. Every tenth name is held out: the model never trains on it. A model
reads one letter after another, each name after a line break, and predicts the next letter.
"""

import numpy as np

from attn_parts.example import DATA, load_data
from attn_parts.gpt import check_model, in_rows, run_gpt, sample, start_gpt, train_gpt
from attn_parts.language_model import unpacked
from attn_parts.learning import cross_entropy, shapes_of
from attn_parts.live_view import progress_bar
from attn_parts.mathematics import causal_mask, scaled_dot_product_attention, softmax
from attn_parts.validation import as_count

LETTERS = "\nabcdefghijklmnopqrstuvwxyz"  # a line break ends each name
POSITIONS = 16
EVERY = 50  # steps between two losses that are kept
STEPS, SMALL = 500, {"width": 32, "batch": 32, "rate": 0.015}  # seconds, and less than a minute in a browser


def load_names():
    """Load the first names: those to train on, and the held-out ones, every tenth of the list.

    >>> training, held_out = load_names()
    >>> len(training), len(held_out), held_out[:3]
    (4617, 513, ['abram', 'adelaide', 'adolfo'])
    """
    names = (DATA / "names.txt").read_text(encoding="utf-8").split()
    training = [name for place, name in enumerate(names) if place % 10 != 9]
    return training, names[9::10]


def name_windows(names):
    """Shuffled names as numbers of letters, (n, 17): a window from the line break before each name on.

    >>> name_windows(["ada", "bo", "eleonora", "christina"]).shape
    (2, 17)
    """
    order = np.random.default_rng(0).permutation(len(names))
    text = "\n" + "\n".join(names[place] for place in order) + "\n"
    numbers = np.array([LETTERS.index(letter) for letter in text])
    starts = np.flatnonzero(numbers[: len(numbers) - POSITIONS] == 0)
    return numbers[starts[:, None] + np.arange(POSITIONS + 1)]


def train_names(mask=causal_mask, steps=STEPS, seed=1):
    """Train a small GPT on the names, in seconds, and show how far the training has come.

    Parameters
    ----------
    mask : callable, or None
        `mask(L)` → booleans (L, L), True where a letter may look; for example your `causal_mask`. None for no
        mask.
    steps : int
        50 or more.
    seed : int
        Of the initial weights and of the order of the names.

    Returns
    -------
    model : dict
        Arrays by name: see attn_parts/gpt.py.
    losses : dict
        "step", and the loss there on the last 50 "training" batches and on the "held_out" names, with the
        same mask.

    Examples
    --------
    >>> model, losses = train_names(mask=causal_mask, steps=100)  # doctest: +SKIP
    >>> losses["training"]  # doctest: +SKIP
    [2.681, 2.362]
    """
    seen = training(mask, as_count("steps", steps, EVERY), seed, **SMALL)
    for _, found in zip(progress_bar(steps), seen, strict=True):
        model, losses = found
    return model, losses


def training(mask, steps, seed, *, width, batch, rate):
    """Train a GPT of one block on the names. Yields the model and the losses so far at every step."""
    training, _ = load_names()
    model = start_gpt(seed, letters=len(LETTERS), width=width, positions=POSITIONS)
    recent = []
    losses = {"step": [], "training": [], "held_out": []}
    for step, loss in train_gpt(
        model, name_windows(training), steps, seed, mask=mask, batch=batch, rate=rate
    ):
        recent.append(loss)
        if (step + 1) % EVERY == 0:
            losses["step"].append(step + 1)
            mean = float(np.mean(recent[-EVERY:]))
            losses["training"].append(round(mean, 3))
            losses["held_out"].append(round(names_loss(model, mask), 3))
        yield model, losses


def names_loss(model, mask=causal_mask, attention=scaled_dot_product_attention):
    """Compute the mean of -ln p(next letter) over the held-out names, with any `attention(Q, K, V, mask)`.

    With the causal mask each letter is predicted only from what comes before it. None lets the model look at
    the answers.

    >>> round(names_loss(load_names_model()), 1)
    2.0
    """
    windows = name_windows(load_names()[1])
    logits, _ = run_gpt(model, windows[:, :-1], mask, attention)
    loss, _ = cross_entropy(in_rows(logits), windows[:, 1:].ravel())
    return loss


def load_names_model(cheat=False):
    """Load a GPT trained on the names, or with `cheat` one that was trained without a mask.

    >>> load_names_model()["W_1"].shape
    (1, 48, 192)
    """
    stored = load_data("names_models")["cheat" if cheat else "honest"]
    start = start_gpt(0, letters=len(LETTERS), width=stored["width"], positions=POSITIONS)
    return unpacked(stored["numbers"], shapes_of(start))


def write_names(
    model,
    count=8,
    seed=0,
    start="",
    *,
    temperature=1.0,
    softmax=softmax,
    attention=scaled_dot_product_attention,
):
    """Let a model write names, letter by letter.

    Parameters
    ----------
    model : dict
        As `train_names` or `load_names_model` returns it.
    count, seed : int
    start : str
        What all names begin with: up to 14 of the letters a to z.
    temperature : float
        Below 1 the likeliest letters gain, above 1 all come closer.
    softmax : callable
        A function of the logits (27,), or of the logits and the temperature; for example your own.
    attention : callable
        `attention(Q, K, V, mask)` → output, weights; for example your own.

    Returns
    -------
    list of str
        A name ends where the model writes a line break, at the latest after 15 letters.

    Examples
    --------
    >>> write_names(load_names_model(), count=3, start="Mar", temperature=0.7)
    ['Marid', 'Marcelle', 'Maryl']
    """
    check_model(model)
    longest = POSITIONS - 2
    fits = isinstance(start, str) and len(start) <= longest
    if not fits or set(start.lower()) - set(LETTERS[1:]):
        raise ValueError(f"start is {start!r}, expected up to {longest} of the letters a to z, in quotes")
    rng = np.random.default_rng(seed)
    names = []
    for _ in range(as_count("count", count)):
        name = "\n" + start.lower()
        while len(name) < POSITIONS and (name == "\n" or name[-1] != "\n"):
            numbers = [[LETTERS.index(letter) for letter in name]]
            # the last letter sees all the others with any mask, and in one block only its row counts
            logits, _ = run_gpt(model, np.array(numbers), attention=attention)
            name += LETTERS[sample(logits[0, -1], rng, temperature, softmax)]
        names.append(name.strip().capitalize())
    return names
