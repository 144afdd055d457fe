"""Judge attention of other libraries: `python tools/libraries.py ENVIRONMENT` prints a row for each function.

`nox -s judge` installs what ENVIRONMENT needs and runs it, every week. With `--write` (`nox -s judge -- --write`) the rows
go into tools/pages/libraries.json with the day, and tools/pages.py shows them as a page.
"""

import datetime
import importlib.metadata
import json
import os
import subprocess
import sys

from _command import ROOT, day, table

STORED = ROOT / "tools" / "pages" / "libraries.json"
COLUMNS = ["library", "version", "function", "options", "verdict"]
WIDE = "--lengths-first --equal-widths --causal upper-left --blocked mean"
# what is installed for them: the library, the function, its options, the exit code that it must get
FUNCTIONS = {
    "torch": [
        ("torch", "torch.nn.functional:scaled_dot_product_attention", "--torch --causal upper-left", 0)
    ],
    "jax": [("jax", "jax.nn:dot_product_attention", f"--jax {WIDE}", 0)],
    "flax": [("flax", "flax.linen:dot_product_attention", "--jax --lengths-first --blocked mean", 0)],
    "equinox": [("equinox", "judged:equinox", "--jax --blocked mean", 0)],
    "keras torch": [("keras", "keras.ops:dot_product_attention", f"--torch {WIDE}", 0)],
    "transformers torch": [("transformers", "judged:transformers", "--torch --blocked mean", 0)],
    "mlx mlx-cpu": [("mlx", "judged:mlx", "--causal lower-right --blocked mean", 0)],
    "tinygrad": [("tinygrad", "judged:tinygrad", "--causal upper-left --blocked mean", 0)],
    "onnxruntime onnx": [
        ("onnxruntime", "judged:onnx_runtime", "--causal lower-right", 0),
        ("onnx", "judged:onnx_reference", "--causal lower-right", 0),
    ],
    # a release whose triangle isn't where the standard has it
    "onnx==1.19.0": [("onnx", "judged:onnx_reference", "--causal lower-right --blocked nan", 3)],
}
PAGE = """# Attention of other libraries, judged

On {date} the judge of this course ran the functions below, on the CPU, each with the options that say
which conventions it follows: where the causal triangle is when there are more keys than queries, and what
a query gets when all its keys are blocked (zeros, if no option says otherwise). Without `--causal`,
nothing causal was asked.

{table}

A function that begins with `judged` is called through a few lines of the repository's
`tests/support/judged.py`, because its arguments are different. To judge yours, see
[About the course](README.md#judge-your-own-attention).
"""


def judge(environment):
    """The rows of an environment, printed one by one, and the functions that got another exit code than they must."""
    rows = []
    unexpected = []
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
    variables = os.environ | {"PYTHONPATH": paths, "KERAS_BACKEND": "torch"}
    for library, function, options, expected in FUNCTIONS[environment]:
        command = [sys.executable, *"-m attn_checks judge --seconds 900".split(), function, *options.split()]
        done = subprocess.run(command, env=variables, capture_output=True, text=True)
        verdict = (done.stdout or done.stderr).splitlines()[0]
        row = (library, importlib.metadata.version(library).partition("+")[0], function, options, verdict)
        print(*row, sep=" | ", flush=True)
        rows.append(dict(zip(COLUMNS, row, strict=True)))
        if done.returncode != expected:
            unexpected.append(function)
    return rows, unexpected


def store(rows):
    """Put rows in the place of those of the same function and options."""
    stored = json.loads(STORED.read_text("utf-8"))["rows"]
    kept = {(row["function"], row["options"]): row for row in [*stored, *rows]}
    found = {"date": datetime.date.today().isoformat(), "rows": list(kept.values())}
    STORED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def page():
    """The stored table, as Markdown."""
    stored = json.loads(STORED.read_text("utf-8"))
    coded = [row | {name: f"`{row[name]}`" for name in ("function", "options")} for row in stored["rows"]]
    rows = [[row[name] for name in COLUMNS] for row in coded]
    return PAGE.format(date=day(stored["date"]), table=table(COLUMNS, rows))


if __name__ == "__main__":
    found, unexpected = judge(sys.argv[1])
    if "--write" in sys.argv:
        store(found)
    if unexpected:
        raise SystemExit(f"Another verdict than expected: {', '.join(unexpected)}")
