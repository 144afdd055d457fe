"""Inputs of attention that hypothesis makes up."""

import numpy as np
from hypothesis import strategies as st

LEADS = st.sampled_from([(), (1,), (2,), (3, 1), (1, 2), (3, 2)])
LENGTHS = st.integers(0, 7)
WIDTHS = st.integers(1, 3)


@st.composite
def inputs(draw, dtypes, sizes):
    """Query, key and value of fitting sizes, their leading axes broadcast; a mask or None; and who may look."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    L_q, L_k, d_k, d_v = draw(st.tuples(LENGTHS, LENGTHS, WIDTHS, WIDTHS))
    leads = draw(st.tuples(LEADS, LEADS, LEADS))
    shapes = [
        (*lead, *shape) for lead, shape in zip(leads, ((L_q, d_k), (L_k, d_k), (L_k, d_v)), strict=True)
    ]
    dtype = draw(st.sampled_from(dtypes))
    size = draw(st.sampled_from(sizes))
    arrays = [(size * rng.standard_normal(shape)).astype(dtype) for shape in shapes]
    allowed = rng.random((*np.broadcast_shapes(*leads), L_q, L_k)) < draw(st.sampled_from([0.2, 0.8]))
    bias = np.where(allowed, rng.standard_normal(allowed.shape).astype(np.float32), -np.inf)
    mask = draw(st.sampled_from([None, allowed, bias]))
    return arrays, mask, np.ones((L_q, L_k), bool) if mask is None else allowed
