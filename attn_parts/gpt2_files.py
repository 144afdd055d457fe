"""The three files of a model in GPT-2's published format: fetched, if asked for, and read.

Weights are read with safetensors, texts are split with tokenizers; lessons need neither for anything else.
"""

import contextlib
import json
import pathlib

import numpy as np

REPOSITORY = "openai-community/gpt2"
COMMIT = "607a30d783dfa663caf39e06633721c8d4cfcd7e"  # everybody gets the same files
FILES = ["config.json", "tokenizer.json", "model.safetensors"]
PACKAGES = "safetensors==0.8.0 tokenizers==0.23.3"  # as in tests/requirements.txt


def read_gpt2(folder):
    """Configuration, weights by name (float32) and tokenizer of the model in `folder`."""
    folder = pathlib.Path(folder)
    for name in FILES:
        if not (folder / name).is_file():
            raise FileNotFoundError(
                f"{folder.as_posix()} has no {name}; expected a folder with {', '.join(FILES)}"
            )
    safe_open, tokenizer_of = _packages()
    with _reading(folder / "config.json") as path:
        config = json.loads(path.read_text(encoding="utf-8"))
    _check_kind(config)
    weights = {}
    with _reading(folder / "tokenizer.json") as path:
        tokenizer = tokenizer_of(str(path))
    tokenizer.no_truncation()  # a file may ask for one
    with _reading(folder / "model.safetensors") as path, safe_open(path, framework="np") as file:
        for name in file.keys():  # noqa: SIM118, it is no dictionary
            if not name.endswith((".attn.bias", ".masked_bias")):  # masks are stored beside the weights
                short = name.removeprefix("transformer.")  # which some models have in front
                weights[short] = file.get_tensor(name).astype(np.float32, copy=False)
    return config, weights, tokenizer


def _packages():
    try:
        from safetensors import safe_open
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ImportError(
            f"it needs two packages more ({error}). In a new cell run %pip install {PACKAGES} "
            "and then this cell again"
        ) from error
    return safe_open, Tokenizer.from_file


@contextlib.contextmanager
def _reading(path):
    """Raise a ValueError where a file cannot be read; each library has errors of its own for that."""
    try:
        yield path
    except TypeError as error:  # a dtype that NumPy doesn't have, such as bfloat16
        raise ValueError(f"{path.name}: {error}; convert its weights to float32") from error
    except Exception as error:
        raise ValueError(f"{path.as_posix()} cannot be read ({error}); delete it and get it again") from error


def _check_kind(config):
    """Raise if the configuration asks for what run() does not compute."""
    assumed = {
        "model_type": "gpt2",
        "activation_function": "gelu_new",
        "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False,
        "tie_word_embeddings": True,
        "layer_norm_epsilon": 1e-5,
    }
    for name, value in assumed.items():
        if config.get(name, value) != value:
            raise ValueError(f"config.json has {name} = {config[name]!r}; only {value!r} is computed here")


def fetch_gpt2():
    """Fetch OpenAI's smallest GPT-2 (548 MB) unless it is there, and return its folder."""
    _packages()
    from huggingface_hub import snapshot_download  # which tokenizers brings along; most readers never need it

    try:
        return snapshot_download(REPOSITORY, revision=COMMIT, allow_patterns=FILES, token=False)
    except Exception as error:  # of its own kinds, and of those of the library by which it asks
        why = " ".join(str(error).split())
        raise OSError(
            f"the model could not be fetched ({why}). Where there is a network, run this cell again"
        ) from error
