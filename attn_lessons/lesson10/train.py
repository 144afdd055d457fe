"""Lesson 10: the training loop, with plain gradient descent."""

import numpy as np

from attn_checks.exercise import Mistake, exercise, table
from attn_parts.learning import Adam, head_gradients, pronoun_sentences, start_head

LOOP = "l10-descent-md"
SENTENCES, TARGETS = pronoun_sentences()


def gradients_of(head, unseen=False):
    return head_gradients(head, *(pronoun_sentences(unseen=True) if unseen else (SENTENCES, TARGETS)))


def against(head, gradients, rate, loss):
    return {name: head[name] - rate * gradients[name] for name in head}


def descend(change=against, seen=gradients_of, start=lambda seed: seed):
    """The training loop, with another change of the head, other gradients or another start."""

    def train(seed, rate, steps):
        head, losses = start_head(start(seed)), []
        for _ in range(steps + 1):
            loss, gradients = seen(head)
            losses.append(loss)
            head = change(head, gradients, rate, loss)
        return np.array(losses)

    return train


def only(*names):
    """A change of these matrices alone."""
    return lambda head, gradients, rate, loss: (
        head | {name: head[name] - rate * gradients[name] for name in names}
    )


def first_gradients(seed, rate, steps):
    """Gradients computed once, before the loop; losses of the heads they lead to."""
    head = start_head(seed)
    loss, gradients = gradients_of(head)
    heads = [{name: head[name] - i * rate * gradients[name] for name in head} for i in range(steps + 1)]
    return np.array([gradients_of(each)[0] for each in heads])


def with_adam(seed, rate, steps):
    head, losses = start_head(seed), []
    adam = Adam(head, rate)
    for _ in range(steps + 1):
        loss, gradients = gradients_of(head)
        losses.append(loss)
        adam.step(gradients)
    return np.array(losses)


def per_matrix(seed, rate, steps):
    """Loss and gradients asked for again before each matrix changes; the last loss of each round is kept."""
    head, losses = start_head(seed), []
    for _ in range(steps + 1):
        for name in head:
            loss, gradients = gradients_of(head)
            head[name] = head[name] - rate * gradients[name]
        losses.append(loss)
    return np.array(losses)


uphill = descend(lambda head, d, rate, loss: {name: head[name] + rate * d[name] for name in head})
without_rate = descend(lambda head, d, rate, loss: {name: head[name] - d[name] for name in head})
right, NAMES = descend(), ("W_Q", "W_K", "W_V", "W_O")


