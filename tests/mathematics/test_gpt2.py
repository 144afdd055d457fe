"""A small model in GPT-2's published format gives what transformers gave; fetching it fails in one sentence.

How the model was made: see notebooks/data/README.md.
"""

import hashlib
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
    assert gpt2.split(text) == (told["ids"], tokens)
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


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("n_positions", 8, r"has \(32, 32\) for wpe.weight, but config.json asks for \(8, 32\)"),
        ("n_layer", 3, "has nothing for h.2.ln_1.weight, but config.json asks for"),
        ("activation_function", "relu", "'relu'; only 'gelu_new' is computed here"),
        ("n_embd", None, "config.json has n_embd = None, expected a whole number"),
        ("n_head", 3, "an n_head that divides n_embd"),
    ],
)
def test_other_models_are_refused(copied, setting, value, said):
    path = copied / "config.json"
    config = json.loads(path.read_text("utf-8"))
    config[setting] = value
    path.write_text(json.dumps(config), "utf-8")
    with pytest.raises(ValueError, match=said):
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
def asked(monkeypatch, copied):
    """The names of the files that the site is asked for; what it has is the small model."""
    names = []

    def download(repository, name, **how):
        names.append(name)
        return str(copied / name)

    hashes = {}
    for name in gpt2_files.FILES:
        content = (FOLDER / name).read_bytes()
        hashes[name] = hashlib.sha256(content).hexdigest()
    monkeypatch.setattr(gpt2_files, "FILES", hashes)
    monkeypatch.setattr("huggingface_hub.hf_hub_download", download)
    return names


def last_line(capsys):
    return capsys.readouterr().out.splitlines()[-1]


def test_what_was_asked_for_is_opened(asked, capsys):
    assert_agrees(attn.open_gpt2("gpt2"), TOLD[0])
    assert asked == list(gpt2_files.FILES)
    assert capsys.readouterr().out == ""


def test_what_arrives_changed_is_not_kept(asked, copied, capsys):
    path = copied / "tokenizer.json"
    path.write_bytes(path.read_bytes().replace(b"!", b"?", 1))
    assert attn.open_gpt2("gpt2") is None
    assert "tokenizer.json arrived changed: its sha256 is" in last_line(capsys)
    assert not path.exists()


def test_without_a_network_the_lesson_goes_on(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert attn.open_gpt2("gpt2") is None
    said = last_line(capsys)
    assert said.startswith("No real model: config.json could not be fetched (")
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
