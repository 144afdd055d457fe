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
MODEL = attn.load_language_model()
NAMES = attn.load_names_model()
FACTS = "chai hot, dog tame, cup red, river wide. cup red, river wide, chai"


@pytest.mark.parametrize("name", ["language_model", "names_models"])
def test_the_file_is_the_one_that_is_described(name):
    content = (DATA / f"{name}.json").read_bytes()
    described = (DATA / "README.md").read_text("utf-8")
    assert hashlib.sha256(content).hexdigest() in described


def test_a_reader_s_attention_gives_the_stored_logits():
    stored = attn.load_data("language_model")
    logits, _ = attn.run_language_model(MODEL, stored["sentence"], attention())
    assert_allclose(logits, stored["logits"], atol=1e-5)


def test_a_reader_s_attention_reads_letters_as_the_course_s():
    windows = names.name_windows(["ada", "bo", "eleonora", "christina"])
    theirs, _ = gpt.run_gpt(NAMES, windows[:, :-1], attention=attention())
    ours, _ = gpt.run_gpt(NAMES, windows[:, :-1])
    assert_allclose(theirs, ours)


def plain(x):
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum()


def with_temperature(x, temperature):
    return plain(x / temperature)


@pytest.mark.parametrize("softmax", [plain, with_temperature])
def test_a_reader_s_softmax_writes_the_same(softmax):
    names = attn.write_names(NAMES, 2, temperature=0.5)
    assert attn.write_names(NAMES, 2, temperature=0.5, softmax=softmax) == names


def test_letters_are_drawn_by_their_probability():
    logits = np.log([0.2, 0.5, 0.3])
    rng = np.random.default_rng(0)
    drawn = [gpt.sample(logits, rng) for _ in range(2000)]
    counts = np.bincount(drawn)
    assert_allclose(counts / 2000, [0.2, 0.5, 0.3], atol=0.04)
    cold = {gpt.sample(logits, rng, temperature=0.01) for _ in range(20)}
    assert cold == {1}


def test_heads_that_are_switched_off_add_nothing():
    words = toy.word_numbers(FACTS)
    every = list(np.ndindex(2, 4))
    logits, _ = attn.run_language_model(MODEL, words, off=every)
    assert_allclose(logits, MODEL["E"][words] @ MODEL["U"])


def test_a_text_grows_to_what_the_model_can_read():
    text = attn.write_on(MODEL, FACTS, 100)
    assert len(toy.word_numbers(text)) == 48


def test_the_probabilities_of_all_words_sum_to_one():
    found = dict(attn.next_words(np.zeros(202), 202))
    assert found == pytest.approx(dict.fromkeys(attn.LEXICON, 1 / 202))


def test_no_text_to_learn_from_says_what_it_must_not():
    """The pairs that are asked of unseen texts, a noun and a quality of its kind, occur in no other."""
    words, known = toy.toy_texts(200, 49, seed=6)
    nouns = words[:, :-1]
    qualities = words[:, 1:]
    said = (nouns // 20 < 5) & (qualities // 20 == nouns // 20 + 5)
    assert said.any()
    assert not toy.never_together(nouns[said] % 20, qualities[said] % 20).any()
    assert known[:, 20].any()
    assert known[:, 40].any()
    words, known = toy.toy_texts(20, 49, seed=6, unseen=True)
    asked = known[:, 1:]
    nouns = words[:, :-1][asked]
    qualities = words[:, 1:][asked]
    assert asked.any()
    assert toy.never_together(nouns % 20, qualities % 20).all()
