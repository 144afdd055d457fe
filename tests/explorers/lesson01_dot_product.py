"""A query of the reader's own: every sum printed adds up, the words and their numbers keep in step, the cards say what they hold."""

import numpy as np
import pytest

import attn_helpers as attn
from attn_lessons.lesson01.explorer import _draw_dot_product
from attn_parts.formatting import gives
from explorers import texts

TOKENS, X, W_Q, W_K, W_V = attn.load_example()
BOXES = [f"q_{kind}" for kind in attn.KINDS]


def set_to(explorer, entries):
    for box, entry in zip(BOXES, entries, strict=True):
        getattr(explorer, box).value = entry


def worked_out(text):
    """The number that a printed product such as "(−1)·2" comes to."""
    q, k = (int(factor.strip("()").replace("−", "-")) for factor in text.split("·"))
    return q * k


# Every entry in every place: a cell's product depends on one entry alone, and so does a word's score
QUERIES = [[(entry + shift + 9) % 19 - 9 for shift in (0, 5, 10, 15)] for entry in range(-9, 10)]


@pytest.mark.parametrize("query", [[3, 0, 0, 0], [1, 2, 0, -1], [0, 0, 0, 0], *QUERIES])
def test_every_printed_sum_adds_up(query):
    explorer = attn.explore_dot_product()
    set_to(explorer, query)
    found = texts(explorer)
    for token, key in zip(TOKENS, X @ W_K, strict=True):
        at = found.index(token)
        products, signs, (score, half) = (
            found[at + 1 : at + 9 : 2],
            found[at + 2 : at + 9 : 2],
            found[at + 9 : at + 11],
        )
        assert signs == ["+", "+", "+", "="]
        assert sum(map(worked_out, products)) == int(score.replace("−", "-")) == np.dot(query, key)
        assert int(half.replace("−", "-")) * 2 == np.dot(query, key)


@pytest.mark.parametrize("query", [[3, 0, 0, 0], [1, 2, 0, -1], [2, 2, 0, 0], [0, 9, 0, 0]])
def test_shares_and_what_comes_back_are_those_of_the_helper(query):
    explorer = attn.explore_dot_product()
    set_to(explorer, query)
    (output,), (weights,) = attn.scaled_dot_product_attention(np.array([query]), X @ W_K, X @ W_V)
    found = texts(explorer)
    shown = [found[found.index(token) + 11] for token in TOKENS]
    assert [f"{weight:.{len(shown[0]) - 2}f}" for weight in weights] == shown
    assert [f"{number:.2f}" for number in output] == found[-2:]
    assert f"Comes back: drink {output[0]:.2f}, warm {output[1]:.2f}." in explorer.description


def test_shares_times_values_are_what_is_printed_as_coming_back():
    """In one state of twenty-two three digits of a share are too few; of these every twentieth is drawn."""
    queries = np.stack(np.meshgrid(*[np.arange(-9, 10)] * 4), axis=-1).reshape(-1, 4)
    shares = attn.softmax(queries @ (X @ W_K).T / 2)
    off = np.abs(shares.round(3) @ (X @ W_V) - (shares @ X @ W_V).round(2)).max(axis=-1) > 0.005 + 1e-9
    assert 5000 < off.sum() < 6500
    for query in queries[off][::20]:
        drawing, text = _draw_dot_product("your own", **dict(zip(BOXES, query.tolist(), strict=True)))
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
    set_to(explorer, [1, 2, 0, -1])
    assert explorer.query.value == "chai"
    explorer.query.value = "your own"
    assert [getattr(explorer, box).value for box in BOXES] == [1, 2, 0, -1]


def test_a_tie_names_all_who_share_the_largest_share():
    explorer = attn.explore_dot_product()
    explorer.query.value = "is"
    assert "Largest share: chai and hot, 0.440." in explorer.description
    set_to(explorer, [0, 0, 0, 0])
    assert "Largest share: The and chai and is and hot, 0.250." in explorer.description


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
        names_and_numbers = said[said.index(word) + 1 :]
        assert names_and_numbers[0:8:2] == list(attn.KINDS) and names_and_numbers[16:20:2] == list(
            attn.MEANINGS
        )
        row = TOKENS.index(word)
        wanted = [*(X @ W_Q)[row], *(X @ W_K)[row], *(X @ W_V)[row]]
        assert [int(text.replace("−", "-")) for text in names_and_numbers[1:20:2]] == wanted


def test_what_is_handed_over_is_named_with_its_share():
    """The whole value would contradict the output that is worked out below the picture."""
    _, weights = attn.self_attention(X, W_Q, W_K, W_V)
    cards = attn.plot_cards("chai", "hot")
    assert f"{weights[1, 3]:.2f} of warm 4" in texts(cards)
    assert cards.alt.endswith("Handed over to chai: 0.64 of warm 4.")


def test_a_word_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="no word 'tea'.*The, chai, is, hot"):
        attn.plot_cards("tea", "chai")
