"""Lesson 12, transfer: attention in tiles, a few queries and a few keys at a time, made of steps."""

from itertools import product
from types import SimpleNamespace

import numpy as np

from attn_checks.exercise import Mistake, again, exercise, same
from attn_lessons.lesson10._choices import always, choices
from attn_lessons.lesson12.attention_in_blocks import STEPS as IN_BLOCKS
from attn_lessons.lesson12.attention_in_blocks import starts, whole_blocks_only
from attn_lessons.lesson12.online_softmax import STEPS as ONE_PASS_STEPS
from attn_parts import mathematics as maths

ONE_PASS, OUTPUT, TILES = "l12-one-pass", "l12-mix", "l12-tiles"
LOWEST = np.finfo(float).min  # below every score, and LOWEST − LOWEST is 0 where −∞ − (−∞) is NaN


def in_tiles(Q, K, V, mask, block, **choices):
    """Attention in tiles, made of choices.

    carry: sum and output after a tile, from those so far, those of the tile, and the factor. newest: the maximum after
    a tile; kept: what the next tile knows of it. rows, columns: where tiles start. hidden: the mask of a tile.
    """
    use, output = SimpleNamespace(**choices), np.zeros((len(Q), V.shape[-1]))
    for i in use.rows(len(Q), block):
        queries = slice(i, i + block)
        largest, total, mix = np.full((len(Q[queries]), 1), use.start), 0.0, 0.0
        for j in use.columns(Q, K, i, block):
            keys = slice(j, j + block)
            scaled = Q[queries] @ K[keys].T / use.divisor(Q, V, block)
            scores = np.where(use.hidden(mask, queries, keys), scaled, use.blocked)
            new = use.newest(scores, largest)
            powers, factor = np.exp(scores - new), use.factor(largest, new)
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
        [attend(Q, K[j : j + block], V[j : j + block], mask[:, j : j + block]) for j in starts(len(K), block)], axis=0
    )  # fmt: skip


