"""Lesson 12: causal attention in blocks of rows, made of steps."""

import numpy as np

from attn_checks.exercise import always, choices, close, exercise, with_each
from attn_parts import mathematics as maths


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
        stop = stops(start, block, len(Q))
        key = first(start, block)
        end = last(start, stop)
        shift = offset(start, block)
        hidden = None if shift is None else mask(stop - start, end - key, max(shift - key, 0))
        found, _ = maths.scaled_dot_product_attention(
            Q[start:stop], K[key:end], V[key:end], hidden, scale=scale(Q, block)
        )
        output[start:stop][filled] = found[filled]
    return output


STEPS = choices(
    "Q K V block",
    in_blocks,
    rows=(
        starts,
        {
            "rows-lost": whole_blocks_only,
            "block-missing": [
                lambda length, block: starts(length, block)[:1],
                lambda length, block: starts(length, block)[-1:],
                lambda length, block: range(block, length, block),
                lambda length, block: range(0, length - block, block),
            ],
        },
    ),
    stops=(
        lambda start, block, length: min(start + block, length),
        {"past-the-end": unclipped},
    ),
    offset=(
        lambda start, block: start,
        {
            "no-offset": lambda start, block: 0,
            "wrong-offset": [
                lambda start, block: start // block,
                lambda start, block: block,
                lambda start, block: start + 1,
                lambda start, block: max(start - block, 0),
                lambda start, block: min(start, block),
                lambda start, block: max(start - 1, 0),
            ],
            "later-words-seen": lambda start, block: None,
        },
    ),
    first=(
        lambda start, block: 0,
        {"own-block-only": [lambda start, block: start, lambda start, block: max(start - block, 0)]},
    ),
    last=(
        lambda start, stop: stop,
        {"own-block-hidden": lambda start, stop: start},
    ),
    mask=(
        maths.causal_mask,
        {
            "inverted-mask": with_each(
                (0, 1),
                lambda rows, keys, offset, above: (
                    ~np.tri(
                        rows,
                        keys,
                        offset - above,
                        dtype=bool,
                    )
                ),
            ),
            "own-word-hidden": lambda rows, keys, offset: np.tri(rows, keys, offset - 1, dtype=bool),
        },
    ),
    scale=(
        lambda Q, block: None,
        {
            "not-scaled": [
                lambda Q, block: 1.0,
                lambda Q, block: 1 / np.sqrt(block),
                lambda Q, block: 1 / Q.shape[-1],
            ]
        },
    ),
    filled=(
        slice(None),
        {"row-of-each-block-missing": [slice(1, None), slice(-1)]},
    ),
    width=(
        lambda Q, V: V.shape[-1],
        {"width-of-queries": lambda Q, V: Q.shape[-1]},
    ),
)
right = STEPS.whole({})
OTHERS = {
    "rows-lost": lambda Q, K, V, block: right(Q, K, V, block)[: len(Q) - len(Q) % block],
    "past-the-end (one block more)": STEPS.whole({"rows": always(one_more), "stops": always(unclipped)}),
    "queries-and-keys-swapped": lambda Q, K, V, block: right(K, Q, V, block),
    "not-causal": lambda Q, K, V, block: maths.scaled_dot_product_attention(Q, K, V)[0],
}


def rows_of_blocks(ask, given, wanted, got):
    """Say which rows of three blocks are wrong; nothing where that is all of them, or none."""
    Q, K, V = np.sin(np.arange(132.0)).reshape(3, 11, 4)
    mine = ask(Q, K, V[:, :3], 4)
    if not mine or mine[0].shape != (11, 3):
        return ""
    wrong = np.flatnonzero(~close(mine[0], right(Q, K, V[:, :3], 4)).all(axis=1))
    told = (
        "With 11 words in blocks of 4, which start at rows 0, 4 and 8, you get these rows wrong: "
        f"{', '.join(map(str, wrong))}."
    )
    return told if 0 < len(wrong) < 11 else ""


def text(length, d_k, d_v, block):
    return lambda draw: (
        draw(length, d_k),
        draw(length, d_k),
        draw(length, d_v),
        block,
    )


@exercise(
    own=rows_of_blocks,
    mistakes=[STEPS.mistakes(), OTHERS],
    steps=STEPS,
    result="output",
    inputs={
        "two blocks": text(4, 2, 3, 2),
        "a shorter last block": text(5, 3, 2, 2),
        "one row over": text(7, 2, 1, 3),
        "three blocks": text(6, 4, 2, 2),
        "one block for all": text(3, 2, 4, 3),
        "a block longer than the text": text(3, 3, 3, 8),
        "a row at a time": text(4, 3, 2, 1),
        "decimals": lambda draw: (
            0.123 * draw(10, 4),
            draw(10, 4),
            0.25 * draw(10, 2),
            4,
        ),
        "large scores": lambda draw: (
            100 * draw(5, 2),
            100 * draw(5, 2),
            draw(5, 2),
            2,
        ),
    },
)
def attention_in_blocks(Q, K, V, block):
    """Check `f(Q, K, V, block)` → output (L, d_v) of causal attention, made in blocks of rows. Returns Feedback."""
    return right(Q, K, V, block)
