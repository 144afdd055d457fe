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
    shapes = (L_q, d_k), (L_k, d_k), (L_k, d_v)
    dtype = draw(st.sampled_from(dtypes))
    size = draw(st.sampled_from(sizes))
    arrays = [
        (size * rng.standard_normal(lead + shape)).astype(dtype)
        for lead, shape in zip(leads, shapes, strict=True)
    ]
    pairs = (*np.broadcast_shapes(*leads), L_q, L_k)
    allowed = rng.random(pairs) < draw(st.sampled_from([0.2, 0.8]))
    added = rng.standard_normal(pairs).astype(np.float32)
    bias = np.where(allowed, added, -np.inf)
    mask = draw(st.sampled_from([None, allowed, bias]))
    return arrays, mask, np.ones((L_q, L_k), bool) if mask is None else allowed
