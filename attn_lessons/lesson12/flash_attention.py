"""Lesson 12, transfer: attention in tiles, a few queries and a few keys at a time, made of steps."""

from itertools import product
from types import SimpleNamespace

import numpy as np

from attn_checks.exercise import always, choices, exercise, mask_of, same, told_in
from attn_lessons.lesson12.attention_in_blocks import starts, whole_blocks_only
from attn_parts import mathematics as maths

LOWEST = np.finfo(float).min  # below every score, and LOWEST − LOWEST is 0 where −∞ − (−∞) is NaN


def in_tiles(Q, K, V, mask, block, **choices):
    """Attention in tiles, made of choices.

    carry: sum and output after a tile, from those so far, those of the tile, and the factor. newest: the maximum after
    a tile; kept: what the next tile knows of it. rows, columns: where tiles start. hidden: the mask of a tile.
    """
    use = SimpleNamespace(**choices)
    output = np.zeros((len(Q), V.shape[-1]))
    for i in use.rows(len(Q), block):
        queries = slice(i, i + block)
        largest = np.full((len(Q[queries]), 1), use.start)
        total = 0.0
        mix = 0.0
        for j in use.columns(Q, K, i, block):
            keys = slice(j, j + block)
            scaled = Q[queries] @ K[keys].T / use.divisor(Q, V, block)
            scores = np.where(use.hidden(mask, queries, keys), scaled, use.blocked)
            new = use.newest(scores, largest)
            powers = np.exp(scores - new)
            factor = use.factor(largest, new)
            total, mix = use.carry(
                total, mix, use.summed(powers), powers @ use.values(V, queries, keys), factor
            )
            largest = use.kept(largest, new, j)
        output[queries] = use.divide(mix, total)
    return output


def safely(mix, total):
    return mix / np.where(total == 0, 1, total)


def row_sums(exponentials):
    return exponentials.sum(axis=-1, keepdims=True)


def corrected(of_sum=1, of_mix=1):
    """What is carried along, with the factor to this power; None for nothing of the earlier tiles."""

    def part(power, so_far, tile, factor):
        return tile if power is None else so_far * factor**power + tile

    return lambda total, mix, tile, product, factor: (
        part(of_sum, total, tile, factor),
        part(of_mix, mix, product, factor),
    )


def divided_in_every_tile(divide):
    def carry(total, mix, tile, product, factor):
        total = total * factor + tile
        return total, divide(mix * factor + product, total)

    return carry


def own_causal_mask(mask, queries, keys):
    return np.tri(*mask.shape, dtype=bool)[queries, keys]


def attend(Q, K, V, mask):
    return maths.scaled_dot_product_attention(Q, K, V, mask)[0]


def until_a_blocked_tile(Q, K, V, mask, block):
    """Attention of each tile of queries to the keys before the first tile that is blocked."""
    seen = mask.copy()
    for i, j in product(starts(len(Q), block), starts(len(K), block)):
        if not mask[i : i + block, j : j + block].any():
            seen[i : i + block, j:] = False
    return attend(Q, K, V, seen)


def softmax_per_tile(together):
    """Every tile of keys with a softmax of its own; their outputs put `together`."""
    return lambda Q, K, V, mask, block: together(
        [
            attend(
                Q,
                K[j : j + block],
                V[j : j + block],
                mask[:, j : j + block],
            )
            for j in starts(len(K), block)
        ],
        axis=0,
    )


