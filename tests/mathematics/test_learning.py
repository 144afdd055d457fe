"""Gradients written by hand agree with torch's, or with what a small nudge does to the loss."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
from attn_lessons.lesson13 import gpt_gradients
from attn_parts import gpt, learning, seeker
from attn_parts import language_model as lm
from attn_parts.toy_corpus import toy_texts

TORCH = attn.load_data("reference_gradients")


def test_cross_entropy_survives_large_scores():
    loss, gradient = learning.cross_entropy(np.array([[1000.0, 0.0]]), np.array([1]))
    assert loss == 1000
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("name", TORCH["attention"])
def test_attention_backward_agrees_with_torch(name):
    case = {part: np.array(value) for part, value in TORCH["attention"][name].items()}
    given = [case[part] for part in ("query", "key", "value")]
    mask = attn.causal_mask(given[0].shape[-2], given[1].shape[-2]) if case["causal"] else None
    _, weights = attn.scaled_dot_product_attention(*given, mask)
    gradients = learning.attention_backward(*given, weights, case["d_output"])
    for part, gradient in zip(("d_query", "d_key", "d_value"), gradients, strict=True):
        assert_allclose(gradient, case[part], atol=1e-6)


def test_gradients_of_the_head_agree_with_torch():
    stored = TORCH["head"]
    head = learning.start_head(stored["seed"])
    loss, gradients = learning.head_gradients(head, *learning.pronoun_sentences())
    assert loss == pytest.approx(stored["loss"], abs=1e-9)
    for name, gradient in gradients.items():
        assert_allclose(gradient, stored["gradients"][name], atol=1e-6, err_msg=name)


def of_the_lesson(model, numbers):
    """The answer to lesson 13's exercise, called as the course's own."""
    loss, *gradients = gpt_gradients.right_answer(numbers[:, :-1], numbers[:, 1:], 2, *model.values())
    return loss, dict(zip(model, gradients, strict=True))


rng = np.random.default_rng(1)
NUMBERS = rng.integers(5, size=(3, 4))
GPT = gpt.start_gpt(2, letters=5, width=4, blocks=2, positions=3)
WIDTHS = {"Q": 8, "K": 8, "V": 4}
SEEKER = {name: rng.standard_normal((len(seeker.TOKENS), width)) for name, width in WIDTHS.items()}
MODELS = {  # a model, what computes its loss and gradients, and what that is given besides
    "language model": (lm.start_language_model(3), lm.language_model_gradients, toy_texts(2, 12, seed=4)[0]),
    "GPT": (GPT, gpt.gpt_gradients, NUMBERS, attn.causal_mask, 2),
    "GPT without a mask": (GPT, gpt.gpt_gradients, NUMBERS, None, 2),
    "GPT of lesson 13": (GPT, of_the_lesson, NUMBERS),
    "seeker": (SEEKER, seeker.seeker_gradients, *seeker.make_texts(4, True, 5)),
    "seeker, a sink": (
        SEEKER | {"sink": rng.standard_normal(1)},
        seeker.seeker_gradients,
        *seeker.make_texts(4, False, 5),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_gradients_agree_with_nudges(name):
    """Each parameter is moved a little in a direction drawn at random."""
    start, gradients_of, *given = MODELS[name]
    model = {part: array.astype(float) for part, array in start.items()}
    _, gradients = gradients_of(model, *given)
    for part, array in model.items():
        step = 1e-6 * np.random.default_rng(0).standard_normal(array.shape)
        above, _ = gradients_of(model | {part: array + step}, *given)
        below, _ = gradients_of(model | {part: array - step}, *given)
        assert (above - below) / 2 == pytest.approx((gradients[part] * step).sum(), rel=1e-5), part


@pytest.mark.parametrize("own", [{}, {"kettle": "whistle"}])
def test_the_sentences_of_the_exam_are_not_among_those_learned(own):
    next_word = learning.NEXT_WORD | own
    learned, _ = learning.pronoun_sentences(next_word=next_word)
    asked, nouns = learning.pronoun_sentences(unseen=True, next_word=next_word)
    assert len(learned) == 4 * len(next_word)
    assert nouns.tolist() == list(range(len(next_word)))
    assert not (learned[:, None] == asked).all(axis=(-1, -2)).any()
