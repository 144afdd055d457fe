"""Print how large the course is, by folder: `python tools/size.py`.

Lines are those of .py, and of .md and .txt under attn_lessons. Tokens are Python's, without comments and layout. Words
are those of .md and .txt everywhere. Only files that git knows are counted.
"""

import collections
import pathlib
import subprocess
import tokenize

from set_address import ROOT

LAYOUT = {"COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING", "ENDMARKER"}


def main():
    sizes = collections.defaultdict(collections.Counter)
    names = subprocess.check_output(["git", "ls-files", "*.py", "*.md", "*.txt"], cwd=ROOT, text=True)
    for path in map(pathlib.Path, names.splitlines()):
        folder, text = sizes[path.parts[0] if path.parts[1:] else "."], (ROOT / path).read_text("utf-8")
        if path.suffix == ".py":
            folder["tokens"] += tokens(ROOT / path)
        else:
            folder["words"] += len(text.split())
        if path.suffix == ".py" or path.parts[0] == "attn_lessons":
            folder["lines"] += text.count("\n")
    sizes["all"] = sum(sizes.values(), collections.Counter())
    for folder, size in sizes.items():
        print(f"{folder:14} {size['lines']:7,} lines {size['tokens']:8,} tokens {size['words']:7,} words")


def tokens(path):
    with path.open("rb") as file:
        kinds = [tokenize.tok_name[token.type] for token in tokenize.tokenize(file.readline)]
    return sum(kind not in LAYOUT for kind in kinds)


if __name__ == "__main__":
    main()
