"""Lesson 14: the delta rule, a memory that replaces what it holds under a key; made of choices."""

from types import SimpleNamespace

import numpy as np

from attn_checks.exercise import always, choices, exercise


def memory_of(K, V, strength, **made):
    """The memory after all facts, made of choices.

    order: the facts as they are told. said: what the memory holds under a key. change: what is written, from
    the value and that. write: the memory after it. result: what is returned.
    """
    use = SimpleNamespace(**made)
    memory = np.zeros((K.shape[1], V.shape[1]))
    for k, v in use.order(K, V):
        change = use.change(v, use.said(memory, k, v), strength)
        memory = use.write(memory, k, change, strength)
    return use.result(memory, K, V)


# k: (d_k,), v, said, change: (d_v,), memory: (d_k, d_v)
def in_order(K, V):
    return list(zip(K, V))


def added(memory, k, change, strength):
    return memory + np.outer(k, change)


STEPS = choices(
    "K V strength",
    memory_of,
    order=(
        in_order,
        {
            "backwards": lambda K, V: in_order(K, V)[::-1],
            "facts-missing": [
                lambda K, V: in_order(K, V)[1:],
                lambda K, V: in_order(K, V)[:-1],
                lambda K, V: in_order(K, V)[:1],
                lambda K, V: in_order(K, V)[-1:],
            ],
        },
    ),
    said=(
        lambda memory, k, v: k @ memory,
        {
            "nothing-read": lambda memory, k, v: 0 * v,
            "read-by-columns": lambda memory, k, v: memory @ k,
            "read-with-value": [
                lambda memory, k, v: v @ memory,
                lambda memory, k, v: memory @ v,
            ],
            "one-row-read": lambda memory, k, v: memory[k.argmax()],
            "whole-memory": lambda memory, k, v: memory.sum(axis=0),
        },
    ),
    change=(
        lambda v, said, strength: strength * (v - said),
        {
            "strength-missing": lambda v, said, strength: v - said,
            "strength-on-one": [
                lambda v, said, strength: strength * v - said,
                lambda v, said, strength: v - strength * said,
            ],
            "sign": lambda v, said, strength: strength * (said - v),
            "added-again": lambda v, said, strength: strength * (v + said),
            "strength-twice": lambda v, said, strength: strength**2 * (v - said),
            "divided-by-strength": lambda v, said, strength: (v - said) / strength,
            "one-minus": lambda v, said, strength: (1 - strength) * (v - said),
            "averaged": lambda v, said, strength: (v - said) / 2,
        },
    ),
    write=(
        added,
        {
            "not-added": lambda memory, k, change, strength: np.outer(k, change),
            "outer-turned": lambda memory, k, change, strength: memory + np.outer(change, k),
            "all-faded": [
                lambda memory, k, change, strength: (1 - strength) * memory + np.outer(k, change),
                lambda memory, k, change, strength: strength * memory + np.outer(k, change),
            ],
            "without-key": lambda memory, k, change, strength: memory + change,
            "key-times-value": lambda memory, k, change, strength: memory + k * change,
        },
    ),
    result=(
        lambda memory, K, V: memory,
        {
            "transposed": lambda memory, K, V: memory.T,
            "read-at-the-end": lambda memory, K, V: K @ memory,
            "last-row": [
                lambda memory, K, V: K[-1] @ memory,
                lambda memory, K, V: memory[-1],
            ],
        },
    ),
)


def whole(**made):
    return STEPS.whole({name: always(choice) for name, choice in made.items()})


def faded(left):
    """Linear attention that fades as a whole, or whose values are weakened."""
    return whole(
        said=lambda memory, k, v: 0 * v,
        change=lambda v, said, strength: strength * v,
        write=lambda memory, k, change, strength: left(strength) * memory + np.outer(k, change),
    )


def after_the_sum(K, V, strength):
    """The rule on a memory that already holds the sum of all facts."""
    memory = K.T @ V
    for k, v in in_order(K, V):
        memory = memory + strength * np.outer(k, v - k @ memory)
    return memory


def all_at_once(K, V, strength):
    """Every value corrected by what the finished sum of all would say."""
    sums = K.T @ V
    return sums + strength * K.T @ (V - K @ sums)


OTHERS = {
    "nothing-read": lambda K, V, strength: K.T @ V,
    "all-faded": [
        faded(lambda strength: 1 - strength),
        faded(lambda strength: strength),
    ],
    "starts-full": after_the_sum,
    "at-once": [
        all_at_once,
        lambda K, V, strength: strength * K.T @ (V - K @ (K.T @ V)),
    ],
}
SLANTED = np.array([[1.0, 0.0], [0.6, 0.8]])


@exercise(
    inputs={
        "one fact": (np.array([[1.0, 0.0]]), np.array([[5.0, 2.0, 1.0]]), 1.0),
        "the same key twice": (
            np.array([[0.0, 1.0], [0.0, 1.0]]),
            np.array([[5.0, 0.0, 1.0], [7.0, 3.0, 1.0]]),
            1.0,
        ),
        "half as strong": (
            np.array([[1.0, 0.0], [1.0, 0.0]]),
            np.array([[4.0, 0.0], [6.0, 2.0]]),
            0.5,
        ),
        "keys that overlap": (SLANTED, np.array([[5.0, 1.0], [2.0, 3.0]]), 1.0),
        "three facts": lambda draw: (
            np.vstack([SLANTED, SLANTED[:1]]),
            draw(3, 2),
            0.5,
        ),
        "wide values": lambda draw: (np.eye(3)[[0, 2, 0, 1]], draw(4, 5), 0.75),
        "wide keys": lambda draw: (
            np.eye(4)[[3, 3, 0]] * 0.8 + np.eye(4)[[0, 1, 2]] * 0.6,
            draw(3, 1),
            0.25,
        ),
    },
    mistakes=[STEPS.mistakes(), OTHERS],
    steps=STEPS,
    result="S",
)
def delta_rule(K, V, strength):
    """Check `f(K, V, strength)` → the memory (d_k, d_v) after all facts by the delta rule; K (L, d_k) has
    rows of length 1.

    Returns Feedback.
    """
    return STEPS.whole({})(K, V, strength)
