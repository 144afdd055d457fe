"""The language model of lesson 11: its gradients, the stored numbers and what its heads do."""

import hashlib

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import attn_helpers as attn
import course
import train_language_model as training
from answers import attention
from attn_parts import language_model as lm
from attn_parts import toy_corpus as toy
from nudges import assert_nudges_agree

DATA = course.ROOT / "notebooks" / "data"
STORED = attn.load_data("language_model")
FACTS = "chai hot, dog tame, cup red, river wide. cup red, river wide, chai"


@pytest.fixture(scope="module")
def model():
    return attn.load_language_model()


@pytest.mark.parametrize("name", list(lm.SHAPES))
def test_gradients_agree_with_nudges(name):
    model = {key: array.astype(float) for key, array in lm.start_language_model(3).items()}
    words, _ = toy.toy_texts(2, 12, seed=4)
    _, gradients = lm.language_model_gradients(model, words)
    loss = lambda: lm.language_model_gradients(model, words)[0]  # noqa: E731
    assert_nudges_agree(gradients[name], model[name], loss, places=5)


def test_a_reader_s_attention_gives_the_stored_logits(model):
    logits, weights = attn.run_language_model(model, STORED["sentence"], attention())
    assert_allclose(logits, STORED["logits"], atol=1e-5)
    assert weights.shape == (2, 4, len(logits), len(logits))
    assert_allclose(weights.sum(axis=-1), 1)


@pytest.mark.parametrize("name", ["language_model", "names_models"])
def test_the_file_is_small_and_the_one_that_is_described(name):
    content = (DATA / f"{name}.json").read_bytes()
    assert len(content) < 210_000
    assert hashlib.sha256(content).hexdigest() in (DATA / "README.md").read_text("utf-8")


def test_the_future_is_hidden(model):
    words = toy.word_numbers(FACTS)
    other = words.copy()
    other[-1] = toy.NUMBERS["lion"]
    before, after = (attn.run_language_model(model, text)[0] for text in (words, other))
    assert_array_equal(before[:-1], after[:-1])


def test_heads_of_the_stored_model_have_their_roles():
    """What the lesson says of them, on texts that it does not show."""
    found = training.roles(attn.load_language_model(), seed=12345)
    assert found["facts"] > 0.9
    assert found["lists"] > 0.9
    assert found["unseen"] > 0.75
    below, above = found["previous"].max(axis=1)
    assert below > 0.3 > 2 * above, "the head that looks one word back is in the layer below"
    assert found["induction"][1].max() > 0.7 > 5 * found["induction"][0].max()
    back = np.unravel_index(found["previous"].argmax(), (2, 4))
    assert found["without"][back] < 0.2, "without the head that looks back nothing can be looked up"


def test_what_is_switched_off_hands_over_nothing(model):
    every = [(layer, head) for layer in range(2) for head in range(4)]
    words = toy.word_numbers(FACTS)
    logits, _ = attn.run_language_model(model, words, off=every)
    assert_allclose(logits, model["E"][words] @ model["U"])
    _, weights = attn.run_language_model(model, words, off=[(1, 0)])
    assert_array_equal(weights, attn.run_language_model(model, words)[1])


def test_it_writes_words_that_were_told(model):
    text = attn.write_on(model, "chai hot, dog tame. chai", count=1, temperature=0.05)
    assert text == "chai hot, dog tame. chai hot"
    assert attn.write_on(model, FACTS, 5, seed=1) == attn.write_on(model, FACTS, 5, seed=1)
    assert len(toy.word_numbers(attn.write_on(model, FACTS, 100))) == 48
    shares = dict(attn.next_words(np.zeros(202), 202))
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["hot"] == pytest.approx(1 / 202)


def test_no_text_to_learn_from_says_what_it_must_not():
    words, known = toy.toy_texts(200, 49, seed=6)
    pairs = np.stack([words[:, :-1], words[:, 1:]], axis=-1)
    for noun, quality in pairs.reshape(-1, 2):
        kind = noun // 20
        fitting = quality // 20 - 5
        if kind < 5 and kind == fitting:
            assert not toy.never_together(noun % 20, quality % 20)
    only, marked = toy.toy_texts(
        20,
        49,
        seed=6,
        unseen=True,
    )
    places = marked[:, 1:]
    nouns = only[:, :-1][places] % 20
    qualities = only[:, 1:][places] % 20
    asked = list(map(toy.never_together, nouns, qualities))
    assert asked
    assert all(asked)
    assert all(known[:, place].any() for place in (20, 40))
