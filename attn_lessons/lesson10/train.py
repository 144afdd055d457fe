"""Lesson 10: the training loop, with plain gradient descent, made of steps."""

import numpy as np

from attn_checks.exercise import Mistake, Step, Steps, close, exercise
from attn_lessons.lesson10._choices import choices
from attn_parts.learning import head_gradients, pronoun_sentences, start_head, train_head

LOOP = "l10-descent-md"
TRAINING, TEST = pronoun_sentences(), pronoun_sentences(unseen=True)
NAMES = "W_Q", "W_K", "W_V", "W_O"


def seen_training(head):
    return head_gradients(head, *TRAINING)


def seen_first(head):
    return head_gradients(head, *(part[:1] for part in TRAINING))


def against(matrix, gradient, rate):
    return matrix - rate * gradient


def each_round(head, seen, change, count):
    """The losses of so many rounds, with the gradients of the head as it is in each."""
    losses = []
    for _ in range(count):
        loss, gradients = seen(head)
        losses.append(loss)
        head = change(head, gradients)
    return np.array(losses)


def asked_once(head, seen, change, count):
    """The gradients of the untrained head in every round."""
    gradients = seen(head)[1]
    return each_round(head, lambda head: (seen(head)[0], gradients), change, count)


def asked_per_matrix(head, seen, change, count, kept=-1):
    """Loss and gradients asked for again before each matrix changes; one of each round's losses is kept."""
    losses = []
    for _ in range(count):
        asked = []
        for name in head:
            loss, gradients = seen(head)
            asked.append(loss)
            head = head | {name: change(head, gradients)[name]}
        losses.append(asked[kept])
    return np.array(losses)


def trained(seed, rate, steps, start, seen, change, names, rounds):
    """The losses of the loop, of two rounds more than there are steps."""
    head = start_head(start(seed))

    def moved(head, gradients):
        return head | {name: change(head[name], gradients[name], rate) for name in names}

    return rounds(head, seen, moved, steps + 2)


# fmt: off
LOOP_STEPS = choices("seed rate steps", trained,
    start=(lambda seed: seed,
        Mistake("seed-ignored", "always the same seed",
            say="You start from the same head whatever the seed is. Give start_head the argument seed.",
            ways=[lambda seed: 0, lambda seed: 1])),
    seen=(seen_training,
        Mistake("test-sentences", "trained or measured on the wrong sentences",
            say="You use the five held-out sentences. Train and measure on the other 20, `attn.pronoun_sentences()`.",
            ways=[lambda head: head_gradients(head, *TEST), lambda head: (head_gradients(head, *TEST)[0], seen_training(head)[1])]),
        Mistake("one-sentence", "trained or measured on one sentence",
            say="Your loss, your gradients or both come from only one sentence. Give head_gradients all 20 at once: it takes their mean.",
            ways=[seen_first, lambda head: (seen_training(head)[0], seen_first(head)[1])])),
    change=(against,
        Mistake("uphill", "the head moves with the gradient, not against it",
            say="Your head moves with the gradient. A gradient points to where the loss *grows*, so subtract it.",
            ways=[lambda matrix, gradient, rate: matrix + rate * gradient]),
        Mistake("never-changed", "all losses are equal",
            say="All your losses are equal. Store the changed matrices, head[name] = …, call head_gradients again in every round, and start_head only once, before the loop.",
            ways=[lambda matrix, *_: matrix]),
        Mistake("sign-only", "only the sign of the gradient counts",
            say="You subtract the learning rate times the *sign* of the gradient, so all numbers move equally far. Subtract rate · gradient.",
            ways=[lambda matrix, gradient, rate: matrix - rate * np.sign(gradient)]),
        Mistake("rate-ignored", "the learning rate has no effect",
            say="Your losses are the same at every learning rate. Multiply each gradient by it.",
            ways=[lambda matrix, gradient, rate: matrix - gradient]),
        Mistake("another-step", "the step is not rate · gradient",
            say="Your step is another multiple of the gradient than the learning rate. Subtract rate · gradient once per round: the loss is a mean over the sentences already.",
            ways=[lambda matrix, gradient, rate: matrix - rate * gradient / len(TRAINING[0]), lambda matrix, gradient, rate: matrix - 2 * rate * gradient,
                lambda matrix, gradient, rate: matrix - rate**2 * gradient, lambda matrix, gradient, rate: matrix - gradient / rate,
                lambda matrix, gradient, rate: matrix - rate * gradient / np.linalg.norm(gradient)]),
        Mistake("step-instead-of-matrix", "each matrix is replaced by its step",
            say="Your new matrices have forgotten the old ones. Subtract the step from the matrix as it was.",
            ways=[lambda matrix, gradient, rate: -rate * gradient, lambda matrix, gradient, rate: rate * gradient])),
    names=(NAMES,
        Mistake("some-matrices", "not all four matrices change",
            say="Only some of the four matrices change. Change all four in every round: W_Q, W_K, W_V and W_O.",
            ways=[NAMES[-1:], NAMES[:1], *(tuple(name for name in NAMES if name != left_out) for left_out in NAMES), NAMES[1:2], NAMES[2:3], NAMES[2:], NAMES[:2]])),
    rounds=(each_round,
        Mistake("stale-gradients", "the gradients are always those of the untrained head",
            say="You use the gradients of the untrained head at every step. Every step needs those of the head as it is then, so call head_gradients with the changed head.",
            ways=[asked_once]),
        Mistake("asked-per-matrix", "loss and gradients are computed again for each matrix",
            say="You call head_gradients when some matrices of a step have changed already. Call it once per step, before any of them changes.",
            ways=[asked_per_matrix, lambda *loop: asked_per_matrix(*loop, kept=0)]))).steps
