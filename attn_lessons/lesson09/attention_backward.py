"""Lesson 09: attention backwards, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, exercise, table
from attn_lessons.lesson09 import softmax_backward as softmax_lesson
from attn_parts import mathematics as maths

VALUES = THREE_WAYS = "l09-mix"
SCORES = "l09-scores"


def turned(array):
    return array.swapaxes(-1, -2)


def divided_by(number):
    return lambda d_scaled, Q, K, V: d_scaled / number(Q, K, V)


# fmt: off
USE_MISTAKES = (
    Mistake("weights-recomputed", "the weights are computed again", see=VALUES,
        say="You compute the weights again from Q and K. The forward pass may have had a mask, so use the weights that are passed in.",
        ways=[lambda weights, Q, K: maths.scaled_dot_product_attention(Q, K, K)[1]]),
)
WEIGHT_MISTAKES = (
    Mistake("values-not-transposed", "d_output and V are multiplied the wrong way", see=VALUES,
        say="Your d_weights doesn't hold the right product in each cell. Row i, column j belongs to query i and key j, so it needs row i of d_output times *row* j of V.",
        ways=[lambda d_output, V: d_output @ V, lambda d_output, V: V @ turned(d_output), lambda d_output, V: turned(d_output) @ V]),
)
SCALE_MISTAKES = [
    Mistake("scale-forgotten", "the backward pass lacks ÷ √d_k",
        say="You forget the division in the backward pass. The forward pass divides the scores by √d_k, so their gradient is divided by √d_k as well.",
        ways=[lambda d_scaled, Q, K, V: d_scaled]),
    Mistake("multiplied-by-root", "multiplied by √d_k, not divided",
        say="You multiply by √d_k. The forward pass divides the scores by it, so their gradient is divided as well.",
        ways=[divided_by(lambda Q, K, V: Q.shape[-1] ** -0.5)]),
    Mistake("divided-by-d-k", "divided by d_k, not by √d_k",
        say="You divide by d_k, or twice by its root. Divide once by √d_k, as the forward pass does.",
        ways=[divided_by(lambda Q, K, V: Q.shape[-1])]),
    Mistake("divided-by-another-root", "divided by the root of another axis",
        say="You divide by the root of another length. d_k is the width of queries and keys, the last axis of Q.",
        ways=[divided_by(lambda Q, K, V: np.sqrt(V.shape[-1])), divided_by(lambda Q, K, V: np.sqrt(K.shape[-2])),
            divided_by(lambda Q, K, V: np.sqrt(len(Q)))]),
]
QUERY_MISTAKES = (
    Mistake("scale-forgotten", "the backward pass lacks ÷ √d_k",
        say="You forget to divide d_Q by √d_k. Divide d_scores before you use it for d_Q and d_K.",
        ways=[lambda d_scores, Q, K: np.sqrt(Q.shape[-1]) * d_scores @ K]),
    Mistake("scaled-twice", "d_Q is divided by √d_k twice",
        say="You divide d_Q by d_k, or twice by its root. Divide d_scores once by √d_k, and d_Q no more.",
        ways=[lambda d_scores, Q, K: d_scores @ K / np.sqrt(Q.shape[-1])]),
    Mistake("query-transposed", "d_Q with d_scores transposed",
        say="Your d_Q equals d_scoresᵀ @ K. A query has a *row* of scores, so use d_scores as it is.",
        ways=[lambda d_scores, Q, K: turned(d_scores) @ K]),
    Mistake("query-for-key", "d_Q is made with Q, not with K",
        say="You multiply by Q to get d_Q. A score is q·k: nudge an entry of q, and the score moves by the entry of *k* that multiplies it.",
        ways=[lambda d_scores, Q, K: d_scores @ Q, lambda d_scores, Q, K: turned(d_scores) @ Q]),
)
KEY_MISTAKES = [
    Mistake("scale-forgotten", "the backward pass lacks ÷ √d_k",
        say="You forget to divide d_K by √d_k. Divide d_scores before you use it for d_Q and d_K.",
        ways=[lambda d_scores, Q, K: turned(np.sqrt(Q.shape[-1]) * d_scores) @ Q]),
    Mistake("scaled-twice", "d_K is divided by √d_k twice",
        say="You divide d_K by d_k, or twice by its root. Divide d_scores once by √d_k, and d_K no more.",
        ways=[lambda d_scores, Q, K: turned(d_scores) @ Q / np.sqrt(Q.shape[-1])]),
    Mistake("key-on-its-side", "d_K is transposed",
        say="You return the gradient of Kᵀ, as the rule for products gives it. K has a row for each key, so transpose your result.",
        ways=[lambda d_scores, Q, K: turned(Q) @ d_scores]),
    Mistake("key-not-transposed", "d_K without transposing d_scores",
        say="Your d_K equals d_scores @ Q. All queries use a key, so it needs its *column* of d_scores: exchange the last two axes.",
        ways=[lambda d_scores, Q, K: d_scores @ Q]),
    Mistake("key-for-query", "d_K is made with K, not with Q",
        say="You multiply by K to get d_K. A score is q·k: nudge an entry of k, and the score moves by the entry of *q* that multiplies it.",
        ways=[lambda d_scores, Q, K: turned(d_scores) @ K, lambda d_scores, Q, K: d_scores @ K]),
    Mistake("d-scores-reversed", "d_scores.T on a batch reverses every axis",
        say=".T reverses all axes of a batch. Exchange only the last two, with swapaxes.",
        ways=[lambda d_scores, Q, K: d_scores.T @ Q]),
]
VALUE_MISTAKES = table(
    VALUES,
    Mistake("weights-not-transposed", "d_V without transposing the weights",
        say="Your d_V equals weights @ d_output. All queries use a value, each with its own weight, so it needs its *column* of weights.",
        ways=[lambda weights, d_scores, d_output, *_: weights @ d_output]),
    Mistake("values-not-by-weights", "d_V isn't made with the weights as they are",
        say="The output is weights @ V, so a value's gradient needs d_output and the weights as they are, and nothing else.",
        ways=[lambda weights, d_scores, d_output, *_: turned(d_scores) @ d_output,
            lambda weights, d_scores, d_output, d_scaled, d_weights, Q: turned(d_scaled) @ d_output,
            lambda weights, d_scores, d_output, d_scaled, d_weights, Q: turned(d_weights) @ d_output,
            lambda weights, d_scores, d_output, d_scaled, d_weights, Q: turned(weights) @ d_output / np.sqrt(Q.shape[-1]),
            lambda weights, d_scores, d_output, *_: turned(0 * weights + 1) @ d_output, lambda weights, d_scores, d_output, *_: d_output]),
)
RETURN_MISTAKES = (
    Mistake("other-order", "the three gradients are in a different order",
        say="You return the three gradients in a different order. Return d_Q, d_K, d_V, in the order of Q, K and V.",
        ways=[lambda d_Q, d_K, d_V: (d_K, d_Q, d_V), lambda d_Q, d_K, d_V: (d_V, d_K, d_Q),
            lambda d_Q, d_K, d_V: (d_Q, d_V, d_K)]),
)
STEPS = Steps("Q K V weights d_output", {
    "use": Step("weights Q K", "weights", USE_MISTAKES, lambda weights, Q, K: weights),
    "weights": Step("d_output V", "d_weights", WEIGHT_MISTAKES, lambda d, V: d @ turned(V)),
    "softmax": Step("weights d_weights", "d_scaled", softmax_lesson.MISTAKES, softmax_lesson.backward),
    "scale": Step("d_scaled Q K V", "d_scores", SCALE_MISTAKES, divided_by(lambda Q, K, V: np.sqrt(Q.shape[-1]))),
    "query": Step("d_scores Q K", "d_Q", QUERY_MISTAKES, lambda d, Q, K: d @ K),
    "key": Step("d_scores Q K", "d_K", KEY_MISTAKES, lambda d, Q, K: turned(d) @ Q),
    "value": Step("weights d_scores d_output d_scaled d_weights Q", "d_V", VALUE_MISTAKES, lambda w, d_scores, d, *_: turned(w) @ d),
    "return": Step("d_Q d_K d_V", "result", RETURN_MISTAKES, lambda *three: three),
}, few=6)
going_back = STEPS.whole({})


def sizes(*axes, L_q, L_k, d_k, d_v, mask=None):
    """Arguments of these sizes; the weights are those of Q, K and the mask."""

    def make(draw):
        Q, K, V = draw(*axes, L_q, d_k), draw(*axes, L_k, d_k), draw(*axes, L_k, d_v)
        return Q, K, V, maths.scaled_dot_product_attention(Q, K, V, mask)[1], draw(*axes, L_q, d_v)

    return make


@exercise(result=("d_Q", "d_K", "d_V"), see=SCORES, steps=STEPS, inputs={
    "smallest": sizes(L_q=2, L_k=2, d_k=2, d_v=2),
    "all sizes differ": sizes(L_q=2, L_k=3, d_k=4, d_v=5),
    "one word looks": sizes(L_q=1, L_k=3, d_k=2, d_v=1),
    "square, with the weights of a causal mask": sizes(L_q=3, L_k=3, d_k=3, d_v=3, mask=maths.causal_mask(3)),
    "as many queries as keys": sizes(L_q=3, L_k=3, d_k=2, d_v=4),
    "batch": sizes(2, L_q=3, L_k=4, d_k=2, d_v=3),
    "batch, all sizes alike": sizes(3, L_q=3, L_k=3, d_k=3, d_v=3),
    "heads": sizes(2, 3, L_q=4, L_k=5, d_k=6, d_v=7),
})
def attention_backward(Q, K, V, weights, d_output):
    """Check `f(Q, K, V, weights, d_output)` → (d_Q, d_K, d_V), any leading axes. Returns Feedback."""
    return going_back(Q, K, V, weights, d_output)
