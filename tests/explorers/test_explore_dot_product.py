"""A query of the reader's own: every sum printed adds up, the words and their numbers keep in step, the cards say what they hold."""

import math

import numpy as np
import pytest

import attn_helpers as attn
from attn_parts.formatting import gives
from explorers import moved, texts

TOKENS, X, W_Q, W_K, W_V = attn.load_example()
BOXES = [f"q_{kind}" for kind in attn.KINDS]


def with_query(entries):
    return moved(attn.explore_dot_product(), **dict(zip(BOXES, entries, strict=True)))


def minus(text):
    """The whole number that is printed with a true minus sign."""
    return int(text.strip("()").replace("−", "-"))


# Every entry in every place: a cell's product depends on one entry alone, and so does a word's score
QUERIES = [[(entry + shift + 9) % 19 - 9 for shift in (0, 5, 10, 15)] for entry in range(-9, 10)]


@pytest.mark.parametrize("query", [[3, 0, 0, 0], [1, 2, 0, -1], [0, 0, 0, 0], *QUERIES])
def test_every_printed_sum_adds_up(query):
    found = texts(with_query(query))
    for token, key in zip(TOKENS, X @ W_K, strict=True):
        at = found.index(token)
        assert found[at + 2 : at + 9 : 2] == ["+", "+", "+", "="]
        products = [math.prod(map(minus, text.split("·"))) for text in found[at + 1 : at + 9 : 2]]
        score, half = map(minus, found[at + 9 : at + 11])
        assert sum(products) == score == 2 * half == np.dot(query, key)


@pytest.mark.parametrize("query", [[3, 0, 0, 0], [1, 2, 0, -1], [2, 2, 0, 0], [0, 9, 0, 0]])
def test_shares_and_what_comes_back_are_those_of_the_helper(query):
    explorer = with_query(query)
    (output,), (weights,) = attn.scaled_dot_product_attention(np.array([query]), X @ W_K, X @ W_V)
    found = texts(explorer)
    shown = [found[found.index(token) + 11] for token in TOKENS]
    assert [f"{weight:.{len(shown[0]) - 2}f}" for weight in weights] == shown
    assert [f"{number:.2f}" for number in output] == found[-2:]


def test_shares_times_values_are_what_is_printed_as_coming_back():
    """In one state of twenty-two three digits of a share are too few; of these every twentieth is drawn."""
    queries = np.stack(np.meshgrid(*[np.arange(-9, 10)] * 4), axis=-1).reshape(-1, 4)
    shares = attn.softmax(queries @ (X @ W_K).T / 2)
    off = np.abs(shares.round(3) @ (X @ W_V) - (shares @ X @ W_V).round(2)).max(axis=-1) > 0.005 + 1e-9
    assert 5000 < off.sum() < 6500
    draw = attn.explore_dot_product().draw
    for query in queries[off][::20]:
        drawing, text = draw("your own", **dict(zip(BOXES, query.tolist(), strict=True)))
        found = texts(drawing.svg(text))
        printed = np.array([float(found[found.index(token) + 11]) for token in TOKENS])
        assert all(map(gives, printed @ (X @ W_V), found[-2:])), query


def test_a_chosen_word_sets_the_numbers_and_numbers_find_their_word():
    explorer = attn.explore_dot_product()
    assert explorer.query.value == "hot"
    for token, query in zip(TOKENS, X @ W_Q, strict=True):
        explorer.query.value = token
        assert [getattr(explorer, box).value for box in BOXES] == list(query)
    explorer.q_verb.value = 5
    assert explorer.query.value == "your own"
    moved(explorer, **dict(zip(BOXES, [1, 2, 0, -1], strict=True)))
    assert explorer.query.value == "chai"
    explorer.query.value = "your own"
    assert [getattr(explorer, box).value for box in BOXES] == [1, 2, 0, -1]


def test_a_tie_names_all_who_share_the_largest_share():
    explorer = moved(attn.explore_dot_product(), query="is")
    assert "Largest share: chai and hot, 0.440." in explorer.description
    assert "Largest share: The and chai and is and hot, 0.250." in with_query([0, 0, 0, 0]).description


@pytest.mark.parametrize("looking", TOKENS)
@pytest.mark.parametrize("found", TOKENS)
def test_cards_say_what_they_hold_and_how_they_match(looking, found):
    cards = attn.plot_cards(looking, found)
    score = (X @ W_Q)[TOKENS.index(looking)] @ (X @ W_K)[TOKENS.index(found)]
    assert f" = {score:.0f}. Handed over to {looking}: ".replace("-", "−") in cards.alt
    bundle = cards._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"} and bundle["text/plain"] == cards.alt
    said = texts(cards)
    for word in {looking, found}:
        shown, row = said[said.index(word) + 1 :], TOKENS.index(word)
        assert shown[0:8:2] == list(attn.KINDS) and shown[16:20:2] == list(attn.MEANINGS)
        wanted = [*(X @ W_Q)[row], *(X @ W_K)[row], *(X @ W_V)[row]]
        assert [minus(text) for text in shown[1:20:2]] == wanted


def test_what_is_handed_over_is_named_with_its_share():
    """The whole value would contradict the output that is worked out below the picture."""
    _, weights = attn.self_attention(X, W_Q, W_K, W_V)
    cards = attn.plot_cards("chai", "hot")
    assert f"{weights[1, 3]:.2f} of warm 4" in texts(cards)
    assert cards.alt.endswith("Handed over to chai: 0.64 of warm 4.")
