"""Lesson 13's GPT: lists of readers, a loop of theirs that trains, what is stored of the course's, and claims about it."""

import ast

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
import course
import train_own_gpt as stored_by
from attn_lessons.lesson13 import _training, gpt_gradients
from attn_parts import gpt
from attn_parts.language_model import unpacked
from attn_parts.learning import shapes_of
from nudges import assert_nudges_agree

LESSON = course.read(next(path for path in course.NOTEBOOKS if path.name.startswith("13")))
DATA = attn.load_data("own_gpt")
LINES = [f"{first}{second}a" for first in "bcdfgkl" for second in ("el", "or", "um", "in")]


def defined(name):
    """What the lesson's cells define under a name, run alone."""
    source = next(
        cell.source
        for cell in course.code_cells(LESSON)
        if f"def {name}(" in cell.source and "check." not in cell.source
    )
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = {"np": np, "attn": attn, "mine": attn.mine, "letters": list(stored_by.LETTERS)}
    exec(compile(tree, "<lesson>", "exec"), found)
    return found[name]


def trained(model, windows, steps):
    """A loop as a reader writes it."""
    adam, rng = attn.Adam(model, 0.01), np.random.default_rng(0)
    for _ in range(steps):
        numbers = windows[rng.integers(len(windows), size=64)]
        loss, *gradients = gpt_gradients.right_answer(numbers[:, :-1], numbers[:, 1:], 4, *model.values())
        adam.step(dict(zip(model, gradients, strict=True)))
        yield loss


# --- the list -------------------------------------------------------------------------------------------


def test_a_list_is_tidied_and_always_in_the_same_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\ufeff" + "\r\n".join(["", *LINES, f"  {LINES[0].upper()} ", "two  words,"]) + "\r\n"
    (tmp_path / "my.txt").write_text(text, "utf-8", newline="")
    found = attn.load_list("my.txt")
    assert sorted(found) == sorted([*LINES, "two words"])
    assert found == attn.load_list(text) == attn.load_list(text.splitlines())


def test_lines_with_the_rarest_letters_are_left_out(capsys):
    many = [*LINES, *(f"x{chr(0x4E00 + place)}" for place in range(80))]
    assert len({letter for line in attn.load_list(many) for letter in line}) <= 59
    assert "are left out: they have rare letters" in capsys.readouterr().out


def test_the_course_s_own_prose_is_a_list():
    sentences = attn.load_list("course")
    assert len(sentences) > 500
    assert not {"|", "#", "`", "$", "<"} & {letter for line in sentences for letter in line}


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ("no.txt", FileNotFoundError, "names.txt"),
        ("one\ntwo", ValueError, "2 different lines"),
        (["one", 2], TypeError, "a list of texts"),
        (None, TypeError, "a file's name"),
        ("", FileNotFoundError, "no file"),
    ],
)
def test_what_is_no_list_says_what_to_do(source, kind, message):
    with pytest.raises(kind, match=message):
        attn.load_list(source)


def test_a_file_in_another_encoding_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.txt").write_bytes("\n".join(["Zoë", *LINES]).encode("latin-1"))
    with pytest.raises(ValueError, match="UTF-8"):
        attn.load_list("my.txt")


# --- the lesson's functions -----------------------------------------------------------------------------


def test_the_lesson_starts_as_the_course_does_and_its_windows_are_the_tool_s():
    model = defined("start")(27)
    for name, array in gpt.start_gpt(1, letters=27).items():
        assert_allclose(model[name], array, err_msg=name)
    assert np.array_equal(defined("windows")(LINES), stored_by.windows(LINES))


@pytest.mark.parametrize("name", list(gpt.start_gpt(0)))
def test_gradients_agree_with_nudges(name):
    model = gpt.start_gpt(2, letters=5, width=4, blocks=2, positions=3)
    numbers = np.random.default_rng(0).integers(5, size=(3, 4))
    given, asked = numbers[:, :-1], numbers[:, 1:]
    gradients = dict(
        zip(["loss", *model], gpt_gradients.right_answer(given, asked, 2, *model.values()), strict=True)
    )
    loss = lambda: gpt_gradients.right_answer(given, asked, 2, *model.values())[0]  # noqa: E731
    assert_nudges_agree(gradients[name], model[name], loss, places=8)