STEPS = choices(
    "Q K V mask block",
    in_tiles,
    carry=(
        corrected(),
        {
            "not-rescaled": [corrected(0, 0), corrected(1, 0), corrected(0, 1)],
            "new-corrected": [
                lambda total, mix, tile, product, factor: ((total + tile) * factor, (mix + product) * factor),
                lambda total, mix, tile, product, factor: ((total + tile) * factor, mix * factor + product),
                lambda total, mix, tile, product, factor: (total * factor + tile, (mix + product) * factor),
            ],
            "last-tile-only": [corrected(None, None), corrected(1, None), corrected(None, 1)],
            "divided-too-early": [divided_in_every_tile(safely), divided_in_every_tile(np.divide)],
        },
    ),
    factor=(
        lambda old, new: np.exp(old - new),
        {
            "factor-upside-down": [
                lambda old, new: np.exp(new - old),
                lambda old, new: np.where(old > LOWEST, np.exp(new - old), 0),
            ]
        },
    ),
    newest=(
        lambda scores, largest: np.maximum(largest, scores.max(axis=-1, keepdims=True)),
        {
            "one-maximum-for-all": lambda scores, largest: np.maximum(largest, scores.max()),
            "no-max-subtraction": lambda scores, largest: 0 * largest,
        },
    ),
    kept=(
        lambda old, new, j: new,
        {"maximum-not-kept": [lambda old, new, j: old, lambda old, new, j: old if j else new]},
    ),
    summed=(
        row_sums,
        {"one-sum-for-all": np.sum},
    ),
    rows=(
        starts,
        {"rows-lost": whole_blocks_only},
    ),
    columns=(
        lambda Q, K, start, block: starts(len(K), block),
        {
            "keys-lost": [
                lambda Q, K, start, block: whole_blocks_only(len(K), block),
                lambda Q, K, start, block: starts(min(len(Q), len(K)), block),
            ],
            "own-tile-only": [
                lambda Q, K, start, block: [start],
                lambda Q, K, start, block: [0],
            ],
            "later-keys-left-out": [
                lambda Q, K, start, block: starts(min(start + block, len(K)), block),
                lambda Q, K, start, block: starts(start + block, block),
            ],
        },
    ),
    start=(
        LOWEST,
        {
            "blocked-tile-nan": -np.inf,
            "starts-too-high": [0.0, -1e9],
        },
    ),
    divisor=(
        lambda Q, *_: np.sqrt(Q.shape[-1]),
        [
            told_in("online_softmax", {"powers-of-two": lambda Q, *_: np.sqrt(Q.shape[-1]) / np.log(2)}),
            told_in(
                "attention_in_blocks",
                {
                    "not-scaled": [
                        lambda *_: 1.0,
                        lambda Q, V, block: np.sqrt(V.shape[-1]),
                        lambda Q, V, block: np.sqrt(block),
                        lambda Q, *_: 1 / np.sqrt(Q.shape[-1]),
                    ]
                },
            ),
            {"divided-by-d-k": lambda Q, *_: Q.shape[-1]},
        ],
    ),
    values=(
        lambda V, queries, keys: V[keys],
        {
            "values-of-another-tile": [
                lambda V, queries, keys: V[queries.start : queries.start + len(V[keys])],
                lambda V, queries, keys: V[: len(V[keys])],
                lambda V, queries, keys: V,
            ]
        },
    ),
    hidden=(
        lambda mask, queries, keys: mask[queries, keys],
        {
            "mask-ignored": lambda mask, queries, keys: np.True_,
            "inverted-mask": lambda mask, queries, keys: ~mask[queries, keys],
            "mask-of-another-tile": [
                lambda mask, queries, keys: mask[: len(mask[queries]), : mask[:, keys].shape[1]],
                lambda mask, queries, keys: mask[: len(mask[queries]), keys],
                lambda mask, queries, keys: mask[queries, : mask[:, keys].shape[1]],
                lambda mask, queries, keys: mask[keys, queries],
            ],
            "own-causal-mask": [
                own_causal_mask,
                lambda mask, queries, keys: own_causal_mask(mask, queries, keys) & mask[queries, keys],
            ],
        },
    ),
    blocked=(
        -np.inf,
        {
            "finite-mask-value": [-1e9, -1e4, LOWEST],
            "multiplied-by-zero": 0.0,
        },
    ),
    divide=(
        safely,
        {
            "empty-row-nan": np.divide,
            "not-divided": lambda mix, total: mix,
        },
    ),
)


def taken(**choices):
    """Attention in tiles with some choices taken wrongly."""
    return STEPS.whole({name: always(choice) for name, choice in choices.items()})


