"""Lesson 13: the loss of a GPT and its gradients at all parameters, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, in_orders
from attn_lessons.lesson08.block import whole as block
from attn_lessons.lesson10.batch_gradients import LOSS, mean
from attn_lessons.lesson13.block_backward import at_matrix, norm, norm_backward
from attn_lessons.lesson13.block_backward import right_answer as block_backward
from attn_parts import mathematics as maths


def forward_with(block=block, norm=norm):
    """The forward pass, perhaps with other parts: what each block and U read, and the probabilities."""

    def forward(given, n_heads, E, P, U, *blocks):
        inputs = [E[given] + P[: given.shape[1]]]
        for W in zip(*blocks):
            inputs.append(block(inputs[-1], *W, n_heads))
        rows = norm(inputs[-1])
        return inputs, rows, maths.softmax(rows @ U)

    return forward


def of_right(p, asked):
    """The probability of each right letter."""
    return np.take_along_axis(p, asked[..., None], axis=-1)[..., 0]


def minus_right(p, asked):
    return p - np.eye(p.shape[-1])[asked]


def back_with(block_backward=block_backward):
    """The gradient at what the first block reads, and at the matrices of all blocks."""

    def back(inputs, d_X, n_heads, *blocks):
        found = []
        for X, *W in zip(inputs[-2::-1], *(matrix[::-1] for matrix in blocks)):
            d_X, *d_W = block_backward(X, *W, n_heads, d_X)
            found.insert(0, d_W)
        return d_X, *map(np.array, zip(*found))

    return back


def at_letters(d_X, given, E):
    d_E = np.zeros_like(E)
    np.add.at(d_E, given, d_X)
    return d_E


def by_index(d_X, given, E):
    """`d_E[given] += d_X`: of equal letters only the last counts."""
    d_E = np.zeros_like(E)
    d_E[given] += d_X
    return d_E


def at_positions(add=lambda d_X: d_X.sum(axis=0)):
    def at(d_X, P, given=None):
        d_P = np.zeros_like(P)
        d_P[: d_X.shape[1]] = add(d_X)
        return d_P

    return at


# p: probabilities of all letters (n, L, letters), asked: numbers of the right ones (n, L)
# inputs: what each block and U read, (n, L, d_model) each; rows: the last of them, normalised
LOGS = {
    "loss-over-texts": lambda p, asked: np.log(of_right(p, asked)).sum(axis=-1),
    "loss-over-letters": lambda p, asked: np.log(of_right(p, asked)) / p.shape[-1],
    "all-letters-count": lambda p, asked: np.log(p),
    "last-letter-only": lambda p, asked: np.log(of_right(p, asked))[:, -1],
}
D_LOGITS = {
    "not-averaged": lambda p, asked: minus_right(p, asked),
    "averaged-over-texts": [
        lambda p, asked: minus_right(p, asked) / len(p),
        lambda p, asked: minus_right(p, asked) / p.shape[1],
    ],
    "averaged-over-everything": lambda p, asked: minus_right(p, asked) / p.size,
    "right-minus-p": lambda p, asked: -minus_right(p, asked) / asked.size,
    "right-not-subtracted": lambda p, asked: p / asked.size,
    "gradient-at-p": lambda p, asked: (minus_right(p, asked) - p) / p / asked.size,
}
AT_U = {
    "x-for-rows": lambda inputs, rows, d: at_matrix(inputs[-1], d),
    "texts-averaged": lambda inputs, rows, d: at_matrix(rows, d) / len(rows),
    "texts-not-added": lambda inputs, rows, d: rows.swapaxes(-1, -2) @ d,
    "gradient-transposed": lambda inputs, rows, d: at_matrix(d, rows),
    "one-text": [
        lambda inputs, rows, d: (rows.swapaxes(-1, -2) @ d)[0],
        lambda inputs, rows, d: (rows.swapaxes(-1, -2) @ d)[-1],
    ],
}
D_X = {
    "norm-forgotten": lambda inputs, rows, d, U: d @ U.T,
    "norm-of-rows": lambda inputs, rows, d, U: norm_backward(rows, d @ U.T),
    "norm-of-the-first": lambda inputs, rows, d, U: norm_backward(inputs[0], d @ U.T),
}
BACK = {
    "blocks-skipped": lambda inputs, d_X, *given: (d_X, *back_with()(inputs, d_X, *given)[1:]),
}
AT_E = {
    "last-letter-counts": by_index,
    "letters-averaged": [
        lambda d_X, given, E: at_letters(d_X, given, E) / len(given),
        lambda d_X, given, E: at_letters(d_X, given, E) / given.size,
    ],
    "first-text-only": lambda d_X, given, E: at_letters(d_X[:1], given[:1], E),
    "embedding-not-moved": lambda d_X, given, E: np.zeros_like(E),
}
AT_P = {
    "letters-for-positions": lambda d_X, P, given: at_letters(d_X, given % len(P), P),
    "positions-averaged": at_positions(lambda d_X: d_X.mean(axis=0)),
    "one-text (positions)": [
        at_positions(lambda d_X: d_X[0]),
        at_positions(lambda d_X: d_X[-1]),
    ],
    "positions-not-moved": at_positions(lambda d_X: 0 * d_X[0]),
    "positions-summed-over": at_positions(lambda d_X: d_X.sum(axis=(0, 1))),
    "positions-cut": lambda d_X, P, given: d_X.sum(axis=0),
}
NINE = "at_E at_P at_Q at_K at_V at_O at_1 at_2 at_U"
RETURN = {
    "loss-last": lambda loss, *gradients: (*gradients, loss),
    "loss-missing": lambda loss, *gradients: gradients,
    "other-order": in_orders("LEPQKVO12U", "LPEQKVO12U", "LUEPQKVO12", "LEPUQKVO12", "LU21OVKQPE"),
    "only-the-loss": lambda loss, *gradients: loss,
}
BLOCK = "W_Q W_K W_V W_O W_1 W_2"
STEPS = Steps(
    f"given asked n_heads E P {BLOCK} U",
    {
        "forward": Step(f"given n_heads E P U {BLOCK}", "inputs rows p", (), forward_with()),
        "logs": Step("p asked", "logs", LOGS, lambda p, asked: np.log(of_right(p, asked))),
        "loss": Step("logs", "loss", LOSS | {"loss-per-letter": np.negative}, mean),
        "logits": Step(
            "p asked",
            "d_logits",
            D_LOGITS,
            lambda p, asked: minus_right(p, asked) / asked.size,
        ),
        "at U": Step(
            "inputs rows d_logits",
            "at_U",
            AT_U,
            lambda _, rows, d: at_matrix(rows, d),
        ),
        "norm": Step(
            "inputs rows d_logits U",
            "d_last",
            D_X,
            lambda X, _, d, U: norm_backward(X[-1], d @ U.T),
        ),
        "back": Step(
            f"inputs d_last n_heads {BLOCK}",
            "d_X at_Q at_K at_V at_O at_1 at_2",
            BACK,
            back_with(),
        ),
        "at E": Step("d_X given E", "at_E", AT_E, at_letters),
        "at P": Step("d_X P given", "at_P", AT_P, at_positions()),
        "return": Step(f"loss {NINE}", "result", RETURN, lambda *ten: ten),
    },
    few=3,
)
right_answer = STEPS.whole({})


def loss_of(model, windows, heads, forward=None):
    """The loss of a model on windows of numbers (n, L + 1), without gradients."""
    E, P, *blocks, U = model.values()
    _, _, p = (forward or forward_with())(windows[:, :-1], heads, E, P, U, *blocks)
    return float(mean(np.log(of_right(p, windows[:, 1:]))))


UNNORMALISED = forward_with(norm=np.array)
SEVERAL = {
    "given-for-asked": lambda given, asked, *model: right_answer(given, given, *model),
    "last-norm-missing": [
        STEPS.whole({"forward": UNNORMALISED, "norm": D_X["norm-forgotten"]}),
        STEPS.whole({"forward": UNNORMALISED}),
    ],
}


def letters(n, L, of, width, blocks, positions):
    """So many texts of L letters, each with the letter after it, and a model for them."""

    def make(draw):
        numbers = draw(n, L + 1).astype(int) % of
        E = draw(of, width) / 2 + np.cos(np.arange(of * width)).reshape(of, width)
        P = draw(positions, width) / 2 + np.arange(width)
        attention = [draw(blocks, width, width) / 4 for _ in range(4)]
        mlp = draw(blocks, width, 3) / 2, draw(blocks, 3, width) / 2
        return (
            numbers[:, :-1],
            numbers[:, 1:],
            2,
            E,
            P,
            *attention,
            *mlp,
            draw(width, of) / 2,
        )

    return make


@exercise(
    steps=STEPS,
    mistakes=[SEVERAL, STEPS.mistakes()],
    result=("loss", *(f"d_{name}" for name in f"E P {BLOCK} U".split())),
    inputs={
        "one text": letters(1, 3, 3, 4, 1, 3),
        "two blocks": letters(2, 3, 5, 4, 2, 4),
        "many texts": letters(4, 2, 3, 4, 1, 3),
    },
)
def gpt_gradients(given, asked, n_heads, E, P, W_Q, W_K, W_V, W_O, W_1, W_2, U):
    """Check `f(given, asked, n_heads, E, P, …, U)` → the loss, and the gradient at each parameter.

    Returns Feedback.
    """
    return right_answer(given, asked, n_heads, E, P, W_Q, W_K, W_V, W_O, W_1, W_2, U)
