"""A small GPT on letters: it learns a list of names by predicting the next letter, and then writes names.

Each block adds to X what attention finds, and then what an MLP makes of it, both from X normalised
(pre-norm). Parameters by name: the embedding E (letters, width); learned positions P (positions, width); for
each block W_Q, W_K, W_V, W_O (blocks, width, width), and the MLP's W_1 (blocks, width, 4·width) and W_2
(blocks, 4·width, width); the unembedding U (width, letters). A mask is given as a function of the length,
such as `causal_mask`; with None every letter sees all others, later ones too. See Radford et al., "Language
Models are Unsupervised Multitask Learners", 2019, and Zhang and Sennrich, "Root Mean Square Layer
Normalization", 2019, https://arxiv.org/abs/1910.07467.
"""

import inspect

import numpy as np

from attn_parts import mathematics
from attn_parts.learning import Adam, attention_backward, cross_entropy, zeros_like
from attn_parts.mathematics import causal_mask, merge_heads, scaled_dot_product_attention, split_heads
from attn_parts.validation import as_array, as_positive, call_own

HEADS = 4
ATTENTION = "W_Q", "W_K", "W_V"
MATRICES = *ATTENTION, "W_O", "W_1", "W_2"


def start_gpt(seed, *, letters=27, width=48, blocks=1, positions=16):
    """Create an untrained GPT: float64 arrays by name, as above.

    >>> model = start_gpt(seed=0)
    >>> sum(array.size for array in model.values())
    31008
    """
    rng = np.random.default_rng(seed)
    shapes = {
        "E": (letters, width),
        "P": (positions, width),
        **dict.fromkeys((*ATTENTION, "W_O"), (blocks, width, width)),
        "W_1": (blocks, width, 4 * width),
        "W_2": (blocks, 4 * width, width),
        "U": (width, letters),
    }
    model = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    for name, array in model.items():
        if name not in ("E", "P"):
            array /= array.shape[-2] ** 0.5
        if name in ("W_O", "W_2", "U"):  # so that every letter is at first about equally likely
            array /= 2
    return model


def run_gpt(model, numbers, mask=causal_mask, attention=scaled_dot_product_attention):
    """Run the model: the logits of the letter after each letter, and every head's attention weights.

    Parameters
    ----------
    model : dict
        As `start_gpt` or `load_names_model` returns it.
    numbers : ndarray of int, shape (n, L)
        Numbers of letters, as `letter_numbers` returns them; L is at most the number of positions.
    mask : callable, or None
        `mask(L)` → booleans (L, L), True where a letter may look; None for no mask.
    attention : callable
        `attention(Q, K, V, mask)` → output, weights; for example a function of your own.

    Returns
    -------
    logits : ndarray, shape (n, L, letters)
    weights : ndarray, shape (blocks, n, heads, L, L)

    Examples
    --------
    >>> logits, weights = run_gpt(start_gpt(seed=0), np.zeros((2, 5), int))
    >>> logits.shape, weights.shape
    ((2, 5, 27), (1, 2, 4, 5, 5))
    """
    check_model(model)
    logits, _, kept = _forward(model, numbers, mask, attention)
    return logits, np.array([block["weights"] for block in kept])


def gpt_gradients(model, numbers, mask=causal_mask):
    """Compute the loss of predicting each next letter in `numbers` (n, L + 1), and by name the gradients.

    >>> loss, gradients = gpt_gradients(start_gpt(seed=0), np.zeros((2, 6), int))
    >>> gradients["W_1"].shape
    (1, 48, 192)
    """
    given = numbers[:, :-1]
    asked = numbers[:, 1:]
    logits, (final, size), kept = _forward(model, given, mask, scaled_dot_product_attention)
    loss, d_logits = cross_entropy(in_rows(logits), asked.ravel())
    gradients = zeros_like(model)
    gradients["U"] = in_rows(final).T @ d_logits
    d_final = d_logits @ model["U"].T
    d_X = rms_norm_backward(final, size, d_final.reshape(final.shape))
    for block in reversed(range(len(kept))):
        W = _matrices(model, block)
        d_X, found = _block_backward(W, kept[block], d_X)
        for name, gradient in found.items():
            gradients[name][block] = gradient
    length = given.shape[1]
    gradients["P"][:length] = d_X.sum(axis=0)
    gradients["E"] = gradient_at_rows(given, d_X, len(model["E"]))
    return loss, gradients


def _forward(model, numbers, mask, attention):
    """Logits, what they were read from with its size, and what each block had on the way."""
    length = numbers.shape[1]
    if mask is not None and not callable(mask):
        raise TypeError(
            f"mask must be a function of the length, or None, got {type(mask).__name__}; "
            "pass attn.causal_mask without parentheses"
        )
    mask = None if mask is None else mask(length)
    X = model["E"][numbers] + model["P"][:length]
    kept = []
    for block in range(len(model["W_Q"])):
        W = _matrices(model, block)
        X, seen = _block(W, X, mask, attention)
        kept.append(seen)
    final, size = rms_norm(X)
    return final @ model["U"], (final, size), kept


def _matrices(model, block):
    """The matrices of one block by name."""
    return {name: model[name][block] for name in MATRICES}


def _block(W, X, mask, attention):
    """Attention, then the MLP, each added to X; and what the way back needs."""
    before, size = rms_norm(X)
    projected = [before @ W[name] for name in ATTENTION]
    QKV, output, weights = attend_in_heads(attention, projected, HEADS, mask)
    joined = merge_heads(output)
    X = X + joined @ W["W_O"]
    between, size_2 = rms_norm(X)
    hidden = np.maximum(between @ W["W_1"], 0)
    kept = {
        "inputs": [before] * 3,
        "size": size,
        "QKV": QKV,
        "weights": weights,
        "joined": joined,
        "between": (between, size_2),
        "hidden": hidden,
    }
    return X + hidden @ W["W_2"], kept


