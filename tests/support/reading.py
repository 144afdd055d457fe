"""How long a lesson takes and how it sounds: the sum of minutes, words of prose, and counted patterns."""

import re

import attn_checks as check
import course

WORDS_PER_MINUTE = 180
CODE_CELL, PREDICTION, EXPLORER, BUG = 0.4, 0.6, 3, 2  # minutes each

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
    core, extras, into = [], [], None
    for cell in notebook.cells:
        heading = cell.cell_type == "markdown" and re.match(r"## (.*)", cell.source)
        if heading:
            into = [] if heading[1].startswith("Extra") else None
            extras += [(heading[1], into)] if into is not None else []
        (core if into is None else into).append(cell)
    return core, extras


def prose(text, folds=False):
    """Markdown without code, badges, addresses of links and tags; a formula is one word."""
    text = course.without_code(text)
    if not folds:
        text = FOLD.sub(" ", text)
    text = re.sub(r"(?s)\$\$.*?\$\$|\$[^$\n]+\$|`[^`\n]+`", " formula ", text)
    text = re.sub(r"\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?", " ", text)
    return re.sub(r"\]\([^)]*\)|<[^>]+>", " ", text)


def words(text):
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def asked(cell):
    return re.findall(r"""check\.(?:predict|question|explain)\(["']([\w-]+)["']""", cell.source)


def question_words(slug):
    """Words of a question, its options and the reply to the right one."""
    question = check.QUESTIONS[slug]
    options = [option for option, _ in question.options.values()]
    texts = [question.text, *options, question.options[question.right][1]]
    return sum(words(prose(text)) for text in texts)


def minutes(cells):
    """What the parts of some cells take, in minutes, by name."""
    part = dict.fromkeys(("words", "code cells", "predictions", "explorers", "bug", "exercises"), 0.0)
    in_exercise = False
    for cell in cells:
        text = cell.source if cell.cell_type == "markdown" else ""
        in_exercise = in_exercise and course.belongs_to_exercise(cell)
        above, exercise, _ = text.partition("### Exercise ")
        if not in_exercise:
            part["words"] += words(prose(above)) / WORDS_PER_MINUTE
            part["bug"] += BUG * bool(re.search(r"(?mi)^#+ .*spot the bug", text))
        if exercise:
            part["exercises"] += int((re.search(r"\((\d+) minutes?\)", text) or "00")[1])
        in_exercise = in_exercise or bool(exercise)
        if cell.cell_type == "code" and cell.id != "setup" and not in_exercise:
            part["code cells"] += CODE_CELL
            part["predictions"] += PREDICTION * len(asked(cell))
            part["words"] += sum(map(question_words, asked(cell))) / WORDS_PER_MINUTE
            part["explorers"] += EXPLORER * ("attn.explore_" in cell.source)
        in_exercise = in_exercise and not course.ends_exercise(cell)
    return part


def first_line(notebook):
    core, _ = split(notebook)
    place = next(i for i, cell in enumerate(core) if "### Exercise 1" in cell.source)
    above = dict(core[place], source=core[place].source.partition("### Exercise 1")[0])
    return sum(minutes([*core[:place], type(core[place])(above)]).values())


def mannerisms(text):
    """Every hit of a counted pattern: its name and the words around it."""
    found = []
    for name, pattern in PATTERNS.items():
        for hit in re.finditer(pattern, text):
            found.append(f"{name}: …{text[max(0, hit.start() - 30) : hit.end() + 30]}…".replace("\n", " "))
    return found
