"""Answers to the second and third exercise of lesson 10 as people write them, each with its verdict."""

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising
attend = attn.scaled_dot_product_attention


@right("attention_in_blocks")
def sliced(Q, K, V, block):
    output = np.zeros((len(Q), V.shape[-1]))
    for start in range(0, len(Q), block):
        stop = min(start + block, len(Q))
        mask = attn.causal_mask(stop - start, offset=start)
        output[start:stop], _ = attend(Q[start:stop], K[:stop], V[:stop], mask)
    return output


@right("attention_in_blocks")
def rows_of_the_whole_mask(Q, K, V, block):
    """The triangle of the whole text, its rows cut with the queries: no offset, and no key left out."""
    mask, rows = attn.causal_mask(len(Q)), range(0, len(Q), block)
    return np.vstack([attend(Q[i : i + block], K, V, mask[i : i + block])[0] for i in rows])


@right("attention_in_blocks")
def word_by_word(Q, K, V, block):
    return np.array([attend(Q[i : i + 1], K[: i + 1], V[: i + 1])[0][0] for i in range(len(Q))])


@wrong("attention_in_blocks", "no-offset", says="How many keys stand before a block?")
def stub(Q, K, V, block):
    output = np.zeros((len(Q), V.shape[-1]))
    for number in range(len(Q) // block):
        start, stop = number * block, number * block + block
        mask = attn.causal_mask(block, stop)
        output[start:stop], _ = attend(Q[start:stop], K[:stop], V[:stop], mask)
    return output


@wrong("attention_in_blocks", "rows-lost", says="4, 4 and 2")
def offset_mended_first(Q, K, V, block):
    output = np.zeros((len(Q), V.shape[-1]))
    for number in range(len(Q) // block):
        start, stop = number * block, number * block + block
        mask = attn.causal_mask(block, stop, offset=start)
        output[start:stop], _ = attend(Q[start:stop], K[:stop], V[:stop], mask)
    return output


@wrong("attention_in_blocks", "no-offset", says="opened the text")
def rows_mended_first(Q, K, V, block):
    output = np.zeros((len(Q), V.shape[-1]))
    for start in range(0, len(Q), block):
        rows, keys = Q[start : start + block], K[: start + block]
        output[start : start + block], _ = attend(
            rows, keys, V[: start + block], attn.causal_mask(len(rows), len(keys))
        )
    return output


@raising("attention_in_blocks", "refused-by-the-course", says="make one")
def one_block_more_with_a_mask_of_full_height(Q, K, V, block):
    output = np.zeros((len(Q), V.shape[-1]))
    for number in range(-(-len(Q) // block)):
        start, stop = number * block, number * block + block
        mask = attn.causal_mask(block, stop, offset=start)
        output[start:stop], _ = attend(Q[start:stop], K[:stop], V[:stop], mask)
    return output


@wrong("attention_in_blocks", "own-block-only", says="the blocks before")
def squares_on_the_diagonal(Q, K, V, block):
    parts = []
    for i in range(0, len(Q), block):
        s = slice(i, i + block)
        parts.append(attend(Q[s], K[s], V[s], attn.causal_mask(len(Q[s])))[0])
    return np.vstack(parts)


@wrong("attention_in_blocks", "later-words-seen", says="triangle")
def no_mask(Q, K, V, block):
    return np.vstack(
        [attend(Q[i : i + block], K[: i + block], V[: i + block])[0] for i in range(0, len(Q), block)]
    )


@wrong("attention_in_blocks", "wrong-offset", says="Count them in the second block")
def offset_counted_in_blocks(Q, K, V, block):
    parts = []
    for number, i in enumerate(range(0, len(Q), block)):
        rows, keys = Q[i : i + block], K[: i + block]
        parts.append(
            attend(rows, keys, V[: i + block], attn.causal_mask(len(rows), len(keys), offset=number))[0]
        )
    return np.vstack(parts)


@right("merge_parts")
def brought_to_one_maximum(outputs, maxima, sums):
    weights = sums * np.exp(maxima - maxima.max())
    return weights / weights.sum() @ outputs


@right("merge_parts")
def by_log_sum_exp(outputs, maxima, sums):
    return attn.softmax(maxima + np.log(sums)) @ outputs


@right("merge_parts")
def one_after_another(outputs, maxima, sums):
    top, total, mix = -np.inf, 0.0, 0.0
    for output, m, s in zip(outputs, maxima, sums, strict=True):
        new = max(top, m)
        old, here = np.exp(top - new) if np.isfinite(top) else 0.0, np.exp(m - new) if np.isfinite(m) else 0.0
        total, mix = total * old + s * here, mix * old + s * here * output
        top = new
    return mix / total


@wrong("merge_parts", "divided-twice", says="What undoes that?")
def as_in_the_pass(outputs, maxima, sums):
    factors = np.exp(maxima - maxima.max())
    return (factors[:, None] * outputs).sum(axis=0) / (factors * sums).sum()


@wrong("merge_parts", "maxima-ignored", says="its own part")
def by_sums(outputs, maxima, sums):
    return (sums[:, None] * outputs).sum(axis=0) / sums.sum()


@wrong("merge_parts", "sums-ignored", says="largest score alone")
def by_maxima(outputs, maxima, sums):
    return attn.softmax(maxima) @ outputs


@wrong("merge_parts", "no-max-subtraction", says="overflows")
def unshifted(outputs, maxima, sums):
    weights = np.exp(maxima) * sums
    return (weights[:, None] * outputs).sum(axis=0) / weights.sum()


@wrong("merge_parts", "not-divided", says="sum to 1")
def undivided(outputs, maxima, sums):
    return (sums * np.exp(maxima - max(maxima))) @ outputs


@wrong("merge_parts", "averaged", says="How much a part counts")
def averaged(outputs, maxima, sums):
    return outputs.mean(axis=0)


@wrong("merge_parts", "wrong-maximum", says="Only the largest is safe")
def from_the_first(outputs, maxima, sums):
    weights = sums * np.exp(maxima - maxima[0])
    return weights @ outputs / weights.sum()


@wrong("merge_parts", "not-rescaled", says="Both need the same factor")
def mix_stays_on_the_old_maximum(outputs, maxima, sums):
    largest, total, mix = -np.inf, 0.0, np.zeros(outputs.shape[1])
    for output, maximum, part in zip(outputs, maxima, sums, strict=True):
        new = max(largest, maximum)
        total = total * np.exp(largest - new) + part * np.exp(maximum - new)
        mix = mix + part * np.exp(maximum - new) * output
        largest = new
    return mix / total


@wrong("merge_parts", "sum-upside-down", says="counts for more")
def divided_by_the_sums(outputs, maxima, sums):
    return attn.softmax(maxima - np.log(sums)) @ outputs


@wrong("merge_parts", "some-parts-only")
def only_two_parts(outputs, maxima, sums):
    a, b = sums[0] * np.exp(maxima[0] - max(maxima)), sums[1] * np.exp(maxima[1] - max(maxima))
    return (a * outputs[0] + b * outputs[1]) / (a + b)


@wrong("attention_in_blocks", "itself-hidden", says="the word itself")
def strictly_before(Q, K, V, block):
    rows = range(0, len(Q), block)
    places = np.arange(len(Q))
    masks = [places[None, : i + block] < places[i : i + block, None] for i in rows]
    return np.vstack(
        [
            attend(Q[i : i + block], K[: i + block], V[: i + block], m)[0]
            for i, m in zip(rows, masks, strict=True)
        ]
    )


@wrong("attention_in_blocks", "inverted-mask", says="hides the earlier")
def blocked_is_true(Q, K, V, block):
    mask = np.triu(np.ones((len(Q), len(Q)), dtype=bool), k=1)
    parts = []
    for i in range(0, len(Q), block):
        stop = min(i + block, len(Q))
        parts.append(attend(Q[i:stop], K[:stop], V[:stop], mask[i:stop, :stop])[0])
    return np.vstack(parts)


@wrong("attention_in_blocks", "block-missing", says="inside the loop")
def returns_after_the_first_block(Q, K, V, block):
    output = np.zeros((len(Q), V.shape[-1]))
    for i in range(0, len(Q), block):
        stop = min(i + block, len(Q))
        output[i:stop], _ = attend(Q[i:stop], K[:stop], V[:stop], attn.causal_mask(stop - i, stop, offset=i))
        return output


@wrong(
    "attention_in_blocks",
    None,
    says="should have. Row 0 of your result changes with row 0 of Q, and should not.",
)
def one_block_short_and_a_block_too_far(Q, K, V, block):
    output = np.zeros((len(Q), V.shape[-1]))
    for i in range(0, len(Q) - block, block):
        stop = min(i + block, len(Q))
        mask = attn.causal_mask(stop - i, stop, offset=block)
        output[i:stop], _ = attend(Q[i:stop], K[:stop], V[:stop], mask)
    return output


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
