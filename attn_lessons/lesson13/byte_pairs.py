"""Lesson 13: byte-pair encoding, which merges the most frequent pair of tokens again and again."""

from collections import Counter

from attn_checks.exercise import choices, exercise

GIVEN = "text merges"


def all_pairs(tokens):
    """How often each pair of neighbours comes, in the order in which they first come."""
    return Counter(zip(tokens, tokens[1:]))


def first_most(counts):
    return max(counts, key=counts.get)


def joined(tokens, pair):
    """The tokens with every such pair made one, from left to right."""
    result = []
    for token in tokens:
        if result and (result[-1], token) == pair:
            result[-1] += token
        else:
            result.append(token)
    return result


def overlapping(tokens, pair):
    """Every place where the pair begins becomes a token, also where the one before took its first letter."""
    result = []
    for i, token in enumerate(tokens):
        if tuple(tokens[i : i + 2]) == pair:
            result.append("".join(pair))
        elif i == 0 or tuple(tokens[i - 1 : i + 1]) != pair:
            result.append(token)
    return result


def second_kept(tokens, pair):
    result = []
    for i, token in enumerate(tokens):
        result.append("".join(pair) if tuple(tokens[i : i + 2]) == pair else token)
    return result


def last_lost(tokens, pair):
    return joined(tokens, pair)[: None if tuple(tokens[-2:]) == pair else -1]


def first_only(tokens, pair):
    for i in range(len(tokens) - 1):
        if tuple(tokens[i : i + 2]) == pair:
            return [*tokens[:i], "".join(pair), *tokens[i + 2 :]]
    return tokens


def merged(text, merges, pairs, choose, join, again):
    tokens = list(text)
    counts = pairs(tokens)
    for _ in range(merges):
        counts = pairs(tokens) if again else counts
        if not counts:
            break
        pair = choose(counts)
        tokens = join(tokens, pair)
        if not again:
            del counts[pair]
    return tokens


PAIRS = {
    "pairs-cut-apart": lambda tokens: Counter(zip(tokens[::2], tokens[1::2])),
}
CHOOSE = {
    "last-of-equals": lambda counts: max(reversed(list(counts)), key=counts.get),
    "rarest-pair": lambda counts: min(counts, key=counts.get),
    "pair-by-alphabet": [
        max,
        min,
        lambda counts: max(counts, key=lambda pair: (counts[pair], pair)),
    ],
    "first-pair": lambda counts: next(iter(counts)),
}
JOIN = {
    "overlapping-pairs": overlapping,
    "second-letter-kept": second_kept,
    "last-token-lost": last_lost,
    "first-place-only": first_only,
    "turned-round": lambda tokens, pair: [
        token if token in tokens else "".join(pair[::-1]) for token in joined(tokens, pair)
    ],
}
AGAIN = {"counted-once": [False]}
STEPS = choices(
    GIVEN,
    merged,
    pairs=(all_pairs, PAIRS),
    choose=(first_most, CHOOSE),
    join=(joined, JOIN),
    again=(True, AGAIN),
)
right = STEPS.whole({})
OTHERS = {
    "one-merge-only": lambda text, merges: right(text, 1),
    "merges-miscounted": [
        lambda text, merges: right(text, merges + 1),
        lambda text, merges: right(text, merges - 1),
    ],
    "vocabulary-returned": [
        lambda text, merges: sorted(set(right(text, merges))),
        lambda text, merges: list(dict.fromkeys(right(text, merges))),
    ],
    "letters-returned": lambda text, merges: list(text),
    "text-returned": lambda text, merges: text,
    "number-returned": lambda text, merges: len(right(text, merges)),
}


@exercise(
    steps=STEPS,
    mistakes=[OTHERS, STEPS.mistakes()],
    result="tokens",
    inputs={
        "one merge": ("banana", 1),
        "two merges": ("banana bandana", 2),
        "equal letters": ("aaabaaab", 1),
        "two pairs alike": ("cdabcdab", 2),
        "many merges": ("the chai is the chai that is hot", 5),
    },
)
def byte_pairs(text, merges):
    """Check `f(text, merges)` → the tokens of a text after so many merges, a list of texts.

    Returns Feedback.
    """
    return right(text, merges)
