"""The language model: the picture shows the weights, the words expected and what is switched off, as the model gives them."""

import numpy as np

import attn_helpers as attn
from attn_lessons.lesson09.explorer import TEXT

MODEL = attn.load_language_model()


def test_it_tells_where_the_head_looks_and_what_is_expected():
    explorer = attn.explore_language_model()
    for head in (0, 1), (1, 0), (1, 1):
        for row in (18, 13):
            explorer.head.value, explorer.row.value = head, row
            logits, weights = attn.run_language_model(MODEL, TEXT)
            word, share = attn.next_words(logits[row], 1)[0]
            assert f"Layer {head[0]}, head {head[1]}" in explorer.description
            assert f" {weights[head][row].max():.2f}" in explorer.description
            assert f"Expected after it: {word.replace(',', 'comma')} {share:.2f}" in explorer.description


def test_what_is_switched_off_is_off():
    explorer = attn.explore_language_model()
    assert "hot 0.99" in explorer.description
    explorer.off.value = ((0, 1),)
    expected, _ = attn.run_language_model(MODEL, TEXT, off=[(0, 1)])
    word, share = attn.next_words(expected, 2)[1]
    assert f"{word} {share:.2f}" in explorer.description and "hot 0.99" not in explorer.description
    explorer.off.label = "all of layer 1"
    assert "1 · 0, 1 · 1, 1 · 2, 1 · 3 switched off" in explorer.description


def test_a_text_of_your_own_is_looked_at_from_its_last_word():
    explorer = attn.explore_language_model()
    explorer.text.value = "tea sour, owl loud, coat blue. owl"
    assert (explorer.row.value, explorer.row.max) == (9, 9) and "loud" in explorer.description
    explorer.temperature.value = 4.0
    cooler, _ = attn.run_language_model(MODEL, explorer.text.value)
    assert f"loud {dict(attn.next_words(cooler, 202, 4.0))['loud']:.2f}" in explorer.description


def test_a_word_that_it_does_not_have_is_told():
    explorer = attn.explore_language_model()
    explorer.text.value = "chai is hot"
    assert "no word 'is'" in explorer.description and explorer.row.value == 18
    explorer.text.value = "chai hot"
    assert explorer.description.startswith("2 words") and not np.isnan(explorer.row.value)
