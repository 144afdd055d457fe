"""A small model in GPT-2's published format gives what transformers gave; fetching it fails in one sentence.

How the model was made: see notebooks/data/README.md.
"""

import json
import pathlib
import shutil
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose
from safetensors.numpy import load_file, save_file

import attn_helpers as attn
from answers import attention
from attn_parts import gpt2_files
from course import ROOT

FOLDER = pathlib.Path(__file__).parent / "small_gpt2"
TOLD = json.loads((FOLDER / "expected.json").read_text("utf-8"))["texts"]


@pytest.fixture
def copied(tmp_path):
    """The small model in a folder that may be changed."""
    return shutil.copytree(FOLDER, tmp_path / "model")


def assert_agrees(gpt2, told, logits=1e-4, weights=1e-5, **attention):
    text = told["text"]
    tokens, found_logits, found_weights = gpt2.run(text, **attention)
    assert "".join(tokens) == text
    assert found_logits.dtype == np.float32
    assert_allclose(found_logits, told["logits"], atol=logits)
    assert_allclose(found_weights, told["weights"], atol=weights)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told["text"])
def test_agrees_with_transformers(told):
    gpt2 = attn.GPT2(FOLDER)
    assert_agrees(gpt2, told)
    assert_agrees(gpt2, told, attention=attention())


def test_names_may_have_a_prefix_and_numbers_another_dtype(copied):
    path = copied / "model.safetensors"
    renamed = {}
    for name, value in load_file(path).items():
        renamed[f"transformer.{name}"] = value.astype(np.float16)
    renamed["lm_head.weight"] = renamed["transformer.wte.weight"]
    renamed["transformer.h.0.attn.masked_bias"] = np.array(-1e4, np.float32)
    save_file(renamed, path)
    gpt2 = attn.GPT2(copied)
    assert_agrees(gpt2, TOLD[0], logits=0.05, weights=0.01)  # float16 has three digits


def test_next_tokens_are_the_likeliest():
    gpt2 = attn.GPT2(FOLDER)
    _, logits, _ = gpt2.run("The chai")
    found = gpt2.next_tokens(logits[-1], count=300)
    expected = attn.softmax(logits[-1])
    probabilities = [probability for _, probability in found]
    assert probabilities == sorted(expected, reverse=True)
    assert dict(found)["<|endoftext|>"] == expected[299]


def test_a_model_with_another_nonlinearity_is_refused(copied):
    path = copied / "config.json"
    config = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(config | {"activation_function": "relu"}), "utf-8")
    with pytest.raises(ValueError, match="'relu'; only 'gelu_new' is computed here"):
        attn.GPT2(copied)


@pytest.mark.parametrize("name", gpt2_files.FILES)
def test_files_that_are_damaged_or_missing_are_told_in_one_line(copied, name, capsys):
    path = copied / name
    path.write_bytes(path.read_bytes()[:-100])
    assert attn.open_gpt2(copied) is None
    path.unlink()
    assert attn.open_gpt2(copied) is None
    damaged, missing = capsys.readouterr().out.splitlines()
    assert f"{name} cannot be read (" in damaged
    assert "delete it and get it again. The lesson goes on" in damaged
    assert f"has no {name}; expected a folder with config.json" in missing


# --- where packages, the network or the files are not there ----------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """The names of the files that the site is asked for; what it has is the small model."""
    names = []

    def download(repository, allow_patterns, **how):
        names.extend(allow_patterns)
        return str(FOLDER)

    monkeypatch.setattr("huggingface_hub.snapshot_download", download)
    return names


def last_line(capsys):
    return capsys.readouterr().out.splitlines()[-1]


def test_what_was_asked_for_is_opened(asked, capsys):
    assert_agrees(attn.open_gpt2("gpt2"), TOLD[0])
    assert asked == gpt2_files.FILES
    assert capsys.readouterr().out == ""


def test_without_a_network_the_lesson_goes_on(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert attn.open_gpt2("gpt2") is None
    said = last_line(capsys)
    assert said.startswith("No real model: the model could not be fetched (")
    assert said.endswith("Where there is a network, run this cell again. The lesson goes on without one.")


@pytest.mark.parametrize("package", ["safetensors", "tokenizers"])
def test_without_the_packages_nothing_is_fetched(asked, capsys, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert attn.open_gpt2("gpt2") is None
    said = capsys.readouterr().out
    assert package in said
    assert f"In a new cell run %pip install {gpt2_files.PACKAGES}" in said
    assert asked == []


def test_the_line_that_installs_them_has_the_tested_versions():
    pinned = (ROOT / "tests" / "requirements.txt").read_text("utf-8").splitlines()
    assert set(gpt2_files.PACKAGES.split()) <= set(pinned)