STEPS = Steps("seed rate steps", LOOP_STEPS | {
    "run": LOOP_STEPS["run"]._replace(writes="losses"),
    "kept": Step("losses steps", "result", [
        Mistake("last-loss-missing", "the last loss is missing",
            say="You return one loss for each step, and the one *after* the last step is missing. There are steps + 1 losses.",
            ways=[lambda losses, steps: losses[:steps]]),
        Mistake("first-loss-missing", "the loss before the first step is missing",
            say="Your list begins after the first step. Append the loss first, then change the head.",
            ways=[lambda losses, steps: losses[1 : steps + 1], lambda losses, steps: losses[1:]]),
        Mistake("appended-per-matrix", "the loss is appended for each matrix",
            say="You append each loss four times, once per matrix. Append it outside the loop over names.",
            ways=[lambda losses, steps: np.repeat(losses[:-1], 4)]),
        Mistake("last-loss-only", "only one loss",
            say="You return only one number. Return a list of all losses. Is your return indented too far?",
            ways=[lambda losses, steps: losses[steps], lambda losses, steps: losses[0], lambda losses, steps: losses[:1],
                lambda losses, steps: losses[:-1].sum(), lambda losses, steps: losses[:-1].mean(), lambda losses, steps: losses[steps : steps + 1]])], lambda losses, steps: losses[:-1]),
})
right = STEPS.whole({})
ADAM = Mistake("adam", "trained with Adam",
    say="You train with Adam, as train_head does: its steps have a length of their own. Write the loop, and subtract rate · gradient.",
    ways=[lambda seed, rate, steps: [loss for _, loss in train_head(start_head(seed), *TRAINING, steps=steps, rate=rate)]])


def where_it_parts(ask, given, wanted, got):
    """Say up to which loss the list is right."""
    wrong = np.flatnonzero(~close(got[0], wanted[0]))[0]
    if not wrong:
        return "Your first loss, before any step, is wrong. Look at the head that you start from, and at the sentences."
    if wrong == 1:
        return "Your first loss is right, and the one after a step is wrong. Check what the step is made of, and whether the loss comes from the changed head."
    return f"Your first {wrong} losses are right, so your first step is rate · gradient. A later one isn't: look for what you keep, or change, from step to step."


@exercise(mistakes=[*STEPS.mistakes(), ADAM], steps=STEPS, own=where_it_parts, result="losses", see=LOOP, inputs={
    "two steps": (1, 0.5, 2),
    "another seed and rate": (0, 0.25, 4),
    "no step": (2, 0.5, 0),
    "one long step": (3, 2.0, 1),
    "until the loss is almost 0": (5, 8.0, 8),
})
def train(seed, rate, steps):
    """Check `f(seed, rate, steps)` → the losses of gradient descent, steps + 1 of them. Returns Feedback."""
    return right(seed, rate, steps)
