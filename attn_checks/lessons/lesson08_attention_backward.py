"""Lesson 08: attention backwards, made of steps, and the gradient of what Q, K and V were made from."""

from itertools import product

import numpy as np

from attn_checks.exercise import Mistake, exercise
from attn_checks.lessons import lesson08_backward as softmax_lesson
from attn_checks.steps import Step, Steps
from attn_parts import mathematics as maths

VALUES = "lesson 08, Back through the mix"
SCORES = "lesson 08, Back through the scores"
THREE_WAYS = "lesson 08, Back through the mix"


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
SCALE_MISTAKES = (
    Mistake(
        "scale-forgotten",
        name="÷ √d_k is forgotten on the way back",
        ways=[lambda d_scaled, Q, K, V: d_scaled],
        say="On the way there the scores were divided by √d_k. So a push on a score arrives divided as well.",
        see=SCORES,
    ),
    Mistake(
        "scale-undone",
        name="multiplied by √d_k, not divided",
        ways=[lambda d_scaled, Q, K, V: d_scaled * np.sqrt(Q.shape[-1])],
        say="Going back does not undo the division. It asks how much a push on a score moves the scaled score: by 1/√d_k of it.",
        see=SCORES,
    ),
    Mistake(
        "divided-by-d-k",
        name="divided by d_k, without the root",
        ways=[divided_by(lambda Q, K, V: Q.shape[-1])],
        say="The same number as on the way there: √d_k.",
        see=SCORES,
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
        see=SCORES,
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
KEY_MISTAKES = (
    Mistake(
        "scale-forgotten",
        name="÷ √d_k is forgotten on the way back",
        ways=[lambda d_scores, Q, K: turned(np.sqrt(Q.shape[-1]) * d_scores) @ Q],
        say="The scores were divided by √d_k on the way there. d_Q has its share of that, d_K has not.",
        see=SCORES,
    ),
    Mistake(
        "key-on-its-side",
        name="d_K is turned on its side",
        ways=[lambda d_scores, Q, K: turned(Q) @ d_scores],
        say="That is the gradient of Kᵀ, as the rule for products gives it. K has a row for each key: turn it round.",
        see=SCORES,
    ),
    Mistake(
        "key-not-transposed",
        name="d_K without transposing d_scores",
        ways=[lambda d_scores, Q, K: d_scores @ Q],
        say="A key collects from all queries, so it needs its *column* of d_scores: transpose the last two axes.",
        see=SCORES,
    ),
    Mistake(
        "key-for-query",
        name="d_K is made with K, not with Q",
        ways=[lambda d_scores, Q, K: turned(d_scores) @ K, lambda d_scores, Q, K: d_scores @ K],
        say="A score is q·k. Push an entry of k, and the score moves by the entry of *q* that it is multiplied with.",
        see=SCORES,
    ),
    Mistake(
        "d-scores-reversed",
        name="d_scores.T on a batch reverses every axis",
        ways=[lambda d_scores, Q, K: d_scores.T @ Q],
        say="Only the last two axes change places: swapaxes(-1, -2).",
        see=SCORES,
    ),
)
VALUE_MISTAKES = (
    Mistake(
        "weights-not-transposed",
        name="d_V without transposing the weights",
        ways=[lambda weights, d_scores, d_output, *_: weights @ d_output],
        say="A value was handed to all queries, to each with its share: it needs its *column* of weights.",
        see=VALUES,
    ),
    Mistake(
        "weights-reversed",
        name="weights.T on a batch reverses every axis",
        ways=[lambda weights, d_scores, d_output, *_: weights.T @ d_output],
        say="Only the last two axes change places: swapaxes(-1, -2).",
        see=VALUES,
    ),
    Mistake(
        "value-through-scores",
        name="d_V is made with the gradient of the scores",
        ways=[
            lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(d_scores) @ d_output,
            lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(d_scaled) @ d_output,
            lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(d_weights) @ d_output,
        ],
        say="The output is weights @ V. What V is multiplied with there are the weights themselves.",
        see=VALUES,
    ),
    Mistake(
        "value-for-output",
        name="d_V is made with V, not with d_output",
        ways=[lambda weights, d_scores, d_output, d_scaled, d_weights, V: turned(weights) @ V],
        say="A gradient is made of the gradient that arrives: what the weights hand back is d_output.",
        see=VALUES,
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


def back_to_words(combine, causal=False, scale=None):
    """The gradients of Q, K and V, brought together: `combine` gets each with its matrix.

    causal, scale: how the weights are made that they go back through.
    """

    def backward(X, W_Q, W_K, W_V, d_output):
        Q, K, V = X @ W_Q, X @ W_K, X @ W_V
        mask = maths.causal_mask(len(X)) if causal else None
        _, weights = maths.scaled_dot_product_attention(Q, K, V, mask, scale=scale)
        return combine(list(zip(going_back(Q, K, V, weights, d_output), (W_Q, W_K, W_V), strict=True)), X)

    return backward


def through(pairs):
    return [d @ turned(W) for d, W in pairs]


def only(*places):
    return back_to_words(lambda pairs, X: sum(through([pairs[place] for place in places])))


def from_output_in_place_of_weights(X, W_Q, W_K, W_V, d_output):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    output, _ = maths.scaled_dot_product_attention(Q, K, V)
    back = going_back(Q, K, V, output, d_output)
    return sum(d @ turned(W) for d, W in zip(back, (W_Q, W_K, W_V), strict=True))


def measured(step, both_sides):
    """The gradient measured by a nudge of each entry of X."""

    def nudged(X, W_Q, W_K, W_V, d_output):
        def loss(words):
            return (maths.self_attention(words, W_Q, W_K, W_V)[0] * d_output).sum()

        d_X = np.zeros(X.shape)
        for at in np.ndindex(X.shape):
            more, less = X.copy(), X.copy()
            more[at], less[at] = X[at] + step, X[at] - step * both_sides
            d_X[at] = (loss(more) - loss(less)) / (step * (1 + both_sides))
        return d_X

    return nudged


WORD_MISTAKES = [
    Mistake(
        "nudged-too-far",
        name="measured with a nudge that is too large",
        ways=[
            *(measured(step, both_sides=False) for step in (1.0, 0.1, 0.01, 0.001, 0.0001)),
            *(measured(step, both_sides=True) for step in (1.0, 0.1, 0.01)),
        ],
        say="The difference of two losses is a gradient only for very small nudges; yours is off by the bend of the curve. Asked for is the way back itself, which is exact.",
        see="lesson 08, Back through softmax",
    ),
    Mistake(
        "not-scaled",
        name="the weights of another attention",
        ways=[back_to_words(lambda pairs, X: sum(through(pairs)), scale=1.0)],
        say="The weights to go back through are those of the way there, with scores divided by √d_k.",
        see=SCORES,
    ),
    Mistake(
        "output-for-weights",
        name="the output is taken for the weights",
        ways=[from_output_in_place_of_weights],
        say="scaled_dot_product_attention gives two results: first the output, then the weights. Where softmax goes back, the weights are needed.",
        see="lesson 08, Back through softmax",
    ),
    Mistake(
        "one-way-only",
        name="only one of the three ways back is taken",
        ways=[only(0), only(1), only(2)],
        say="A word looks, is looked at, and hands over: X goes into Q, into K and into V. Each way brings something back.",
        see=THREE_WAYS,
    ),
    Mistake(
        "a-way-missing",
        name="one of the three ways back is missing",
        ways=[only(0, 1), only(0, 2), only(1, 2)],
        say="X goes into Q, into K and into V. You have two of the three.",
        see=THREE_WAYS,
    ),
    Mistake(
        "mean-of-the-ways",
        name="the mean of the three, not the sum",
        ways=[back_to_words(lambda pairs, X: sum(through(pairs)) / 3)],
        say="Push an entry of X, and Q, K *and* V move, each in full. Their effects on the loss add up.",
        see=THREE_WAYS,
    ),
    Mistake(
        "a-way-subtracted",
        name="a way back is subtracted",
        ways=[
            back_to_words(lambda pairs, X, minus=minus: sum(through(pairs)) - 2 * through(pairs)[minus])
            for minus in range(3)
        ],
        say="Push an entry of X, and Q, K *and* V move. Their effects on the loss add up, all three.",
        see=THREE_WAYS,
    ),
    Mistake(
        "one-matrix-for-all",
        name="a way back goes through another way's matrix",
        ways=[
            back_to_words(
                lambda pairs, X, order=order: sum(
                    d @ turned(pairs[i][1]) for (d, _), i in zip(pairs, order, strict=True)
                )
            )
            for order in product(range(3), repeat=3)
            if order != (0, 1, 2)
        ],
        say="d_Q goes back through W_Q, d_K through W_K, d_V through W_V. In yours one goes through the matrix of another, or the three were unpacked in another order.",
        see=THREE_WAYS,
    ),
    Mistake(
        "ways-multiplied",
        name="the ways back are multiplied, not added",
        ways=[back_to_words(lambda pairs, X: np.prod(through(pairs), axis=0))],
        say="Push an entry of X, and Q, K *and* V move. Their effects on the loss add up.",
        see=THREE_WAYS,
    ),
    Mistake(
        "causal-unasked",
        name="a causal mask that nobody asked for",
        ways=[back_to_words(lambda pairs, X: sum(through(pairs)), causal=True)],
        say="On the way there every token looked at every token. The weights to go back through are those.",
        see=THREE_WAYS,
    ),
    Mistake(
        "matrices-not-transposed",
        name="the matrices are not transposed",
        ways=[back_to_words(lambda pairs, X: sum(d @ W for d, W in pairs))],
        say="Q = X @ W_Q. On the way back it is the other side of the matrix that has to fit: try the shapes on paper.",
        see=THREE_WAYS,
    ),
    Mistake(
        "matrices-in-place-of-words",
        name="the gradients of the matrices",
        ways=[
            back_to_words(lambda pairs, X: tuple(turned(X) @ d for d, W in pairs)),
        ],
        say="These are right for W_Q, W_K and W_V. Asked for is X: a push on a word.",
        see=THREE_WAYS,
    ),
    Mistake(
        "matrices-left-out",
        name="d_Q, d_K and d_V are added up as they are",
        ways=[back_to_words(lambda pairs, X: sum(d for d, W in pairs))],
        say="They are gradients of queries, keys and values. A push on X reaches these through W_Q, W_K and W_V.",
        see=THREE_WAYS,
    ),
]


def words_and_matrices(L, d_model, d_k, d_v):
    return lambda draw: (
        draw(L, d_model), draw(d_model, d_k), draw(d_model, d_k), draw(d_model, d_v), draw(L, d_v),
    )  # fmt: skip


@exercise(
    inputs={
        "two words": words_and_matrices(2, 3, 2, 2),
        "all sizes differ": words_and_matrices(3, 4, 2, 5),
        "square": words_and_matrices(3, 3, 3, 3),
        "decimals": lambda draw: tuple(0.123 * array for array in words_and_matrices(4, 3, 2, 2)(draw)),
        "one word": words_and_matrices(1, 2, 3, 2),
    },
    mistakes=WORD_MISTAKES,
    result="d_X",
    see=THREE_WAYS,
)
def self_attention_backward(X, W_Q, W_K, W_V, d_output):
    """Check `f(X, W_Q, W_K, W_V, d_output)` → d_X, the gradient of the embeddings. Returns Feedback."""
    return back_to_words(lambda pairs, X: sum(through(pairs)))(X, W_Q, W_K, W_V, d_output)
