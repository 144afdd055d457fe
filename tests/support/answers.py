"""Read answers.txt of a lesson: answers as people write them, each with the verdict that it must get.

softmax(x)                                              the function that the lines below it write
    passed: attn.softmax(x).tolist()                    passes
    no-max-subtraction: np.exp(x) / np.exp(x).sum(-1)   is wrong, and gets this name
    - | The cells are right: np.log(attn.softmax(x))    is wrong, gets no name, and is told this
    ! undefined-name | np.exp: exp(x) / exp(x).sum()    raises an exception
    returns-nothing:                                    an answer of several lines is indented
        shares = attn.softmax(x)
two_heads()                                             the lines below it are no functions, but matrices
    finds-itself: np.hstack([np.eye(5)] * 2)            (or tuples of them)
"""

import linecache
import math
import re
import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import attn_helpers as attn

HEAD = re.compile(r"(\w+)\(.*\)")
ANSWER = re.compile(r"    (?P<raises>! )?(?P<name>[\w-]+)(?: \| (?P<says>[^:]+))?:(?: (?P<result>.+))?")


class Answer(NamedTuple):
    place: str  # lesson04/answers.txt:12
    exercise: str
    status: str
    mistake: str | None
    says: str
    function: Callable

    def given(self):
        """What its checker takes: the function, or the matrices that it makes of nothing."""
        made = self.function if self.function.__code__.co_argcount else self.function()
        return made if isinstance(made, tuple) else (made,)


def read(path):
    """The answers of one file; a line that fits no form is a ValueError that says where it is."""
    head = ""
    body = None
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        place = f"{path.parent.name}/{path.name}:{number}"
        answer = ANSWER.fullmatch(line)
        if HEAD.fullmatch(line):
            head = line
            body = None
        elif head and answer:
            lines = [f"    return {answer['result']}"] if answer["result"] else []
            found.append((place, head, answer, lines))
            body = None if answer["result"] else lines
        elif body is not None and line.startswith(" " * 8):
            body.append(line)
        elif line.strip() and not line.startswith("#"):
            raise ValueError(f"{place}: neither a head, nor an answer, nor more of one: {line!r}")
    return [written(*each) for each in found]


def written(place, head, answer, body):
    """An answer as a function, whose source Python finds when it quotes the line that failed."""
    source = "\n".join([f"def {head}:", *body, ""])
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    exercise = head.partition("(")[0]
    made = {}
    exec(compile(source, place, "exec"), KNOWN, made)
    status = "error" if answer["raises"] else "passed" if answer["name"] == "passed" else "incorrect"
    mistake = None if answer["name"] in ("passed", "-") else answer["name"]
    return Answer(
        place,
        exercise,
        status,
        mistake,
        answer["says"] or "",
        made[exercise],
    )


def changed(right, change):
    """An answer that gives the right numbers, changed."""

    def answer(*given):
        results = right(*given)
        if results is None:
            return None
        several = isinstance(results, tuple)
        return tuple(map(change, map(np.asarray, results))) if several else change(np.asarray(results))

    return answer


# --- what answers may use beside NumPy


def shares_of(powers):
    return powers / np.sum(powers, -1, keepdims=True)


def attention(scale=True, mask=True, fill=-np.inf):
    """Attention as people write it, with a mistake or two."""

    def answer(Q, K, V, m=None):
        s = np.einsum("...id,...jd->...ij", Q, K) / (np.sqrt(K.shape[-1]) if scale else 1)
        if m is not None and mask:
            s = np.where(m, s, fill)
        w = attn.softmax(s)
        return w @ V, w

    return answer


def heads(X, W_Q, W_K, W_V, W_O, n_heads, scale=1.0, power=1.0, turn=1):
    """Multi-head attention with scaled scores, bent weights, or its heads in reverse order."""
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = attn.softmax(scale * Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])) ** power
    return attn.merge_heads((weights @ V)[::turn]) @ W_O


def triple_loop(Q, K):
    result = np.zeros((*Q.shape[:-1], K.shape[-2]))
    for *b, i, j in np.ndindex(result.shape):
        result[*b, i, j] = sum(Q[*b, i, k] * K[*b, j, k] for k in range(Q.shape[-1]))
    return result


_, _, W_Q, W_K, _ = attn.load_example()
BACK = 10 * np.eye(5, k=-1)
AHEAD = 10 * np.eye(5, k=1)
CODES = attn.sinusoidal_encoding(100, 8)


def hands(step, loud=100, only=range(4)):
    """A matrix that turns the hands by `step` positions."""
    made = np.zeros((8, 8))
    for i in only:
        a = step / 10000 ** (2 * i / 8)
        part = slice(2 * i, 2 * i + 2)
        made[part, part] = loud * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return made


def with_row(row, entries, start=W_Q):
    changed = start.copy()
    changed[row] = entries
    return changed


def both(head_0, head_1):
    return np.hstack([head_0, head_1])


def pair(**changed):
    """Query, keys and two sentences' values of “I saw him” and “he saw me”, some of them changed."""
    right = {
        "q": [2, 2],
        "K": [[2, 0], [0, 0], [0, 2]],
        "V_a": [[1, 0], [0, 0], [0, 1]],
        "V_b": [[0, 1], [0, 0], [1, 0]],
    }
    return tuple((right | changed).values())


KNOWN = {
    **{"np": np, "math": math, "sys": sys, "attn": attn, "attend": attn.scaled_dot_product_attention},
    **{f.__name__: f for f in (shares_of, attention, heads, triple_loop, hands, with_row, both, pair)},
    **{"W_Q": W_Q, "W_K": W_K, "BACK": BACK, "AHEAD": AHEAD, "CODES": CODES},
    "FINDS_THE": with_row(3, [0, 0, 2, 0]),
}
