"""Models that write: lesson 11's on words, and the GPT on the letters of names."""

import hashlib

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
import course
from answers import attention
from attn_parts import gpt, names
from attn_parts import toy_corpus as toy

DATA = course.ROOT / "notebooks" / "data"
MODEL, NAMES = attn.load_language_model(), attn.load_names_model()
FACTS = "chai hot, dog tame, cup red, river wide. cup red, river wide, chai"


@pytest.mark.parametrize("name", ["language_model", "names_models"])
def test_the_file_is_the_one_that_is_described(name):
    digest = hashlib.sha256((DATA / f"{name}.json").read_bytes()).hexdigest()
    assert digest in (DATA / "README.md").read_text("utf-8")


def test_a_reader_s_attention_gives_the_same():
    stored = attn.load_data("language_model")
    logits, _ = attn.run_language_model(MODEL, stored["sentence"], attention())
    assert_allclose(logits, stored["logits"], atol=1e-5)
    text = names.name_windows(["ada", "bo", "eleonora", "christina"])[:, :-1]
    assert_allclose(gpt.run_gpt(NAMES, text, attention=attention())[0], gpt.run_gpt(NAMES, text)[0])


def test_a_reader_s_softmax_writes_the_same():
    def plain(x):
        return np.exp(x - x.max()) / np.exp(x - x.max()).sum()

    def with_temperature(x, temperature):
        return plain(x / temperature)

    for write, *given in ((attn.write_names, NAMES, 2), (attn.write_on, MODEL, FACTS, 3)):
        wanted = write(*given, temperature=0.5)
        assert write(*given, temperature=0.5, softmax=plain) == wanted
        assert write(*given, temperature=0.5, softmax=with_temperature) == wanted


def test_letters_are_drawn_by_their_probability():
    logits = np.log([0.2, 0.5, 0.3])
    rng = np.random.default_rng(0)
    drawn = np.bincount([gpt.sample(logits, rng) for _ in range(2000)]) / 2000
    assert_allclose(drawn, [0.2, 0.5, 0.3], atol=0.04)
    assert {gpt.sample(logits, rng, temperature=0.01) for _ in range(20)} == {1}


def test_heads_that_are_switched_off_add_nothing():
    words = toy.word_numbers(FACTS)
    logits, _ = attn.run_language_model(MODEL, words, off=[*np.ndindex(2, 4)])
    assert_allclose(logits, MODEL["E"][words] @ MODEL["U"])


def test_a_text_grows_to_what_the_model_can_read():
    assert len(toy.word_numbers(attn.write_on(MODEL, FACTS, 100))) == 48


def test_the_probabilities_of_all_words_sum_to_one():
    found = dict(attn.next_words(np.zeros(202), 202))
    assert found == pytest.approx(dict.fromkeys(attn.LEXICON, 1 / 202))


def test_no_text_to_learn_from_says_what_it_must_not():
    """The pairs that are asked of unseen texts, a noun and a quality of its kind, occur in no other."""
    words, known = toy.toy_texts(200, 49, seed=6)
    for noun, quality in zip(words[:, :-1].ravel(), words[:, 1:].ravel(), strict=True):
        if noun // 20 < 5 and quality // 20 == noun // 20 + 5:
            assert not toy.never_together(noun % 20, quality % 20)
    unseen, asked = toy.toy_texts(20, 49, seed=6, unseen=True)
    places = asked[:, 1:]
    assert toy.never_together(unseen[:, :-1][places] % 20, unseen[:, 1:][places] % 20).all()
    assert known[:, [20, 40]].any(axis=0).all()
