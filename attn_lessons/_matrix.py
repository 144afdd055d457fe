"""A matrix that a reader wrote: whether it's one to work with, before it is judged by what it does."""

import numpy as np

from attn_checks.exercise import Feedback, array_of, looks_like, no_array, not_attempted, say

STILL_ZEROS = (
    "Your matrix is still all zeros, so each position attends to all positions equally. Write "
    "numbers into it, run its cell, then this one. If its cell ended in an error, fix that first."
)


def unusable(name, W, shape) -> Feedback | None:
    """Feedback on a matrix that can't be judged; None on an array of this shape that holds finite numbers."""
    if W is ...:
        return not_attempted(name)
    if W is None:
        return looks_like(name, "returns-nothing")
    mine = array_of(W)
    if mine is None:
        return looks_like(name, "not-numbers", [no_array(W, shape)])
    if mine.shape != shape:
        return looks_like(name, "wrong-shape", [f"Expected shape {shape}, got {mine.shape}."])
    if not mine.any():
        return say("not attempted", None, name, "still zeros", STILL_ZEROS)
    return None if np.isfinite(mine).all() else looks_like(name, "not-finite")
