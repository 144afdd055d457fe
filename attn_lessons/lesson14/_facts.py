"""Facts to be remembered, and ways of attention that look them up: what each finds and what each keeps.

A fact is a word, the key, and what is told of it, the value. Each is a random vector of length 1 that depends
on the word alone.
"""

import functools
import zlib
from typing import NamedTuple

import numpy as np

from attn_parts.attention_today import running_memory
from attn_parts.mathematics import scaled_dot_product_attention
from attn_parts.validation import as_count

ANSWERS = 200  # words that a random fact may tell
SHARP = 32  # the scaled score of a query and its own key
WINDOW, BEST = 32, 8
TEXTS = 2  # that the explorer asks about


class Facts(NamedTuple):
    """Facts as keys and values in the order they were told, and one query for each word that has a fact."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    asked: list
    right: list  # what was told last of each
    answers: list  # all words that it could be
    vectors: np.ndarray

    def nearest(self, output):
        """Which answers are nearest to each output, (queries, answers): several where they tie."""
        output = np.asarray(output, dtype=float)
        wanted = (len(self.Q), self.V.shape[1])
        if output.shape != wanted:
            raise ValueError(f"output has shape {output.shape}, expected {wanted}: one row for each query")
        match = output @ self.vectors.T
        best = match.max(axis=1, keepdims=True)
        return match > best - 1e-6

    def read(self, output):
        """The answers nearest to an output, as a text: "chai → hot"; where two are equally near, both."""
        found = []
        for word, is_near in zip(self.asked, self.nearest(output), strict=True):
            near = [self.answers[i] for i in np.flatnonzero(is_near)]
            found.append(f"{word} → {' or '.join(near)}")
        return ", ".join(found)

    def found(self, output):
        """The fraction of queries whose output is nearest to what was told last; of two that tie, a half."""
        near = self.nearest(output)
        right = [self.answers.index(word) for word in self.right]
        is_right = near[np.arange(len(near)), right]
        return float(np.mean(is_right / near.sum(axis=1)))


def tell(facts, width=64):
    """Make keys and values of facts, a list of pairs of words; each word is asked for once.

    >>> facts = tell([("chai", "hot"), ("dog", "tame"), ("chai", "cold")])
    >>> facts.Q.shape, facts.K.shape, facts.asked, facts.right
    ((2, 64), (3, 64), ['chai', 'dog'], ['cold', 'tame'])
    >>> facts.read(scaled_dot_product_attention(facts.Q, facts.K, facts.V)[0])  # both of the same weight
    'chai → hot or cold, dog → tame'
    """
    as_count("width", width, 1)
    pairs = [tuple(pair) for pair in facts]
    of_words = [len(pair) == 2 and all(isinstance(word, str) for word in pair) for pair in pairs]
    if not pairs or not all(of_words):
        raise ValueError('facts must be a list of pairs of words, such as [("chai", "hot"), ("dog", "tame")]')
    right = dict(pairs)
    answers = list(dict.fromkeys(word for _, word in pairs))
    words, told = zip(*pairs, strict=True)
    return Facts(
        Q=SHARP * width**0.5 * _vectors(right, width),
        K=_vectors(words, width),
        V=_vectors(told, width),
        asked=list(right),
        right=list(right.values()),
        answers=answers,
        vectors=_vectors(answers, width),
    )


def random_facts(count, told=1, width=64, seed=0):
    """Make `count` facts with random keys, each told once, or `told` times with another answer and order.

    >>> facts = random_facts(100, told=2)
    >>> facts.Q.shape, facts.K.shape
    ((100, 64), (200, 64))
    """
    count = as_count("count", count, 1)
    told = as_count("told", told, 1)
    rng = np.random.default_rng([seed, count, told])
    keys = [f"key {seed} {i}" for i in range(count)]
    pairs = []
    for _ in range(told):
        answers = rng.integers(ANSWERS, size=count)
        pairs += [(keys[i], f"answer {answers[i]}") for i in rng.permutation(count)]
    return tell(pairs, width)


@functools.lru_cache(maxsize=20_000)
def _vector(word, width):
    seed = zlib.crc32(word.encode())
    vector = np.random.default_rng(seed).standard_normal(width)
    return vector / np.linalg.norm(vector)


def _vectors(words, width):
    return np.array([_vector(word, width) for word in words])


# --- ways ------------------------------------------------------------------------------------------------


def attended(facts, seen=slice(None), mask=None):
    """The output of softmax attention to the keys that are seen."""
    output, _ = scaled_dot_product_attention(facts.Q, facts.K[seen], facts.V[seen], mask)
    return output


def best_keys(facts):
    """Attend only to the few keys with the largest scores, each query to its own."""
    scores = facts.Q @ facts.K.T
    in_order = np.sort(scores, axis=1)
    least = in_order[:, -BEST:][:, :1]
    return attended(facts, mask=scores >= least)


def remembered(facts, strength=None):
    """What one matrix gives for the queries: the sum of all facts, or with a strength the delta rule."""
    strengths = None if strength is None else np.full(len(facts.K), strength)
    _, memory = running_memory(facts.K, facts.K, facts.V, strengths)
    return facts.Q @ memory


WAYS = {  # name -> the output for all queries
    "softmax": attended,
    "window": functools.partial(attended, seen=slice(-WINDOW, None)),
    "best keys": best_keys,
    "linear": remembered,
    "delta": functools.partial(remembered, strength=1.0),
}


def kept(way, rows, width):
    """How many numbers a way keeps of so many facts told."""
    if way in ("linear", "delta"):
        return width * width
    if way == "window":
        rows = min(rows, WINDOW)
    return 2 * width * rows


@functools.cache
def found_by(way, count, told, width):
    """What a way finds, the mean over two texts."""
    found = []
    for seed in range(TEXTS):
        facts = random_facts(count, told, width, seed)
        output = WAYS[way](facts)
        found.append(facts.found(output))
    return float(np.mean(found))
