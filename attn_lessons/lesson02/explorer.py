"""Lesson 02: what d_k does to scores and weights, raw and as the reader's function scales them."""

import functools
import math

import numpy as np

from attn_parts.colours import BLUE, LIT
from attn_parts.explorer import ALL, Explorer, Slider
from attn_parts.mathematics import softmax
from attn_parts.svg import Drawing
from attn_parts.validation import as_array

FRACTIONS = {
    0: "0",
    0.5: "0.5",
    1: "1",
}  # the same axes left and right, whatever the controls say
SCORES = {1 / 82: "≤ −40", 21 / 82: "−20", 0.5: "0", 61 / 82: "20", 81 / 82: "≥ 40"}


def divided_by_root(Q, K):
    return Q @ K.T / math.sqrt(K.shape[-1])


def explore_scaling(scaled_scores=divided_by_root) -> Explorer:
    """Show what d_k does to scores and weights: QKᵀ beside your own `scaled_scores(Q, K)` (lesson 02).

    Controls: d_k (1 to 1024, log), length (number of keys, 2 to 64), seed.
    """
    controls = [
        Slider("d_k", 64, 1, 1024, log=2),
        Slider("length", 16, 2, 64),
        Slider("seed", 0, 0, 20),
    ]
    frames = [
        {"d_k": ALL, "seed": range(10)},
        {"d_k": ALL, "length": [4, 8, 32, 64]},
        {"length": ALL},
    ]
    return Explorer(functools.partial(_draw_scaling, scaled_scores), controls, frames)


@functools.lru_cache(maxsize=8)
def random_inputs(d_k, length, seed):
    """Draw queries (200, d_k) and keys (length, d_k) with entries of variance 1."""
    rng = np.random.default_rng([seed, d_k])
    return rng.standard_normal((200, d_k)), rng.standard_normal((d_k, length)).T


def _draw_scaling(scaled_scores, d_k, length, seed):
    d_k = round(d_k)
    Q, K = random_inputs(d_k, length, seed)
    unscaled = Q @ K.T
    scaled = as_array("scaled_scores(Q, K)", scaled_scores(Q, K))
    if scaled.shape != unscaled.shape:
        raise ValueError(f"scaled_scores returned shape {scaled.shape}, expected {unscaled.shape}")
    drawing = Drawing(
        820,
        480,
        f"Scores and weights at d_k = {d_k}",
        f"random numbers (seed {seed})",
    )
    words = []
    sides = (("unscaled: QKᵀ", unscaled, LIT), ("scaled", scaled, BLUE))
    for x, (name, scores, color) in zip((50, 460), sides):
        weights = softmax(scores)
        # bins of width 2; the outermost take in what lies beyond
        counts, _ = np.histogram(np.clip(scores, -40, 40), np.arange(-41, 42, 2))
        title = f"{name}, fraction of scores per bar"
        drawing.bars(
            x,
            60,
            310,
            140,
            counts / scores.size,
            limits=(0, 1),
            color=color,
            title=title,
        )
        drawing.upright_axis(x, 60, 140, FRACTIONS)
        drawing.axis(x, 200, 310, SCORES, "score")
        drawing.text(
            x,
            256,
            f"standard deviation of the scores: {scores.std():.2f}",
            room=350,
        )
        largest = weights.max(axis=-1).mean()
        title = f"weights of the first query over {length} keys"
        drawing.bars(
            x,
            320,
            310,
            110,
            weights[0],
            limits=(0, 1),
            color=color,
            title=title,
        )
        drawing.upright_axis(x, 320, 110, FRACTIONS)
        drawing.text(
            x,
            452,
            f"largest weight, mean over 200 queries: {largest:.2f}",
            room=350,
        )
        words.append(f"{name}: standard deviation {scores.std():.2f}, mean largest weight {largest:.2f}")
    return drawing, f"{length} keys. " + "; ".join(words) + "."
