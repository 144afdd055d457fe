"""The three files of a model in GPT-2's published format: fetched, if asked for, and read.

Weights are read with safetensors, texts are split with tokenizers; no lesson needs either but for this.
"""

import hashlib
import json
import pathlib

import numpy as np

# One commit of openai-community/gpt2, so that everybody gets the same files: name, size in bytes, sha256.
ADDRESS = "https://huggingface.co/openai-community/gpt2/resolve/607a30d783dfa663caf39e06633721c8d4cfcd7e"
FILES = {
    "config.json": (665, "0daed7749b4f02b8f76240d5444551d7b08712dab4d0adb8239c56ba823bb7b4"),
    "tokenizer.json": (1355256, "8414cab924d8b9b33013f0d221c5862f365ee9be39c5c2bfae8a5a9e970478a6"),
    "model.safetensors": (548105171, "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707"),
}
KEPT = pathlib.Path.home() / ".cache" / "attention-from-scratch" / "gpt2"
PACKAGES = "safetensors==0.8.0 tokenizers==0.23.3"  # as in tests/requirements.txt
MB = 10**6


def read_gpt2(folder):
    """Configuration, weights by name (float32) and tokenizer of the model in `folder`.

    Raises
    ------
    ImportError
        If safetensors or tokenizers are missing; the message has the line that installs them.
    FileNotFoundError
        If one of the three files is missing.
    ValueError
        If a file is damaged, or of another kind of model.

    Examples
    --------
    >>> config, weights, tokenizer = read_gpt2("tests/mathematics/small_gpt2")
    >>> config["n_layer"], weights["h.0.attn.c_attn.weight"].shape
    (2, (32, 96))
    """
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
    tokenizer.no_truncation()  # a file may ask for one
    try:
        weights = _read_weights(safe_open, folder / "model.safetensors", shapes)
    except (damaged, TypeError) as error:  # TypeError: a dtype that NumPy has not, such as bfloat16
        raise ValueError(_say_damaged(folder / "model.safetensors", error)) from error
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
    for name, value in assumed.items():
        if config.get(name, value) != value:
            raise ValueError(f"config.json has {name} = {config[name]!r}; only {value!r} is computed here")
    for name in ("n_embd", "n_layer", "n_head", "n_positions", "vocab_size"):
        if not isinstance(config.get(name), int):
            raise ValueError(f"config.json has {name} = {config.get(name)!r}, expected a whole number")
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


# --- fetching them ---------------------------------------------------------------------------------------


def fetch_gpt2(folder=None):
    """Fetch OpenAI's smallest GPT-2 (550 MB), unless it is there already; an interrupted one goes on.

    Parameters
    ----------
    folder : path, optional
        Where it is kept; .cache/attention-from-scratch/gpt2 of your home folder if not given.

    Returns
    -------
    pathlib.Path
        The folder.

    Raises
    ------
    ImportError
        If the packages that read the files are missing: said before 550 MB are fetched.
    OSError
        If there is no network, not all of a file arrives, or what arrives is not what was published.

    Examples
    --------
    >>> gpt2 = GPT2(fetch_gpt2())  # doctest: +SKIP
    """
    _packages()
    folder = pathlib.Path(folder or KEPT)
    missing = [name for name, (size, _) in FILES.items() if not _has(folder / name, size)]
    if missing:
        megabytes = sum(FILES[name][0] for name in missing) / MB
        print(f"Fetching {megabytes:.0f} MB from {ADDRESS.split('/resolve')[0]}, once, into {folder}")
        folder.mkdir(parents=True, exist_ok=True)
    for name in missing:
        _fetch(folder / name, *FILES[name])
    return folder


def _has(path, size):
    return path.is_file() and path.stat().st_size == size


def _fetch(path, size, sha256):
    """Fetch one file into a neighbour, and rename that when all of it is there and right."""
    from http.client import HTTPException

    part = path.with_name(path.name + ".part")
    if part.exists() and part.stat().st_size > size:
        part.unlink()
    if not _has(part, size):
        try:
            _append(part, size)
        except (OSError, HTTPException) as error:
            raise OSError(
                f"{path.name} could not be fetched ({error}). Where there is a network, run this cell again"
            ) from error
    if not _has(part, size):
        raise OSError(
            f"{path.name}: {part.stat().st_size} of {size} bytes arrived. Run this cell again, it goes on from there"
        )
    with open(part, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != sha256:
        part.unlink()
        raise OSError(
            f"{path.name} arrived changed: its sha256 is {found}, expected {sha256}. It was deleted; run this cell again"
        )
    part.replace(path)


def _append(part, size):
    """Add to `part` what it lacks of `size` bytes, and show how far it has come."""
    import urllib.request  # here, not above: it takes longer to load than all of the course

    there = part.stat().st_size if part.exists() else 0
    asked = {"User-Agent": "attention-from-scratch", "Range": f"bytes={there}-"}
    request = urllib.request.Request(f"{ADDRESS}/{part.stem}", headers=asked)
    with urllib.request.urlopen(request, timeout=30) as answer:
        goes_on = answer.status == 206  # else it sends the whole file
        there = there if goes_on else 0
        with open(part, "ab" if goes_on else "wb") as file:
            while there <= size and (chunk := answer.read(MB)):
                file.write(chunk)
                there += len(chunk)
                print(f"\r{part.stem}: {there / MB:.0f} of {size / MB:.0f} MB", end="", flush=True)
    print()
