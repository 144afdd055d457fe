"""Inputs of attention that hypothesis makes up."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

LENGTHS = st.integers(0, 7)
WIDTHS = st.integers(1, 3)


@st.composite
def inputs(draw, dtypes, sizes):
    """Query, key and value, whose leading axes broadcast; a mask or None; and who may look."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    leads, lead = draw(mutually_broadcastable_shapes(num_shapes=3, max_dims=2, max_side=3))
    L_q, L_k = draw(st.tuples(LENGTHS, LENGTHS))
    d_k, d_v = draw(st.tuples(WIDTHS, WIDTHS))
    dtype = draw(st.sampled_from(dtypes))
    size = draw(st.sampled_from(sizes))
    shapes = (L_q, d_k), (L_k, d_k), (L_k, d_v)
    arrays = []
    for above, shape in zip(leads, shapes, strict=True):
        drawn = size * rng.standard_normal(above + shape)
        arrays.append(drawn.astype(dtype))
    share = draw(st.sampled_from([0.2, 0.8]))
    allowed = rng.random((*lead, L_q, L_k)) < share
    added = rng.standard_normal(allowed.shape).astype(np.float32)
    bias = np.where(allowed, added, -np.inf)
    mask = draw(st.sampled_from([None, allowed, bias]))
    if mask is None:
        allowed = np.ones((L_q, L_k), bool)
    return arrays, mask, allowed
