"""Lesson 12: causal attention in blocks of rows, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, again, close, exercise
from attn_lessons.lesson10._choices import always, choices
from attn_parts import mathematics as maths

ROWS = "l12-offset-md"


def starts(length, block):
    return range(0, length, block)


def whole_blocks_only(length, block):
    return range(0, length - length % block, block)


def one_more(length, block):
    return range(0, (length // block + 1) * block, block)


def unclipped(start, block, length):
    return start + block


def in_blocks(Q, K, V, block, rows, stops, offset, first, last, mask, scale, filled, width):
    """Causal attention in blocks of rows, made of choices.

    rows, stops: where blocks start and stop. offset: how far down the triangle begins, None for no mask. first, last:
    the keys that a block sees. mask: of its rows, its keys and the offset. filled: its rows that are kept. width: of the output.
    """
    output = np.zeros((len(Q), width(Q, V)))
    for start in rows(len(Q), block):
        stop, key = stops(start, block, len(Q)), first(start, block)
        end, shift = last(start, stop), offset(start, block)
        hidden = None if shift is None else mask(stop - start, end - key, max(shift - key, 0))
        found, _ = maths.scaled_dot_product_attention(
            Q[start:stop], K[key:end], V[key:end], hidden, scale=scale(Q, block)
        )
        output[start:stop][filled] = found[filled]
    return output


# fmt: off
STEPS = choices("Q K V block", in_blocks,
    rows=(starts,
        Mistake("rows-lost", "the last rows are missing",
            say="You leave out the rows of the last block, which can be shorter than the others. For example, 10 words in blocks of 4 are 4, 4 and 2.",
            ways=[whole_blocks_only]),
        Mistake("block-missing", "a whole block is missing",
            say="The rows of one block, or of all blocks except one, are still 0. Check that return and np.zeros are outside the loop, and where range begins and ends.",
            ways=[lambda length, block: starts(length, block)[:1], lambda length, block: starts(length, block)[-1:],
                lambda length, block: range(block, length, block), lambda length, block: range(0, length - block, block)])),
    stops=(lambda start, block, length: min(start + block, length),
        Mistake("past-the-end", "the last block goes past the end of the text",
            say="Your last block stops after the last word, so its mask has more rows than there are queries. Which is smaller, the end of the block or that of the text?",
            ways=[unclipped])),
    offset=(lambda start, block: start,
        Mistake("no-offset", "the triangle starts again in every block",
            say="In every block your first row sees only the first key of the *text*, as if its word opened the text. How many keys come before a block?",
            ways=[lambda start, block: 0]),
        Mistake("wrong-offset", "the causal triangle starts in the wrong column",
            say="Your triangle has the wrong offset. It's the number of keys *before* the block's first word: count them for the second block and the third.",
            ways=[lambda start, block: start // block, lambda start, block: block, lambda start, block: start + 1, lambda start, block: max(start - block, 0),
                lambda start, block: min(start, block), lambda start, block: max(start - 1, 0)]),
        Mistake("later-words-seen", "a row sees the later words of its block",
            say="You leave out the later blocks, but in its own block a row sees words after it. A block needs a mask as well: each row sees the keys up to its own word.",
            ways=[lambda start, block: None])),
    first=(lambda start, block: 0,
        Mistake("own-block-only", "a block does not see all keys before it",
            say="Your blocks don't see all earlier keys. Each row attends to *all* earlier words, those of earlier blocks included.",
            ways=[lambda start, block: start, lambda start, block: max(start - block, 0)])),
    last=(lambda start, stop: stop,
        Mistake("own-block-hidden", "a block sees only what comes before it",
            say="Your rows see no keys of their own block. A row also sees its own word and those before it in the block, so take the keys up to the end of the block.",
            ways=[lambda start, stop: start])),
    mask=(maths.causal_mask,
        Mistake("inverted-mask", "the mask is inverted", see="l03-true",
            say="Your mask lets each word attend to later ones and hides the earlier ones. True means that this row may attend to this key.",
            ways=[lambda rows, keys, offset, above=above: ~np.tri(rows, keys, offset - above, dtype=bool) for above in (0, 1)]),
        Mistake("own-word-hidden", "a word does not see itself",
            say="Your mask hides each word from itself. A word attends to all earlier ones and to itself: ≤, not <.",
            ways=[lambda rows, keys, offset: np.tri(rows, keys, offset - 1, dtype=bool)])),
    scale=(lambda Q, block: None,
        Mistake("not-scaled", "the scores are not scaled by √d_k", see="l02-divide",
            say="Your scores aren't divided by √d_k. Divide by the root of the width of Q, once, as in any attention.",
            ways=[lambda Q, block: 1.0, lambda Q, block: 1 / np.sqrt(block), lambda Q, block: 1 / Q.shape[-1]])),
    filled=(slice(None),
        Mistake("row-of-each-block-missing", "the first or last row of each block is missing",
            say="The first or the last row of each block stays 0. A block's rows go from start to stop − 1, as in start:stop and in range(start, stop).",
            ways=[slice(1, None), slice(-1)])),
    width=(lambda Q, V: V.shape[-1],
        Mistake("width-of-queries", "the output is as wide as Q",
            say="You make the output as wide as Q. It's a weighted sum of values, so it's as wide as V.",
            ways=[lambda Q, V: Q.shape[-1]])))
right = STEPS.whole({})
OTHERS = [
    *again(STEPS.mistakes(), {"rows-lost": [lambda Q, K, V, block: right(Q, K, V, block)[: len(Q) - len(Q) % block]]}),
    Mistake("past-the-end", "the last block goes past the end of the text",
        say="Your last block is past the end of the text, so it has no queries. With 4 words in blocks of 2, where do blocks start, and where does the last one stop?",
        ways=[STEPS.whole({"rows": always(one_more), "stops": always(unclipped)})]),
    Mistake("queries-and-keys-swapped", "queries and keys are exchanged",
        say="You split K into blocks and use Q as keys. Split Q into blocks, and take the keys from K.",
        ways=[lambda Q, K, V, block: right(K, Q, V, block)]),
    Mistake("not-causal", "no causal mask",
        say="You compute attention without a mask. No word may attend to a later one.",
        ways=[lambda Q, K, V, block: maths.scaled_dot_product_attention(Q, K, V)[0]]),
]


def rows_of_blocks(ask, given, wanted, got):
    """Say which rows of three blocks are wrong; nothing where that is all of them, or none."""
    Q, K, V = np.sin(np.arange(132.0)).reshape(3, 11, 4)
    mine = ask(Q, K, V[:, :3], 4)
    if not mine or mine[0].shape != (11, 3):
        return ""
    wrong = np.flatnonzero(~close(mine[0], right(Q, K, V[:, :3], 4)).all(axis=1))
    told = f"With 11 words in blocks of 4, which start at rows 0, 4 and 8, you get these rows wrong: {', '.join(map(str, wrong))}."
    return told if 0 < len(wrong) < 11 else ""


def text(length, d_k, d_v, block):
    return lambda draw: (draw(length, d_k), draw(length, d_k), draw(length, d_v), block)


@exercise(own=rows_of_blocks, mistakes=[*STEPS.mistakes(), *OTHERS], steps=STEPS, result="output", see=ROWS, inputs={
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
    return right(Q, K, V, block)
