"""Gradients written by hand agree with small nudges, and the head of lesson 00 learns what its data file says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
import train_many_heads
import train_pronoun_head
from attn_parts import learning
from attn_parts.mathematics import causal_mask, scaled_dot_product_attention


def test_cross_entropy_survives_large_scores():
    loss, gradient = learning.cross_entropy(np.array([[1000.0, 0.0]]), np.array([1]))
    assert loss == 1000
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize(
    "dtype",
    [np.float16, np.float32, np.float64],
)
def test_gradients_keep_the_dtype(dtype):
    drawn = np.random.default_rng(0).standard_normal((3, 2, 4, 3))
    query, key, value = drawn.astype(dtype)
    _, weights = scaled_dot_product_attention(query, key, value)
    gradients = learning.attention_backward(query, key, value, weights, value)
    _, d_logits = learning.cross_entropy(query[0], np.zeros(4, int))
    d_scores = learning.softmax_backward(weights, weights)
    for array in (*gradients, d_logits, d_scores):
        assert array.dtype == dtype


TORCH = attn.load_data("reference_gradients")


@pytest.mark.parametrize("name", TORCH["attention"])
def test_attention_backward_agrees_with_torch(name):
    case = {part: np.array(value) for part, value in TORCH["attention"][name].items()}
    query = case["query"]
    key = case["key"]
    value = case["value"]
    mask = None
    if case["causal"]:
        mask = causal_mask(query.shape[-2], key.shape[-2])
    _, weights = scaled_dot_product_attention(query, key, value, mask)
    got = learning.attention_backward(query, key, value, weights, case["d_output"])
    for part, gradient in zip(("query", "key", "value"), got, strict=True):
        assert_allclose(gradient, case[f"d_{part}"], atol=1e-6)
        assert np.abs(gradient).max() > 1e-3, "nothing to compare"


def test_gradients_of_the_head_agree_with_torch():
    stored = TORCH["head"]
    head = learning.start_head(stored["seed"])
    loss, gradients = learning.head_gradients(head, *learning.pronoun_sentences())
    assert loss == pytest.approx(stored["loss"], abs=1e-9)
    for name, gradient in gradients.items():
        assert_allclose(gradient, stored["gradients"][name], atol=1e-6, err_msg=name)


@pytest.mark.parametrize("own", [{}, {"kettle": "whistle"}])
def test_the_sentences_of_the_exam_are_not_among_those_learned(own):
    next_word = learning.NEXT_WORD | own
    learned, _ = learning.pronoun_sentences(next_word=next_word)
    asked, nouns = learning.pronoun_sentences(unseen=True, next_word=next_word)
    assert len(learned) == 4 * len(next_word)
    assert nouns.tolist() == list(range(len(next_word)))
    assert not (learned[:, None] == asked).all(axis=(-1, -2)).any()


@pytest.fixture(scope="module")
def stored():
    return attn.load_data("pronoun_head")


@pytest.mark.thorough
def test_the_file_is_what_training_gives(stored):
    """Weights to half a hundredth, as another machine rounds differently; all else exactly."""
    trained = train_pronoun_head.collect()
    stored = dict(stored)
    made = trained.pop("heads")
    heads = stored.pop("heads")
    assert trained == stored
    assert made.keys() == heads.keys()
    for name in made:
        assert made[name].keys() == heads[name].keys()
        for part, values in made[name].items():
            assert_allclose(heads[name][part], values, atol=0.005, err_msg=part)


@pytest.mark.thorough
def test_many_heads_are_what_training_gives():
    """Two seeds of the pronoun, and one scaled head of width 64."""
    stored = attn.load_data("many_heads")
    wanted = {"variant": "scaled", "d_k": 64, "rate": 0.01}
    for part, values in train_many_heads.pronouns([1, 7]).items():
        kept = [stored["pronoun"][part][seed] for seed in (1, 7)]
        assert_allclose(kept, values, atol=0.005, err_msg=part)
    [run] = [run for run in stored["agreement"] if wanted.items() <= run.items()]
    accuracy, _ = train_many_heads.agree("scaled", 64, 0.01, seed=0)
    assert run["accuracy"][0] == pytest.approx(accuracy, abs=0.01)


def test_what_is_watched_is_what_is_stored(stored):
    seen = learning.watch_training(learning.start_head(1))
    assert seen["frames"] == stored["frames"]
    assert_allclose(seen["weights"], stored["heads"]["looks"]["weights"], atol=0.005)
