"""Lesson 09: the backward pass of softmax, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, again, exercise, table
from attn_lessons.lesson04.softmax import total
from attn_parts import mathematics as maths

BACKWARD = "l09-softmax"

# fmt: off
MATRIX_PRODUCT = Mistake("matrix-product", "@ instead of * and a sum",
    say="@ combines each row of the weights with *every* row of the other. Each row belongs to its own query, so multiply entry by entry and sum along the row.",
    ways=[lambda weights, d_weights: weights @ d_weights, lambda weights, d_weights: weights @ d_weights.swapaxes(-1, -2)])
TWICE = Mistake("weights-twice", "the weights are multiplied in twice",
    say="You multiply by the weights twice in one place. They belong once into the sum, and once in front of the bracket.",
    ways=[lambda weights, d_weights: weights**2 * d_weights])
STEPS = Steps("weights d_weights", {
    "product": Step("weights d_weights", "product", [
        Mistake("unweighted-sum", "the sum is not weighted",
            say="You sum d_weights alone. Sum weights · d_weights.",
            ways=[lambda weights, d_weights: d_weights]),
        MATRIX_PRODUCT, TWICE], np.multiply),
    "sum": Step("product d_weights weights", "sum", [
        Mistake("unweighted-sum", "a plain mean is subtracted",
            say="You subtract a plain mean of d_weights. Every key counts there by its weight, so sum weights · d_weights.",
            ways=[lambda product, d_weights, _: d_weights.mean(axis=-1, keepdims=True), lambda product, d_weights, _: d_weights.mean()]),
        MATRIX_PRODUCT._replace(ways=[lambda product, d_weights, weights, way=way: way(weights, d_weights) for way in MATRIX_PRODUCT.ways]),
        Mistake("wrong-axis", "summed along the wrong axis",
            say="Your sum doesn't run along the rows. Softmax does, so sum along the last axis.",
            ways=[lambda product, *_: product.sum(axis=-2, keepdims=True), lambda product, *_: product.sum(axis=0)]),
        Mistake("whole-array", "one sum or mean of the whole array",
            say="You take one sum or mean of the whole array. Each row has its own softmax, so it needs its own sum.",
            ways=[lambda product, *_: product.sum(), lambda product, *_: product.mean()]),
        Mistake("missing-keepdims", "the sum or maximum lost its axis (keepdims)",
            say="Your sums have lost their axis, so NumPy spreads them along the columns. Keep it with keepdims=True.",
            ways=[lambda product, *_: product.sum(axis=-1)]),
        Mistake("divided-again", "a plain mean instead of the sum",
            say="You divide the sum by the number of keys. The weights already sum to 1, so the sum of weights · d_weights is the weighted mean.",
            ways=[lambda product, *_: product.mean(axis=-1, keepdims=True)]),
        Mistake("no-sum", "the sum over the row is missing",
            say="You don't sum along the row. The other keys lose what one key gains, so each row of the result must sum to 0.",
            ways=[lambda product, *_: 0 * product])], lambda product, *_: total(product)),
    "bracket": Step("d_weights sum", "bracket", [
        Mistake("sign", "the sign is wrong",
            say="You have a wrong sign. Raising a score raises its own weight and lowers the others.",
            ways=[lambda d_weights, sum: sum - d_weights, lambda d_weights, sum: d_weights + sum])], np.subtract),
    "factor": Step("weights bracket d_weights sum", "result", [
        Mistake("weights-missing", "not multiplied by the weights",
            say="You don't multiply by the weights. A key with weight 0 doesn't react to a nudge, so the weights are a factor of the whole.",
            ways=[lambda weights, bracket, *_: bracket]),
        Mistake("mean-not-shared", "the mean is subtracted after the weights",
            say="You subtract the mean after multiplying by the weights, so rows don't sum to 0. The weights multiply the whole bracket, the mean included.",
            ways=[lambda weights, bracket, d_weights, sum: weights * d_weights - sum]),
        TWICE._replace(ways=[lambda weights, bracket, *_: weights**2 * bracket]),
        Mistake("scaled-here", "softmax's step is scaled",
            say="You multiply or divide the result by the number of keys or its root. This step has no such factor: √d_k belongs to the scores.",
            ways=[lambda weights, bracket, *_, power=power: weights * bracket * weights.shape[-1] ** power for power in (-0.5, -1, 0.5, 1)]),
        Mistake("shared-again", "softmax is applied again",
            say="You apply softmax to the weights or to the gradient. The weights are already its output, and a gradient isn't a score.",
            ways=[lambda weights, bracket, *_: maths.softmax(weights) * bracket])], lambda weights, bracket, *_: weights * bracket),
})
backward = STEPS.whole({})
OTHERS = [
    Mistake("arguments-exchanged", "the weights and their gradient changed places",
        say="You have exchanged weights and d_weights. The factor in front of the bracket is the weights.",
        ways=[lambda weights, d_weights: backward(d_weights, weights)]),
    Mistake("elementwise-jacobian", "the Jacobian is taken as elementwise",
        say="You use only the diagonal p(1 − p) of the Jacobian. Raising one score also lowers all *other* weights of its row.",
        ways=[lambda weights, d_weights: weights * (1 - weights) * d_weights]),
    Mistake("handed-through", "the gradient is passed through unchanged",
        say="You take d_weights as the gradient at the scores, but it's the gradient at the *weights*. A nudge to one score moves all weights of its row, so go back through softmax.",
        ways=[lambda weights, d_weights: d_weights]),
    *again(STEPS.mistakes(), {"shared-again": [lambda weights, d_weights: backward(maths.softmax(weights), d_weights),
        lambda weights, d_weights: maths.softmax(d_weights), lambda weights, d_weights: weights * maths.softmax(d_weights)]}),
    Mistake("loss-included", "the rule for softmax and loss together",
        say="You subtract the two arguments, which is the rule for softmax and cross-entropy together. Here d_weights is the gradient at the weights, of any loss.",
        ways=[lambda weights, d_weights: weights - d_weights, lambda weights, d_weights: d_weights - weights]),
]
MISTAKES = table(BACKWARD, *OTHERS, *STEPS.mistakes())


def rows_sum_to_0(ask, given, wanted, got):
    """Say which row doesn't sum to 0, or that all do; nothing where the others are NaN."""
    sums = got[0].sum(axis=-1).ravel()
    for row in np.flatnonzero(abs(sums) > 1e-4)[:1]:
        return f"Row {row} of your result sums to {sums[row]:.3g}. Each row should sum to 0, because what one key gains, the others lose."
    told = "Each row of your result sums to 0, as it should: what one key gains, the others lose."
    return "" if np.isnan(sums).any() else told


def shares_and_nudges(*shape):
    """Weights of scores from −1 to 1, so that none is almost 0 or 1, and their gradient."""
    return lambda draw: (maths.softmax(np.sign(draw(*shape))), draw(*shape))


@exercise(own=rows_sum_to_0, mistakes=MISTAKES, steps=STEPS, result="d_scaled", see=BACKWARD, inputs={
    "smallest": (np.array([[0.5, 0.5], [0.25, 0.75]]), np.array([[2.0, 0], [4, 1]])),
    "more keys than queries": shares_and_nudges(2, 3),
    "square": shares_and_nudges(3, 3),
    "batch": shares_and_nudges(2, 3, 4),
    "batch, all sizes alike": shares_and_nudges(3, 3, 3),
    "a saturated row": (np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[2.0, -1.0], [1.0, 3.0]])),
    "a single row": shares_and_nudges(5),
    "sentences, and a single head": shares_and_nudges(2, 1, 3, 4),
})
def softmax_backward(weights, d_weights):
    """Check `f(weights, d_weights)` → d_scaled. Returns Feedback."""
    return backward(weights, d_weights)