# fmt: off
STEPS = choices("Q K V mask block", in_tiles,
    carry=(corrected(),
        Mistake("not-rescaled", "the sum or the output so far isn't corrected when the maximum moves", see=OUTPUT,
            say="A row's largest score can rise from one tile to the next. The sum so far *and* the output so far then need the same factor.",
            ways=[corrected(0, 0), corrected(1, 0), corrected(0, 1)]),
        Mistake("new-corrected", "the new tile is multiplied by the factor as well", see=OUTPUT,
            say="You multiply the new tile by the factor in the sum, in the output or in both. It's already relative to the new maximum, so only what you carry along needs it.",
            ways=[lambda total, mix, tile, product, factor: ((total + tile) * factor, (mix + product) * factor),
                lambda total, mix, tile, product, factor: ((total + tile) * factor, mix * factor + product),
                lambda total, mix, tile, product, factor: (total * factor + tile, (mix + product) * factor)]),
        Mistake("last-tile-only", "only the last tile of keys counts", see=OUTPUT,
            say="The sum, the output or both hold only the last tile of keys. Did you leave out the old value, or reset one of them inside the inner loop?",
            ways=[corrected(None, None), corrected(1, None), corrected(None, 1)]),
        Mistake("divided-too-early", "divided by the sum in every tile", see=OUTPUT,
            say="You divide by the sum *so far* in every tile, but what you carry to the next tile must be undivided. Divide once, after the last tile.",
            ways=[divided_in_every_tile(safely), divided_in_every_tile(np.divide)])),
    factor=(lambda old, new: np.exp(old - new),
        Mistake("factor-upside-down", "the factor is upside down", see=ONE_PASS,
            say="Your factor grows when the maximum rises. From 3 to 5, the sum so far has to *shrink*, by e to the power of 3 − 5.",
            ways=[lambda old, new: np.exp(new - old), lambda old, new: np.where(old > LOWEST, np.exp(new - old), 0)])),
    newest=(lambda scores, largest: np.maximum(largest, scores.max(axis=-1, keepdims=True)),
        Mistake("one-maximum-for-all", "one maximum for all rows", see="l04-overflow",
            say="You subtract one maximum from all rows of a tile. Where one row's scores are far below, all its exponentials become 0. Use axis=-1 and keepdims=True.",
            ways=[lambda scores, largest: np.maximum(largest, scores.max())]),
        Mistake("no-max-subtraction", "the largest score is not subtracted", see="l04-overflow",
            say="You don't subtract the largest score, so exp overflows where scores are large. Subtract the row's largest score so far.",
            ways=[lambda scores, largest: 0 * largest])),
    kept=(lambda old, new, j: new,
        Mistake("maximum-not-kept", "the next tile doesn't know the maximum so far",
            say="Your factor compares with a maximum that isn't the one of the tile before. Each round of the inner loop should start from the maximum of the round before.",
            ways=[lambda old, new, j: old, lambda old, new, j: old if j else new])),
    summed=(row_sums,
        Mistake("one-sum-for-all", "one sum for all rows", see=OUTPUT,
            say="You divide all rows of a block by the same sum. Each row needs its own: sum along axis=-1, with keepdims=True.",
            ways=[np.sum])),
    rows=(starts,
        Mistake("rows-lost", "the last rows are missing",
            say="You leave out the last queries. The last tile can be smaller than the others, so start a tile at every multiple of block.",
            ways=[whole_blocks_only])),
    columns=(lambda Q, K, start, block: starts(len(K), block),
        Mistake("keys-lost", "the last keys are missing",
            say="You leave out the last keys. The last tile can be smaller than the others, and there can be more keys than queries.",
            ways=[lambda Q, K, start, block: whole_blocks_only(len(K), block), lambda Q, K, start, block: starts(min(len(Q), len(K)), block)]),
        Mistake("own-tile-only", "a tile of queries sees only one tile of keys",
            say="Each query should meet *all* keys, tile after tile. Do you go through the keys in an inner loop, with slices of its own?",
            ways=[lambda Q, K, start, block: [start], lambda Q, K, start, block: [0]]),
        Mistake("later-keys-left-out", "tiles after the diagonal are left out",
            say="You leave out the tiles of keys after the diagonal. What a query may attend to is the mask's business, so go through all keys.",
            ways=[lambda Q, K, start, block: starts(min(start + block, len(K)), block), lambda Q, K, start, block: starts(start + block, block)])),
    start=(LOWEST,
        Mistake("blocked-tile-nan", "a tile where everything is blocked makes NaN", see=ONE_PASS,
            say="If the first tile of a row is blocked, your maximum is −∞, and −∞ − (−∞) is NaN. Start from a number that is below every score.",
            ways=[-np.inf]),
        Mistake("starts-too-high", "the largest score so far starts too high", see=ONE_PASS,
            say="Where all scores of a row are far below your first maximum, every exponential becomes 0. Start from a number that is below *every* score.",
            ways=[0.0, -1e9])),
    divisor=(lambda Q, *_: np.sqrt(Q.shape[-1]),
        *again([*ONE_PASS_STEPS.mistakes(), *IN_BLOCKS.mistakes()], {
            "powers-of-two": [lambda Q, *_: np.sqrt(Q.shape[-1]) / np.log(2)],
            "not-scaled": [lambda *_: 1.0, lambda Q, V, block: np.sqrt(V.shape[-1]), lambda Q, V, block: np.sqrt(block), lambda Q, *_: 1 / np.sqrt(Q.shape[-1])]}),
        Mistake("divided-by-d-k", "divided by d_k, not by √d_k", see="l02-divide",
            say="You divide by d_k, or twice by its root. Divide once by √d_k.",
            ways=[lambda Q, *_: Q.shape[-1]])),
    values=(lambda V, queries, keys: V[keys],
        Mistake("values-of-another-tile", "values of another tile",
            say="You don't multiply the exponentials of a tile by the values of the same keys. Take the same slice of V as of K.",
            ways=[lambda V, queries, keys: V[queries.start : queries.start + len(V[keys])], lambda V, queries, keys: V[: len(V[keys])], lambda V, queries, keys: V])),
    hidden=(lambda mask, queries, keys: mask[queries, keys],
        Mistake("mask-ignored", "the mask has no effect",
            say="You don't use the mask. Set the blocked scores of a tile to −∞ before you take their maximum.",
            ways=[lambda mask, queries, keys: np.True_]),
        Mistake("inverted-mask", "the mask is inverted", see="l03-true",
            say="You block what is allowed. True means that this query may attend to this key.",
            ways=[lambda mask, queries, keys: ~mask[queries, keys]]),
        Mistake("mask-of-another-tile", "the mask of another tile",
            say="You use the mask of another tile. Its rows are those of the queries, and its columns those of the keys.",
            ways=[lambda mask, queries, keys: mask[: len(mask[queries]), : mask[:, keys].shape[1]], lambda mask, queries, keys: mask[: len(mask[queries]), keys],
                lambda mask, queries, keys: mask[queries, : mask[:, keys].shape[1]], lambda mask, queries, keys: mask[keys, queries]]),
        Mistake("own-causal-mask", "a causal mask that isn't passed in",
            say="You use a causal mask of your own. Use only the mask that is passed in, which can be any.",
            ways=[own_causal_mask, lambda mask, queries, keys: own_causal_mask(mask, queries, keys) & mask[queries, keys]])),
    blocked=(-np.inf,
        Mistake("finite-mask-value", "a large negative number instead of −∞", see="l03-1e9",
            say="You block with a finite number. A query that may attend to nothing then spreads its attention all the same. Only −∞ always gets the weight 0.",
            ways=[-1e9, -1e4, LOWEST]),
        Mistake("multiplied-by-zero", "blocked scores became 0", see="l03-before",
            say="You set blocked scores to 0, which is an ordinary score: its exponential is 1, so a blocked key still gets a weight. Use −∞.",
            ways=[0.0])),
    divide=(safely,
        Mistake("empty-row-nan", "a query that may attend to nothing becomes NaN", see=OUTPUT,
            say="The sum of a query that may attend to nothing stays 0, and 0/0 is NaN. Its output should be zeros.",
            ways=[np.divide]),
        Mistake("not-divided", "not divided by the sum", see=OUTPUT,
            say="You return sums of exponentials times values. Divide each row by the sum of its exponentials, once, after its last tile.",
            ways=[lambda mix, total: mix])))