def attend_in_heads(attention, projected, n_heads, mask):
    """Run an attention function in each head; returns queries, keys and values, output and weights."""
    Q, K, V = (split_heads(rows, n_heads) for rows in projected)
    *leading, length, _ = Q.shape
    shapes = {"output": Q.shape, "weights": (*leading, length, length)}
    output, weights = call_own("attention", attention, (Q, K, V, mask), shapes)
    return (Q, K, V), output, weights


def _block_backward(W, kept, d_X):
    """The gradient at the block's input, and by name those at its matrices."""
    between, size_2 = kept["between"]
    hidden = kept["hidden"]
    d_hidden = (d_X @ W["W_2"].T) * (hidden > 0)
    d_between = d_hidden @ W["W_1"].T
    found = {
        "W_1": gradient_at(between, d_hidden),
        "W_2": gradient_at(hidden, d_X),
    }
    d_X = d_X + rms_norm_backward(between, size_2, d_between)
    of_attention, d_inputs = attention_gradients(W, kept, d_X)
    d_before = rms_norm_backward(kept["inputs"][0], kept["size"], sum(d_inputs))
    return d_X + d_before, found | of_attention


def attention_gradients(W, kept, d_X):
    """By name the gradients at the matrices of attention, and those at the inputs of Q, K and V."""
    d_output = split_heads(d_X @ W["W_O"].T, HEADS)
    parts = attention_backward(*kept["QKV"], kept["weights"], d_output)
    found = {"W_O": gradient_at(kept["joined"], d_X)}
    d_inputs = []
    for name, X, part in zip(ATTENTION, kept["inputs"], map(merge_heads, parts), strict=True):
        found[name] = gradient_at(X, part)
        d_inputs.append(part @ W[name].T)
    return found, d_inputs


def rms_norm(X):
    """Divide each row by its size, the root of the mean of its squares; and that size."""
    square = (X * X).mean(axis=-1, keepdims=True)
    size = np.sqrt(square + 1e-5)
    return X / size, size


def rms_norm_backward(normed, size, d_normed):
    """The gradient before `rms_norm`, from the one after it."""
    along = (normed * d_normed).mean(axis=-1, keepdims=True)
    return (d_normed - normed * along) / size


def in_rows(array):
    """All rows of a batch below one another."""
    return array.reshape(-1, array.shape[-1])


def gradient_at(X, d_product):
    """The gradient at a matrix W, from X and the gradient at X @ W, added up over the batch."""
    return in_rows(X).T @ in_rows(d_product)


def gradient_at_rows(numbers, d_rows, count):
    """The gradient at a matrix of `count` rows, from those at the rows that `numbers` took of it."""
    one_hot = np.eye(count, dtype=d_rows.dtype)[numbers.ravel()]
    return one_hot.T @ in_rows(d_rows)


def train_gpt(model, windows, steps, seed=0, *, mask=causal_mask, batch=64, rate=0.01):
    """Train the model in place on `windows` (n, L + 1). Yields each step, and the loss before it.

    Adam's rate grows over the first 20 steps and falls to a tenth at the end.

    >>> letters = np.array([[0, 1, 2, 0], [0, 2, 1, 0]])
    >>> losses = [loss for step, loss in train_gpt(start_gpt(seed=0), letters, steps=30)]
    >>> len(losses), losses[29] < losses[0] / 2
    (30, True)
    """
    rng = np.random.default_rng(seed)
    adam = Adam(model, rate)
    for step in range(steps):
        chosen = windows[rng.integers(len(windows), size=batch)]
        loss, gradients = gpt_gradients(model, chosen, mask)
        rising = (step + 1) / 20
        falling = 1 - 0.9 * step / steps
        adam.rate = rate * min(rising, falling)
        adam.step(gradients)
        yield step, loss


def sample(logits, rng, temperature=1.0, softmax=mathematics.softmax):
    """Draw a number by its probability, from logits (n,); `softmax` takes them, perhaps with the temperature.

    >>> sample(np.array([0.0, 50.0]), np.random.default_rng(0))
    1
    """
    temperature = as_positive("temperature", temperature)
    if not callable(softmax):
        raise TypeError(f"softmax must be a function, got {softmax!r}; pass its name without quotes")
    parameters = inspect.signature(softmax).parameters.values()
    needed = [one for one in parameters if one.default is one.empty]
    given = (logits, temperature) if len(needed) > 1 else (logits / temperature,)
    probabilities = as_array("what softmax returned", softmax(*given))
    fits = probabilities.shape == logits.shape and probabilities.min() >= 0
    if not fits or abs(probabilities.sum() - 1) > 1e-3:
        raise ValueError(
            f"softmax returned shape {probabilities.shape} with sum {probabilities.sum():.3g}, expected "
            f"{logits.shape} probabilities that sum to 1; check it with check.softmax first"
        )
    ends = np.cumsum(probabilities)
    return int(np.searchsorted(ends / ends[-1], rng.random(), side="right"))


def check_model(model):
    """Raise unless this is a GPT's dictionary of arrays."""
    if not isinstance(model, dict) or not model.keys() >= {"E", "P", *MATRICES, "U"}:
        remedy = "load_names_model gives one"
        if isinstance(model, tuple):
            remedy = "unpack it: model, losses = ..."
        raise TypeError(
            f"model must be a dictionary of arrays E, P, W_Q …, got {type(model).__name__}; {remedy}"
        )
