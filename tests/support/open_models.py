"""Attention layers of open models in NumPy, on the course's functions; each reads a text X (L, width) at once.

`given` are a layer's parameters by the names that `transformers` gives them.
"""

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
    given, X, heads, kv_heads, width, theta, turn=None, plus=0, window=None, scale=None, gate=False
):
    """Grouped queries; some models gate the output, normalise queries and keys, or have a window or sinks."""
    Q, K, V = (linear(given, f"{name}_proj", X) for name in "qkv")
    opened = 1
    if gate:  # beside the queries, in each head
        Q, closing = np.split(Q.reshape(len(X), heads, -1), 2, axis=-1)
        opened = sigmoid(closing.reshape(len(X), -1))
        Q = Q.reshape(len(X), -1)
    Q = attn.split_heads(normalised(given, "q_norm", Q, plus), heads)
    K = attn.split_heads(normalised(given, "k_norm", K, plus), kv_heads)
    V = attn.split_heads(V, kv_heads)
    if theta:
        Q = turned(Q, theta, turn or width)
        K = turned(K, theta, turn or width)
    mask = attn.window_mask(len(X), window or len(X))
    output, _ = grouped_attention(Q, K, V, mask, sinks=given.get("sinks"), scale=scale)
    return linear(given, "o_proj", attn.merge_heads(output) * opened)


def latent_layer(given, X, heads, rank, plain, placed, theta):
    """DeepSeek's attention: keys and values come from one latent row per token; one key has its position."""
    short = normalised(given, "q_a_layernorm", linear(given, "q_a_proj", X))
    Q = attn.split_heads(linear(given, "q_b_proj", short), heads)
    row = linear(given, "kv_a_proj_with_mqa", X)
    latent = normalised(given, "kv_a_layernorm", row[:, :rank])
    K, V = np.split(attn.split_heads(linear(given, "kv_b_proj", latent), heads), [plain], axis=-1)
    places = np.broadcast_to(row[:, rank:], (heads, len(X), placed))
    Q = np.concatenate([Q[..., :plain], turned(halves(Q[..., plain:]), theta, placed)], axis=-1)
    K = np.concatenate([K, turned(halves(places), theta, placed)], axis=-1)
    output, _ = attn.scaled_dot_product_attention(Q, K, V, attn.causal_mask(len(X)))
    return linear(given, "o_proj", attn.merge_heads(output))


def delta_layer(given, X, heads, key_width, value_width):
    """Qwen3-Next's gated delta rule."""
    widths = np.array([key_width, key_width, value_width])
    joined = linear(given, "in_proj_qkvz", X).reshape(len(X), heads, -1)
    *parts, gate = np.split(joined, widths.cumsum(), axis=-1)
    mixed = np.concatenate([part.reshape(len(X), -1) for part in parts], axis=-1)
    kernel = given["conv1d.weight"][:, 0]  # each column is mixed with the few tokens before it
    padded = np.pad(mixed, [(kernel.shape[1] - 1, 0), (0, 0)])
    near = np.lib.stride_tricks.sliding_window_view(padded, kernel.shape[1], axis=0)
    mixed = silu((near * kernel).sum(axis=-1))
    parts = np.split(mixed, heads * widths[:2].cumsum(), axis=-1)
    Q, K, V = (attn.split_heads(part, heads) for part in parts)
    Q, K = (part / np.sqrt((part * part).sum(axis=-1, keepdims=True) + 1e-6) for part in (Q, K))
    strength, decay = linear(given, "in_proj_ba", X).reshape(len(X), heads, 2).transpose(2, 1, 0)
    pace = np.exp(given["A_log"]) * np.log1p(np.exp(decay.T + given["dt_bias"]))
    output, _ = running_memory(Q / key_width**0.5, K, V, sigmoid(strength), np.exp(-pace.T))
    output = normalised(given, "norm", output.swapaxes(0, 1)) * silu(gate).reshape(len(X), -1)
    return linear(given, "out_proj", output)


def linear(given, name, X):
    return X @ given[f"{name}.weight"].T + given.get(f"{name}.bias", 0)


def normalised(given, name, X, plus=0):
    """Root mean square 1 in each row of X, or in each head where the gain is as long; X without a gain."""
    gain = given.get(f"{name}.weight")
    if gain is None:
        return X
    parts = X.reshape(len(X), -1, gain.size)
    size = np.sqrt((parts * parts).mean(axis=-1, keepdims=True) + 1e-6)
    return (parts / size * (gain + plus)).reshape(len(X), -1)


def turned(X, theta, width):
    """RoPE on the first `width` columns of X (heads, L, d_k), whose halves belong together."""
    half = width // 2
    angles = np.arange(X.shape[-2])[:, None] / theta ** (np.arange(half) / half)
    first, second, rest = np.split(X, [half, width], axis=-1)
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin, rest], axis=-1)


def halves(X):
    """Columns that belong together in pairs, put so that halves do."""
    return np.concatenate([X[..., ::2], X[..., 1::2]], axis=-1)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


LAYERS = {"softmax": softmax_layer, "latent": latent_layer, "delta": delta_layer}
