"""Print how large the course is, by folder, beside its budgets: `python tools/size.py`.

Tokens are Python's, without comments and layout; an f-string is one token, as in Python 3.11. A code line is one on
which code begins. Docstrings and tables of literals are counted in the tokens, but not in how dense the code is:
tokens a code line, and nodes of the syntax tree a statement. Words are those of .md and .txt. Only files that git
knows are counted.
"""

import ast
import collections
import pathlib
import subprocess
import tokenize

from set_address import ROOT

BUDGETS = {
    "attn_parts": 25_000,
    "attn_checks": 33_000,
    "attn_lessons": 92_000,
    "tools": 19_000,
    "tests": 72_000,
    "together": 241_000,
    "JavaScript and CSS lines": 4_000,
}
LAYOUT = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING", "ENDMARKER"}
LITERAL = (ast.Dict, ast.List, ast.Set, ast.Tuple, ast.Constant, ast.UnaryOp, ast.USub, ast.Load)


def main():
    sizes = {folder: collections.Counter() for folder in BUDGETS}
    scripts = 0
    for path in files("*.py", "*.md", "*.txt", "*.js", "*.mjs", "*.css"):
        folder = path.parts[0] if path.parts[0] in sizes else "together"
        if path.suffix == ".py":
            sizes[folder] += measure(ROOT / path)
        elif path.suffix in (".md", ".txt"):
            sizes[folder]["words"] += len(read(ROOT / path).split())
        else:
            scripts += read(ROOT / path).count("\n")
    sizes["together"] = sum(sizes.values(), collections.Counter())
    print(f"{'':12} {'lines':>7} {'tokens':>8} {'at most':>8} {'a line':>7} {'nodes':>6} {'words':>8}")
    *folders, code = sizes
    for folder in folders:
        size = sizes[folder]
        per_line, per_statement = densities(size)
        print(
            f"{folder:12} {size['lines']:7,} {size['tokens']:8,} {BUDGETS[folder]:8,}"
            f" {per_line:7.2f} {per_statement:6.1f} {size['words']:8,}"
        )
    print(f"{code}: {scripts:,}, at most {BUDGETS[code]:,}")


def files(*patterns):
    """The paths that git knows, from the course's folder."""
    command = ["git", "ls-files", *patterns]
    return [pathlib.Path(name) for name in subprocess.check_output(command, cwd=ROOT, text=True).splitlines()]


def read(path):
    return path.read_text(encoding="utf-8")


def measure(path):
    """Counts of a Python file: lines, tokens, and of its code the tokens, lines, nodes and statements."""
    text = read(path)
    tree = ast.parse(text)
    tables = [node for node in ast.walk(tree) if is_table(node)]
    not_code = {
        row for node in [*tables, *docstrings(tree)] for row in range(node.lineno, node.end_lineno + 1)
    }
    rows = token_rows(path)
    code = [row for row in rows if row not in not_code]
    size = collections.Counter(lines=text.count("\n"), tokens=len(rows))
    size.update(code_tokens=len(code), code_lines=len(set(code)))
    size.update(nodes=nodes(tree) - sum(map(nodes, tables)), statements=statements(tree) - len(tables))
    return size


def densities(size):
    """Tokens a code line, and nodes a statement."""
    return size["code_tokens"] / (size["code_lines"] or 1), size["nodes"] / (size["statements"] or 1)


def token_rows(path):
    """The line on which each token begins. From Python 3.12 on an f-string comes in pieces, of which the first counts."""
    rows = []
    depth = 0
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            kind = tokenize.tok_name[token.type]
            if depth == 0 and kind not in LAYOUT:
                rows.append(token.start[0])
            depth += kind.endswith("STRING_START") - kind.endswith("STRING_END")
    return rows


def is_table(node):
    """Whether a statement names a table of literals."""
    is_one = isinstance(node, ast.Assign) and isinstance(
        node.value, ast.Dict | ast.List | ast.Set | ast.Tuple
    )
    return is_one and all(isinstance(part, LITERAL) for part in ast.walk(node.value))


def docstrings(tree):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return [node.body[0] for node in ast.walk(tree) if isinstance(node, kinds) and ast.get_docstring(node)]


def nodes(tree):
    return sum(1 for _ in ast.walk(tree))


def statements(tree):
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree))


if __name__ == "__main__":
    main()
