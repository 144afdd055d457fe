"""The cases on which an attention function is judged, and how each is handed over."""

import re
from argparse import Namespace

import numpy as np

SHORT = 5  # keys of a case that can be read as a whole


# name; batch, heads, L_q, L_k, d_k, d_v; what multiplies the query, a mask (1 = may attend), other options
CASES = """
two tokens                         1 1   2   2 2 1
more keys than queries             1 1   2   3 4 2
batch and heads                    2 3   4   5 6 3
large scores                       1 1   2   3 4 2  times=10000
a mask                             1 1   2   2 2 1  mask=10/11
a mask with gaps                   1 1   3   3 4 2  mask=110/011/101
a query with every key blocked     1 1   2   3 4 2  mask=000/101
padding                            2 2   3   3 5 2  mask=110/110/110/100/100/100
large scores and a mask            1 1   2   3 4 2  mask=101/001 times=20000
causal                             1 1   2   2 2 1  is_causal
causal, fewer queries than keys    1 1   3   4 3 2  is_causal
causal, a single query             1 1   1   3 4 2  is_causal
softcap                            1 1   2   3 4 2  softcap
softcap and a mask                 1 1   2   3 4 2  softcap mask=110/011
long                               1 2  29  61 4 2  times=0.5
longer                             1 1 200 333 8 3  times=0.5
long and masked                    2 1  29  61 4 2  mask=holes times=0.5
longer and masked                  1 1 200 333 8 3  mask=holes times=0.5
long and causal                    1 2  61  61 4 2  is_causal times=0.5
longer and causal                  1 1 200 333 8 3  is_causal times=0.5
"""


def cases(rules: Namespace) -> list[dict]:
    """The cases that the options ask for; in `mask` True = may attend, however it's passed in."""
    rng = np.random.default_rng(3432)  # no ties among large scores
    wished = {
        "mask": rules.mask != "none",
        "is_causal": rules.causal != "none",
        "softcap": rules.softcap,
    }
    made = []
    for name, sizes, text in re.findall(r"(?m)^(.+?)  +([\d ]+)(.*)$", CASES):
        extra = dict(re.findall(r"(\w+)=?(\S*)", text))
        factor = float(extra.pop("times", 1))
        batch, heads, L_q, L_k, d_k, d_v = map(int, sizes.split())
        if rules.equal_widths:
            d_v = d_k
        case = {"name": name} | drawn(rng, (batch, heads), L_q, L_k, d_k, d_v)
        case["query"] *= factor
        for option in extra:
            case[option] = wished[option]
        if "mask" in extra:
            case["mask"] = mask_of(extra["mask"], batch, L_q, L_k)
        if all(wished[option] for option in extra):
            made.append(case)
    return made


def drawn(rng, leading, L_q, L_k, d_k, d_v):
    """Query, key and value of whole numbers."""
    shapes = {"query": (L_q, d_k), "key": (L_k, d_k), "value": (L_k, d_v)}
    made = {}
    for name, shape in shapes.items():
        made[name] = rng.integers(-3, 4, (*leading, *shape)).astype(np.float32)
    if L_k > SHORT:  # some scores grow along the keys, others fall: the maximum moves from tile to tile
        made["key"][..., 0] = np.linspace(-2, 2, L_k).round(2)
    return made


def mask_of(text, batch, L_q, L_k):
    """A mask (batch, 1, L_q, L_k) from a text such as 110/011; a long one has holes.

    Some of its rows begin or end with a long gap, and in one everything is blocked.
    """
    if L_k <= SHORT:
        cells = [cell == "1" for cell in text.replace("/", "")]
        return np.reshape(cells, (batch, 1, L_q, L_k))
    sequence, _, i, j = np.ogrid[:batch, :1, :L_q, :L_k]
    early = (i % 3 == 1) & (2 * j < L_k)
    late = (i % 5 == 2) & (3 * j > L_k)
    middle = i == L_q // 2
    seen = (3 * i + j + sequence) % 7 < 4
    return seen & ~(early | late | middle)


def given(case: dict, rules: Namespace) -> dict:
    """What a call gets, by name, its mask in the convention of the options."""
    if "mask" not in case or rules.mask == "true-attends":
        return dict(case)
    blocked = ~case["mask"]
    if rules.mask == "additive":
        blocked = np.where(blocked, np.float32(-np.inf), np.float32(0))
    return case | {"mask": blocked}


def shown(case: dict, rules: Namespace) -> str:
    """A case as a reader can type it in; of a long one the shapes, and where it's written in full."""
    if case["key"].shape[-2] <= SHORT:
        arguments = given(case, rules).items()
        return "\n".join(f"{name} = {value!r}" for name, value in arguments)
    arrays = {name: value for name, value in case.items() if isinstance(value, np.ndarray)}
    shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
    return f"name = {case['name']!r}: {shapes}; --cases FILE writes it in full"
