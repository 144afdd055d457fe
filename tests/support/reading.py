"""How long a lesson takes: the sum of minutes, and words of prose."""

import itertools
import re

import nbformat

import course

OWN = 3  # lines that a cell counts for in which the reader makes something of their own

PATTERNS = {
    "stand": r"\bst(?:and|ands|ood)\b",
    "hand over": r"\bhand(?:s|ed|ing)? (?:\w+ )?(?:over|on)\b",
    "share out": r"\bshar(?:e|es|ed|ing) (?:[\w*]+ ){0,4}?out\b",
    "somebody": r"\b(?:some|no|every)body\b",
    "in place of": r"\bin place of\b",
    "but for": r"\bbut for\b",
    "mend": r"\bmend(?:s|ed|ing)?\b",
    "too": r", too\b",
    "come back": r"\bc(?:ome|omes|ame|oming) back\b",
    "hardly": r"\bhardly\b",
    "anew": r"\banew\b|\bany more\b|\bbeforehand\b|\bof no use\b",
    "is said": r"\b(?:is|are|was|were) (?:said|told|wanted|meant|asked)\b",
    "What … is": r"(?m)(?:^|[.!?:] )What\b[^.?!\n]*\bis\b[^.?!\n]*[.!]",
    "semicolon": r"(?<!&\w\w)(?<!&\w\w\w)(?<!&\w\w\w\w);",
    "as good as": r"\bas good as\b",
    "Nor": r"\bNor\b|\bWere the\b|\bHad the\b",
}
FOLD = re.compile(r"(?s)<details>.*?</details>")


def split(notebook):
    """The cells of the core, and a pair of heading and cells for every `## Extra: …`."""
    into = core = []
    extras = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (heading := re.match(r"## (.*)", cell.source)):
            into = core
            if heading[1].startswith("Extra"):
                into = []
                extras.append((heading[1], into))
        into.append(cell)
    return core, extras


def part_of(notebook, cells):
    """A notebook of some cells of another."""
    return nbformat.NotebookNode(notebook, cells=cells)


def evenings(notebook):
    """The core as notebooks: of a project one for each heading `## Evening 2: …`, of other lessons one."""
    core, _ = split(notebook)
    later = [i for i, cell in enumerate(core) if re.match(r"## Evening (?!1\b)\d", cell.source)]
    bounds = itertools.pairwise([0, *later, len(core)])
    return [part_of(notebook, core[start:end]) for start, end in bounds]


def prose(text, folds=False):
    """Markdown without code, badges, addresses of links and tags; a formula is one word."""
    text = re.sub(r"(?m)^.*\[Open in your browser.*$", " ", course.without_code(text))
    if not folds:
        text = FOLD.sub(" ", text)
    text = re.sub(r"(?s)\$\$.*?\$\$|\$[^$\n]+\$|`[^`\n]+`", " formula ", text)
    text = re.sub(r"\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?", " ", text)
    return re.sub(r"\]\([^)]*\)|<[^>]+>", " ", text)


def words(text):
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def asked(cell):
    return re.findall(r"""check\.(?:predict|question|explain)\(["']([\w-]+)["']""", cell.source)


def mannerisms(text):
    """Every hit of a counted pattern: its name and the words around it."""
    found = []
    for name, pattern in PATTERNS.items():
        for hit in re.finditer(pattern, text):
            around = slice(max(0, hit.start() - 30), hit.end() + 30)
            found.append(f"{name}: …{text[around]}…".replace("\n", " "))
    return found


# --- A lesson that the reader writes: what it asks of them (DESIGN: Lessons) -------------------------------


def counted(cell):
    """Whether a code cell gives the reader code to read: not setup, checks, questions, explorers."""
    own = r"check\.|attn\.explore_|mine\.(?:code|load|page)\("
    return cell.id != "setup" and not re.match(own, cell.source)


