"""Lesson 12, transfer: attention in tiles, a few queries and a few keys at a time."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

ONE_PASS, OUTPUT, TILES = "l12-one-pass", "l12-mix", "l12-tiles"
LOWEST = np.finfo(float).min  # below every score, and LOWEST − LOWEST is 0 where −∞ − (−∞) is NaN


def starts(length, block):
    return range(0, length, block)


def whole_tiles_only(length, block):
    return range(0, length - length % block, block)


def row_maximum(scores, largest):
    return np.maximum(largest, scores.max(axis=-1, keepdims=True))


def same_tile(mask, queries, keys):
    return mask[queries, keys]


def safely(mix, total):
    return mix / np.where(total == 0, 1, total)


def in_tiles(
    rows=starts,
    columns=lambda Q, K, start, block: starts(len(K), block),
    start=LOWEST,
    scale=lambda Q, V: np.sqrt(Q.shape[-1]),
    hidden=same_tile,
    blocked=-np.inf,
    newest=row_maximum,
    kept=lambda old, new: new,
    summed=lambda exponentials: exponentials.sum(axis=-1, keepdims=True),
    factors=lambda old, new: (np.exp(old - new),) * 2,
    carry=lambda mix, total: mix,
    divide=safely,
):
    """Attention in tiles, with one thing or another done differently.

    rows, columns: where tiles start. hidden: the mask of a tile; blocked: the score where it is False. newest: the maximum
    after a tile; kept: what the next tile knows of it. factors: of sum and output so far. carry: of the output after a tile.
    """

    def attention(Q, K, V, mask, block):
        output = np.zeros((len(Q), V.shape[-1]))
        for i in rows(len(Q), block):
            queries = slice(i, i + block)
            largest, total, mix = np.full((len(Q[queries]), 1), start), 0.0, 0.0
            for j in columns(Q, K, i, block):
                keys = slice(j, j + block)
                scores = Q[queries] @ K[keys].T / scale(Q, V)
                if hidden:
                    scores = np.where(hidden(mask, queries, keys), scores, blocked)
                new = newest(scores, largest)
                exponentials, (of_sum, of_mix) = np.exp(scores - new), factors(largest, new)
                total = total * of_sum + summed(exponentials)
                mix = carry(mix * of_mix + exponentials @ V[keys], total)
                largest = kept(largest, new)
            output[queries] = divide(mix, total)
        return output

    return attention


def careless(**others):
    """The same, as it is, with 0/0 in an empty row, and with −∞ as the first maximum."""
    return [
        in_tiles(**others),
        in_tiles(**others, divide=np.divide),
        in_tiles(**others, start=-np.inf, divide=np.divide),
    ]


def attend(Q, K, V, mask):
    return maths.scaled_dot_product_attention(Q, K, V, mask)[0]


def softmax_per_tile(together):
    """Every tile of keys with a softmax of its own; their outputs put `together`."""
    return lambda Q, K, V, mask, block: together(
        [attend(Q, K[j : j + block], V[j : j + block], mask[:, j : j + block]) for j in starts(len(K), block)], axis=0
    )  # fmt: skip


def not_all(of_sum, of_mix):
    """Only some of what is carried along is corrected when the maximum moves."""
    return lambda old, new: (np.exp(old - new) if of_sum else 1, np.exp(old - new) if of_mix else 1)


def corner(mask, queries, keys):
    """The upper left part of the mask, in the size of the tile."""
    tile = mask[queries, keys].shape
    return mask[: tile[0], : tile[1]]


# fmt: off
MISTAKES = table(
    TILES,
    Mistake("not-rescaled", "what you carry along isn't corrected when the maximum moves", see=OUTPUT,
        say="A row's largest score can rise from one tile to the next. The sum so far *and* the output so far then need the same factor.",
        ways=[way for which in ((True, False), (False, True), (False, False)) for way in careless(factors=not_all(*which))]),
    Mistake("blocked-tile-nan", "a tile where everything is blocked makes NaN", see=ONE_PASS,
        say="Your numbers are right until the first tile of a row is blocked. Then its maximum is −∞, and −∞ − (−∞) is NaN. Start from a number that is below every score.",
        ways=[in_tiles(start=-np.inf, divide=divide) for divide in (safely, np.divide)]),
    Mistake("empty-row-nan", "a query that may attend to nothing becomes NaN", see=ONE_PASS,
        say="The sum of such a row stays 0, and 0/0 is NaN. Its output should be zeros.",
        ways=[in_tiles(divide=np.divide)]),
    Mistake("rows-lost", "the last rows are missing",
        say="You leave out the last queries. The last tile can be smaller than the others, so start a tile at every multiple of block.",
        ways=careless(rows=whole_tiles_only)),
    Mistake("keys-lost", "the last keys are missing",
        say="You leave out the last keys. The last tile can be smaller than the others, and there can be more keys than queries.",
        ways=[*careless(columns=lambda Q, K, start, block: whole_tiles_only(len(K), block)),
            *careless(columns=lambda Q, K, start, block: starts(min(len(Q), len(K)), block))]),
    Mistake("own-tile-only", "a tile of queries sees only one tile of keys",
        say="Each query meets *all* keys, tile after tile. You need a loop over the keys inside the loop over the queries.",
        ways=[in_tiles(columns=lambda Q, K, start, block: [start]), in_tiles(columns=lambda Q, K, start, block: [0])]),
    Mistake("maximum-not-kept", "the next tile doesn't know the maximum so far",
        say="Your maximum goes back to its start before each tile, so the factor wipes out what you carry along. At the end of the inner loop, keep the new maximum.",
        ways=careless(kept=lambda old, new: old)[:2]),
    Mistake("last-tile-only", "only the last tile of keys counts",
        say="The sum, the output or both hold only the last tile of keys. Did you write = where the old value belongs as well, or set one to 0 inside the inner loop?",
        ways=[*careless(factors=lambda old, new: (0, 0)), *careless(factors=lambda old, new: (0, np.exp(old - new))),
            *careless(factors=lambda old, new: (np.exp(old - new), 0))]),
    Mistake("softmax-per-tile", "each tile has a softmax of its own", see=ONE_PASS,
        say="You apply softmax to each tile separately. A row needs one sum over all its tiles.",
        ways=[softmax_per_tile(np.sum), softmax_per_tile(np.mean)]),
    Mistake("mask-ignored", "the mask has no effect",
        say="You don't use the mask. Set the blocked scores of a tile to −∞ before you take their maximum.",
        ways=[in_tiles(hidden=None)]),
    Mistake("finite-mask-value", "a large negative number instead of −∞", see="l03-1e9",
        say="You block with a finite number. A query that may attend to nothing then spreads its attention all the same. Only −∞ always gets the weight 0.",
        ways=[in_tiles(blocked=number, **others) for number in (-1e9, -1e4, LOWEST) for others in ({}, {"start": -np.inf})]),
    Mistake("multiplied-by-zero", "blocked scores became 0", see="l03-before",
        say="You set blocked scores to 0, which is an ordinary score: its exponential is 1, so a blocked key still gets a weight. Use −∞.",
        ways=[in_tiles(blocked=0.0)]),
    Mistake("same-mask-everywhere", "every tile uses the same corner of the mask", see="l12-offset-md",
        say="You use the upper left corner of the mask in every tile. A tile needs the mask of its own queries *and* its own keys.",
        ways=careless(hidden=corner)),
    Mistake("inverted-mask", "the mask is inverted", see="l03-true",
        say="You block what is allowed. True means that this query may attend to this key.",
        ways=[in_tiles(hidden=lambda mask, queries, keys: ~mask[queries, keys])]),
    Mistake("not-scaled", "the scores are not scaled", see="l02-divide",
        say="Your scores aren't scaled. Divide by √d_k, as in any attention.",
        ways=careless(scale=lambda Q, V: 1.0)),
    Mistake("wrong-scale", "divided by something other than √d_k", see="l02-divide",
        say="Your scores are divided by the wrong number. It's √d_k, the root of the width of Q.",
        ways=[in_tiles(scale=lambda Q, V: np.sqrt(V.shape[-1])), in_tiles(scale=lambda Q, V: Q.shape[-1])]),
    Mistake("not-divided", "not divided by the sum", see=OUTPUT,
        say="You return sums of exponentials times values. Divide each row by the sum of its exponentials, once, after its last tile.",
        ways=[in_tiles(divide=lambda mix, total: mix)]),
    Mistake("divided-too-early", "divided by the sum in every tile", see=OUTPUT,
        say="You divide by the sum *so far* in every tile, but what you carry to the next tile must be undivided. Divide once, after the last tile.",
        ways=[in_tiles(carry=carry, divide=divide) for carry in (safely, np.divide) for divide in (lambda mix, total: mix, carry)]),
    Mistake("factor-upside-down", "the factor is upside down", see=ONE_PASS,
        say="Your factor grows when the maximum rises. From 3 to 5, the sum so far has to *shrink*, by e to the power of 3 − 5.",
        ways=[in_tiles(factors=lambda old, new: (np.exp(np.maximum(new - old, -700)),) * 2, start=start) for start in (0.0, LOWEST)]),
    Mistake("one-maximum-for-all", "one maximum for all rows", see="l04-overflow",
        say="You subtract one maximum from all rows of a tile. Where one row's scores are far below, all its exponentials become 0. Use axis=-1 and keepdims=True.",
        ways=[in_tiles(newest=lambda scores, largest: np.maximum(largest, scores.max()))]),
    Mistake("one-sum-for-all", "one sum for all rows", see=OUTPUT,
        say="You divide all rows of a block by the same sum. Each row needs its own: sum along axis=-1, with keepdims=True.",
        ways=careless(summed=np.sum)),
    Mistake("starts-too-high", "the largest score so far starts too high", see=ONE_PASS,
        say="Where all scores of a row are far below your first maximum, every exponential becomes 0. Start from a number that is below *every* score.",
        ways=[in_tiles(start=start, divide=divide) for start in (0.0, -1e9) for divide in (safely, np.divide)]),
    Mistake("no-max-subtraction", "the largest score is not subtracted", see="l04-overflow",
        say="Your result is right for small scores, but exp overflows for large ones. Subtract the row's largest score so far.",
        ways=[in_tiles(start=0.0, newest=lambda scores, largest: largest)]),
)


def drawn(n_queries, n_keys, d_k, d_v, block, mask=None, factor=1.0):
    """Whole numbers; `mask` of the sizes, all open if not given."""
    allowed = np.ones((n_queries, n_keys), bool) if mask is None else mask
    return lambda draw: (factor * draw(n_queries, d_k), draw(n_keys, d_k), draw(n_keys, d_v), allowed, block)


@exercise(mistakes=MISTAKES, result="output", see=TILES, see_nan=ONE_PASS, inputs={
    "two tiles of keys": (np.ones((2, 1)), np.array([[0.0], [1], [2]]), np.array([[4.0], [0], [1]]), np.ones((2, 3), bool), 2),
    "causal": drawn(4, 4, 1, 2, 2, np.tri(4, dtype=bool)),
    "more keys than queries": drawn(2, 5, 3, 2, 2),
    "more queries than keys": drawn(5, 3, 2, 3, 2),
    "a first tile that is blocked": drawn(3, 4, 2, 1, 2, np.array([[0, 0, 1, 1], [0, 0, 0, 1], [1, 1, 1, 1]], bool)),
    "a query that may attend to nothing": drawn(2, 3, 2, 2, 2, np.array([[0, 0, 0], [1, 0, 1]], bool)),
    "one tile for all": drawn(3, 3, 2, 2, 8, np.tri(3, dtype=bool)),
    "decimals": drawn(7, 7, 4, 2, 3, np.tri(7, dtype=bool) & ~np.tri(7, k=-3, dtype=bool), 0.37),
    "large scores": drawn(4, 4, 2, 2, 2, np.tri(4, dtype=bool), 500.0),
    "all below −1e9": (np.array([[-1.0]]), np.array([[3e9], [3e9 + 1], [3e9 + 2]]), np.array([[1.0], [2], [5]]), np.ones((1, 3), bool), 2),
    "one row far below": (np.array([[1.0], [-1]]), np.array([[900.0], [901], [902]]), np.array([[1.0], [2], [5]]), np.ones((2, 3), bool), 2),
})
def flash_attention(Q, K, V, mask, block):
    """Check `f(Q, K, V, mask, block)` → output (L_q, d_v) of attention, computed tile by tile. Returns Feedback."""
    return attend(Q, K, V, mask)
