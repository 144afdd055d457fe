"""Training again gives what is stored, up to how machines round."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
import train_many_heads
import train_names
import train_own_gpt
import train_pronoun_head
from attn_lessons.lesson13 import gpt_gradients
from attn_lessons.lesson13._training import courses_loop
from attn_parts.gpt import start_gpt
from attn_parts.language_model import unpacked
from attn_parts.learning import shapes_of

pytestmark = pytest.mark.thorough


def test_the_pronoun_head():
    """Its weights to half a hundredth, all else exactly."""
    trained = train_pronoun_head.collect()
    stored = attn.load_data("pronoun_head")
    made = trained.pop("heads")
    heads = stored.pop("heads")
    assert trained == stored
    for name, parts in heads.items():
        for part, values in parts.items():
            assert_allclose(made[name][part], values, atol=0.005, err_msg=part)


def test_many_heads():
    """Two seeds of the pronoun, and one scaled head of width 64."""
    stored = attn.load_data("many_heads")
    for part, values in train_many_heads.pronouns([1, 7]).items():
        of_all = np.array(stored["pronoun"][part])
        assert_allclose(of_all[[1, 7]], values, atol=0.005, err_msg=part)
    wanted = {"variant": "scaled", "d_k": 64, "rate": 0.01}
    [run] = [run for run in stored["agreement"] if wanted.items() <= run.items()]
    accuracy, _ = train_many_heads.agree("scaled", 64, 0.01, seed=0)
    assert run["accuracy"][0] == pytest.approx(accuracy, abs=0.01)


@pytest.mark.parametrize("name", ["cheat", pytest.param("honest", marks=pytest.mark.weekly)])
def test_a_gpt_on_names(name):
    again = train_names.stored(**train_names.SETTINGS[name])
    stored = attn.load_data("names_models")[name]
    for part in ("training", "held_out"):
        assert_allclose(again["losses"][part], stored["losses"][part], atol=0.02)


def test_the_gpt_of_lesson_13():
    data = attn.load_data("own_gpt")
    names = attn.load_list("names.txt")
    known, unseen, _ = train_own_gpt.split(names)
    model = start_gpt(train_own_gpt.SEED, letters=27)
    list(courses_loop(model, known, train_own_gpt.STEPS))
    stored = unpacked(data["names"]["numbers"], shapes_of(model))
    expected = gpt_gradients.loss_of(stored, unseen, 4)
    found = gpt_gradients.loss_of(model, unseen, 4)
    assert found == pytest.approx(expected, abs=0.02)
    for name, apart in (("no MLP", 0.03), ("no causal mask", 1.0)):
        variant = train_own_gpt.VARIANTS[name]
        _, held_out = train_own_gpt.trained(known, unseen, 1, **variant)
        assert held_out == pytest.approx(data["parts"][name][0], abs=apart)
