"""Gradients written by hand agree with what a small nudge does to the loss; lesson 09 asks torch too."""

import numpy as np
import pytest

import attn_helpers as attn
from attn_lessons.lesson13 import gpt_gradients
from attn_lessons.lesson14 import _seeker as seeker
from attn_parts import gpt, learning
from attn_parts import language_model as lm
from attn_parts.toy_corpus import toy_texts


def test_cross_entropy_survives_large_scores():
    loss, gradient = learning.cross_entropy(np.array([[1000.0, 0.0]]), np.array([1]))
    assert loss == 1000
    assert np.isfinite(gradient).all()


def of_the_lesson(model, numbers):
    """The answer to lesson 13's exercise, called as the course's own."""
    given = numbers[:, :-1]
    asked = numbers[:, 1:]
    loss, *gradients = gpt_gradients.right_answer(given, asked, 2, *model.values())
    return loss, dict(zip(model, gradients, strict=True))


rng = np.random.default_rng(1)
TEXTS, _ = toy_texts(2, 12, seed=4)
NUMBERS = rng.integers(5, size=(3, 4))
GPT = gpt.start_gpt(2, letters=5, width=8, blocks=2, positions=3)
SEEKER = {
    "Q": rng.standard_normal((21, 8)),
    "K": rng.standard_normal((21, 8)),
    "V": rng.standard_normal((21, 4)),
}
SINK = {"sink": rng.standard_normal(1)}
MODELS = {  # a model, what computes its loss and gradients, and what that is given besides
    "head": (learning.start_head(1), learning.head_gradients, *learning.pronoun_sentences()),
    "language model": (
        lm.start_language_model(3),
        lm.language_model_gradients,
        TEXTS,
    ),
    "GPT": (GPT, gpt.gpt_gradients, NUMBERS, attn.causal_mask),
    "GPT without a mask": (GPT, gpt.gpt_gradients, NUMBERS, None),
    "GPT of lesson 13": (GPT, of_the_lesson, NUMBERS),
    "seeker": (
        SEEKER,
        seeker.seeker_gradients,
        *seeker.make_texts(4, True, 5),
    ),
    "seeker, a sink": (
        SEEKER | SINK,
        seeker.seeker_gradients,
        *seeker.make_texts(4, False, 5),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_gradients_agree_with_nudges(name):
    """Each parameter is moved a little in a direction drawn at random."""
    start, gradients_of, *given = MODELS[name]
    rng = np.random.default_rng(0)
    model = {part: array.astype(float) for part, array in start.items()}
    _, gradients = gradients_of(model, *given)
    for part, array in model.items():
        step = 1e-6 * rng.standard_normal(array.shape)
        above, _ = gradients_of(model | {part: array + step}, *given)
        below, _ = gradients_of(model | {part: array - step}, *given)
        measured = (above - below) / 2
        expected = (gradients[part] * step).sum()
        assert measured == pytest.approx(expected, rel=1e-5), part


@pytest.mark.parametrize("own", [{}, {"kettle": "whistle"}])
def test_the_sentences_of_the_exam_are_not_among_those_learned(own):
    next_word = learning.NEXT_WORD | own
    learned, _ = learning.pronoun_sentences(next_word=next_word)
    asked, nouns = learning.pronoun_sentences(unseen=True, next_word=next_word)
    assert len(learned) == 4 * len(next_word)
    assert nouns.tolist() == list(range(len(next_word)))
    same = (learned[:, None] == asked).all(axis=(-1, -2))
    assert not same.any()
