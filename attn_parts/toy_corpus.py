"""The texts that the language model learns from: facts told once and told again, and lists read twice.

Which quality belongs to which noun is drawn for each text, so nobody can know it by heart: from the second
telling on it can be copied from the context, and only from there.
"""

import difflib

import numpy as np

from attn_parts.validation import as_count

NOUNS = {
    "drinks": "chai tea coffee milk water juice soup broth cocoa lemonade "
    "cider nectar syrup lassi porridge gravy sauce yogurt honey cream",
    "animals": "dog cat cow horse goat sheep hen duck owl crow "
    "mouse fox bear wolf frog snail bee ant fish lion",
    "things": "cup lamp chair table box bag book pen coat hat "
    "shoe kite bell clock drum spoon plate door rope ball",
    "places": "river road hill field lake town street bridge garden forest "
    "valley island beach market harbour meadow desert village park castle",
    "people": "doctor teacher farmer baker sailor singer painter driver cook tailor "
    "nurse pilot judge guard dancer poet miner hunter clerk king",
}
QUALITIES = {
    "drinks": "hot cold warm sweet bitter sour salty spicy strong weak "
    "fresh stale thick thin creamy mild fizzy iced plain rich",
    "animals": "tame wild hungry sleepy quick slow loud shy brave clever "
    "fierce gentle lazy curious greedy playful timid furry proud clumsy",
    "things": "red blue green yellow black white brown grey pink purple "
    "orange golden round square flat striped spotted shiny torn heavy",
    "places": "wide narrow steep deep shallow long short quiet busy crowded "
    "empty dusty muddy sunny shady frozen foggy windy ancient famous",
    "people": "tall happy sad tired angry calm cheerful polite honest careful "
    "patient worried nervous young old poor lonely bold thirsty ill",
}
KINDS_OF_WORDS = [*NOUNS.values(), *QUALITIES.values()]
LEXICON = [*" ".join(KINDS_OF_WORDS).split(), ",", "."]
NUMBERS = {word: number for number, word in enumerate(LEXICON)}
COMMA = NUMBERS[","]
STOP = NUMBERS["."]
EACH, KINDS = 20, len(NOUNS)  # words in a list above; kinds of them
LONGEST = 48  # words that the model can read


def never_together(noun, quality):
    """Whether the texts to learn from never say this quality of this noun: one of the 20 that would fit."""
    return (noun + quality) % EACH == 0


def word_numbers(text):
    """Turn a text into word numbers: 1 to 48 words of LEXICON, commas and full stops included.

    >>> word_numbers("chai hot, tea cold.")
    array([  0, 100, 200,   1, 101, 201])
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be words in quotes, got {text!r}; for example 'chai hot, tea cold. chai'")
    spaced = text.lower().replace(",", " , ").replace(".", " . ")
    words = spaced.split()
    strange = [word for word in words if word not in NUMBERS]
    if strange:
        near = ", ".join(difflib.get_close_matches(strange[0], LEXICON, cutoff=0.7))
        hint = f"did you mean {near}?" if near else "for example chai, tea, dog, hot, cold, tame"
        raise ValueError(
            f"the model has no word {strange[0]!r}; its {len(LEXICON)} words are in attn.LEXICON, {hint}"
        )
    if not 1 <= len(words) <= LONGEST:
        raise ValueError(
            f"text must have 1 to {LONGEST} words, commas and full stops counted; got {len(words)}"
        )
    return np.array([NUMBERS[word] for word in words])


def as_words(numbers):
    """Turn word numbers into a text.

    >>> as_words([0, 100, 200, 1, 101, 201])
    'chai hot, tea cold.'
    """
    text = " ".join(LEXICON[number] for number in numbers)
    return text.replace(" ,", ",").replace(" .", ".")


def fact_text(length, rng, unseen=False):
    """So many words of facts, a few told and told again in another order; and where a word can be copied."""
    words = []
    known = []
    while len(words) < length:
        facts = _facts(rng, unseen)
        for again in (False, True):
            for place in rng.permutation(len(facts)):
                noun, *qualities = facts[place]
                words += [noun, *qualities, COMMA]
                known += [False, *(again for _ in qualities), False]
            words[-1] = STOP
    return words[:length], known[:length]


def _facts(rng, unseen):
    """Three to five nouns of two kinds, each with one to three qualities; no quality twice."""
    kinds = rng.permutation(KINDS)[:2]
    facts = []
    free = {kind: rng.permutation(EACH).tolist() for kind in kinds}
    for noun in rng.permutation(2 * EACH)[: rng.integers(3, 6)]:
        kind = kinds[noun // EACH]
        noun = noun % EACH
        fitting = [quality for quality in free[kind] if never_together(noun, quality) == unseen]
        chosen = fitting[: 1 if unseen else rng.integers(1, 4)]
        free[kind] = [quality for quality in free[kind] if quality not in chosen]
        first = (KINDS + kind) * EACH  # the number of its first quality
        facts.append([kind * EACH + noun, *(first + quality for quality in chosen)])
    return facts


def list_text(length, rng):
    """Some nouns, or some qualities, again and again in the same order; and where a word can be copied."""
    once = rng.integers(4, length // 2 + 1)
    words = rng.permutation(KINDS * EACH)[:once]
    words = words + rng.integers(2) * KINDS * EACH
    known = [place > once for place in range(length)]
    return np.resize(words, length).tolist(), known


def toy_texts(n, length, seed, unseen=False):
    """Make `n` training texts of `length` words, half facts and half lists; `seed` is an int or several.

    Returns word numbers (n, length), and booleans (n, length): where a word can be copied from the context.
    With `unseen` all texts are facts, and only of words that the training texts never have together.

    >>> words, known = toy_texts(2, 12, seed=0)
    >>> print(as_words(words[0]))
    bag torn black purple, singer young thirsty, clerk angry polite
    >>> print(as_words(words[1]))
    nervous old blue tall wild nervous old blue tall wild nervous old
    """
    n = as_count("n", n, 1)
    length = as_count("length", length, 8)
    rng = np.random.default_rng(seed)
    texts = []
    known = []
    for i in range(n):
        is_fact = unseen or i % 2 == 0
        words, repeated = fact_text(length, rng, unseen) if is_fact else list_text(length, rng)
        texts.append(words)
        known.append(repeated)
    return np.array(texts), np.array(known)
