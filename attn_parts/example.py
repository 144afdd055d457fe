"""The running example, stored numbers, printing and errors on purpose.

A wrong kind of argument raises a TypeError, one out of range a ValueError, missing data a FileNotFoundError.
"""

import collections
import contextlib
import json
import math
import pathlib
from collections.abc import Iterator, Sequence

import numpy as np

from attn_parts.validation import as_count

DATA = pathlib.Path(__file__).parents[1] / "notebooks" / "data"
WORDS = (
    "The chai is hot so we let it cool down before anyone dares to drink from "
    "that small blue cup which my aunt once brought home after her long trip by train"
).split()
KINDS = ("thing", "description", "article", "verb")
MEANINGS = ("drink", "warm")
BY_HAND = "set by hand"


class Example(collections.namedtuple("Example", "tokens X W_Q W_K W_V")):
    """A sentence, its embeddings and three projections: what `load_example` returns.

    tokens are L words, X (L, d_model) their embeddings, one row per word, W_Q and W_K (d_model, d_k), W_V
    (d_model, d_v); `source` says where the numbers are from: "set by hand", or "random numbers (seed 5)".
    """

    source = "numbers of your own"

    @property
    def random(self) -> bool:
        """Whether the numbers are random, so that what they seem to say about words means nothing."""
        return self.source.startswith("random")


def load_example(
    length: int | None = None,
    d_k: int | None = None,
    seed: int | None = None,
    *,
    words: Sequence[str] | None = None,
) -> Example:
    """Load the running example, "The chai is hot", with small numbers set by hand, or make a random one.

    Without arguments it is the example of the lessons, set by hand: L = 4, d_model = 6,
    d_k = 4, d_v = 2. The columns of X are the KINDS of word and its MEANINGS, those of
    Q and K the KINDS, those of V the MEANINGS. With any argument all numbers are random.

    Parameters
    ----------
    length : int, optional
        Number of tokens, 1 to 32; 4 if not given.
    d_k : int, optional
        Columns of each projection, so d_k = d_v, 1 or more; 8 if not given.
    seed : int, optional
        0 or more, 5 if not given; another seed draws everything again.
    words : sequence of str, optional
        Your own sentence, 1 to 32 words, instead of `length`. A word that occurs twice
        has one embedding.

    Returns
    -------
    Example
        (tokens, X, W_Q, W_K, W_V), all arrays float64; `.random` says whether they are random.

    Notes
    -----
    Random entries of X have variance 1, those of the projections variance 1/d_model with
    d_model = 8, so that Q = X·W_Q has variance 1 again and scores have the scale of a
    trained layer's. A longer sentence or wider heads add tokens and columns; what was
    there before keeps its numbers. They show how attention computes, not what words mean.

    Examples
    --------
    >>> tokens, X, W_Q, W_K, W_V = load_example()
    >>> Q, K = X @ W_Q, X @ W_K
    >>> print(Q[3], K[1], Q[3] @ K[1])  # hot looks for a thing, and chai is one
    [3. 0. 0. 0.] [2. 0. 0. 0.] 6.0
    >>> load_example(words=["tea", "is", "hot"]).source
    'random numbers (seed 5)'
    """
    if length is None and d_k is None and seed is None and words is None:
        return _example_by_hand()
    d_k = as_count("d_k", 8 if d_k is None else d_k, 1)
    seed = as_count("seed", 5 if seed is None else seed)
    words = _checked_words(length, words)
    d_model = 8
    # one generator per array, filled token by token and column by column: growing adds, and redraws nothing
    draws = [np.random.default_rng([seed, which]) for which in range(4)]
    distinct = list(dict.fromkeys(words))
    of_words = draws[0].standard_normal((len(distinct), d_model))
    X = of_words[[distinct.index(word) for word in words]]
    projections = []
    for draw in draws[1:]:
        columns = draw.standard_normal((d_k, d_model))
        projections.append(columns.T / math.sqrt(d_model))
    example = Example(words, X, *projections)
    example.source = f"random numbers (seed {seed})"
    return example


def _example_by_hand():
    """Four words whose every score, scaled score and share can be worked out in the head."""
    X = [  # thing, description, article, verb | drink, warm
        [0, 0, 1, 0, 0, 0],  # The
        [1, 0, 0, 0, 4, 1],  # chai
        [0, 0, 0, 1, 0, 0],  # is
        [0, 1, 0, 0, 0, 4],  # hot
    ]
    W_Q = [  # what each kind of word looks for: a thing, a description, an article, a verb
        [1, 2, 0, -1],  # a thing
        [3, 0, 0, 0],  # a description
        [2, 0, 0, 0],  # an article
        [2, 2, 0, 0],  # a verb
        [0, 0, 0, 0],  # not read: drink
        [0, 0, 0, 0],  # not read: warm
    ]
    W_K = np.eye(6, 4) * 2  # a key says what kind of word this is
    W_V = np.eye(6, 2, k=-4)  # a value hands over what the word means
    tokens = ["The", "chai", "is", "hot"]
    example = Example(tokens, np.array(X, float), np.array(W_Q, float), W_K, W_V)
    example.source = BY_HAND
    return example


def _checked_words(length, words):
    """The words of a random example, as many as asked for."""
    if words is None:
        length = as_count("length", 4 if length is None else length, 1)
        if length > len(WORDS):
            raise ValueError(
                f"length must be 1 to {len(WORDS)}, got {length}; the sentence has no more words"
            )
        return list(WORDS[:length])
    several = np.iterable(words) and not isinstance(words, str)
    if not several or not all(isinstance(word, str) for word in words):
        raise TypeError(f"words must be a list of texts, got {words!r}; of a sentence, sentence.split()")
    if not 1 <= len(words) <= len(WORDS):
        raise ValueError(f"words must be 1 to {len(WORDS)}, got {len(words)}; leave some out, or pass one")
    return list(words)


def load_data(name: str) -> dict:
    """Load stored numbers from notebooks/data, by the file's name without .json, as lists and dictionaries.

    >>> sorted(load_data("published_s1"))
    ['K', 'Q', 'V', 'output', 'scaled', 'scores', 'weights']
    """
    known = {path.stem: path for path in sorted(DATA.glob("*.json"))}
    if not isinstance(name, str) or name not in known:
        raise FileNotFoundError(
            f"no data file named {name!r}; notebooks/data has: {', '.join(known) or 'none'}"
        )
    return json.loads(known[name].read_text(encoding="utf-8"))


def use_course_printing() -> None:
    """Print arrays with 3 decimals and no exponents, so that a stored output is the same on every machine."""
    np.set_printoptions(precision=3, suppress=True, linewidth=110)


@contextlib.contextmanager
def expect_error() -> Iterator[None]:
    """Run lines that must raise an error, and print it in one line.

    >>> with expect_error():
    ...     [1, 2, 3][5]
    IndexError: list index out of range
    """
    try:
        yield
    except Exception as error:
        print(f"{type(error).__name__}: {' '.join(str(error).split())}")
    else:
        raise AssertionError("no error came, but these lines should raise one")
