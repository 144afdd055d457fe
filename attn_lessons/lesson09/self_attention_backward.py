"""Lesson 09, transfer: back from attention to the embeddings, made of steps."""

from itertools import permutations, product

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, name_list
from attn_lessons.lesson09.attention_backward import going_back, turned
from attn_parts import mathematics as maths


def forward(attend=maths.scaled_dot_product_attention, pick=1):
    """The forward pass; `pick` of the two results of attention is taken for the weights."""

    def projected(X, W_Q, W_K, W_V):
        Q, K, V = X @ W_Q, X @ W_K, X @ W_V
        return Q, K, V, attend(Q, K, V)[pick]

    return projected


def through(order=(0, 1, 2), by=lambda d, W: d @ turned(W)):
    """d_Q, d_K and d_V, each back through the matrix of that number."""
    return lambda *given: tuple(by(d, given[3 + i]) for d, i in zip(given[:3], order))


def signed(*signs):
    """The ways back, each so many times."""
    return lambda *ways: sum(sign * way for sign, way in zip(signs, ways) if sign)


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


def at_matrices(combined):
    """Several or one of the gradients at W_Q, W_K and W_V, combined in some way."""
    return lambda X, *given: combined(
        *(turned(X) @ d for d in going_back(*forward()(X, *given[:3]), given[3]))
    )


def unscaled(Q, K, V):
    return maths.scaled_dot_product_attention(Q, K, V, scale=1.0)


def causal(Q, K, V):
    return maths.scaled_dot_product_attention(Q, K, V, maths.causal_mask(len(Q)))


def scaled_again(last):
    """The way back with every gradient divided once more; that at V by the power `last` of d_k."""
    return lambda Q, *given: tuple(
        d / Q.shape[-1] ** power for d, power in zip(going_back(Q, *given), (0.5, 0.5, last))
    )


ORDERS = sorted(product(range(3), repeat=3), key=lambda order: order[2] != 2)
# X, d_X: (L, d_model), W_Q, W_K, W_V: (d_model, d_k)
FORWARD = {
    "output-for-weights": forward(pick=0),
    "not-scaled": forward(unscaled),
    "causal-unasked": forward(causal),
    "queries-and-keys-exchanged": lambda X, W_Q, W_K, W_V: forward()(X, W_K, W_Q, W_V),
}
BACK = {
    "values-unweighted": lambda *given: (*going_back(*given)[:2], given[4]),
    "scaled-again": [scaled_again(0.5), scaled_again(0)],
    "queries-and-keys-exchanged": lambda Q, K, *given: going_back(K, Q, *given),
}
THROUGH = {
    "one-matrix-for-all": [through(order) for order in ORDERS if order != (0, 1, 2)],
    "matrices-not-transposed": through(by=lambda d, W: d @ W),
}
ADD = {
    "one-way-only": [signed(1, 0, 0), signed(0, 1, 0), signed(0, 0, 1)],
    "a-way-missing": [signed(1, 1, 0), signed(1, 0, 1), signed(0, 1, 1)],
    "mean-of-the-ways": lambda *ways: sum(ways) / 3,
    "not-added": [
        lambda *ways: ways,
        lambda *ways: np.stack(ways),
        lambda *ways: np.prod(ways, axis=0),
    ],
    "a-way-twice": [
        *(signed(*signs) for signs in permutations(range(3))),
        signed(2, 1, 1),
        signed(1, 2, 1),
        signed(1, 1, 2),
    ],
    "a-way-subtracted": [signed(-1, 1, 1), signed(1, -1, 1), signed(1, 1, -1)],
}


def added_too_early(X, W_Q, W_K, W_V, d_output):
    """All gradients through all matrices, where the widths are equal."""
    return sum(going_back(*forward()(X, W_Q, W_K, W_V), d_output)) @ turned(W_Q + W_K + W_V)


STEPS = Steps(
    "X W_Q W_K W_V d_output",
    {
        "forward": Step("X W_Q W_K W_V", "Q K V weights", FORWARD, forward()),
        "back": Step("Q K V weights d_output", "d_Q d_K d_V", BACK, going_back),
        "through": Step("d_Q d_K d_V W_Q W_K W_V", "by_Q by_K by_V", THROUGH, through()),
        "add": Step("by_Q by_K by_V", "result", ADD, lambda *ways: sum(ways)),
    },
    few=6,
)
OWN = {
    "added-too-early": added_too_early,
    "nudged-too-far": [
        *(measured(step, both_sides=False) for step in (1.0, 0.1, 0.01, 0.001, 0.0001)),
        *(measured(step, both_sides=True) for step in (1.0, 0.1, 0.01)),
    ],
    "matrices-in-place-of-words": [
        at_matrices(way)
        for way in (
            lambda *three: sum(three),
            lambda *three: turned(sum(three)),
            lambda q, k, v: q,
            lambda q, k, v: k,
            lambda q, k, v: v,
            lambda q, k, v: turned(q),
            lambda *three: three,
        )
    ],
}


# The path through Q ends in columns 0 and 1 of d_X, that through K in 2 and 3, that through V in 4 and 5.
MATRICES = [np.kron(np.eye(3)[:, [i]], [[1, 2], [-1, 1]]) for i in range(3)]
APART = (
    np.cos(3 * np.arange(18.0)).reshape(3, 6),
    *MATRICES,
    np.sin(np.arange(6.0)).reshape(3, 2),
)


def of_paths(ask, given, wanted, got):
    """Say which of the three paths are right."""
    mine, right = ask(*APART), STEPS.whole({})(*APART)
    if not mine or mine[0].shape != right.shape:
        return ""
    is_near = np.isclose(mine[0], right, rtol=0.01, atol=0.001)
    is_right = {name: is_near[:, 2 * i : 2 * i + 2].all() for i, name in enumerate("QKV")}
    fine, wrong = ([name for name in is_right if is_right[name] == side] for side in (True, False))
    if not fine:
        return (
            "All three paths are wrong, so look first at what they share: d_output, "
            "and the weights of the forward pass."
        )
    alone = "Where W_Q, W_K and W_V each read columns of X of their own, the three paths can be told apart"
    return (
        f"{alone}: your result is right for {name_list(fine)} and wrong for {name_list(wrong)}."
        if wrong
        else ""
    )


def words_and_matrices(L, d_model, d_k, d_v):
    """All but d_output from -1, 0 and 1, so that no attention weight is almost 0 or 1."""
    shapes = [(L, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)]
    return lambda draw: (*(np.sign(draw(*shape)) for shape in shapes), draw(L, d_v))


@exercise(
    own=of_paths,
    mistakes=[OWN, STEPS.mistakes()],
    steps=STEPS,
    result="d_X",
    inputs={
        "two words": words_and_matrices(2, 3, 2, 2),
        "all sizes differ": words_and_matrices(3, 4, 2, 5),
        "square": words_and_matrices(3, 3, 3, 3),
        "decimals": lambda draw: tuple(0.7 * array for array in words_and_matrices(4, 3, 2, 2)(draw)),
        "one word": words_and_matrices(1, 2, 3, 2),
    },
)
def self_attention_backward(X, W_Q, W_K, W_V, d_output):
    """Check `f(X, W_Q, W_K, W_V, d_output)` → d_X, the gradient of the embeddings. Returns Feedback."""
    return STEPS.whole({})(X, W_Q, W_K, W_V, d_output)
