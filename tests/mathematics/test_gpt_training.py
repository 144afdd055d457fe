"""The GPT on letters: its gradients, its mask, the stored models, and what readers pass in."""

import hashlib

import numpy as np
import pytest

import attn_helpers as attn
import course
import train_names
from answers import attention
from attn_parts import gpt, names

FILE = course.ROOT / "notebooks" / "data" / "names_models.json"
SIZES = {"letters": 7, "width": 6, "blocks": 2, "positions": 5}  # with 3 heads, 2 texts and 4 letters of each
NUMBERS = np.random.default_rng(2).integers(7, size=(2, 5))
LOGITS = np.log([0.2, 0.5, 0.3])


@pytest.fixture(scope="module")
def models():
    return {name: attn.load_names_model(cheat=name == "cheat") for name in ("honest", "cheat")}


@pytest.mark.parametrize("mask", [attn.causal_mask, None], ids=["causal", "none"])
@pytest.mark.parametrize("name", list(gpt.start_gpt(0)))
def test_gradients_agree_with_nudges(name, mask):
    model = gpt.start_gpt(1, **SIZES)
    _, gradients = gpt.gpt_gradients(model, NUMBERS, mask, heads=3)
    array, nudge, seen = model[name], 1e-5, np.argwhere(np.abs(gradients[name]) > 1e-4)
    for place in map(tuple, np.random.default_rng(5).choice(seen, 8, replace=False)):
        here, losses = array[place], []
        for array[place] in (here + nudge, here - nudge):
            losses.append(gpt.gpt_gradients(model, NUMBERS, mask, heads=3)[0])
        array[place] = here
        assert (losses[0] - losses[1]) / (2 * nudge) == pytest.approx(gradients[name][place], abs=1e-8)
    rows = {*np.unique(NUMBERS[:, :-1])} if name == "E" else set(range(4)) if name == "P" else None
    assert rows is None or rows == set(np.flatnonzero(gradients[name].any(axis=1)))


def test_the_causal_mask_hides_later_letters_and_none_hides_nothing():
    model, other = gpt.start_gpt(1, **SIZES), NUMBERS.copy()
    other[:, -1] = (other[:, -1] + 1) % 7
    for mask, same in ((attn.causal_mask, True), (None, False)):
        before, after = (gpt.run_gpt(model, text, mask, heads=3)[0][:, :-1] for text in (NUMBERS, other))
        assert np.array_equal(before, after) == same


def test_it_runs_with_a_reader_s_attention(models):
    text = names.name_windows(["ada", "bo", "eleonora", "christina"])[:, :-1]
    ours, weights = gpt.run_gpt(models["honest"], text)
    theirs, _ = gpt.run_gpt(models["honest"], text, attention=attention())
    np.testing.assert_allclose(theirs, ours, atol=1e-12)
    assert weights.shape == (1, 2, 4, 16, 16)
    assert attn.complete("chai hot. chai", attention=attention()) == attn.complete("chai hot. chai")


def test_the_one_without_a_mask_cheats_on_held_out_names_too(models):
    """What lessons say of the stored models."""
    losses = [round(attn.names_loss(models["cheat"], mask), 1) for mask in (None, attn.causal_mask)]
    assert losses == [0.2, 6.7] and round(attn.names_loss(models["honest"]), 1) == 2.0
    assert all("ttttt" in name.lower() for name in attn.write_names(models["cheat"], 6, 1, "t"))


def test_the_causal_mask_asks_a_model_of_one_block_as_prefixes_do(models):
    text = names.name_windows(["ada", "bo", "eleonora", "christina"])[:1, :-1]
    logits, _ = gpt.run_gpt(models["cheat"], text)
    for end in range(1, 17):
        asked, _ = gpt.run_gpt(models["cheat"], text[:, :end], mask=None)
        np.testing.assert_allclose(asked[0, -1], logits[0, end - 1], atol=1e-9)


def test_the_lists_are_those_that_are_described():
    training, held_out = attn.load_names()
    assert len({*training, *held_out}) == 5130 and all(set(name) < set(names.LETTERS) for name in training)
    assert max(map(len, training + held_out)) < names.POSITIONS
    described = (FILE.parent / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() in described


def test_a_softmax_of_the_reader_s_writes_the_same(models):
    def plain(x):
        return np.exp(x - x.max()) / np.exp(x - x.max()).sum()

    def with_temperature(x, temperature):
        return plain(x / temperature)

    for softmax in (plain, with_temperature):
        again = {"temperature": 0.5, "softmax": softmax}
        assert attn.write_names(models["honest"], 2, **again) == attn.write_names(
            models["honest"], 2, temperature=0.5
        )
        facts = attn.load_language_model(), "chai hot, dog tame. chai", 3
        assert attn.write_on(*facts, **again) == attn.write_on(*facts, temperature=0.5)


def test_letters_are_drawn_by_their_probability():
    rng = np.random.default_rng(0)
    drawn = np.bincount([gpt.sample(LOGITS, rng) for _ in range(2000)]) / 2000
    np.testing.assert_allclose(drawn, [0.2, 0.5, 0.3], atol=0.04)
    assert {gpt.sample(LOGITS, rng, temperature=0.01) for _ in range(20)} == {1}


def test_training_lowers_the_loss_and_keeps_it(capsys):
    model, losses = attn.train_names(steps=100, seed=3)
    assert losses["step"] == [50, 100] and losses["training"][1] < losses["training"][0] < 3.3
    assert losses["held_out"][1] == pytest.approx(attn.names_loss(model), abs=1e-3)
    assert "step 100 of 100" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda m: attn.names_loss(m, attn.causal_mask(16)), TypeError, "without parentheses"),
        (lambda m: attn.names_loss((m, {})), TypeError, "model, losses = "),
        (lambda m: attn.write_names(m, start="Zoë"), ValueError, "letters a to z"),
        (lambda m: attn.write_names(m, start="a" * 15), ValueError, "up to 14"),
        (lambda m: attn.write_names(m, temperature=0), ValueError, "positive"),
        (lambda m: attn.write_names(m, softmax="softmax"), TypeError, "without quotes"),
        (lambda m: attn.write_names(m, softmax=lambda x: x), ValueError, "sum to 1"),
        (lambda m: attn.write_names(m, softmax=lambda x: None), TypeError, "have a return"),
        (lambda m: attn.write_names(m, attention=lambda *given: given[2]), TypeError, "output, weights"),
        (lambda m: gpt.run_gpt(m, [1, 2]), ValueError, "an axis in front"),
        (lambda m: gpt.run_gpt(m, [[27]]), ValueError, "0 to 26"),
        (lambda m: attn.train_names(steps=10), ValueError, "50 or more"),
        (lambda m: attn.complete("chay hot"), ValueError, "did you mean chai"),
    ],
)
def test_an_error_says_what_to_do(models, call, kind, message):
    with pytest.raises(kind, match=message):
        call(models["honest"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.weekly] * (name == "honest")) for name in train_names.SETTINGS],
)
def test_training_again_gives_the_stored_model(name):
    again, stored = train_names.stored(**train_names.SETTINGS[name]), attn.load_data("names_models")[name]
    for part in ("training", "held_out"):
        np.testing.assert_allclose(again["losses"][part], stored["losses"][part], atol=0.02)
