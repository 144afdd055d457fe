"""The first picture of the course shows the stored head: before learning, and at any step of it."""

import pytest

import attn_helpers as attn
from explorers import texts

STORED = attn.load_data("pronoun_head")


def shown(head, step, noun):
    """What a row of the picture must say: each word and its weight, then each next word and its probability."""
    frame, which = STORED["frames"].index(step), STORED["nouns"].index(noun)
    weights, chances = (STORED["heads"][head][name][frame][which] for name in ("weights", "answers"))
    pairs = [*zip(STORED["sentences"][which], weights), *zip(STORED["answers"], chances)]  # noqa: B905
    return [text for word, number in pairs for text in (word, f"{number:.2f}")]


def in_order(wanted, found):
    places = iter(found)
    return all(text in places for text in wanted)


@pytest.mark.parametrize("noun", STORED["nouns"])
@pytest.mark.parametrize("step", [0, 10, 250, 500])
def test_both_rows_show_what_is_stored(noun, step):
    explorer = attn.explore_pronoun()
    explorer.noun.value, explorer.step.value = noun, step
    found = texts(explorer)
    assert in_order([*shown("looks", 0, noun), *shown("looks", step, noun)], found)
    assert ("before learning" if step == 0 else f"after {step} steps of learning") in found


def test_the_first_picture_answers_the_question():
    words = attn.explore_pronoun().description
    assert "before learning: “it” looks most at let 0.60, chai 0.04" in words
    assert (
        "after 500 steps of learning: “it” looks most at chai 0.83, and the likeliest next word is cool 1.00"
        in words
    )


def test_a_step_between_two_frames_says_which_frame_is_shown():
    explorer = attn.explore_pronoun()
    explorer.step.value = 37
    assert "after 40 steps of learning" in texts(explorer)
    assert in_order(shown("looks", 40, "chai"), texts(explorer))


def test_the_twin_answers_and_looks_elsewhere():
    explorer = attn.explore_pronoun(twin=True)
    assert in_order([*shown("looks", 500, "chai"), *shown("does not look", 500, "chai")], texts(explorer))
    assert "its twin, after 500 steps: “it” looks most at we 0.53, chai 0.01" in explorer.description