def code_lines(source):
    """Lines of code, without comments, docstrings and empty lines."""
    text = re.sub(r'(?s)""".*?"""', "", source)
    return [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]


def typed_cells(core):
    """(cell, lines that the reader adds) of exercises, blanks tagged `typed`, and input tagged `own`."""
    found = []
    for place, cell in enumerate(core):
        tags = cell.metadata.get("tags", [])
        if "own" in tags:
            found.append((cell, OWN))
        elif "typed" in tags or is_stub(core, place):
            given = code_lines(cell.source)
            solved = code_lines(solution_below(core, place))
            added = [line for line in solved if line not in given]
            found.append((cell, len(added)))
    return found


def is_stub(core, place):
    """Whether the next code cell checks what this one defines."""
    cell, *below = [cell for cell in core[place:] if cell.cell_type == "code" or cell is core[place]]
    if cell.cell_type != "code" or not below:
        return False
    names = re.findall(r"(?m)^(?:def )?(\w+)\b(?=\(.*:$| *=)", cell.source)
    calls = r"""check\.(?!progress|tutor)\w+\((?:["'][\w-]+["'], )?(\w+)"""
    checked = re.match(calls, below[0].source)
    return bool(checked) and checked[1] in names


def solution_below(core, place):
    """The Python in the first solution below a cell."""
    text = course.markdown(core[place + 1 :])
    found = re.search(r"(?s)<summary>\s*Solution\s*</summary>.*?```python\n(.*?)```", text)
    return found[1] if found else ""


def figures(notebook):
    """What the core of a lesson asks, by name."""
    core, _ = split(notebook)
    typed = typed_cells(core)
    written = {cell.id for cell, _ in typed}
    read = [cell for cell in core if not re.search(r"-title$|^setup", cell.id)]
    text = "\n\n".join(prose_of(cell) for cell in read if cell.cell_type == "markdown")
    code = [cell for cell in core if cell.cell_type == "code"]
    given = [cell for cell in code if counted(cell) and cell.id not in written]
    told = prose(text, folds=True)
    part = {
        "words": words(prose(text)),
        "folded": words(told) - words(prose(text)),
        "typed": sum(lines for _, lines in typed),
        "given": sum(len(code_lines(cell.source)) for cell in given),
        "exercises": sum(map(int, re.findall(r"(?m)^### Exercise .*\((\d+) minutes?\)$", text))),
        "asked": sum(len(asked(cell)) for cell in code),
        "explorers": sum("attn.explore_" in cell.source for cell in core),
        "bugs": len(re.findall(r"(?mi)^#+ .*spot the bug", text)),
        "own": sum("own" in cell.metadata.get("tags", []) for cell in core),
    }
    numbers = re.findall(r"(?<![\w.])[−-]?\d[\d,.]*", told)
    part["numbers"] = 100 * len(numbers) / max(1, words(told))
    part["minutes"] = takes(part)
    part["first line"] = 0.0
    if typed:
        first, _ = typed[0]
        part["first line"] = figures(part_of(notebook, core[: core.index(first)]))["minutes"]
    return part


def prose_of(cell):
    """A cell's text without hints and solutions, tables, map and glossary, and the header's links."""
    text = re.sub(
        r"(?s)<details>\s*<summary>\s*(?:Hint|Solution).*?</details>",
        " ",
        cell.source,
    )
    text = re.split(r"(?m)^## (?:Map|Glossary)$", text)[0]
    return re.sub(r"(?m)^\|.*$|^\[!\[.*$|^\[←.*$", "", text)


def core_exercises(notebook):
    return course.exercises(part_of(notebook, split(notebook)[0]))


def takes(part):
    """Minutes for what a core asks: came within a fifth of eight careful evenings."""
    return (
        (part["words"] + part["folded"] / 2) / 140
        + 0.2 * part["given"]
        + 1.5 * part["exercises"]
        + part["asked"]
        + 3 * part["explorers"]
        + 2 * part["bugs"]
    )
