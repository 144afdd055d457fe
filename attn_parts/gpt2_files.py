"""The three files of a model in GPT-2's published format: fetched, if asked for, and read.

Weights are read with safetensors, texts are split with tokenizers; lessons need neither for anything else.
"""

import contextlib
import hashlib
import json
import pathlib

import numpy as np

# One commit, so that everybody gets the same files: name, sha256.
REPOSITORY = "openai-community/gpt2"
COMMIT = "607a30d783dfa663caf39e06633721c8d4cfcd7e"
FILES = {
    "config.json": "0daed7749b4f02b8f76240d5444551d7b08712dab4d0adb8239c56ba823bb7b4",
    "tokenizer.json": "8414cab924d8b9b33013f0d221c5862f365ee9be39c5c2bfae8a5a9e970478a6",
    "model.safetensors": "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707",
}
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
    shapes = _expected_shapes(config)
    weights = {}
    with _reading(folder / "tokenizer.json") as path:
        tokenizer = tokenizer_of(str(path))
    tokenizer.no_truncation()  # a file may ask for one
    with _reading(folder / "model.safetensors") as path, safe_open(path, framework="np") as file:
        for name in file.keys():  # noqa: SIM118, it is no dictionary
            short = name.removeprefix("transformer.")  # which some models have in front
            if short in shapes:  # masks are stored beside them
                weights[short] = file.get_tensor(name).astype(np.float32, copy=False)
    for name, shape in shapes.items():
        found = weights[name].shape if name in weights else "nothing"
        if found != shape:
            raise ValueError(
                f"model.safetensors has {found} for {name}, but config.json asks for {shape}; "
                "take both files from the same model"
            )
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


def _expected_shapes(config):
    """Shape of every weight by its name, as the configuration has it; refuses what run() does not compute."""
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
    for name in ("n_embd", "n_layer", "n_head", "n_positions", "vocab_size"):
        if not isinstance(config.get(name), int) or config[name] < 1:
            raise ValueError(f"config.json has {name} = {config.get(name)!r}, expected a whole number")
    if config["n_embd"] % config["n_head"]:
        raise ValueError("config.json needs an n_head that divides n_embd")
    wide = config["n_embd"]
    shapes = {"wte.weight": (config["vocab_size"], wide), "wpe.weight": (config["n_positions"], wide)}
    inner = config.get("n_inner") or 4 * wide
    layer = {
        "ln_1": (wide,),
        "attn.c_attn": (wide, 3 * wide),
        "attn.c_proj": (wide, wide),
        "ln_2": (wide,),
        "mlp.c_fc": (wide, inner),
        "mlp.c_proj": (inner, wide),
    }
    parts = {"ln_f": (wide,)}
    for k in range(config["n_layer"]):
        parts |= {f"h.{k}.{name}": shape for name, shape in layer.items()}
    for name, shape in parts.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[-1:]}
    return shapes


def fetch_gpt2():
    """Fetch OpenAI's smallest GPT-2 (548 MB) unless it is there, and return its folder."""
    _packages()
    from huggingface_hub import hf_hub_download  # which tokenizers brings along; most readers never need it

    for name, sha256 in FILES.items():
        try:
            path = pathlib.Path(hf_hub_download(REPOSITORY, name, revision=COMMIT, token=False))
        except Exception as error:  # of its own kinds, and of those of the library by which it asks
            why = " ".join(str(error).split())
            raise OSError(
                f"{name} could not be fetched ({why}). Where there is a network, run this cell again"
            ) from error
        with open(path, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != sha256:
            path.resolve().unlink()
            raise OSError(
                f"{name} arrived changed: its sha256 is {found}, expected {sha256}. "
                "It was deleted; run this cell again"
            )
    return path.parent
