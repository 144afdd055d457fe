"""Lesson 13's GPT: lists of readers, and a loop of theirs that trains."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
import train_own_gpt
from attn_lessons.lesson13 import gpt_gradients
from attn_lessons.lesson13._training import stored_training
from attn_parts import gpt

DATA = attn.load_data("own_gpt")["names"]
LINES = [f"{first}{second}a" for first in "bcdfgkl" for second in ("el", "or", "um", "in")]


def test_a_list_is_tidied_and_always_in_the_same_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    again = f"  {LINES[0].upper()} "
    lines = ["\ufeff", *LINES, again, "two  words,", ""]
    text = "\r\n".join(lines)
    (tmp_path / "my.txt").write_text(text, "utf-8", newline="")
    found = attn.load_list("my.txt")
    assert sorted(found) == sorted([*LINES, "two words"])
    assert found == attn.load_list(text)
    assert found == attn.load_list(lines)


def test_lines_with_the_rarest_letters_are_left_out(capsys):
    rare = [f"x{chr(place)}" for place in range(0x4E00, 0x4E50)]
    kept = attn.load_list(LINES + rare)
    assert len(set("".join(kept))) <= 59
    assert "are left out: they have rare letters" in capsys.readouterr().out


def test_a_file_in_another_encoding_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(["Zoë", *LINES])
    (tmp_path / "my.txt").write_text(text, "latin-1")
    with pytest.raises(ValueError, match="UTF-8"):
        attn.load_list("my.txt")


def test_rows_of_mean_0_make_the_two_normalisations_one():
    """What the lesson does before it saves a page."""
    model = gpt.start_gpt(3, letters=7, positions=5)
    numbers = np.random.default_rng(1).integers(7, size=(2, 5))
    E, P, *matrices, U = model.values()
    forward = gpt_gradients.forward_with()
    _, rows, _ = forward(numbers, 4, E, P, U, *matrices)
    for name in ("E", "P", "W_O", "W_2"):
        mean = model[name].mean(axis=-1, keepdims=True)
        model[name] = model[name] - mean
    logits, _ = gpt.run_gpt(model, numbers)
    assert_allclose(logits, rows @ U, atol=1e-4)


def written(model, windows, steps):
    """A loop as a reader writes it."""
    adam = attn.Adam(model, 0.01)
    given = windows[:, :-1]
    asked = windows[:, 1:]
    for _ in range(steps):
        loss, *gradients = gpt_gradients.right_answer(given, asked, 4, *model.values())
        adam.step(dict(zip(model, gradients, strict=True)))
        yield loss


def empty(model, windows, steps):
    """As the lesson gives it."""


def idle(model, windows, steps):
    return [1.0] * steps


def wordy(model, windows, steps):
    return ["loss"] * steps


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        (written, ""),
        (empty, "trained by the course's loop: yours isn't written yet"),
        (idle, "trained by the course's loop: yours yields losses, but changes no parameter"),
        (wordy, "trained by the course's loop: yours yields 'loss', and a loss is one number"),
    ],
)
def test_a_reader_s_loop_trains_or_the_course_s_says_why(loop, said, capsys):
    model = gpt.start_gpt(0, letters=3, width=8, positions=4)
    windows = np.random.default_rng(0).integers(3, size=(8, 5))
    seen = attn.watch_loss(
        loop,
        model,
        windows,
        windows,
        steps=40,
        lines={"guessing": 1.1},
        write=lambda: ["ab"],
    )
    first, *_, last = seen["held_out"]
    out = capsys.readouterr().out
    assert said in out
    assert ("course" in out) == bool(said)
    assert seen["step"][-1] == 40
    assert last < first
    assert last == pytest.approx(gpt_gradients.loss_of(model, windows, 4))


def test_the_stored_training_is_taken_only_for_the_same_training():
    names = attn.load_list("names.txt")
    known, _, _ = train_own_gpt.split(names)
    model = gpt.start_gpt(1, letters=27)
    another = gpt.start_gpt(2, letters=27)
    assert stored_training(model, known[1:], 600) is None
    assert stored_training(another, known, 600) is None
    assert stored_training(model, known, 600) == DATA["losses"]


def test_what_is_shown_as_made_up_is_on_no_list():
    names = attn.load_list("names.txt")
    assert not set(DATA["new"]) & set(names)
