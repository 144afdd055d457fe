"""Lesson 12: causal attention in blocks of rows."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts import mathematics as maths

ROWS = "l12-offset-md"


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
    """Causal attention in blocks of rows, with one thing or another done differently.

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
    ROWS,
    Mistake("no-offset", "the triangle starts again in every block",
        say="Your first block is right. In every later one the first row sees only the first key of the *text*, as if its word opened the text. How many keys come before a block?",
        ways=also_lost(lambda start, block: 0)),
    Mistake("rows-lost", "the last rows are missing",
        say="You leave out the rows of the last block, which can be shorter than the others. For example, 10 words in blocks of 4 are 4, 4 and 2.",
        ways=also_lost(lambda start, block: start)[1:]),
    Mistake("block-missing", "a whole block is missing",
        say="The rows of one block, or of all blocks except one, are still 0. Check that return and np.zeros are outside the loop, and where range begins and ends.",
        ways=[in_blocks(rows=lambda length, block: starts(length, block)[:1]),
            in_blocks(rows=lambda length, block: starts(length, block)[-1:]),
            in_blocks(rows=lambda length, block: range(block, length, block)),
            in_blocks(rows=lambda length, block: range(0, length - block, block))]),
    Mistake("inverted-mask", "the mask is inverted", see="l03-true",
        say="Your mask lets each word attend to later ones and hides the earlier ones. True means that this row may attend to this key.",
        ways=[in_blocks(mask=lambda rows, keys, offset, above=above: ~np.tri(rows, keys, offset - above, dtype=bool))
            for above in (0, 1)]),
    Mistake("own-block-hidden", "a block sees only what comes before it",
        say="Your rows see no keys of their own block. A row also sees its own word and those before it in the block, so take the keys up to the end of the block.",
        ways=[in_blocks(offset=nothing, last=lambda start, stop: start)]),
    Mistake("queries-and-keys-swapped", "queries and keys are exchanged",
        say="You split K into blocks and use Q as keys. Split Q into blocks, and take the keys from K.",
        ways=[lambda Q, K, V, block: in_blocks()(K, Q, V, block)]),
    Mistake("wrong-offset", "the causal triangle starts in the wrong column",
        say="Your triangle has the wrong offset. It's the number of keys *before* the block's first word: count them for the second block.",
        ways=[*also_lost(lambda start, block: start // block), *also_lost(lambda start, block: block),
            in_blocks(offset=lambda start, block: start + 1),
            in_blocks(offset=lambda start, block: max(start - 1, 0))]),
    Mistake("own-block-only", "a block does not see all keys before it",
        say="Your blocks don't see all earlier keys. Each row attends to *all* earlier words, those of earlier blocks included.",
        ways=[in_blocks(first=lambda start, block: start),
            in_blocks(offset=nothing, first=lambda start, block: start),
            in_blocks(first=lambda start, block: max(start - block, 0))]),
    Mistake("later-words-seen", "a row sees the later words of its block",
        say="You leave out the later blocks but let a row see later words of its own block. The last square of a block needs a causal mask.",
        ways=also_lost(nothing)),
    Mistake("not-causal", "no causal mask",
        say="You compute attention without a mask. No word may attend to a later one.",
        ways=[lambda Q, K, V, block: maths.scaled_dot_product_attention(Q, K, V)[0]]),
    Mistake("not-scaled", "the scores are not scaled", see="l02-divide",
        say="Your scores aren't scaled. Divide by √d_k, as in any attention.",
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
