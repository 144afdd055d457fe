"""A small language model, two layers of four attention heads and nothing else, and its training.

Its parameters by name: the embedding E (words, 64); learned positions P (48, 64), added where queries and
keys are made but not to values; W_Q, W_K, W_V, W_O (2, 64, 64), a matrix per layer; and the unembedding U
(64, words). See Elhage et al., "A Mathematical Framework for Transformer Circuits", 2021,
https://transformer-circuits.pub/2021/framework, and Olsson et al., "In-context Learning and Induction Heads",
2022, https://arxiv.org/abs/2209.11895. Words, heads or texts that the model doesn't have raise a ValueError,
and what isn't a text or whole numbers a TypeError.
"""

import base64
import functools
import math

import numpy as np

from attn_parts.example import load_data
from attn_parts.gpt import (
    HEADS,
    attend_in_heads,
    attention_gradients,
    gradient_at_rows,
    in_rows,
    sample,
)
from attn_parts.learning import MATRICES, Adam, cross_entropy, shapes_of, zeros_like
from attn_parts.mathematics import (
    causal_mask,
    merge_heads,
    scaled_dot_product_attention,
    softmax,
)
from attn_parts.toy_corpus import LEXICON, LONGEST, as_words, toy_texts, word_numbers
from attn_parts.validation import as_count, as_floats, as_indices, as_positive

LAYERS = 2
PLACES = list(np.ndindex(LAYERS, HEADS))
WIDTH = 64
BATCH, RATE = 32, 0.015
SHORT = 32  # words of a text while learning begins: on short texts it finds the knack sooner
SHAPES = {
    "E": (len(LEXICON), WIDTH),
    "P": (LONGEST, WIDTH),
    **dict.fromkeys(MATRICES, (LAYERS, WIDTH, WIDTH)),
    "U": (WIDTH, len(LEXICON)),
}


def load_language_model():
    """Load the trained model of lesson 11: float64 arrays E, P, W_Q, W_K, W_V, W_O and U, as above.

    >>> model = load_language_model()
    >>> model["E"].shape, model["W_Q"].shape
    ((202, 64), (2, 64, 64))
    """
    return unpacked(load_data("language_model")["numbers"])


def packed(model, shapes=SHAPES):
    """The model's parameters as text: 16-bit floats in the order of `shapes`, in base64."""
    halves = b"".join(model[name].astype("<f2").tobytes() for name in shapes)
    return base64.b64encode(halves).decode("ascii")


def unpacked(text, shapes=SHAPES):
    """What `packed` made text of."""
    halves = np.frombuffer(base64.b64decode(text), dtype="<f2").astype(float)
    model = {}
    for name, shape in shapes.items():
        size = math.prod(shape)
        model[name] = halves[:size].reshape(shape)
        halves = halves[size:]
    return model


def run_language_model(
    model,
    words,
    attention=scaled_dot_product_attention,
    *,
    off=(),
    how="zero",
    mask=None,
):
    """Run the model: the logits after each word, and every head's attention weights.

    Parameters
    ----------
    model : dict
        As `load_language_model` returns it.
    words : str, or ndarray of int of shape (..., L)
        A text of the model's words, or their numbers; 1 to 48 of them.
    attention : callable
        `attention(Q, K, V, mask)` → output, weights; for example a function of your own.
    off : sequence of (layer, head)
        Heads that are ablated.
    how : "zero" or "mean"
        What their output is replaced by: 0, or its mean at the same position over 64 texts of lesson 11
        (stored for the trained model).
    mask : ndarray of bool, shape (L, L), optional
        True where a word may look; the causal mask if not given.

    Returns
    -------
    logits : ndarray, shape (..., L, 202)
    weights : ndarray, shape (layers, ..., heads, L, L)

    Examples
    --------
    >>> logits, weights = run_language_model(load_language_model(), "chai hot, tea cold. chai")
    >>> LEXICON[logits[-1].argmax()], weights.shape
    ('hot', (2, 4, 7, 7))
    """
    if not isinstance(model, dict) or shapes_of(model) != SHAPES:
        raise TypeError(f"model must hold arrays {', '.join(SHAPES)}; make one with load_language_model")
    if how not in ("zero", "mean"):
        raise ValueError(f'how is {how!r}, expected "zero" or "mean"')
    words = _as_numbers(words)
    check_off(off)
    in_place = _mean_outputs() if how == "mean" else np.zeros((LAYERS, HEADS, 1, 1))
    logits, _, kept = _forward(model, words, attention, off, mask, in_place)
    return logits, np.array([layer["weights"] for layer in kept])


