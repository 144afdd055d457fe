"""Lesson 08: the explorer shows the head as it learned, a reader's own too; pictures of many heads say what is stored."""

import re

import numpy as np
import pytest

import attn_helpers as attn
from explorers import matrices, moved

STORED = attn.load_data("pronoun_head")["heads"]["looks"]


@pytest.mark.parametrize("step", [0, 40, 500])
def test_the_head_of_lesson_00_is_shown_at_every_step(step):
    explorer = moved(attn.explore_training(), step=step)
    weights, answers = matrices(explorer)
    np.testing.assert_allclose(weights, np.ravel(STORED["weights"][step // 10]), rtol=0, atol=0.011)
    np.testing.assert_allclose(answers, np.ravel(STORED["answers"][step // 10]), rtol=0, atol=0.011)
    assert f"Loss {STORED['loss'][step // 10]:.3f}." in explorer.description


def test_what_the_lesson_says_of_other_seeds_and_rates():
    explorer = attn.explore_training()
    explorer.seed.value = 7
    assert "noun: chai 0.01, dough 0.82" in explorer.description
    explorer.seed.value = 0
    assert explorer.description.endswith("seed 0.02.") and "seed 0.01. Probability" in explorer.description
    explorer.seed.value, explorer.rate.value = 1, 1.0
    assert "Loss 0.277." in explorer.description and explorer.description.endswith("bell 0.50, seed 0.50.")
    explorer.rate.value = 3.0
    assert "Loss 1.609." in explorer.description


def test_a_head_of_ones_own_is_shown_in_both_pictures(tmp_path):
    seen = attn.watch_training(attn.start_head(seed=3), steps=60)
    explorer = attn.explore_training(seen)
    assert explorer.step.max == 60 and not hasattr(explorer, "seed")
    np.testing.assert_allclose(matrices(explorer)[0], np.ravel(seen["weights"][-1]), rtol=0, atol=0.006)
    file = tmp_path / "my_head.json"
    attn.save_training(seen, file)
    for mine in (seen, file, str(file)):
        first = attn.explore_pronoun(mine)
        assert first.step.max == 60
        assert re.search(
            rf"after 60 steps of learning: .*chai {seen['weights'][-1][0][1]:.2f}", first.description
        )


def test_what_is_no_head_is_refused_with_the_way_to_one(tmp_path):
    with pytest.raises(FileNotFoundError, match="no file 'none.json'.*attn.save_training"):
        attn.explore_pronoun("none.json")
    with pytest.raises(ValueError, match="got a dictionary with W_Q, W_K, W_V, W_O; .*attn.watch_training"):
        attn.explore_pronoun(attn.start_head(seed=1))
    with pytest.raises(ValueError, match="got a dictionary with W_Q, W_K, W_V, W_O; .*attn.watch_training"):
        attn.explore_training(attn.start_head(seed=1))


def test_pictures_of_many_heads_say_what_is_stored():
    data = attn.load_data("many_heads")
    alt = attn.plot_seeds(data["pronoun"]["looks"], data["pronoun"]["answers"], list(attn.NEXT_WORD)).alt
    assert "Seed 7: chai 0.01, dough 0.82" in alt and alt.count("(answer wrong)") == 3
    alt = attn.plot_learned(data["agreement"]).alt
    assert alt.count("unscaled, small start") == 6 and "d_k = 1024, loss: scaled 0.001: " in alt


def test_the_bar_counts_and_stores_no_time(capsys):
    assert list(attn.progress_bar(3, label="round")) == [0, 1, 2]
    assert list(attn.progress_bar(0)) == []
    assert not re.search(r"\d+ ?(s|ms|it/s)\b", capsys.readouterr().out)
