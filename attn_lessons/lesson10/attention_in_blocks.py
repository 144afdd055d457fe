"""Lesson 10: causal attention in blocks of rows."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

ROWS = "l10-rows"


def starts(length, block):
    return range(0, length, block)


def whole_blocks_only(length, block):
    return range(0, length - length % block, block)


def triangle(rows, keys, offset):
    """A causal mask of so many rows and keys; without one where there is no offset."""
    return None if offset is None else maths.causal_mask(rows, keys, max(offset, 0))


def in_blocks(
    rows=starts,
    offset=lambda start, block: start,
    first=lambda start, block: 0,
    last=lambda start, stop: stop,
    scale=None,
    mask=triangle,
):
    """Causal attention in blocks of rows, with one thing or another done otherwise.

    rows: where the blocks start. offset: how far down the triangle begins, None for no mask. first, last: the keys
    that a block sees. mask: of its rows, its keys and the offset.
    """

    def attention(Q, K, V, block):
        output = np.zeros((len(Q), V.shape[-1]))
        for start in rows(len(Q), block):
            stop, key = min(start + block, len(Q)), first(start, block)
            end, shift = last(start, stop), offset(start, block)
            hidden = mask(stop - start, end - key, None if shift is None else shift - key)
            output[start:stop], _ = maths.scaled_dot_product_attention(
                Q[start:stop], K[key:end], V[key:end], hidden, scale=scale
            )
        return output

    return attention


def nothing(start, block):
    return None


def also_lost(offset):
    """A mask set in one way, for all rows; with the last ones left at 0; and with these cut off."""
    lost = in_blocks(whole_blocks_only, offset)
    return [
        in_blocks(offset=offset),
        lost,
        lambda Q, K, V, block: lost(Q, K, V, block)[: len(Q) - len(Q) % block],
    ]


# fmt: off
MISTAKES = table(
    "l10-skip",
    Mistake("no-offset", "the triangle starts anew in every block",
        say="The first block is right. In every other one the first row saw the first key of the *text* alone, as if its word opened the text. How many keys stand before a block?",
        ways=also_lost(lambda start, block: 0)),
    Mistake("rows-lost", "the last rows are missing", see=ROWS,
        say="The last block is shorter than the others, and its rows did not come out: 10 words in blocks of 4 are 4, 4 and 2.",
        ways=also_lost(lambda start, block: start)[1:]),
    Mistake("block-missing", "a whole block does not come out", see=ROWS,
        say="The rows of a block, or of all blocks but one, are still 0. Does return stand inside the loop, is output made anew in each round, or does range begin too late or end too early?",
        ways=[in_blocks(rows=lambda length, block: starts(length, block)[:1]),
            in_blocks(rows=lambda length, block: starts(length, block)[-1:]),
            in_blocks(rows=lambda length, block: range(block, length, block)),
            in_blocks(rows=lambda length, block: range(0, length - block, block))]),
    Mistake("inverted-mask", "the mask is turned round", see="l03-true",
        say="True means: this row may look at this key. Yours lets each word look at later ones, and hides the earlier.",
        ways=[in_blocks(mask=lambda rows, keys, offset, above=above: ~np.tri(rows, keys, offset - above, dtype=bool))
            for above in (0, 1)]),
    Mistake("own-block-hidden", "a block sees only what comes before it",
        say="Each row sees its own word, too, and those before it in the same block. The keys go up to the end of the block.",
        ways=[in_blocks(offset=nothing, last=lambda start, stop: start)]),
    Mistake("queries-and-keys-swapped", "queries and keys changed places", see=ROWS,
        say="The rows are those of Q: these are cut into blocks. Every block of them looks at keys from K.",
        ways=[lambda Q, K, V, block: in_blocks()(K, Q, V, block)]),
    Mistake("wrong-offset", "the triangle starts at the wrong place",
        say="The offset is the number of keys that stand *before* the block's first word. Count them in the second block.",
        ways=[*also_lost(lambda start, block: start // block), *also_lost(lambda start, block: block),
            in_blocks(offset=lambda start, block: start + 1),
            in_blocks(offset=lambda start, block: max(start - 1, 0))]),
    Mistake("own-block-only", "a block does not see all keys before it", see=ROWS,
        say="Rows are done block by block, and each row still looks at *all* earlier words, those of the blocks before as well.",
        ways=[in_blocks(first=lambda start, block: start),
            in_blocks(offset=nothing, first=lambda start, block: start),
            in_blocks(first=lambda start, block: max(start - block, 0))]),
    Mistake("later-words-seen", "a row sees the later words of its block",
        say="Blocks behind are left out. But the block's own words stand in one another's future, too: the last square needs its triangle.",
        ways=also_lost(nothing)),
    Mistake("not-causal", "no causal mask",
        say="These are the rows of attention without a mask. No word may look at a later one.",
        ways=[lambda Q, K, V, block: maths.scaled_dot_product_attention(Q, K, V)[0]]),
    Mistake("not-scaled", "the scores are not scaled", see="l02-divide",
        say="÷ √d_k, in blocks as ever.",
        ways=[in_blocks(scale=1.0)]),
)


def text(length, d_k, d_v, block):
    return lambda draw: (draw(length, d_k), draw(length, d_k), draw(length, d_v), block)


@exercise(mistakes=MISTAKES, result="output", see=ROWS, inputs={
    "two blocks": text(4, 2, 3, 2),
    "a shorter last block": text(5, 3, 2, 2),
    "one row over": text(7, 2, 1, 3),
    "three blocks": text(6, 4, 2, 2),
    "one block for all": text(3, 2, 4, 3),
    "a block longer than the text": text(3, 3, 3, 8),
    "a row at a time": text(4, 3, 2, 1),
    "decimals": lambda draw: (0.123 * draw(10, 4), draw(10, 4), 0.25 * draw(10, 2), 4),
    "large scores": lambda draw: (100 * draw(5, 2), 100 * draw(5, 2), draw(5, 2), 2),
})
def attention_in_blocks(Q, K, V, block):
    """Check `f(Q, K, V, block)` → output (L, d_v) of causal attention, made in blocks of rows. Returns Feedback."""
    return in_blocks()(Q, K, V, block)
