"""Compare the course's attention with that of open models: `python tools/models.py` prints a row per class.

`nox -s models` installs torch and PyPI's `transformers` and runs it, every week. Each model of models.toml is
built tiny, with random parameters, and reads nine tokens, once at a stroke and once from its cache, token by
token; nothing is downloaded. What goes into one of its attention layers also goes into the course's NumPy
(tests/support/open_models.py). With `--write` rows and vectors go into tools/pages/models.json:
tools/pages.py shows them as a page, and tests/mathematics/test_open_models.py computes them again.
"""

import datetime
import json
import sys
import tomllib

import numpy as np

from _command import ROOT, day, table

STORED = ROOT / "tools" / "pages" / "models.json"
COMPARED = tomllib.loads((ROOT / "tools" / "models.toml").read_text("utf-8"))
ATTENTION = {"softmax": "self_attn", "latent": "self_attn", "delta": "linear_attn"}
MOST = 1e-5  # that outputs may differ by, as a part of the largest number in them
ROUNDS = {"whole": [9], "cached": [4, 1, 1, 1, 1, 1]}  # how many tokens are read at once
PAGE = """# Attention of open models, compared

On {date} the attention of these classes of PyPI's [transformers](https://pypi.org/project/transformers/)
{version} was compared with this course's NumPy. Each model was built tiny, with random parameters, and
read nine tokens: once the whole text, once the first four and then one token after the other, from its
cache. What went into one of its attention layers also went into ours. The last two columns are the
largest difference between two numbers of the outputs, as a part of the largest number in them. They're
computed with float32, which has seven digits.

{table}

This says that the formulas are the same. It says nothing of the trained models, of speed, or of other
versions. The NumPy is in `tests/support/open_models.py` of the repository, and `nox -s models` compares
again."""


def compare(described):
    """The row of one class: its attention in torch and NumPy, whole and cached, and vectors for the test."""
    import open_models

    kind = described["kind"]
    settings = COMPARED["kinds"][kind] | described.get("settings", {})
    model, part = built(described)
    shapes = {path: list(one.shape) for path, one in part.named_parameters()}
    parameters = open_models.parameters(shapes)
    row = {"name": described["name"], "class": type(part).__name__, "what": described["what"]}
    row |= {"layer": kind, "settings": settings, "shapes": shapes}
    for way, pieces in ROUNDS.items():
        X, outputs = seen(model, part, parameters, pieces)
        apart = np.abs(open_models.LAYERS[kind](parameters, X, **settings) - outputs).max()
        row[way] = float(apart / np.abs(outputs).max())
        if way == "whole":
            row |= {"X": digits(X), "output": digits(outputs)}
    return row


def built(described):
    """A tiny model with random parameters, and the attention layer of it that is compared."""
    import torch
    import transformers

    torch.manual_seed(0)
    sizes = COMPARED["sizes"] | described.get("config", {})
    eager = {"attn_implementation": "eager"}
    config = transformers.AutoConfig.for_model(described["type"], **sizes, **eager)
    model = transformers.AutoModelForCausalLM.from_config(config, **eager).eval()
    name = f"layers.{described['layer']}.{ATTENTION[described['kind']]}"
    return model, model.base_model.get_submodule(name)


def seen(model, part, parameters, pieces):
    """What goes into a layer with these parameters, and comes out, while so many tokens are read at once."""
    import torch

    for path, one in part.named_parameters():
        one.data = torch.tensor(parameters[path], dtype=torch.float32)
    words = torch.randint(1, 64, (1, sum(pieces)), generator=torch.Generator().manual_seed(1))
    calls = []
    hook = part.register_forward_hook(lambda *call: calls.append(call[1:]), with_kwargs=True)
    cache = None
    for piece in words.split(pieces, dim=1):
        with torch.no_grad():
            cache = model(piece, cache=cache, use_cache=True).past_key_values
    hook.remove()
    pieces_in, pieces_out = zip(*map(in_and_out, calls), strict=True)
    return np.concatenate(pieces_in), np.concatenate(pieces_out)


def digits(numbers):
    """Seven significant digits of each number of a matrix, as many as float32 has."""
    return [[float(f"{number:.7g}") for number in row] for row in numbers.tolist()]


def in_and_out(call):
    """What went into an attention layer and what came out, of one call of its hook."""
    given, named, output = call
    X = named.get("hidden_states", given[0] if given else None)
    Y = output[0] if isinstance(output, tuple) else output
    return X[0].numpy(), Y[0].numpy()


def page():
    """The stored table, as Markdown."""
    stored = json.loads(STORED.read_text("utf-8"))
    heads = ["model", "class", "its attention has", "whole", "from the cache"]
    rows = [
        [row["name"], f"`{row['class']}`", row["what"], row["whole"], row["cached"]] for row in stored["rows"]
    ]
    return PAGE.format(
        date=day(stored["date"]),
        version=stored["transformers"],
        table=table(heads, rows),
    )


def main(write):
    sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]
    import transformers

    rows = []
    for described in COMPARED["models"]:
        row = compare(described)
        print(row["name"], row["class"], row["whole"], row["cached"], sep=" | ", flush=True)
        rows.append(row)
    far = [row["name"] for row in rows if not max(row["whole"], row["cached"]) <= MOST]
    if write:
        rows = [row | {way: f"{row[way]:.0e}" for way in ROUNDS} for row in rows]
        today = datetime.date.today().isoformat()
        made = {"date": today, "transformers": transformers.__version__, "rows": rows}
        STORED.write_text(json.dumps(made, ensure_ascii=False) + "\n", "utf-8")
    if far:
        raise SystemExit(f"Further apart than {MOST}: {', '.join(far)}")


if __name__ == "__main__":
    main("--write" in sys.argv)
