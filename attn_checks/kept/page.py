"""The page that a reader takes away, as text: `html_of` writes it, `read` reads it back.

What is verified is what a browser shows, because `read` takes only letters that are shown, writes the page
anew from them, and refuses a file that isn't the same: a script, a comment, hidden letters or a second copy
have no place in it.
"""

import ast
import hashlib
import html
import itertools
import os
import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from attn_checks.exercise import exercises
from attn_checks.kept.file import heading
from attn_parts.colours import NIGHT, WEIGHTS, cell_colors, palette_css, scale_around_zero

TEMPLATE = string.Template(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
LARGEST = 2**20  # bytes of a page
FIELD = re.compile(r'data-field="(\w+)"(?: style="[^"]*")?>([^<]*)')  # its name and its text
UNSEEN = "Cc", "Cf", "Cs", "Zl", "Zp"  # Unicode's categories of what has no shape of its own
FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\ufe00-\ufe0e\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
ALLOWED = "\n\t\u200c\u200d\ufe0f"  # the last three: in words of some languages, and in emoji
# What is computed of a sentence's queries and keys: the expression, its title, and whether it's weights
PICTURES = {
    "scores(Q, K)": ("Scores: how well each query fits each key", False),
    "softmax(scaled_scores(Q, K))": ("Attention weights: how much each word looks at each word", True),
    "attention(Q, K, Q, causal_mask(len(Q)))[1]": ("The same with a causal mask: no word looks ahead", True),
}


class BadPageError(ValueError):
    """Why a file isn't a page as `mine.page()` writes it, in a sentence."""


class Written(NamedTuple):
    """A function as the page shows it; the record is of its code and the imports when the page was made."""

    name: str
    code: str
    record: str


class Page(NamedTuple):
    """All that a page says."""

    name: str  # of its author, perhaps ""
    made: str  # the date
    imports: str
    functions: Sequence[Written]
    words: Sequence[str]  # of a sentence, with a query and a key for each
    Q: Sequence[Sequence[float]]
    K: Sequence[Sequence[float]]
    pictures: dict[str, np.ndarray]  # by the expression that gives it, rounded to 2 digits
    gpt: Sequence = ()  # what it was trained on, loss, baseline, samples
    mistakes: Sequence[Sequence[str]] = ()  # exercise, mistake, when it was met, when overcome

    @property
    def program(self) -> str:
        """The code of the functions that are one definition each."""
        whole = [written.code for written in self.functions if not problem_of(written)]
        return "\n\n\n".join([self.imports, *whole]) + "\n"


def record_of(imports: str, code: str) -> str:
    return hashlib.sha256(f"{imports}\n{code}".encode()).hexdigest()[:16]


def problem_of(written: Written) -> str:
    """Why the code below a name isn't the definition of that name alone, "" if it is."""
    try:
        body = ast.parse(written.code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "its code can't be read as Python"
    match body:
        case [ast.FunctionDef(name=name)] if name == written.name:
            return ""
        case [ast.Assign(targets=[ast.Name(id=name)])] if name == written.name:
            return ""
    return f"its code isn't the function {written.name} alone"


def needs(expression: str) -> set[str]:
    """The exercises whose functions an expression calls."""
    return set(re.findall(r"\w+(?=\()", expression)) - {"len"}


def shown(text: str) -> str:
    """Text as the page shows it: what has no shape of its own is written as an escape."""

    def seen(char):
        is_unseen = unicodedata.category(char) in UNSEEN or FILLERS.match(char)
        return char.encode("unicode_escape").decode() if is_unseen and char not in ALLOWED else char

    return "".join(map(seen, text))


# --- From what it says to the page ----------------------------------------------------------------


def html_of(page: Page) -> str:
    """The page as a file's text."""
    by = ", by " if page.name else ""
    body = f"""<h1>My attention{by}{field("name", page.name)}</h1>
<p>I wrote these functions in the course <i>Attention from Scratch</i>, where each passed its check. \
Anyone can run them again, on new inputs: <code>python -m attn_checks verify my_attention.html</code></p>
<p class="stated">Names, dates, mistakes, and what a GPT wrote with its losses are <b>stated</b>, \
because no file can prove them. Made on {field("made", page.made, "time")}.</p>"""
    parts = [body, *pictures_of(page), *gpt_of(*page.gpt), *functions_of(page), *mistakes_of(page.mistakes)]
    return TEMPLATE.substitute(palette=palette_css(), night=NIGHT, body="\n".join(parts))


def field(key, text, tag="span"):
    return f'<{tag} data-field="{key}">{safe(text)}</{tag}>'


def safe(text):
    return html.escape(shown(text), quote=False)


def functions_of(page):
    yield f"<h2>What I wrote</h2>\n{field('imports', page.imports, 'pre')}"
    for name, code, record in page.functions:
        lesson = heading(exercises()[name])[2:] if name in exercises() else "used by the others"
        yield f"<h3>{field('function', name, 'code')} <small>{lesson}</small></h3>"
        yield field("code", code, "pre")
        yield f'<p class="record">record {field("record", record, "code")}</p>'


def pictures_of(page):
    if page.words:
        yield """<h2>My functions on a sentence</h2>
<div class="wide" tabindex="0" role="group" aria-label="Queries and keys"><table><thead><tr>\
<th scope="col">word</th><th scope="col">its query, in Q</th>\
<th scope="col">its key, in K</th></tr></thead><tbody>"""
        for word, query, key in zip(page.words, page.Q, page.K, strict=True):
            cells = (
                field("word", word, "th"),
                field("query", numbers(query), "td"),
                field("key", numbers(key), "td"),
            )
            yield f"<tr>{''.join(cells)}</tr>"
        yield "</tbody></table></div>"
    for expression, values in page.pictures.items():
        yield f"<section>\n{picture_of(expression, values, page.words)}\n</section>"


def numbers(values):
    return " ".join(f"{value:.4g}" for value in values)


def picture_of(expression, values, words):
    """A heatmap as a table, whose cells say their numbers."""
    title, is_weights = PICTURES[expression]
    allowed = np.tri(len(words), k=0 if "causal" in expression else len(words), dtype=bool)
    fills, inks = cell_colors(values, allowed, WEIGHTS if is_weights else scale_around_zero(values))
    words = [safe(word) for word in words]
    heads = "".join(f'<th scope="col">{word}</th>' for word in words)
    lines = [f"<h3>{title}</h3>\n<p>{field('expression', expression, 'code')}</p>"]
    lines.append(f'<div class="wide" tabindex="0" role="group" aria-label="{title}">')
    lines.append(f'<table class="heat"><thead><tr><td>query ↓ key →</td>{heads}</tr></thead><tbody>')
    for word, row, colours, letters in zip(words, values, fills, inks, strict=True):
        cells = "".join(
            f'<td data-field="cell" style="background: {fill}; color: {ink}">{value:.2f}</td>'
            for value, fill, ink in zip(row, colours, letters, strict=True)
        )
        lines.append(f'<tr><th scope="row">{word}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody></table></div>"])


def gpt_of(source="", loss=0.0, baseline=0.0, samples=()):
    if samples:
        yield '<h2>My GPT wrote <small>stated</small></h2>\n<ul class="samples">'
        yield from (f"<li>{field('sample', sample, 'samp')}</li>" for sample in samples)
        yield f"""</ul>
<p>It was trained on {field("source", source)}. Its loss on held-out text is {field("loss", f"{loss:.4f}")}, \
and a bigram model's is {field("baseline", f"{baseline:.4f}")}.</p>"""


def mistakes_of(mistakes):
    if mistakes:
        yield "<h2>Mistakes I made and overcame <small>stated</small></h2>\n<ul>"
        for exercise, mistake, met, when in mistakes:
            dates = f"met on {field('met', met, 'time')}, overcome on {field('overcome', when, 'time')}"
            yield f"<li>{field('exercise', exercise, 'code')}: {field('mistake', mistake)}, {dates}</li>"
        yield "</ul>"


# --- And back -------------------------------------------------------------------------------------


def read(content: bytes) -> Page:
    """What a page says; BadPageError if it isn't one, or holds more than it shows."""
    if len(content) > LARGEST:
        raise BadPageError(f"It has more than {LARGEST:,} bytes, and a page has fewer.")
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise BadPageError("It isn't text in UTF-8. Nothing packed is opened.") from None
    found = defaultdict(list)
    for name, words in FIELD.findall(text):
        found[name].append(html.unescape(words))
    if not found:
        raise BadPageError("It isn't a page that mine.page() wrote.")
    if not text.endswith("</html>\n"):
        raise BadPageError("It's cut off, or something is added below its end.")
    try:
        page = page_of(found)
        again = html_of(page)
    except (ValueError, LookupError, OverflowError) as error:
        raise BadPageError(f"It doesn't say what a page says: {shown(str(error))[:100]}.") from None
    if again != text:
        raise BadPageError(difference(text, again))
    return page


def difference(text, again):
    """Where a file isn't what the page would be that says the same."""
    lines = itertools.zip_longest(text.split("\n"), again.split("\n"), fillvalue="")
    number, (here, there) = next(pair for pair in enumerate(lines, 1) if pair[1][0] != pair[1][1])
    at = max(0, len(os.path.commonprefix([here, there])) - 20)
    return (
        f"Line {number} isn't as mine.page() writes it: {shown(here)[at : at + 70]!r}, not "
        f"{there[at : at + 70]!r}. Someone changed the file, or another edition of the course wrote it."
    )


def page_of(found):
    """The Page that these texts make, {field: texts}; ValueError or LookupError if they make none."""
    (name,), (made,), (imports,) = found["name"], found["made"], found["imports"]
    functions = [Written(*each) for each in columns(found, "function", "code", "record")]
    names = {each.name for each in functions}
    if len(names) < len(functions) or not names & exercises().keys():
        raise ValueError("no function of the course, or two of one name")
    Q, K = (np.array([row.split(" ") for row in found[key]], float) for key in ("query", "key"))
    size = len(found["expression"]), len(found["word"]), len(found["word"])
    cells = np.array(found["cell"], float).reshape(size)
    pictures = dict(zip(found["expression"], cells, strict=True))
    gpt = ()
    if found["sample"]:
        (source,), (loss,), (baseline,) = found["source"], found["loss"], found["baseline"]
        gpt = source, float(loss), float(baseline), found["sample"]
    mistakes = columns(found, "exercise", "mistake", "met", "overcome")
    return Page(name, made, imports, functions, found["word"], Q, K, pictures, gpt, mistakes)


def columns(found, *keys):
    return list(zip(*(found[key] for key in keys), strict=True))
