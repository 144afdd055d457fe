"""Compare the course's attention with that of open models: `python tools/models.py` prints a row for each class.

`nox -s models` installs torch and PyPI's `transformers` and runs it, every week. Each model is built tiny, with random parameters,
and reads nine tokens, once at a stroke and once from its cache, token by token; nothing is downloaded. What goes into one of
its attention layers also goes into the course's NumPy (tests/support/open_models.py). With `--write` rows and vectors go into
tools/pages/models.json: tools/pages.py shows them as a page, and tests/mathematics/test_open_models.py computes them again.
"""

import collections
import datetime
import json
import sys

import numpy as np

from _command import ROOT

STORED = ROOT / "tools" / "pages" / "models.json"
ATTENTION = {"softmax": "self_attn", "latent": "self_attn", "delta": "linear_attn"}
MOST = 1e-5  # that outputs may differ by, as a part of the largest number in them
TOKENS, FIRST = 9, 4  # read in all, and at first where the others come one by one
SIZES = {
    "vocab_size": 64,
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "rms_norm_eps": 1e-6,
}
EXPERTS = {"num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 8}
DELTA = {
    "linear_num_key_heads": 2,
    "linear_num_value_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 4,
}
LATENT = {
    "num_key_value_heads": 4,
    "head_dim": 4,
    "q_lora_rank": 8,
    "kv_lora_rank": 6,
    "qk_nope_head_dim": 4,
    "qk_rope_head_dim": 4,
    "v_head_dim": 4,
    "n_group": 1,
    "topk_group": 1,
    "n_routed_experts": 2,
    "num_experts_per_tok": 1,
}
COMMON = {  # settings of the NumPy layers
    "softmax": {"heads": 4, "kv_heads": 2, "width": 8, "theta": 10000.0},
    "latent": {"heads": 4, "rank": 6, "plain": 4, "placed": 4, "theta": 10000.0},
    "delta": {"heads": 2, "key_width": 8, "value_width": 4},
}
SLIDING = ["sliding_attention"] * 3 + ["full_attention"]
# name -> model_type, its settings, the layer, kind and settings of the NumPy layer, what its attention has
MODELS = {
    "Llama": ("llama", {}, 0, "softmax", {}, "grouped queries, RoPE"),
    "Mistral": (
        "mistral",
        {"sliding_window": 4},
        0,
        "softmax",
        {"window": 4},
        "a sliding window in every layer",
    ),
    "Qwen3": ("qwen3", {}, 0, "softmax", {"norm": "head"}, "queries and keys normalised"),
    "Gemma 3": (
        "gemma3_text",
        {"sliding_window": 4, "layer_types": SLIDING, "query_pre_attn_scalar": 10},
        0,
        "softmax",
        {"norm": "head", "plus": 1, "window": 4, "scale": 10**-0.5},
        "normalised, a window in most layers",
    ),
    "gpt-oss": (
        "gpt_oss",
        {
            "sliding_window": 4,
            "num_local_experts": 2,
            "num_experts_per_tok": 1,
            "rope_parameters": {"rope_type": "default", "rope_theta": 150000.0},
        },
        0,
        "softmax",
        {"window": 4, "theta": 150000.0},
        "a learned sink in each head, a window in every other layer",
    ),
    "OLMo 3": (
        "olmo3",
        {"sliding_window": 4, "layer_types": SLIDING},
        0,
        "softmax",
        {"norm": "row", "window": 4, "theta": 500000.0},
        "normalised over all heads, a window in three of four layers",
    ),
    "SmolLM3": ("smollm3", {}, 3, "softmax", {"theta": None}, "no positions in every fourth layer"),
    "GLM-4.5": (
        "glm4_moe",
        {**EXPERTS, "n_routed_experts": 2, "use_qk_norm": True, "attention_bias": True},
        0,
        "softmax",
        {"norm": "head", "turn": 4},
        "RoPE on half of the columns",
    ),
    "DeepSeek-V3": (
        "deepseek_v3",
        LATENT,
        0,
        "latent",
        {},
        "keys and values from a latent row",
    ),
    "Qwen3-Next": (
        "qwen3_next",
        {**EXPERTS, **DELTA},
        3,
        "softmax",
        {"norm": "head", "plus": 1, "turn": 2, "gate": True},
        "a gate on the output, in every fourth layer",
    ),
    "Qwen3-Next, linear": (
        "qwen3_next",
        {**EXPERTS, **DELTA},
        0,
        "delta",
        {},
        "the gated delta rule, in three of four layers",
    ),
}
COLUMNS = {
    "name": "model",
    "class": "class",
    "what": "its attention has",
    "whole": "whole",
    "cached": "from the cache",
}
PAGE = """# Attention of open models, compared

On {date} the attention of these classes of PyPI's [transformers](https://pypi.org/project/transformers/)
{version} was compared with this course's NumPy. Each model was built tiny, with random parameters, and
read nine tokens: once the whole text, once the first four and then one token after the other, from its
cache. What went into one of its attention layers also went into ours. The last two columns are the
largest difference between two numbers of the outputs, as a part of the largest number in them. They're
computed with float32, which has seven digits.

| {heads} |
| {rule} |
{rows}

This says that the formulas are the same. It says nothing of the trained models, of speed, or of other
versions. The NumPy is in `tests/support/open_models.py` of the repository, and `nox -s models` compares
again."""


def compare(name):
    """The row of one class: its attention in torch and in NumPy, whole and cached, and the vectors for the test."""
    import torch
    import transformers

    import open_models

    kind, given, number, layer, settings, what = MODELS[name]
    torch.manual_seed(0)
    made = transformers.AutoConfig.for_model(kind, **{**SIZES, **given}, attn_implementation="eager")
    model = transformers.AutoModelForCausalLM.from_config(made, attn_implementation="eager").eval()
    [part] = [
        one for path, one in model.named_modules() if path.endswith(f"layers.{number}.{ATTENTION[layer]}")
    ]
    shapes = {path: list(one.shape) for path, one in part.named_parameters()}
    parameters = open_models.parameters(shapes)
    for path, one in part.named_parameters():
        one.data = torch.tensor(parameters[path], dtype=torch.float32)
    seen = []
    part.register_forward_hook(lambda *call: seen.append(call[1:]), with_kwargs=True)
    words = torch.randint(1, 64, (1, TOKENS), generator=torch.Generator().manual_seed(1))
    rounds = {"whole": [TOKENS], "cached": [FIRST, *[1] * (TOKENS - FIRST)]}
    settings = COMMON[layer] | settings
    row = {"name": name, "class": type(part).__name__, "what": what}
    row |= {"layer": layer, "settings": settings, "shapes": shapes}
    for way, pieces in rounds.items():
        seen.clear()
        cache, start = None, 0
        for piece in pieces:
            with torch.no_grad():
                answer = model(words[:, start : start + piece], cache=cache, use_cache=True)
            cache, start = answer.past_key_values, start + piece
        X, outputs = (
            np.concatenate([one[0].numpy() for one in each])
            for each in zip(*map(in_and_out, seen), strict=True)
        )
        apart = np.abs(open_models.run(layer, parameters, settings, X, pieces) - outputs).max()
        row[way] = float(apart / np.abs(outputs).max())
        if way == "whole":
            row |= {"X": digits(X), "output": digits(outputs)}
    return row


def digits(numbers):
    """Seven significant digits of each number of a matrix, as many as float32 has."""
    return [[float(f"{number:.7g}") for number in row] for row in numbers.tolist()]


def in_and_out(call):
    """What went into an attention layer and what came out, of one call of its hook."""
    given, named, output = call
    X = named.get("hidden_states", given[0] if given else None)
    return X, output[0] if isinstance(output, tuple) else output


def page():
    """The stored table, as Markdown."""
    stored = json.loads(STORED.read_text("utf-8"))
    date = datetime.date.fromisoformat(stored["date"])
    rows = [[f"`{row[key]}`" if key == "class" else row[key] for key in COLUMNS] for row in stored["rows"]]
    return PAGE.format(
        date=f"{date.day} {date:%B %Y}",
        version=stored["transformers"],
        heads=" | ".join(COLUMNS.values()),
        rule=" | ".join(["---"] * len(COLUMNS)),
        rows="\n".join(f"| {' | '.join(row)} |" for row in rows),
    )


def sizes_of(config):
    """What of a class's defaults decides the cache, as notebooks/data/open_models.json has it."""
    kinds = collections.Counter(getattr(config, "layer_types", None) or [])
    sliding = kinds["sliding_attention"] + kinds["chunked_attention"]
    window = getattr(config, "sliding_window", None) or getattr(config, "attention_chunk_size", None)
    latent = getattr(config, "kv_lora_rank", None)
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return {
        "layers": config.num_hidden_layers,
        "kv_heads": 0 if latent else config.num_key_value_heads,
        "head_dim": 0 if latent else width,
        "sliding": sliding,
        "window": window if sliding else 0,
        "linear": kinds["linear_attention"],
        "latent": latent + config.qk_rope_head_dim if latent else 0,
    }


def stale():
    """The models in notebooks/data whose class has other defaults now."""
    import transformers

    listed = json.loads((ROOT / "notebooks" / "data" / "open_models.json").read_text("utf-8"))["models"]
    found = []
    for model in listed:
        _, _, name = model["source"].partition("transformers 5.24.0, ")
        if name and sizes_of(getattr(transformers, name.removesuffix("()"))()) != model["cache"]:
            found.append(model["name"])
    return found


def main(write):
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]
    import transformers

    rows = []
    for name in MODELS:
        row = compare(name)
        print(f"{name:20} {row['class']:24} whole {row['whole']:.0e}, cached {row['cached']:.0e}", flush=True)
        rows.append(row)
    if write:
        for row in rows:
            row |= {way: f"{row[way]:.0e}" for way in ("whole", "cached")}
        day = datetime.datetime.now(datetime.UTC).date().isoformat()
        made = {"date": day, "transformers": transformers.__version__, "rows": rows}
        STORED.write_text(json.dumps(made, ensure_ascii=False) + "\n", "utf-8")
    far = [row["name"] for row in rows if not max(float(row["whole"]), float(row["cached"])) <= MOST]
    if far:
        raise SystemExit(f"Further apart than {MOST}: {', '.join(far)}")
    if changed := stale():
        raise SystemExit(f"Other defaults than in notebooks/data/open_models.json: {', '.join(changed)}")


if __name__ == "__main__":
    main("--write" in sys.argv)