@functools.cache
def _mean_outputs():
    """Each head's mean output at each position, as tools/train_language_model.py stored it."""
    shape = (LAYERS, HEADS, LONGEST, WIDTH // HEADS)
    return unpacked(load_data("language_model")["means"], {"means": shape})["means"]


def _forward(model, words, attention=scaled_dot_product_attention, off=(), mask=None, in_place=None):
    """Logits, what they were read from, and what each layer had on the way."""
    length = words.shape[-1]
    mask = causal_mask(length) if mask is None else mask
    X = model["E"][words]
    P = model["P"][:length]
    kept = []
    for layer in range(LAYERS):
        placed = X + P
        W_Q, W_K, W_V, W_O = (model[name][layer] for name in MATRICES)
        inputs = placed, placed, X
        projected = placed @ W_Q, placed @ W_K, X @ W_V
        QKV, heads, weights = attend_in_heads(attention, projected, HEADS, mask)
        silent = [head for at, head in off if at == layer]
        if silent:
            heads = heads.copy()
            heads[..., silent, :, :] = in_place[layer, silent, :length]
        joined = merge_heads(heads)
        seen = {"inputs": inputs, "QKV": QKV, "weights": weights, "joined": joined}
        kept.append(seen)
        X = X + joined @ W_O
    return X @ model["U"], X, kept


def _as_numbers(words):
    """Word numbers, of a text or as given, if the model has such words and positions."""
    if isinstance(words, str):
        return word_numbers(words)
    words = as_indices("words", words, len(LEXICON), "attn.word_numbers makes them of a text")
    if words.ndim < 1 or not 1 <= words.shape[-1] <= LONGEST:
        raise ValueError(f"words must be 1 to {LONGEST} in a row, got shape {words.shape}")
    return words


def check_off(off):
    """Raise unless all are pairs of a layer and a head that there are."""
    wrong = [pair for pair in off if pair not in PLACES]
    if wrong:
        raise ValueError(
            f"off holds {wrong[0]}, expected pairs of a layer, 0 to {LAYERS - 1}, "
            f"and a head, 0 to {HEADS - 1}; one head alone is [(0, 2)]"
        )


def next_words(logits, count=5, temperature=1.0):
    """List the likeliest next words and their probabilities, by the last row of logits (..., 202).

    The temperature divides the logits before softmax: below 1 the likeliest gains, above 1 all come closer.

    >>> logits, _ = run_language_model(load_language_model(), "chai hot, tea cold. tea")
    >>> next_words(logits, 1)[0][0]
    'cold'
    """
    count = as_count("count", count, 1)
    (logits,), _ = as_floats(logits=logits)
    row = in_rows(logits)[-1]
    if row.shape != (len(LEXICON),) or not row.max() < np.inf:
        wanted = f"expected (..., {len(LEXICON)}), without NaN or inf"
        raise ValueError(f"logits {logits.shape}, {wanted}; pass what run_language_model gives first")
    shares = softmax(row / as_positive("temperature", temperature))
    likeliest = np.argsort(-shares, kind="stable")[:count]
    return [(LEXICON[word], float(shares[word])) for word in likeliest]


def write_on(model, text, count=12, temperature=1.0, seed=0):
    """Extend a text by up to `count` sampled words (48 in all).

    >>> write_on(load_language_model(), "chai hot, tea cold. tea", count=1, temperature=0.1)
    'chai hot, tea cold. tea cold'
    """
    numbers = word_numbers(text).tolist()
    rng = np.random.default_rng(seed)
    count = min(as_count("count", count), LONGEST - len(numbers))
    for _ in range(count):
        logits, _ = run_language_model(model, np.array(numbers))
        numbers.append(sample(logits[-1], rng, temperature))
    return as_words(numbers)


def complete(text, attention=scaled_dot_product_attention):
    """Complete a text with lesson 11's model: the likeliest next word, in one line with its probability.

    Parameters
    ----------
    text : str
        1 to 48 of its words (attn.LEXICON), commas and full stops counted.
    attention : callable
        `attention(Q, K, V, mask)` → output (heads, L, d_v), weights (heads, L, L); for example a function of
        your own.

    Returns
    -------
    str

    Examples
    --------
    >>> print(complete("chai hot, dog tame, cup red. cup red, chai"))
    chai hot, dog tame, cup red. cup red, chai → hot 0.99
    """
    logits, _ = run_language_model(load_language_model(), text, attention)
    [(word, probability)] = next_words(logits, 1)
    return f"{text} → {word} {probability:.2f}"


# --- learning -------------------------------------------------------------------------------------------


def start_language_model(seed):
    """The model before training, in float32: random, but U a small copy of E: words point at themselves."""
    rng = np.random.default_rng(seed)
    sizes = {"E": 1.0, "P": 1.0, "W_O": 0.5 * WIDTH**-0.5}
    model = {}
    for name, shape in SHAPES.items():
        numbers = sizes.get(name, WIDTH**-0.5) * rng.standard_normal(shape)
        model[name] = numbers.astype(np.float32)
    model["U"] = model["E"].T / WIDTH
    return model


def language_model_gradients(model, words):
    """The loss of predicting each next word of `words` (n, L), and by name the gradients."""
    given = words[:, :-1]
    asked = words[:, 1:]
    logits, X, kept = _forward(model, given)
    loss, d_logits = cross_entropy(in_rows(logits), asked.ravel())
    gradients = zeros_like(model)
    gradients["U"] = in_rows(X).T @ d_logits
    d_X = (d_logits @ model["U"].T).reshape(X.shape)
    for layer in reversed(range(LAYERS)):
        W = {name: model[name][layer] for name in MATRICES}
        found, (d_Q, d_K, d_V) = attention_gradients(W, kept[layer], d_X)
        for name, gradient in found.items():
            gradients[name][layer] = gradient
        d_placed = d_Q + d_K
        gradients["P"][: given.shape[1]] += d_placed.sum(axis=0)
        d_X = d_X + d_placed + d_V
    gradients["E"] = gradient_at_rows(given, d_X, len(model["E"]))
    return loss, gradients


def train_language_model(model, seed, steps, decay=0.3):
    """Train on new texts at every step. Yields each step, and the loss before it.

    The model is changed in place; the seed is that of the texts. In the first six tenths texts have 32 words,
    then 48. Adam's rate grows over the first 50 steps and falls to 0 over the last four tenths; `decay`,
    times the rate, is how much of itself each parameter loses at a step.
    """
    adam = Adam(model, RATE)
    for step in range(steps):
        length = LONGEST if step >= 0.6 * steps else SHORT
        words, _ = toy_texts(BATCH, length + 1, [seed, step])
        loss, gradients = language_model_gradients(model, words)
        rising = (step + 1) / 50
        falling = (steps - step) / (0.4 * steps)
        adam.rate = RATE * min(1, rising, falling)
        adam.step(gradients)
        for array in model.values():
            array *= 1 - decay * adam.rate
        yield step, loss
