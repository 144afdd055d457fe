"""Attention layers of open models in NumPy, on the course's functions; each reads a text X (L, width).

`given` are a layer's parameters by the names that `transformers` gives them.
"""

import math
import zlib

import numpy as np

import attn_helpers as attn
from attn_parts.attention_today import grouped_attention, running_memory


def parameters(shapes):
    """A number for each parameter of a layer, by its name and shape alone."""
    made = {}
    for name, shape in shapes.items():
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        made[name] = rng.integers(-32, 33, shape) / 64
    return made


def softmax_layer(
    given,
    X,
    heads,
    kv_heads,
    width,
    theta=None,
    turn=None,
    plus=0,
    window=None,
    scale=None,
    gate=False,
):
    """Grouped queries; some models gate the output, normalise queries and keys, or have a window or sinks."""
    Q = linear(given, "q_proj", X)
    K = linear(given, "k_proj", X)
    V = linear(given, "v_proj", X)
    opened = 1
    if gate:  # beside the queries, in each head
        joined = Q.reshape(len(X), heads, -1)
        Q, closing = np.split(joined, 2, axis=-1)
        Q = Q.reshape(len(X), -1)
        opened = sigmoid(closing.reshape(len(X), -1))
    Q = normalised(given, "q_norm", Q, plus)
    K = normalised(given, "k_norm", K, plus)
    Q = attn.split_heads(Q, heads)
    K = attn.split_heads(K, kv_heads)
    V = attn.split_heads(V, kv_heads)
    if theta:
        Q = turned(Q, theta, turn or width)
        K = turned(K, theta, turn or width)
    output, _ = grouped_attention(
        Q,
        K,
        V,
        mask=attn.window_mask(len(X), window or len(X)),
        sinks=given.get("sinks", -np.inf),
        scale=scale,
    )
    joined = attn.merge_heads(output) * opened
    return linear(given, "o_proj", joined)


def latent_layer(given, X, heads, rank, plain, placed, theta):
    """DeepSeek's attention: keys and values come from one latent row per token; one key has its position."""
    short = linear(given, "q_a_proj", X)
    short = normalised(given, "q_a_layernorm", short)
    Q = linear(given, "q_b_proj", short)
    Q = attn.split_heads(Q, heads)
    place = halves(Q[..., plain:])
    place = turned(place, theta, placed)
    Q = np.concatenate([Q[..., :plain], place], axis=-1)
    row = linear(given, "kv_a_proj_with_mqa", X)
    latent = normalised(given, "kv_a_layernorm", row[:, :rank])
    joined = linear(given, "kv_b_proj", latent)
    joined = attn.split_heads(joined, heads)
    K, V = np.split(joined, [plain], axis=-1)
    place = halves(row[None, :, rank:])
    place = turned(place, theta, placed)
    place = place.repeat(heads, axis=0)
    K = np.concatenate([K, place], axis=-1)
    mask = attn.causal_mask(len(X))
    output, _ = attn.scaled_dot_product_attention(Q, K, V, mask)
    return linear(given, "o_proj", attn.merge_heads(output))


def delta_layer(given, X, heads, key_width, value_width):
    """Qwen3-Next's gated delta rule."""
    widths = np.array([key_width, key_width, value_width])
    joined = linear(given, "in_proj_qkvz", X)
    joined = joined.reshape(len(X), heads, -1)
    *parts, gate = np.split(joined, widths.cumsum(), axis=-1)
    rows = [part.reshape(len(X), -1) for part in parts]
    mixed = convolved(given, np.concatenate(rows, axis=-1))
    Q, K, V = np.split(mixed, heads * widths[:2].cumsum(), axis=-1)
    Q = of_length_one(attn.split_heads(Q, heads))
    K = of_length_one(attn.split_heads(K, heads))
    V = attn.split_heads(V, heads)
    joined = linear(given, "in_proj_ba", X)
    joined = joined.reshape(len(X), heads, 2)
    strength = sigmoid(joined[..., 0])
    pace = np.log1p(np.exp(joined[..., 1] + given["dt_bias"]))
    keep = np.exp(-pace * np.exp(given["A_log"]))
    Q = Q / math.sqrt(key_width)
    output, _ = running_memory(Q, K, V, strength.T, keep.T)
    output = normalised(given, "norm", output.swapaxes(0, 1))
    gate = gate.reshape(len(X), -1)
    return linear(given, "out_proj", output * silu(gate))


def convolved(given, X):
    """Each column of X mixed with the few tokens before it."""
    kernel = given["conv1d.weight"][:, 0]
    size = kernel.shape[1]
    padded = np.pad(X, [(size - 1, 0), (0, 0)])
    near = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
    return silu((near * kernel).sum(axis=-1))


def of_length_one(X):
    square = (X * X).sum(axis=-1, keepdims=True)
    return X / np.sqrt(square + 1e-6)


def linear(given, name, X):
    product = X @ given[f"{name}.weight"].T
    return product + given.get(f"{name}.bias", 0)


def normalised(given, name, X, plus=0):
    """Root mean square 1 in each row of X, or in each head where the gain is as long; X without a gain."""
    gain = given.get(f"{name}.weight")
    if gain is None:
        return X
    parts = X.reshape(len(X), -1, gain.size)
    square = (parts * parts).mean(axis=-1, keepdims=True)
    parts = parts / np.sqrt(square + 1e-6)
    parts = parts * (gain + plus)
    return parts.reshape(len(X), -1)


def turned(X, theta, width):
    """RoPE on the first `width` columns of X (heads, L, d_k), whose halves belong together."""
    half = width // 2
    slowness = theta ** (np.arange(half) / half)
    angles = np.arange(X.shape[-2])[:, None] / slowness
    cos = np.cos(angles)
    sin = np.sin(angles)
    first, second, rest = np.split(X, [half, width], axis=-1)
    turned_first = first * cos - second * sin
    turned_second = second * cos + first * sin
    return np.concatenate([turned_first, turned_second, rest], axis=-1)


def halves(X):
    """Columns that belong together in pairs, put so that halves do."""
    return np.concatenate([X[..., ::2], X[..., 1::2]], axis=-1)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


LAYERS = {
    "softmax": softmax_layer,
    "latent": latent_layer,
    "delta": delta_layer,
}