# fmt: off
MISTAKES = table(
    LOOP,
    Mistake("uphill", "the head moves with the gradient, not against it",
        say="Your losses grow. A gradient points to where the loss *grows*, so subtract it.",
        ways=[uphill, lambda seed, rate, steps: first_gradients(seed, -rate, steps)]),
    Mistake("never-changed", "the head never changes",
        say="All your losses are equal. Store the changed matrices, head[name] = …, and call start_head only once, before the loop.",
        ways=[descend(lambda head, *_: head)]),
    Mistake("stale-gradients", "the gradients are computed only once",
        say="You use the gradients of the untrained head at every step. They belong to one head, so ask for them again inside the loop.",
        ways=[first_gradients]),
    Mistake("rate-ignored", "the learning rate has no effect",
        say="Your losses are the same at every learning rate. Multiply each gradient by it.",
        ways=[without_rate]),
    Mistake("rate-divides", "divided by the learning rate",
        say="You divide by the learning rate, so a smaller rate makes a longer step. Multiply by it.",
        ways=[descend(lambda head, d, rate, loss: {name: head[name] - d[name] / rate for name in head})]),
    Mistake("some-matrices", "not all four matrices change",
        say="Only some of the four matrices change. Check which lines are inside the loop over names.",
        ways=[descend(only(name)) for name in NAMES]
            + [descend(only(*(name for name in NAMES if name != left_out))) for left_out in NAMES]),
    Mistake("step-instead-of-matrix", "each matrix is replaced by its step",
        say="Your new matrices have forgotten the old ones. Subtract the step from the matrix as it was.",
        ways=[descend(lambda head, d, rate, loss: {name: -rate * d[name] for name in head}),
            descend(lambda head, d, rate, loss: {name: rate * d[name] for name in head})]),
    Mistake("asked-per-matrix", "loss and gradients are computed again for each matrix",
        say="You call head_gradients inside the loop over names, when some matrices have changed already. Call it once per step, before any of them changes.",
        ways=[per_matrix]),
    Mistake("loss-subtracted", "the loss is used instead of the gradient",
        say="You subtract the same number from every parameter. Each parameter has its own entry in gradients[name].",
        ways=[descend(lambda head, d, rate, loss: {name: head[name] - rate * loss for name in head})]),
    Mistake("divided-again", "divided by the number of sentences again",
        say="Your steps are 20 times too short. The loss is a mean over the sentences already, so there's nothing left to divide by.",
        ways=[descend(lambda head, d, rate, loss: {name: head[name] - rate * d[name] / 20 for name in head})]),
    Mistake("adam", "Adam, not plain gradient descent",
        say="These are the losses of Adam, which gives each parameter a step length of its own. Here subtract rate · gradient.",
        ways=[with_adam]),
    Mistake("test-sentences", "trained or measured on the wrong sentences",
        say="You use the five held-out sentences. Train and measure on the other 20, `attn.pronoun_sentences()`.",
        ways=[descend(seen=lambda head: gradients_of(head, unseen=True)),
            descend(seen=lambda head: (gradients_of(head, unseen=True)[0], gradients_of(head)[1]))]),
    Mistake("seed-ignored", "always the same seed",
        say="You start from the same head whatever the seed is. Give start_head the argument seed.",
        ways=[descend(start=lambda seed, always=always: always) for always in (0, 1)]),
    Mistake("first-loss-missing", "the loss before the first step is missing",
        say="Your list begins after the first step. Append the loss first, then change the head.",
        ways=[lambda seed, rate, steps: right(seed, rate, steps + 1)[1:], lambda seed, rate, steps: right(seed, rate, steps)[1:]]),
    Mistake("last-loss-missing", "the last loss is missing",
        say="You return one loss for each step, and the one *after* the last step is missing. There are steps + 1 losses.",
        ways=[lambda seed, rate, steps, way=way: way(seed, rate, steps)[:-1] for way in (right, uphill, without_rate, first_gradients)]),
    Mistake("appended-per-matrix", "the loss is appended for each matrix",
        say="You append each loss four times, once per matrix. Append it outside the loop over names.",
        ways=[lambda seed, rate, steps: np.repeat(right(seed, rate, steps), 4)]),
    Mistake("one-step-too-many", "one loss too many",
        say="You return one loss more than asked for. With the loss before the first step there are steps + 1.",
        ways=[lambda seed, rate, steps: right(seed, rate, steps + 1)]),
    Mistake("last-loss-only", "only one loss",
        say="You return a single loss. Append each one to a list, and return the list after the loop.",
        ways=[lambda seed, rate, steps: right(seed, rate, steps)[-1], lambda seed, rate, steps: right(seed, rate, steps)[-1:],
            lambda seed, rate, steps: right(seed, rate, steps).mean(), lambda seed, rate, steps: right(seed, rate, steps).sum(),
            lambda seed, rate, steps: right(seed, rate, 0), lambda seed, rate, steps: right(seed, rate, 0)[0]]),
)
# fmt: on


@exercise(
    mistakes=MISTAKES,
    result="losses",
    see=LOOP,
    inputs={
        "two steps": (1, 0.5, 2),
        "another seed and rate": (0, 0.25, 4),
        "no step": (2, 0.5, 0),
        "one long step": (3, 2.0, 1),
        "many steps": (7, 0.125, 9),
    },
)
def train(seed, rate, steps):
    """Check `f(seed, rate, steps)` → the losses of gradient descent, steps + 1 of them. Returns Feedback."""
    return right(seed, rate, steps)