# Neither is one choice.
OTHERS = {
    "divided-too-early": [
        taken(carry=divided_in_every_tile(safely), divide=lambda mix, total: mix),
        taken(carry=divided_in_every_tile(np.divide), divide=lambda mix, total: mix),
    ],
    "last-tile-only": taken(columns=lambda Q, K, start, block: starts(len(K), block)[-1:]),
    "finite-mask-value": taken(start=-1e9, blocked=-1e9, divide=np.divide),
    "blocked-tile-ends": lambda *given: np.nan_to_num(taken(start=-np.inf)(*given)),
    "blocked-tile-breaks": until_a_blocked_tile,
    "softmax-per-tile": [softmax_per_tile(np.sum), softmax_per_tile(np.mean)],
}


def where_it_parts(ask, given, wanted, got):
    """Say whether it is right with one tile for everything, for the first tile of queries, or without a mask."""
    Q, K, V, mask, block = given

    def goes_right(mask, block):
        queries = Q[: len(mask)]
        return same(ask(queries, K, V, mask, block), (attend(queries, K, V, mask),))

    if goes_right(mask, max(len(Q), len(K))):
        if len(Q) > block and goes_right(mask[:block], block):
            return (
                "The first tile of queries alone is right. What does the next one start from, and "
                "into which rows does it write?"
            )
        return (
            "With one tile for everything your result is right on this input. Look at the slices, "
            "and at what passes from one tile of keys to the next."
        )
    if goes_right(np.ones_like(mask), block):
        return "With nothing blocked your result is right on this input. Look at how you use the mask."
    return (
        "Your result is wrong even with one tile for everything, block = 100. Begin there, because "
        "no tile follows another then."
    )


def drawn(n_queries, n_keys, d_k, d_v, block, mask=None, factor=1.0):
    """Whole numbers; `mask` of the sizes, all open if not given."""
    allowed = np.ones((n_queries, n_keys), bool) if mask is None else mask
    return lambda draw: (
        factor * draw(n_queries, d_k),
        draw(n_keys, d_k),
        draw(n_keys, d_v),
        allowed,
        block,
    )


CAUSAL = np.tri(4, dtype=bool)
WINDOW = np.tri(7, dtype=bool) & ~np.tri(7, k=-3, dtype=bool)


@exercise(
    own=where_it_parts,
    mistakes=[OTHERS, STEPS.mistakes()],
    steps=STEPS,
    result="output",
    inputs={
        "two tiles of keys": (
            np.ones((2, 1)),
            np.array([[0.0], [1], [2]]),
            np.array([[4.0], [0], [1]]),
            np.ones((2, 3), bool),
            2,
        ),
        "causal": drawn(4, 4, 1, 2, 2, CAUSAL),
        "more keys than queries": drawn(2, 5, 3, 2, 2),
        "more queries than keys": drawn(5, 3, 2, 3, 2),
        "a first tile that is blocked": drawn(3, 4, 2, 1, 2, mask_of("0011", "0001", "1111")),
        "a query that may attend to nothing": drawn(2, 3, 2, 2, 2, mask_of("000", "101")),
        "one tile for all": drawn(3, 3, 2, 2, 8, np.tri(3, dtype=bool)),
        "decimals": drawn(7, 7, 4, 2, 3, WINDOW, 0.37),
        "large scores": drawn(4, 4, 2, 2, 2, CAUSAL, 500.0),
        "all below −1e9": (
            np.array([[-1.0]]),
            np.array([[3e9], [3e9 + 1], [3e9 + 2]]),
            np.array([[1.0], [2], [5]]),
            np.ones((1, 3), bool),
            2,
        ),
        "one row far below": (
            np.array([[1.0], [-1]]),
            np.array([[900.0], [901], [902]]),
            np.array([[1.0], [2], [5]]),
            np.ones((2, 3), bool),
            2,
        ),
    },
)
def flash_attention(Q, K, V, mask, block):
    """Check `f(Q, K, V, mask, block)` → output (L_q, d_v) of attention, computed tile by tile. Returns Feedback."""
    return attend(Q, K, V, mask)
