"""Gradients beside small nudges: how much a loss really grows."""

import numpy as np
import pytest

NUDGE = 1e-5


def assert_nudges_agree(gradient, array, loss, places):
    """At so many places where the gradient is not 0: each number is nudged in place, and set back."""
    chosen = np.argwhere(np.abs(gradient) > 1e-4)
    for place in map(tuple, np.random.default_rng(5).permutation(chosen)[:places]):
        here = array[place]
        array[place] = here + NUDGE
        above = loss()
        array[place] = here - NUDGE
        measured = (above - loss()) / (2 * NUDGE)
        array[place] = here
        assert measured == pytest.approx(gradient[place], abs=1e-8)
