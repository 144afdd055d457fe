"""Lesson 10: the training loop, with plain gradient descent, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, choices, close, exercise
from attn_lessons.lesson10.batch_gradients import right_answer as gradients_of
from attn_lessons.lesson10.batch_gradients import sentences

GIVEN = "X right W_Q W_K W_V W_O rate steps"
MATRICES = 0, 1, 2, 3


def against(W, d_W, rate):
    return W - rate * d_W


def each_round(X, right, head, change, count):
    """Losses and heads before each of so many steps."""
    losses, heads = [], []
    for _ in range(count):
        loss, *gradients = gradients_of(X, right, *head)
        losses.append(loss)
        heads.append(head)
        head = change(head, gradients)
    return np.array(losses), heads


def asked_once(X, right, head, change, count):
    """The gradients of the untrained head at every step."""
    _, *gradients = gradients_of(X, right, *head)
    return each_round(X, right, head, lambda head, _: change(head, gradients), count)


def asked_per_matrix(X, right, head, change, count):
    """Loss and gradients computed again before each matrix changes."""

    def one_by_one(head, _):
        for place in range(4):
            _, *gradients = gradients_of(X, right, *head)
            head = [
                *head[:place],
                change(head, gradients)[place],
                *head[place + 1 :],
            ]
        return head

    return each_round(X, right, head, one_by_one, count)


def trained(X, right, W_Q, W_K, W_V, W_O, rate, steps, change, places, rounds):
    """Losses and heads of the loop, of two rounds more than there are steps."""

    def moved(head, gradients):
        pairs = enumerate(zip(head, gradients))
        return [change(W, d_W, rate) if place in places else W for place, (W, d_W) in pairs]

    return rounds(X, right, [W_Q, W_K, W_V, W_O], moved, steps + 2)


CHANGE = {
    "uphill": lambda W, d_W, rate: W + rate * d_W,
    "never-changed": lambda W, *_: W,
    "sign-only": lambda W, d_W, rate: W - rate * np.sign(d_W),
    "rate-ignored": lambda W, d_W, rate: W - d_W,
    "another-step": [
        lambda W, d_W, rate: W - 2 * rate * d_W,
        lambda W, d_W, rate: W - d_W / rate,
        lambda W, d_W, rate: W - rate * d_W / np.linalg.norm(d_W),
    ],
    "step-instead-of-matrix": [
        lambda W, d_W, rate: -rate * d_W,
        lambda W, d_W, rate: rate * d_W,
    ],
}
PLACES = {
    "some-matrices": [
        (3,),
        (0,),
        (0, 1, 2),
        (1, 2, 3),
        (0, 2, 3),
        (0, 1, 3),
    ]
}
ROUNDS = {"stale-gradients": asked_once, "asked-per-matrix": asked_per_matrix}
KEPT = {
    "loss-after-each-step": lambda losses, heads, steps: (
        losses[1 : steps + 1],
        *heads[steps],
    ),
    "one-loss-more": lambda losses, heads, steps: (
        losses[: steps + 1],
        *heads[steps],
    ),
    "losses-missing": lambda losses, heads, steps: tuple(heads[steps]),
    "last-loss-only": [
        lambda losses, heads, steps: (losses[steps - 1], *heads[steps]),
        lambda losses, heads, steps: (losses[steps], *heads[steps]),
        lambda losses, heads, steps: (losses[:1], *heads[1]),
    ],
    "untrained-returned": lambda losses, heads, steps: (losses[:steps], *heads[0]),
    "one-step-too-few": [
        lambda losses, heads, steps: (losses[:steps], *heads[steps - 1]),
        lambda losses, heads, steps: (losses[: steps - 1], *heads[steps - 1]),
    ],
    "one-step-too-many": [
        lambda losses, heads, steps: (losses[:steps], *heads[steps + 1]),
        lambda losses, heads, steps: (losses[: steps + 1], *heads[steps + 1]),
    ],
    "appended-per-matrix": lambda losses, heads, steps: (
        np.repeat(losses[:steps], 4),
        *heads[steps],
    ),
}
LOOP = choices(
    GIVEN,
    trained,
    change=(against, CHANGE),
    places=(MATRICES, PLACES),
    rounds=(each_round, ROUNDS),
).steps
STEPS = Steps(
    GIVEN,
    LOOP
    | {
        "run": LOOP["run"]._replace(writes="losses heads"),
        "kept": Step(
            "losses heads steps",
            "result",
            KEPT,
            lambda losses, heads, steps: (losses[:steps], *heads[steps]),
        ),
    },
)


def where_it_parts(ask, given, wanted, got):
    """Say up to which loss the list is right."""
    longer = (*given[:-1], 6)
    mine, right = ask(*longer), STEPS.whole({})(*longer)[0]
    if not mine or mine[0].shape != right.shape:
        return ""
    wrong = np.flatnonzero(~close(mine[0], right))
    if not wrong.size:
        return "Your losses are right, and the matrices aren't. Return those of the head after its last step."
    if not wrong[0]:
        return "Your first loss, before any step, is wrong. It's that of the matrices you are given."
    if wrong[0] == 1:
        return (
            "Your first loss is right, and the one after a step is wrong. Check what the step is made of, "
            "and whether the loss comes from the changed head."
        )
    return (
        f"Your first {wrong[0]} losses are right, so your first step is rate · gradient. A later one isn't: "
        "look for what you keep, or change, from step to step."
    )


def training(rate, steps, *sizes):
    return lambda draw: (*sentences(*sizes)(draw), rate, steps)


@exercise(
    steps=STEPS,
    own=where_it_parts,
    result=("losses", "W_Q", "W_K", "W_V", "W_O"),
    inputs={
        "two steps": training(0.5, 2, 2, 3, 4, 2, 2, 2),
        "another rate": training(0.25, 4, 4, 3, 6, 2, 3, 5),
        "one long step": training(2.0, 1, 3, 3, 4, 2, 2, 3),
        "many steps": training(4.0, 8, 4, 4, 5, 2, 2, 3),
    },
)
def train(X, right, W_Q, W_K, W_V, W_O, rate, steps):
    """Check `f(X, right, W_Q, W_K, W_V, W_O, rate, steps)` → losses, then the four matrices.

    Returns Feedback.
    """
    return STEPS.whole({})(X, right, W_Q, W_K, W_V, W_O, rate, steps)
