"""The three files of a model in GPT-2's published format: fetched, if asked for, and read.

Weights are read with safetensors, texts are split with tokenizers; no lesson needs either but for this.
"""

import hashlib
import json
import pathlib

import numpy as np

# One commit, so that everybody gets the same files: name, sha256.
REPOSITORY, COMMIT = "openai-community/gpt2", "607a30d783dfa663caf39e06633721c8d4cfcd7e"
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
    safe_open, damaged, tokenizer_of = _packages()
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(_say_damaged(folder / "config.json", error)) from error
    shapes = _expected_shapes(config)
    try:
        tokenizer = tokenizer_of(str(folder / "tokenizer.json"))
    except Exception as error:  # tokenizers has no class of its own for it
        raise ValueError(_say_damaged(folder / "tokenizer.json", error)) from error
    if max(tokenizer.get_vocab().values()) >= config["vocab_size"]:
        raise ValueError("tokenizer.json has more tokens than vocab_size; take both from one model")
    tokenizer.no_truncation()  # a file may ask for one
    try:
        weights = _read_weights(safe_open, folder / "model.safetensors", shapes)
    except damaged as error:
        raise ValueError(_say_damaged(folder / "model.safetensors", error)) from error
    except TypeError as error:  # a dtype that NumPy doesn't have, such as bfloat16
        raise ValueError(f"model.safetensors: {error}; convert its weights to float32") from error
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
        from safetensors import SafetensorError, safe_open
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ImportError(
            f"it needs two packages more ({error}). In a new cell run %pip install {PACKAGES} "
            "and then this cell again"
        ) from error
    return safe_open, SafetensorError, Tokenizer.from_file


def _say_damaged(path, error):
    return f"{path.as_posix()} cannot be read ({error}); delete it and get it again"


def _read_weights(safe_open, path, shapes):
    """Those named in `shapes`, with or without "transformer." in front; masks are stored beside them, too."""
    weights = {}
    with safe_open(path, framework="np") as file:
        for name in file.keys():  # noqa: SIM118, it is no dictionary
            short = name.removeprefix("transformer.")
            if short in shapes:
                weights[short] = file.get_tensor(name).astype(np.float32, copy=False)
    return weights


def _expected_shapes(config):
    """Shape of every weight by its name, as the configuration has it; refuses what run() does not compute."""
    assumed = {
        "model_type": "gpt2", "activation_function": "gelu_new", "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False, "tie_word_embeddings": True,
    }  # fmt: skip
    if not isinstance(config, dict):
        raise ValueError(f"config.json holds a {type(config).__name__}, expected names and values")
    for name, value in assumed.items():
        if config.get(name, value) != value:
            raise ValueError(f"config.json has {name} = {config[name]!r}; only {value!r} is computed here")
    for name in ("n_embd", "n_layer", "n_head", "n_positions", "vocab_size"):
        if type(config.get(name)) is not int or not 1 <= config[name] <= 100_000:
            raise ValueError(
                f"config.json has {name} = {config.get(name)!r}, expected a whole number from 1 to 100,000"
            )
    epsilon = config.get("layer_norm_epsilon")
    if config["n_embd"] % config["n_head"] or not (isinstance(epsilon, float) and 0 < epsilon < 1):
        raise ValueError(
            "config.json needs an n_head that divides n_embd, and a layer_norm_epsilon such as 1e-05"
        )
    wide, layers = config["n_embd"], config["n_layer"]
    shapes = {"wte.weight": (config["vocab_size"], wide), "wpe.weight": (config["n_positions"], wide)}
    inner = config.get("n_inner") or 4 * wide
    matrices = {
        "attn.c_attn": (wide, 3 * wide), "attn.c_proj": (wide, wide),
        "mlp.c_fc": (wide, inner), "mlp.c_proj": (inner, wide),
    }  # fmt: skip
    norms = ["ln_f"] + [f"h.{layer}.{norm}" for layer in range(layers) for norm in ("ln_1", "ln_2")]
    for norm in norms:
        shapes |= {f"{norm}.weight": (wide,), f"{norm}.bias": (wide,)}
    for layer in range(layers):
        for name, shape in matrices.items():
            shapes |= {f"h.{layer}.{name}.weight": shape, f"h.{layer}.{name}.bias": shape[1:]}
    return shapes


def fetch_gpt2():
    """Fetch OpenAI's smallest GPT-2 (548 MB), unless it is there already, and return its folder; an interrupted one goes on."""
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
                f"{name} arrived changed: its sha256 is {found}, expected {sha256}. It was deleted; run this cell again"
            )
    return path.parent
