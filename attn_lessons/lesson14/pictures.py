"""Lesson 14: the loss of lesson 11's model when it keeps fewer numbers per word."""

import functools

import numpy as np

from attn_parts.colours import BLUE, LIT
from attn_parts.heatmaps import Picture
from attn_parts.language_model import load_language_model, run_language_model
from attn_parts.learning import cross_entropy
from attn_parts.mathematics import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from attn_parts.stills import panels
from attn_parts.toy_corpus import toy_texts
from attn_parts.validation import call_own

HEADS, ROW = 4, 128  # keys and values of all heads
FITTED, ASKED = (
    [64, 49, 5],
    [24, 49, [999, 0]],
)  # texts that the latent rows are fitted to, and others
RANKS = (64, 48, 32, 24, 16, 8)


def plot_smaller_caches(attention):
    """Plot the loss of lesson 11's model against the numbers it keeps per word and layer, without new
    training.

    `attention(Q, K, V, mask)` runs it with 4 query heads and 4, 2 or 1 key-value heads, the means of
    neighbours. In the other line every row of keys and values, 128 numbers, is squeezed through a latent row.
    """
    shared = {ROW * heads // HEADS: _loss_one_by_one(_shared(attention, heads)) for heads in (4, 2, 1)}
    latent = {ROW: shared[ROW]} | {rank: float(_loss(_latent(rank), _texts())) for rank in RANKS}
    figure, [ax] = panels(6.4, 3.2)
    for kept, color, line, name in (
        (shared, LIT, "s--", "4, 2, 1 key-value heads (averaged)"),
        (latent, BLUE, "o-", "a latent row"),
    ):
        ax.plot(list(kept), list(kept.values()), line, color=color, label=name)
    ax.set(
        xlabel="numbers kept per word and layer",
        ylabel="loss",
        xticks=[8, 24, 32, 48, 64, 128],
        ylim=(2, 5),
    )
    ax.legend(frameon=False)
    told = [", ".join(f"{kept} numbers {loss:.2f}" for kept, loss in one.items()) for one in (shared, latent)]
    return Picture(
        figure,
        f"The loss of lesson 11's model. With averaged heads: {told[0]}. With a latent row: {told[1]}.",
    )


@functools.cache
def _texts():
    return toy_texts(*ASKED, unseen=True)[0]


def _loss(attention, texts):
    """The mean loss on texts that the model wasn't trained on."""
    logits, _ = run_language_model(load_language_model(), texts[..., :-1], attention)
    return cross_entropy(logits.reshape(-1, logits.shape[-1]), texts[..., 1:].ravel())[0]


def _loss_one_by_one(attention):
    """The same, where the attention takes one text at a time."""
    return float(np.mean([_loss(attention, text) for text in _texts()]))


def _shared(attention, heads):
    """Attention with key-value heads that are means of neighbours."""

    def attend(Q, K, V, mask):
        K, V = (one.reshape(heads, -1, *one.shape[1:]).mean(axis=1) for one in (K, V))
        shapes = {"output": Q.shape, "weights": (*Q.shape[:-1], K.shape[-2])}
        return call_own("attention", attention, (Q, K, V, mask), shapes)

    return attend


@functools.cache
def _directions():
    """For each layer, the directions in which rows of keys and values differ most, the strongest first."""
    rows = []

    def see(Q, K, V, mask):
        rows.append(merge_heads(np.concatenate([K, V], axis=-1)).reshape(-1, ROW))
        return scaled_dot_product_attention(Q, K, V, mask)

    texts, _ = toy_texts(*FITTED)
    run_language_model(load_language_model(), texts[:, :-1], see)
    return [np.linalg.svd(each, full_matrices=False)[2] for each in rows]


def _latent(rank):
    """Attention whose keys and values are made of so many numbers per word."""
    layers = iter(())

    def attend(Q, K, V, mask):
        nonlocal layers
        directions = next(layers, None)
        if directions is None:
            layers = iter(_directions())
            directions = next(layers)
        made = directions[:rank]
        row = merge_heads(np.concatenate([K, V], axis=-1)) @ made.T @ made
        K, V = np.split(split_heads(row, HEADS), 2, axis=-1)
        return scaled_dot_product_attention(Q, K, V, mask)

    return attend
