"""Judge attention of other libraries: `python tools/libraries.py ENVIRONMENT` prints a row for each function.

libraries.toml lists them. `nox -s judge` installs what ENVIRONMENT needs and runs it, every week. With
`--write` (`nox -s judge -- --write`) the rows go into tools/pages/libraries.json with the day, and
tools/pages.py shows them as a page.
"""

import datetime
import importlib.metadata
import json
import os
import subprocess
import sys
import tomllib

from _command import ROOT, day, table

STORED = ROOT / "tools" / "pages" / "libraries.json"
COLUMNS = ["library", "version", "function", "options", "verdict"]
CODE = "function", "options"
FUNCTIONS = tomllib.loads((ROOT / "tools" / "libraries.toml").read_text("utf-8"))
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
    """The rows of an environment, printed one by one, and the functions with an unexpected exit code."""
    rows = []
    unexpected = []
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
    variables = os.environ | {"PYTHONPATH": paths, "KERAS_BACKEND": "torch"}
    for judged in FUNCTIONS[environment]:
        library, function, options = judged["library"], judged["function"], judged["options"]
        arguments = f"-m attn_checks judge --seconds 900 {function} {options}".split()
        done = subprocess.run([sys.executable, *arguments], env=variables, capture_output=True, text=True)
        verdict = (done.stdout or done.stderr).splitlines()[0]
        version = importlib.metadata.version(library).partition("+")[0]
        rows.append(dict(zip(COLUMNS, (library, version, function, options, verdict), strict=True)))
        print(*rows[-1].values(), sep=" | ", flush=True)
        if done.returncode != judged.get("verdict", 0):
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
    rows = [[f"`{cell}`" if name in CODE else cell for name, cell in row.items()] for row in stored["rows"]]
    return PAGE.format(date=day(stored["date"]), table=table(COLUMNS, rows))


if __name__ == "__main__":
    found, unexpected = judge(sys.argv[1])
    if "--write" in sys.argv:
        store(found)
    if unexpected:
        raise SystemExit(f"Another verdict than expected: {', '.join(unexpected)}")