def test_rows_of_mean_0_make_the_two_normalisations_one():
    """What the lesson does before it saves a page."""
    model = gpt.start_gpt(3, letters=7, positions=5)
    numbers = np.random.default_rng(1).integers(7, size=(2, 5))
    E, P, *matrices, U = model.values()
    _, rows, _ = gpt_gradients.forward_with()(numbers, 4, E, P, U, *matrices)
    for name in ("E", "P", "W_O", "W_2"):
        model[name] = model[name] - model[name].mean(axis=-1, keepdims=True)
    logits, _ = gpt.run_gpt(model, numbers)
    assert_allclose(logits, rows @ U, atol=1e-4)


# --- training that is watched ---------------------------------------------------------------------------


def tiny():
    windows = np.random.default_rng(0).integers(3, size=(8, 5))
    return gpt.start_gpt(0, letters=3, width=8, positions=4), windows


@pytest.mark.parametrize(
    ("loop", "reason"),
    [
        (lambda model, windows, steps: None, "isn't written yet"),
        (lambda model, windows, steps: [1.0] * steps, "changes no parameter"),
        (lambda model, windows, steps: ["loss"] * steps, "a loss is one number"),
    ],
)
def test_a_loop_that_cannot_train_is_replaced_by_the_course_s(loop, reason, capsys):
    model, windows = tiny()
    seen = attn.watch_loss(loop, model, windows, windows, steps=40)
    said = capsys.readouterr().out
    assert "trained by the course's loop" in said
    assert reason in said
    assert seen["held_out"][-1] < seen["held_out"][0]


def test_a_reader_s_loop_trains_and_its_picture_says_what_it_came_to(capsys):
    model, windows = tiny()
    seen = attn.watch_loss(
        trained, model, windows, windows, steps=40, lines={"guessing": 1.1}, write=lambda: ["ab"]
    )
    assert "course" not in capsys.readouterr().out
    assert seen["step"][-1] == 40
    assert seen["held_out"][-1] == pytest.approx(gpt_gradients.loss_of(model, windows, 4))
    assert f"held-out {seen['held_out'][-1]:.2f}" in attn.plot_losses(seen).alt


def test_the_stored_training_is_taken_only_for_the_same_training(capsys):
    known, unseen, _ = stored_by.split(attn.load_list("names.txt"))
    model = gpt.start_gpt(1, letters=27)
    seen = attn.watch_loss(lambda *given: None, model, known, unseen, steps=600)
    assert "and stored" in capsys.readouterr().out
    assert seen == DATA["names"]["losses"]
    assert gpt_gradients.loss_of(model, unseen, 4) == pytest.approx(seen["held_out"][-1], abs=1e-3)
    for other in (known[1:], gpt.start_gpt(2, letters=27)):
        changed = (model, other) if isinstance(other, np.ndarray) else (other, known)
        assert _training.stored_training(*changed, 600) is None


# --- what the lesson says of the stored ones ------------------------------------------------------------


def test_what_is_shown_as_made_up_is_on_no_list():
    assert not set(DATA["names"]["new"]) & set(attn.load_list("names.txt"))


def test_claims_about_parts_hold_for_every_seed():
    parts = DATA["parts"]
    full = parts["all"]
    for name in ("no MLP", "no positions"):
        assert min(parts[name]) > max(full) + 0.04
    for name in ("no normalisation", "one head"):
        assert abs(np.mean(parts[name]) - np.mean(full)) < 0.02
    assert min(parts["four blocks, no residual"]) > max(parts["four blocks"]) + 0.5
    assert max(parts["no causal mask, training"]) < 0.2
    assert min(parts["no causal mask"]) > np.log(27)


@pytest.mark.thorough
def test_training_again_gives_what_is_stored():
    known, unseen, kept = stored_by.split(attn.load_list("names.txt"))
    model = gpt.start_gpt(stored_by.SEED, letters=27)
    *_, last = _training.courses_loop(model, known, stored_by.STEPS)
    stored = unpacked(DATA["names"]["numbers"], shapes_of(model))
    losses = [gpt_gradients.loss_of(each, unseen, 4) for each in (model, stored)]
    assert_allclose(*losses, atol=0.02)
    for name in ("no MLP", "no causal mask"):
        _, held_out = stored_by.trained(known, unseen, 1, **stored_by.VARIANTS[name])
        assert held_out == pytest.approx(DATA["parts"][name][0], abs=0.03 if name == "no MLP" else 1.0)