# Neither is one choice.
OTHERS = [
    *again(STEPS.mistakes(), {"divided-too-early": [STEPS.whole({"carry": always(divided_in_every_tile(divide)), "divide": always(lambda mix, total: mix)})
        for divide in (safely, np.divide)],
        "last-tile-only": [STEPS.whole({"columns": always(lambda Q, K, start, block: starts(len(K), block)[-1:])})],
        "finite-mask-value": [STEPS.whole({"start": always(-1e9), "blocked": always(-1e9), "divide": always(np.divide)})]}),
    Mistake("blocked-tile-ends", "a first tile that is blocked makes its rows 0", see=ONE_PASS,
        say="If the first tile of a row is blocked, your output is 0 there. Look for a break, or for a NaN, from −∞ − (−∞), that becomes 0.",
        ways=[lambda *given: np.nan_to_num(STEPS.whole({"start": always(-np.inf)})(*given))]),
    Mistake("blocked-tile-breaks", "the loop ends at a tile that is blocked",
        say="You stop at the first tile of keys that is blocked, so a row misses the keys after it. A later tile may be open: go on with the next one.",
        ways=[until_a_blocked_tile]),
    Mistake("softmax-per-tile", "each tile has a softmax of its own", see=ONE_PASS,
        say="You apply softmax to each tile separately. A row needs one sum over all its tiles.",
        ways=[softmax_per_tile(np.sum), softmax_per_tile(np.mean)]),
]


def where_it_parts(ask, given, wanted, got):
    """Say whether it is right with one tile for everything, for the first tile of queries, or without a mask."""
    Q, K, V, mask, block = given

    def goes_right(mask, block):
        queries = Q[: len(mask)]
        return same(ask(queries, K, V, mask, block), (attend(queries, K, V, mask),))

    if goes_right(mask, max(len(Q), len(K))):
        if len(Q) > block and goes_right(mask[:block], block):
            return "The first tile of queries alone is right. What does the next one start from, and into which rows does it write?"
        return "With one tile for everything your result is right on this input. Look at the slices, and at what passes from one tile of keys to the next."
    if goes_right(np.ones_like(mask), block):
        return "With nothing blocked your result is right on this input. Look at how you use the mask."
    return "Your result is wrong even with one tile for everything, block = 100. Begin there, because no tile follows another then."


def drawn(n_queries, n_keys, d_k, d_v, block, mask=None, factor=1.0):
    """Whole numbers; `mask` of the sizes, all open if not given."""
    allowed = np.ones((n_queries, n_keys), bool) if mask is None else mask
    return lambda draw: (factor * draw(n_queries, d_k), draw(n_keys, d_k), draw(n_keys, d_v), allowed, block)


@exercise(own=where_it_parts, mistakes=[*OTHERS, *STEPS.mistakes()], steps=STEPS, result="output", see=TILES, see_nan=ONE_PASS, inputs={
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
