"""Lesson 09: attention backwards, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, in_orders, told_in, with_each
from attn_lessons.lesson09 import softmax_backward as softmax_lesson
from attn_parts import mathematics as maths


def turned(array):
    return array.swapaxes(-1, -2)


def divided_by(number):
    return lambda d_scaled, Q, K, V: d_scaled / number(Q, K, V)


# Q, d_Q: (..., L_q, d_k), K: (..., L_k, d_k), V: (..., L_k, d_v), d_output: (..., L_q, d_v)
# weights, d_weights, d_scaled, d_scores: (..., L_q, L_k)
USE = {"weights-recomputed": lambda weights, Q, K: maths.scaled_dot_product_attention(Q, K, K)[1]}
WEIGHTS = {
    "values-not-transposed": [
        lambda d_output, V: d_output @ V,
        lambda d_output, V: V @ turned(d_output),
        lambda d_output, V: turned(d_output) @ V,
    ]
}
SCALE = {
    "scale-forgotten": lambda d_scaled, *_: d_scaled,
    "multiplied-by-root": divided_by(lambda Q, K, V: Q.shape[-1] ** -0.5),
    "divided-by-d-k": divided_by(lambda Q, K, V: Q.shape[-1]),
    "divided-by-another-root": [
        divided_by(lambda Q, K, V: np.sqrt(V.shape[-1])),
        divided_by(lambda Q, K, V: np.sqrt(K.shape[-2])),
        divided_by(lambda Q, K, V: np.sqrt(len(Q))),
    ],
}
QUERY = {
    "scale-forgotten (d_Q)": lambda d_scores, Q, K: np.sqrt(Q.shape[-1]) * d_scores @ K,
    "scaled-twice (d_Q)": lambda d_scores, Q, K: d_scores @ K / np.sqrt(Q.shape[-1]),
    "query-transposed": lambda d_scores, Q, K: turned(d_scores) @ K,
    "query-for-key": [
        lambda d_scores, Q, K: d_scores @ Q,
        lambda d_scores, Q, K: turned(d_scores) @ Q,
    ],
}
KEY = {
    "scale-forgotten (d_K)": lambda d_scores, Q, K: turned(np.sqrt(Q.shape[-1]) * d_scores) @ Q,
    "scaled-twice (d_K)": lambda d_scores, Q, K: turned(d_scores) @ Q / np.sqrt(Q.shape[-1]),
    "key-on-its-side": lambda d_scores, Q, K: turned(Q) @ d_scores,
    "key-not-transposed": lambda d_scores, Q, K: d_scores @ Q,
    "key-for-query": [
        lambda d_scores, Q, K: turned(d_scores) @ K,
        lambda d_scores, Q, K: d_scores @ K,
    ],
    "d-scores-reversed": lambda d_scores, Q, K: d_scores.T @ Q,
}
BESIDE = "weights", "d_output", "d_scores", "d_scaled", "d_weights", "Q"
VALUE = {
    "weights-not-transposed": lambda weights, d_output, *_: weights @ d_output,
    "values-not-by-weights": [
        *with_each(
            ("d_scores", "d_scaled", "d_weights"),
            lambda *given: turned(dict(zip(BESIDE, given))[given[-1]]) @ given[1],
        ),
        lambda weights, d_output, *beside: turned(weights) @ d_output / np.sqrt(beside[-1].shape[-1]),
        lambda weights, d_output, *_: turned(0 * weights + 1) @ d_output,
        lambda weights, d_output, *_: d_output,
    ],
}
RETURN = {"other-order": in_orders("QKV", "KQV", "VKQ", "QVK")}
STEPS = Steps(
    "Q K V weights d_output",
    {
        "use": Step("weights Q K", "weights", USE),
        "weights": Step("d_output V", "d_weights", WEIGHTS, lambda d, V: d @ turned(V)),
        "softmax": Step(
            "weights d_weights",
            "d_scaled",
            told_in("softmax_backward", softmax_lesson.MISTAKES),
            softmax_lesson.backward,
        ),
        "scale": Step(
            "d_scaled Q K V",
            "d_scores",
            SCALE,
            divided_by(lambda Q, K, V: np.sqrt(Q.shape[-1])),
        ),
        "query": Step("d_scores Q K", "d_Q", QUERY, lambda d, Q, K: d @ K),
        "key": Step("d_scores Q K", "d_K", KEY, lambda d, Q, K: turned(d) @ Q),
        "value": Step(
            " ".join(BESIDE),
            "d_V",
            VALUE,
            lambda weights, d_output, *_: turned(weights) @ d_output,
        ),
        "return": Step("d_Q d_K d_V", "result", RETURN, lambda *three: three),
    },
    few=6,
)
going_back = STEPS.whole({})


def sizes(*axes, L_q, L_k, d_k, d_v, mask=None):
    """Arguments of these sizes; the weights are those of Q, K and the mask."""

    def make(draw):
        Q, K, V = (
            draw(*axes, L_q, d_k),
            draw(*axes, L_k, d_k),
            draw(*axes, L_k, d_v),
        )
        return (
            Q,
            K,
            V,
            maths.scaled_dot_product_attention(Q, K, V, mask)[1],
            draw(*axes, L_q, d_v),
        )

    return make


@exercise(
    result=("d_Q", "d_K", "d_V"),
    steps=STEPS,
    inputs={
        "smallest": sizes(L_q=2, L_k=2, d_k=2, d_v=2),
        "all sizes differ": sizes(L_q=2, L_k=3, d_k=4, d_v=5),
        "one word looks": sizes(L_q=1, L_k=3, d_k=2, d_v=1),
        "square, with the weights of a causal mask": sizes(
            L_q=3, L_k=3, d_k=3, d_v=3, mask=maths.causal_mask(3)
        ),
        "as many queries as keys": sizes(L_q=3, L_k=3, d_k=2, d_v=4),
        "batch": sizes(2, L_q=3, L_k=4, d_k=2, d_v=3),
        "batch, all sizes alike": sizes(3, L_q=3, L_k=3, d_k=3, d_v=3),
        "heads": sizes(2, 3, L_q=4, L_k=5, d_k=6, d_v=7),
    },
)
def attention_backward(Q, K, V, weights, d_output):
    """Check `f(Q, K, V, weights, d_output)` → (d_Q, d_K, d_V), any leading axes. Returns Feedback."""
    return going_back(Q, K, V, weights, d_output)
