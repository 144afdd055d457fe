"""Print how large the course is, by folder, beside its budgets: `python tools/size.py`.

Tokens are Python's, without comments and layout; an f-string is one token, as in Python 3.11. A code line is
one on which code begins. Docstrings and tables of literals are counted in the tokens, but not in how dense
the code is: tokens a code line, and nodes of the syntax tree a statement. Only files that git knows are
counted.
"""

import ast
import collections
import subprocess
import tokenize

from _command import ROOT

FOLDERS = {
    "attn_parts": 25_000,
    "attn_checks": 33_000,
    "attn_lessons": 92_000,
    "tools": 19_000,
    "tests": 72_000,
}
BUDGETS = FOLDERS | {"together": 241_000}  # tokens
MOST_SCRIPTS = 4_000  # lines
LAYOUT = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING", "ENDMARKER"}
COLLECTION = (ast.Dict, ast.List, ast.Set, ast.Tuple)
LITERAL = (*COLLECTION, ast.Constant, ast.UnaryOp, ast.USub, ast.Load)


def main():
    sizes = {folder: collections.Counter() for folder in BUDGETS}
    for path in files("*.py"):
        size = measure(path)
        sizes["together"] += size
        if (folder := path.relative_to(ROOT).parts[0]) in FOLDERS:
            sizes[folder] += size
    print("              lines   tokens  at most  a line  nodes")
    for folder, size in sizes.items():
        per_line, per_statement = densities(size)
        print(
            f"{folder:12} {size['lines']:6,} {size['tokens']:8,} {BUDGETS[folder]:8,}"
            f" {per_line:7.2f} {per_statement:6.1f}"
        )
    scripts = sum(path.read_text("utf-8").count("\n") for path in files("*.js", "*.mjs", "*.css"))
    print(f"JavaScript and CSS: {scripts:,} lines, at most {MOST_SCRIPTS:,}")


def files(*patterns):
    """The paths of the files that git knows."""
    names = subprocess.check_output(["git", "ls-files", *patterns], cwd=ROOT, text=True)
    return [ROOT / name for name in names.splitlines()]


def measure(path):
    """Counts of a Python file: lines, tokens, and of its code the tokens, lines, nodes and statements."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    tables = list(filter(is_table, ast.walk(tree)))
    no_code = rows_of([*tables, *docstrings(tree)])
    rows = token_rows(path)
    code = [row for row in rows if row not in no_code]
    nodes = list(outside_tables(tree))
    return collections.Counter(
        lines=text.count("\n"),
        tokens=len(rows),
        code_tokens=len(code),
        code_lines=len(set(code)),
        nodes=len(nodes),
        statements=sum(isinstance(node, ast.stmt) for node in nodes),
    )


def densities(size):
    """Tokens a code line, and nodes a statement."""
    return size["code_tokens"] / (size["code_lines"] or 1), size["nodes"] / (size["statements"] or 1)


def token_rows(path):
    """The line on which each token begins; of an f-string's pieces, from Python 3.12 on, the first."""
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
    if not isinstance(node, ast.Assign) or not isinstance(node.value, COLLECTION):
        return False
    return all(isinstance(part, LITERAL) for part in ast.walk(node.value))


def docstrings(tree):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    return [node.body[0] for node in ast.walk(tree) if isinstance(node, kinds) and ast.get_docstring(node)]


def outside_tables(tree):
    """The nodes of a syntax tree, without its tables of literals."""
    for node in ast.iter_child_nodes(tree):
        if not is_table(node):
            yield node
            yield from outside_tables(node)


def rows_of(nodes):
    """The lines of some nodes."""
    return {row for node in nodes for row in range(node.lineno, node.end_lineno + 1)}


if __name__ == "__main__":
    main()
