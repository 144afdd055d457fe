"""Lesson 08: attention backwards, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_checks.steps import Step, Steps
from attn_lessons.lesson08 import softmax_backward as softmax_lesson
from attn_parts import mathematics as maths

VALUES = "l08-mix"
SCORES = "l08-scores"
THREE_WAYS = "l08-mix"


def turned(array):
    return array.swapaxes(-1, -2)


def divided_by(number):
    return lambda d_scaled, Q, K, V: d_scaled / number(Q, K, V)


WEIGHT_MISTAKES = (
    Mistake(
        "values-not-transposed",
        name="V is not transposed",
        ways=[lambda d_output, V: d_output @ V],
        say="In d_weights the number of row i and column j belongs to query i and key j: row i of d_output times *row* j of V.",
        see=VALUES,
    ),
    Mistake(
        "all-axes-reversed",
        name="V.T on a batch reverses every axis",
        ways=[lambda d_output, V: d_output @ V.T],
        say="Only the last two axes change places: V.swapaxes(-1, -2).",
        see=VALUES,
    ),
)
SCALE_MISTAKES = table(
    SCORES,
    Mistake(
        "scale-forgotten",
        name="÷ √d_k is forgotten on the way back",
        ways=[lambda d_scaled, Q, K, V: d_scaled],
        say="On the way there the scores were divided by √d_k. So a push on a score arrives divided as well.",
    ),
    Mistake(
        "scale-undone",
        name="multiplied by √d_k, not divided",
        ways=[lambda d_scaled, Q, K, V: d_scaled * np.sqrt(Q.shape[-1])],
        say="Going back does not undo the division. It asks how much a push on a score moves the scaled score: by 1/√d_k of it.",
    ),
    Mistake(
        "divided-by-d-k",
        name="divided by d_k, without the root",
        ways=[divided_by(lambda Q, K, V: Q.shape[-1])],
        say="The same number as on the way there: √d_k.",
    ),
    Mistake(
        "divided-by-another-root",
        name="divided by the root of another axis",
        ways=[
            divided_by(lambda Q, K, V: np.sqrt(V.shape[-1])),
            divided_by(lambda Q, K, V: np.sqrt(K.shape[-2])),
            divided_by(lambda Q, K, V: np.sqrt(len(Q))),
        ],
        say="d_k is the width of queries and keys, the last axis of Q.",
    ),
)
QUERY_MISTAKES = (
    Mistake(
        "scale-forgotten",
        name="÷ √d_k is forgotten on the way back",
        ways=[lambda d_scores, Q, K: np.sqrt(Q.shape[-1]) * d_scores @ K],
        say="The scores were divided by √d_k on the way there. d_K has its share of that, d_Q has not.",
        see=SCORES,
    ),
    Mistake(
        "query-transposed",
        name="d_Q is made with d_scores turned",
        ways=[lambda d_scores, Q, K: turned(d_scores) @ K],
        say="A query collects along its own *row* of d_scores: for d_Q they stay as they are.",
        see=SCORES,
    ),
    Mistake(
        "query-for-key",
        name="d_Q is made with Q, not with K",
        ways=[lambda d_scores, Q, K: d_scores @ Q],
        say="A score is q·k. Push an entry of q, and the score moves by the entry of *k* that it is multiplied with.",
        see=SCORES,
    ),
)
KEY_MISTAKES = table(
    SCORES,
    Mistake(
        "scale-forgotten",
        name="÷ √d_k is forgotten on the way back",
        ways=[lambda d_scores, Q, K: turned(np.sqrt(Q.shape[-1]) * d_scores) @ Q],
        say="The scores were divided by √d_k on the way there. d_Q has its share of that, d_K has not.",
    ),
    Mistake(
        "key-on-its-side",
        name="d_K is turned on its side",
        ways=[lambda d_scores, Q, K: turned(Q) @ d_scores],
        say="That is the gradient of Kᵀ, as the rule for products gives it. K has a row for each key: turn it round.",
    ),
    Mistake(
        "key-not-transposed",
        name="d_K without transposing d_scores",
        ways=[lambda d_scores, Q, K: d_scores @ Q],
        say="A key collects from all queries, so it needs its *column* of d_scores: transpose the last two axes.",
    ),
    Mistake(
        "key-for-query",
        name="d_K is made with K, not with Q",
        ways=[lambda d_scores, Q, K: turned(d_scores) @ K, lambda d_scores, Q, K: d_scores @ K],
        say="A score is q·k. Push an entry of k, and the score moves by the entry of *q* that it is multiplied with.",
    ),
    Mistake(
        "d-scores-reversed",
        name="d_scores.T on a batch reverses every axis",
        ways=[lambda d_scores, Q, K: d_scores.T @ Q],
        say="Only the last two axes change places: swapaxes(-1, -2).",
    ),
)
VALUE_MISTAKES = table(
    VALUES,
    Mistake(
        "weights-not-transposed",
        name="d_V without transposing the weights",
        ways=[lambda weights, d_scores, d_output, *_: weights @ d_output],
        say="A value was handed to all queries, to each with its share: it needs its *column* of weights.",
    ),
    Mistake(
        "weights-reversed",
        name="weights.T on a batch reverses every axis",
        ways=[lambda weights, d_scores, d_output, *_: weights.T @ d_output],
        say="Only the last two axes change places: swapaxes(-1, -2).",
    ),
    Mistake(
        "value-through-scores",
        name="d_V is made with a gradient, not with the weights",
        ways=[
            lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(d_scores) @ d_output,
            lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(d_scaled) @ d_output,
            lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(d_weights) @ d_output,
        ],
        say="The output is weights @ V. What V is multiplied with there are the weights themselves.",
    ),
    Mistake(
        "value-for-output",
        name="d_V is made with V, not with d_output",
        ways=[lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(weights) @ V],
        say="A gradient is made of the gradient that arrives: what the weights hand back is d_output.",
    ),
)
RETURN_MISTAKES = (
    Mistake(
        "other-order",
        name="the three gradients are in another order",
        ways=[
            lambda d_Q, d_K, d_V: (d_K, d_Q, d_V),
            lambda d_Q, d_K, d_V: (d_V, d_K, d_Q),
            lambda d_Q, d_K, d_V: (d_Q, d_V, d_K),
        ],
        say="They are returned as Q, K and V come in: d_Q, d_K, d_V.",
        see=SCORES,
    ),
)
STEPS = Steps(
    "Q K V weights d_output",
    {
        "weights": Step("d_output V", "d_weights", WEIGHT_MISTAKES, lambda d, V: d @ turned(V)),
        "softmax": Step("weights d_weights", "d_scaled", softmax_lesson.MISTAKES, softmax_lesson.backward),
        "scale": Step("d_scaled Q K V", "d_scores", SCALE_MISTAKES, divided_by(lambda Q, K, V: np.sqrt(Q.shape[-1]))),
        "query": Step("d_scores Q K", "d_Q", QUERY_MISTAKES, lambda d, Q, K: d @ K),
        "key": Step("d_scores Q K", "d_K", KEY_MISTAKES, lambda d, Q, K: turned(d) @ Q),
        "value": Step("weights d_scores d_output d_scaled d_weights V", "d_V", VALUE_MISTAKES, lambda w, d_scores, d, *_: turned(w) @ d),
        "return": Step("d_Q d_K d_V", "result", RETURN_MISTAKES, lambda *three: three),
    },
)  # fmt: skip


def going_back(Q, K, V, weights, d_output):
    return STEPS.walk(STEPS.start((Q, K, V, weights, d_output)), {})["result"]


def sizes(*axes, L_q, L_k, d_k, d_v):
    """Arguments of these sizes; the weights are those of Q and K."""

    def make(draw):
        Q, K, V = draw(*axes, L_q, d_k), draw(*axes, L_k, d_k), draw(*axes, L_k, d_v)
        return Q, K, V, maths.scaled_dot_product_attention(Q, K, V)[1], draw(*axes, L_q, d_v)

    return make


INPUTS = {
    "smallest": sizes(L_q=2, L_k=2, d_k=2, d_v=2),
    "all sizes differ": sizes(L_q=2, L_k=3, d_k=4, d_v=5),
    "one word looks": sizes(L_q=1, L_k=3, d_k=2, d_v=1),
    "square": sizes(L_q=3, L_k=3, d_k=3, d_v=3),
    "batch": sizes(2, L_q=3, L_k=4, d_k=2, d_v=3),
    "batch, all sizes alike": sizes(3, L_q=3, L_k=3, d_k=3, d_v=3),
    "heads": sizes(2, 2, L_q=2, L_k=3, d_k=5, d_v=2),
}


@exercise(
    inputs=INPUTS, mistakes=STEPS.mistakes(), result=("d_Q", "d_K", "d_V"), see=SCORES, steps=STEPS
)  # fmt: skip
def attention_backward(Q, K, V, weights, d_output):
    """Check `f(Q, K, V, weights, d_output)` → (d_Q, d_K, d_V), any leading axes. Returns Feedback."""
    return going_back(Q, K, V, weights, d_output)
