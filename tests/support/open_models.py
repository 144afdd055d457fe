"""Attention layers of open models in NumPy, on the course's own functions, from the parameters that `transformers` names."""

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


def linear(given, name, X):
    return X @ given[f"{name}.weight"].T + given.get(f"{name}.bias", 0)


def root_mean_square(X, gain=1.0, epsilon=1e-6):
    return gain * X / np.sqrt((X * X).mean(axis=-1, keepdims=True) + epsilon)


def turned(X, start, theta, width, pairs=False):
    """RoPE on the first `width` columns of X (heads, L, d_k), in halves or in pairs; the result is in halves."""
    half = width // 2
    angles = (start + np.arange(X.shape[-2]))[:, None] / theta ** (np.arange(half) / half)
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = (X[..., 0:width:2], X[..., 1:width:2]) if pairs else (X[..., :half], X[..., half:width])
    return np.concatenate(
        [
            first * cos - second * sin,
            second * cos + first * sin,
            X[..., width:],
        ],
        axis=-1,
    )


class SoftmaxLayer:
    """One layer of softmax attention; it takes a few tokens after the other and keeps what it needs of those before."""

    def __init__(self, given, heads, kv_heads, width, **choices):
        self.given, self.heads, self.kv_heads, self.width = given, heads, kv_heads, width
        self.choices = choices
        self.cache = attn.KVCache()

    def __call__(self, X):
        given, start = self.given, self.cache.length
        heads = {"q": self.heads, "k": self.kv_heads, "v": self.kv_heads}
        made = {one: linear(given, f"{one}_proj", X) for one in heads}
        gate = None
        if self.choices.get("gate"):
            wide = made["q"].reshape(len(X), self.heads, 2 * self.width)
            made["q"], gate = (
                half.reshape(len(X), -1)
                for half in np.split(
                    wide,
                    2,
                    axis=-1,
                )
            )
        norm = self.choices.get("norm")  # of each head, or of the whole row
        Q, K, V = (
            self.split(
                made[one],
                one,
                heads[one],
                norm,
            )
            for one in heads
        )
        theta, turn = self.choices.get("theta"), self.choices.get("turn", self.width)
        if theta:
            Q, K = (turned(one, start, theta, turn) for one in (Q, K))
        K, V = self.cache.append(K, V)
        mask = attn.window_mask(
            len(X),
            self.choices.get("window") or K.shape[-2],
            K.shape[-2],
            start,
        )
        output, _ = grouped_attention(
            Q, K, V, mask, sinks=given.get("sinks"), scale=self.choices.get("scale")
        )
        joined = attn.merge_heads(output)
        joined = joined if gate is None else joined / (1 + np.exp(-gate))
        return linear(given, "o_proj", joined)

    def split(self, made, one, heads, norm):
        """Heads of queries, keys or values; queries and keys are normalised where the model does so."""
        gain = self.given.get(f"{one}_norm.weight")
        if gain is None or norm is None:
            return attn.split_heads(made, heads)
        gain = gain + self.choices.get("plus", 0)
        if norm == "row":
            return attn.split_heads(root_mean_square(made, gain), heads)
        return root_mean_square(attn.split_heads(made, heads), gain)


class LatentLayer:
    """DeepSeek's attention: it keeps one latent row for each token, and one key that says where it is."""

    def __init__(self, given, heads, rank, plain, placed, theta):
        self.given, self.heads, self.rank = given, heads, rank
        self.plain, self.placed, self.theta = plain, placed, theta
        self.cache = attn.KVCache()

    def __call__(self, X):
        given, start = self.given, self.cache.length
        short = root_mean_square(
            linear(
                given,
                "q_a_proj",
                X,
            ),
            given["q_a_layernorm.weight"],
        )
        Q = attn.split_heads(linear(given, "q_b_proj", short), self.heads)
        place = turned(
            Q[..., self.plain :],
            start,
            self.theta,
            self.placed,
            pairs=True,
        )
        Q = np.concatenate([Q[..., : self.plain], place], axis=-1)
        row = linear(given, "kv_a_proj_with_mqa", X)
        latent = root_mean_square(row[:, : self.rank], given["kv_a_layernorm.weight"])
        place = turned(
            row[:, self.rank :],
            start,
            self.theta,
            self.placed,
            pairs=True,
        )
        latent, place = self.cache.append(latent, place)
        made = attn.split_heads(
            linear(
                given,
                "kv_b_proj",
                latent,
            ),
            self.heads,
        )
        places = np.broadcast_to(place, (self.heads, *place.shape))
        K = np.concatenate([made[..., : self.plain], places], axis=-1)
        mask = attn.causal_mask(len(X), len(latent), start)
        output, _ = attn.scaled_dot_product_attention(
            Q,
            K,
            made[..., self.plain :],
            mask,
        )
        return linear(given, "o_proj", attn.merge_heads(output))


class DeltaLayer:
    """Qwen3-Next's gated delta rule; what it keeps never grows. All tokens so far are read again, which changes no number."""

    def __init__(self, given, heads, key_width, value_width):
        self.given, self.heads = given, heads
        self.widths = [key_width, key_width, value_width, value_width]
        self.read = []

    def __call__(self, X):
        given, widths = self.given, self.widths
        self.read.append(X)
        whole = np.concatenate(self.read)
        parts = linear(given, "in_proj_qkvz", whole).reshape(
            len(whole),
            self.heads,
            -1,
        )
        q, k, v, z = np.split(parts, np.cumsum(widths)[:-1], axis=-1)
        b, a = (
            linear(given, "in_proj_ba", whole)
            .reshape(len(whole), self.heads, 2)
            .transpose(
                2,
                1,
                0,
            )
        )
        mixed = np.concatenate([one.reshape(len(whole), -1) for one in (q, k, v)], axis=-1)
        kernel = given["conv1d.weight"][:, 0]  # each column with the few tokens before it
        behind = np.concatenate([np.zeros((kernel.shape[1] - 1, mixed.shape[1])), mixed])
        mixed = sum(behind[i : i + len(whole)] * kernel[:, i] for i in range(kernel.shape[1]))
        mixed = mixed / (1 + np.exp(-mixed))
        columns = np.cumsum([self.heads * width for width in widths[:2]])
        Q, K, V = (
            attn.split_heads(one, self.heads)
            for one in np.split(
                mixed,
                columns,
                axis=-1,
            )
        )
        Q, K = (one / np.sqrt((one * one).sum(axis=-1, keepdims=True) + 1e-6) for one in (Q, K))
        keep = np.exp(-np.exp(given["A_log"]) * np.log1p(np.exp(a.T + given["dt_bias"]))).T
        output, _ = running_memory(
            Q / math.sqrt(widths[0]),
            K,
            V,
            1 / (1 + np.exp(-b)),
            keep,
        )
        gate = z.transpose(1, 0, 2)
        output = root_mean_square(output, given["norm.weight"]) * gate / (1 + np.exp(-gate))
        return linear(
            given,
            "out_proj",
            attn.merge_heads(output),
        )[-len(X) :]


LAYERS = {
    "softmax": SoftmaxLayer,
    "latent": LatentLayer,
    "delta": DeltaLayer,
}


def run(kind, given, settings, X, pieces):
    """The outputs of a layer for X (L, width), given in pieces of so many tokens."""
    layer = LAYERS[kind](given, **settings)
    ends = np.cumsum(pieces)
    return np.concatenate(
        [
            layer(X[end - piece : end])
            for end, piece in zip(
                ends,
                pieces,
                strict=True,
            )
        ]
    )
