"""Lesson 12, transfer: attention in tiles, a few queries and a few keys at a time, made of steps."""

from types import SimpleNamespace

import numpy as np

from attn_checks.exercise import always, choices, exercise, same, told_in
from attn_parts import mathematics as maths
from attn_parts.long_sequences import tiled_attention

LOWEST = np.finfo(float).min  # below every score


def in_tiles(Q, K, V, block, causal, **choices):
    """Attention in tiles, made of choices, and the number of tiles computed; `causal` may be a mask.

    carry: sum and output after a tile, from those so far, those of the tile, and the factor. newest: the
    maximum after a tile; kept: what the next tile knows of it. rows, columns: where tiles start. hidden: the
    mask of a tile. left: whether a tile is skipped, from its mask and its first query and key. count: tiles
    after this one.
    """
    use = SimpleNamespace(**choices)
    mask = causal if np.ndim(causal) else np.tri(len(Q), len(K), 0 if use.is_causal(causal) else len(K)) > 0
    output, tiles = np.zeros((len(Q), V.shape[-1])), 0
    for i in use.rows(len(Q), block):
        queries = slice(i, i + block)
        largest = np.full((len(Q[queries]), 1), use.start)
        total = 0.0
        mix = 0.0
        for j in use.columns(len(K), i, block):
            keys = slice(j, j + block)
            skipped = use.left(mask[queries, keys], i, j)
            tiles = use.count(tiles, skipped, i, j)
            if skipped:
                continue
            scaled = Q[queries] @ K[keys].T / use.divisor(Q, V, block)
            scores = np.where(use.hidden(mask, queries, keys), scaled, use.blocked)
            new = use.newest(scores, largest)
            powers = np.exp(scores - new)
            factor = use.factor(largest, new)
            products = powers @ use.values(V, queries, keys)
            total, mix = use.carry(total, mix, use.summed(powers), products, factor)
            largest = use.kept(largest, new, j)
        output[queries] = use.divide(mix, total)
    return output, tiles


# In a tile of `block` queries and keys: scores (block, block), sum and largest (block, 1), mix (block, d_v).
def starts(length, block):
    return range(0, length, block)


def whole_blocks_only(length, block):
    return range(0, length - length % block, block)


def safely(mix, total):
    return mix / np.where(total == 0, 1, total)


def row_sums(exponentials):
    return exponentials.sum(axis=-1, keepdims=True)


def rescaled(so_far, tile, factor):
    return so_far * factor + tile


def carried(of_sum, of_mix):
    """Carry sum and output along, each in its way from what it was, what the tile adds, and the factor."""
    return lambda total, mix, tile, product, factor: (
        of_sum(total, tile, factor),
        of_mix(mix, product, factor),
    )


def wrongly(way):
    """Both carried along in a wrong way, or one of them."""
    return [carried(way, way), carried(rescaled, way), carried(way, rescaled)]


def divided_in_every_tile(total, mix, tile, product, factor):
    total = total * factor + tile
    return total, safely(mix * factor + product, total)


