"""Inputs of attention that hypothesis makes up."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes


@st.composite
def inputs(draw, dtypes, sizes):
    """Query, key and value, whose leading axes broadcast."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    leads, _ = draw(mutually_broadcastable_shapes(num_shapes=3, max_dims=2, max_side=3))
    L_q = draw(st.integers(0, 7))
    L_k = draw(st.integers(0, 7))
    d_k = draw(st.integers(1, 3))
    d_v = draw(st.integers(1, 3))
    dtype = draw(st.sampled_from(dtypes))
    size = draw(st.sampled_from(sizes))
    shapes = [(L_q, d_k), (L_k, d_k), (L_k, d_v)]
    arrays = []
    for lead, shape in zip(leads, shapes, strict=True):
        drawn = size * rng.standard_normal(lead + shape)
        arrays.append(drawn.astype(dtype))
    return arrays