STEPS = choices(
    "Q K V block causal",
    in_tiles,
    is_causal=(
        lambda causal: causal,
        {
            "mask-ignored": lambda causal: False,
            "always-causal": lambda causal: True,
        },
    ),
    carry=(
        carried(rescaled, rescaled),
        {
            "not-rescaled": wrongly(lambda so_far, tile, factor: so_far + tile),
            "new-corrected": wrongly(lambda so_far, tile, factor: (so_far + tile) * factor),
            "last-tile-only": wrongly(lambda so_far, tile, factor: tile),
            "divided-too-early": divided_in_every_tile,
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
        {
            "maximum-not-kept": [
                lambda old, new, j: old,
                lambda old, new, j: old if j else new,
            ]
        },
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
        lambda length, start, block: starts(length, block),
        {
            "keys-lost": lambda length, start, block: whole_blocks_only(length, block),
            "own-tile-only": [
                lambda length, start, block: [start],
                lambda length, start, block: [0],
            ],
        },
    ),
    left=(
        lambda mask, i, j: not mask.any(),
        {
            "nothing-skipped": lambda mask, i, j: False,
            "too-few-skipped": lambda mask, i, j: not mask.any() and j > i + len(mask),
            "diagonal-skipped": [
                lambda mask, i, j: not mask.all(),
                lambda mask, i, j: j >= i and mask.size > 1,
            ],
            "earlier-tiles-skipped": lambda mask, i, j: j < i,
        },
    ),
    count=(
        lambda tiles, skipped, i, j: tiles + (not skipped),
        {
            "tiles-not-counted": [
                lambda tiles, skipped, i, j: tiles,
                lambda tiles, skipped, i, j: tiles + skipped,
                lambda tiles, skipped, i, j: 1 if j == 0 else tiles + (not skipped),
            ],
        },
    ),
    start=(
        LOWEST,
        {"starts-too-high": [0.0, -1e9]},
    ),
    divisor=(
        lambda Q, *_: np.sqrt(Q.shape[-1]),
        [
            told_in(
                "online_softmax",
                {"powers-of-two": lambda Q, *_: np.sqrt(Q.shape[-1]) / np.log(2)},
            ),
            {
                "not-scaled": [
                    lambda *_: 1.0,
                    lambda Q, V, block: np.sqrt(V.shape[-1]),
                    lambda Q, V, block: np.sqrt(block),
                    lambda Q, *_: 1 / np.sqrt(Q.shape[-1]),
                ],
                "divided-by-d-k": lambda Q, *_: Q.shape[-1],
            },
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
            "later-words-seen": lambda mask, queries, keys: np.True_,
            "inverted-mask": lambda mask, queries, keys: ~mask[queries, keys],
            "own-word-hidden": lambda mask, queries, keys: np.tri(*mask.shape, -1)[queries, keys] > 0,
            "mask-of-another-tile": [
                lambda mask, queries, keys: mask[: len(mask[queries]), : mask[:, keys].shape[1]],
                lambda mask, queries, keys: mask[keys, queries],
            ],
        },
    ),
    blocked=(
        -np.inf,
        {"multiplied-by-zero": 0.0},
    ),
    divide=(
        safely,
        {"not-divided": lambda mix, total: mix},
    ),
)


def taken(**choices):
    """Attention in tiles with some choices taken wrongly."""
    return STEPS.whole({name: always(choice) for name, choice in choices.items()})


def attend(Q, K, V, causal):
    return maths.scaled_dot_product_attention(Q, K, V, maths.causal_mask(len(Q)) if causal else None)[0]


def softmax_per_tile(together):
    """Every tile of keys with a softmax of its own; their outputs put `together`."""

    def output(Q, K, V, block, causal):
        mask = causal if np.ndim(causal) else np.tri(len(Q), len(K), 0 if causal else len(K)) > 0
        tiles = [slice(j, j + block) for j in starts(len(K), block)]
        parts = [maths.scaled_dot_product_attention(Q, K[at], V[at], mask[:, at])[0] for at in tiles]
        return together(parts, axis=0), taken()(Q, K, V, block, causal)[1]

    return output


# Neither is one choice.
OTHERS = {
    "divided-too-early": taken(carry=divided_in_every_tile, divide=lambda mix, total: mix),
    "last-tile-only": taken(columns=lambda length, start, block: starts(length, block)[-1:]),
    "softmax-per-tile": [softmax_per_tile(np.sum), softmax_per_tile(np.mean)],
}


def where_it_parts(ask, given, wanted, got):
    """Say whether it is right with one tile for everything, for the first queries, or without a mask."""
    Q, K, V, block, causal = given

    def goes_right(block, causal, rows=None):
        mine = ask(Q[:rows], K[:rows], V[:rows], block, causal)
        return mine and same(mine[:1], (attend(Q[:rows], K[:rows], V[:rows], causal),))

    if same(got[:1], wanted[:1]):
        return "Your output is right, and the number of tiles isn't."
    if goes_right(len(Q), causal):
        if causal and goes_right(block, False):
            return (
                "With causal = False your output is right on this input, and with one tile for everything as "
                "well. Look at what you do with a tile of later words, and at which cells you hide in the "
                "others."
            )
        if goes_right(block, causal, block):
            return (
                "With one tile for everything your output is right on this input. Look at the slices, "
                "and at what passes from one tile of keys to the next."
            )
        return "With one tile for everything your output is right on this input."
    if causal and goes_right(block, False):
        return "With causal = False your output is right on this input. Look at what you hide."
    return (
        "Your output is wrong even with one tile for everything, block = 100. Begin there, because "
        "no tile follows another then."
    )


def drawn(length, d_k, d_v, block, causal, factor=1.0):
    return lambda draw: (
        factor * draw(length, d_k),
        draw(length, d_k),
        draw(length, d_v),
        block,
        causal,
    )


@exercise(
    own=where_it_parts,
    mistakes=[OTHERS, STEPS.mistakes()],
    steps=STEPS,
    result=("output", "tiles"),
    inputs={
        "two tiles of keys": (
            np.ones((3, 1)),
            np.array([[0.0], [1], [2]]),
            np.array([[4.0], [0], [1]]),
            2,
            False,
        ),
        "causal": drawn(4, 1, 2, 2, True),
        "not causal": drawn(5, 3, 2, 2, False),
        "a short last tile, causal": drawn(5, 2, 3, 2, True),
        "one tile for all": drawn(3, 2, 2, 8, True),
        "decimals": drawn(7, 4, 2, 3, True, 0.37),
        "large scores": drawn(4, 2, 2, 2, True, 500.0),
        "all below −1e9": (
            -np.ones((3, 1)),
            np.array([[3e9], [3e9 + 1], [3e9 + 2]]),
            np.array([[1.0], [2], [5]]),
            2,
            True,
        ),
        "one row far below": (
            np.array([[1.0], [-1], [1]]),
            np.array([[900.0], [901], [902]]),
            np.array([[1.0], [2], [5]]),
            2,
            False,
        ),
    },
)
def flash_attention(Q, K, V, block, causal):
    """Check `f(Q, K, V, block, causal)` → attention's output (L, d_v), tile by tile, and the number of tiles
    computed.

    Returns Feedback.
    """
    tiles = len(starts(len(Q), block))
    return tiled_attention(Q, K, V, causal=causal, block=block), (
        tiles * (tiles + 1) // 2 if causal else tiles**2
    )
