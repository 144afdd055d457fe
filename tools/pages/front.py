"""The front page, "Attention in five minutes", and the language model; all their numbers are computed."""

import html
import json
import pathlib
import re
import shutil
import string
import tomllib

import boxes
import frames
import set_address
from attn_lessons.lesson00.explorer import stored_heads
from attn_lessons.lesson11.explorer import TAME, TEXT
from attn_parts import colours, gpt_page
from attn_parts.example import DATA, load_data, load_example
from attn_parts.formatting import number, text_width
from attn_parts.heatmaps import plot_attention
from attn_parts.language_model import load_language_model, next_words, run_language_model
from attn_parts.mathematics import causal_mask, self_attention
from attn_parts.toy_corpus import LEXICON, toy_texts

HERE = pathlib.Path(__file__).parent
PART = re.compile(r"\| Part (?=\d: )")
LISTED = re.compile(r"(?m)^\| \[\d\d\]\(notebooks/(\w+)\.ipynb\) \| ([^:|]+).* \| (\d+) \|$")
TEXTS = {
    "hot chai": TEXT,
    "tame chai": TAME,
    "sad king": "king sad, bear polite, clock loud. bear polite, king",
}
LETTERS = string.ascii_letters + string.digits + " .,:()“”·-"  # all that its picture writes
EXPLORER = "attn.explore_language_model()"  # the cell whose picture it replaces
MODEL = [f"language_model{part}" for part in ("_data.js", ".js", "_picture.js", "_page.js", ".css")]
FAVICON = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="{colours.PAPER}">'
    f'<rect width="32" height="32" rx="6" fill="{colours.BLUE}"/>'
    f'<path d="M25 21C25 3 7 3 7 21" fill="none" stroke="{colours.PAPER}" stroke-width="4"/>'
    '<circle cx="7" cy="24" r="4"/><circle cx="16" cy="24" r="2.5"/><circle cx="25" cy="24" r="4"/></svg>\n'
)
DESCRIPTION = (
    "Watch a head learn where to look, do the arithmetic of attention, write softmax and train a small GPT "
    "on a list of your own, all in the page. Free, nothing to install."
)


def write_static(folder):
    """What pages load from _static: the language model, the front page's style and script, icon, preview."""
    for name in (*MODEL[1:], "front.css", "front.js", "train.js", "switches.js"):
        shutil.copy(HERE / name, folder)
    for path in (set_address.ROOT / ".github").glob("*.svg"):  # README's picture
        shutil.copy(path, folder)
    (folder / MODEL[0]).write_text(model_data(), "utf-8")
    (folder / "train_data.js").write_text(train_data(), "utf-8")
    (folder / "favicon.svg").write_text(FAVICON, "utf-8")
    draw_preview(folder / "preview.png")


def model_data():
    """What the scripts of the language model read: words, parameters, colours and widths of letters."""
    stored = load_data("language_model")
    used = ("INK", "SOFT", "FAINT", "BLOCKED", "PAPER", "LIT", "KEY", "BLUE")
    shades, inks = colours.color_table(colours.WEIGHT_COLORS)
    data = {"words": LEXICON, "numbers": stored["numbers"], "means": stored["means"], "start": TEXT}
    data |= {"shades": shades, "inks": inks, "colours": {name: getattr(colours, name) for name in used}}
    data["widths"] = {letter: text_width(letter, 1) for letter in LETTERS}
    return f"window.languageModelData = {json.dumps(data, ensure_ascii=False)};\n"


def train_data():
    """What train.js reads: the page that a model is saved as, what runs in the worker, and three lists."""
    names, places = ((DATA / f"{name}.txt").read_text("utf-8").split("\n") for name in ("names", "places"))
    texts = {"names": names[:-1], "places": places[:-1], "own": names[:-1:130]}
    lists = tomllib.loads((HERE / "lists.toml").read_text("utf-8"))
    lists["own"]["trained_on"] = gpt_page.OWN_LIST
    for name, lines in texts.items():
        lists[name] |= {"text": "\n".join(lines), "told": lists[name]["told"].format(n=f"{len(lines):,}")}
    trainer = (HERE / "trainer.js").read_text("utf-8")
    data = {"page": gpt_page.template(), "trainer": trainer, "lists": lists}
    return f"window.trainData = {json.dumps(data, ensure_ascii=False)};\n"


def draw_preview(file):
    """The picture that a shared link shows, 1200 by 630: who attends to whom in the running example."""
    tokens, X, W_Q, W_K, W_V = load_example()
    mask = causal_mask(len(tokens))
    _, weights = self_attention(X, W_Q, W_K, W_V, mask)
    figure = plot_attention(weights, tokens, mask=mask, title="").figure
    figure.set_size_inches(8, 4.2)
    figure.text(0.04, 0.62, "Attention\nin five\nminutes", fontsize=27, weight="bold", va="center")
    figure.text(0.04, 0.25, "softmax(QKᵀ/√dₖ)·V\nin NumPy, from scratch", fontsize=13, va="center")
    figure.savefig(file, dpi=150, metadata={"Software": None})


def page():
    """index.html, with the lessons as README lists them."""
    address = set_address.current()
    readme = (set_address.ROOT / "README.md").read_text("utf-8")
    listed = LISTED.findall(readme)
    first = f"{listed[0][0]}.ipynb"
    return string.Template((HERE / "front.html").read_text("utf-8")).substitute(
        head_numbers() | model_numbers(),
        description=DESCRIPTION,
        pages=set_address.pages(address),
        repository=address.repository,
        colab=set_address.colab(first),
        here=f"lite/notebooks/index.html?path=notebooks/{first}",
        lesson_00=f"notebooks/{listed[0][0]}.html",
        lessons=len(listed),
        hours=round(sum(int(minutes) for *_, minutes in listed) / 60),
        parts="".join(map(part, PART.split(readme)[1:])),
        softmax=boxes.on_front_page(),
    )


def part(text):
    """A part of the course, from its title on in README, as a list of its lessons."""
    title = text.partition("|")[0].strip()
    items = [
        f'<li><a href="notebooks/{name}.html">{html.escape(title)}</a> <small>{minutes} min</small></li>'
        for name, title, minutes in LISTED.findall(text)
    ]
    start = int(LISTED.search(text)[1][:2])
    return f'<div><h3>Part {html.escape(title)}</h3><ol start="{start}">{"".join(items)}</ol></div>'


def head_numbers():
    """The head of lesson 00: all that the page can show of it, and what its text says of the first noun."""
    stored = stored_heads()
    head = stored["heads"]["looks"]
    weights = head["weights"]
    words = stored["sentences"][0]
    data = {"steps": stored["frames"], "sentences": stored["sentences"], "answers": stored["answers"]}
    data |= {"weights": weights, "chances": head["answers"]}
    return {
        "data": json.dumps(data, separators=(",", ":")),
        "nouns": "".join(f"<option>{noun}</option>" for noun in stored["nouns"]),
        "before": number(weights[0][0][words.index("let")]),
        "after": number(weights[-1][0][words.index("chai")]),
    }


def model_numbers():
    """What the text says of the language model, with and without single heads."""
    model = load_language_model()
    exam, known = toy_texts(64, 49, seed=[999, 0], unseen=True)  # the test set of lesson 11

    def expected(word, text=TEXT, off=()):
        logits, _ = run_language_model(model, text, off=off)
        return number(dict(next_words(logits, 20))[word])

    def found(off=(), how="zero"):
        logits, _ = run_language_model(model, exam[:, :-1], off=off, how=how)
        return number((logits.argmax(axis=-1) == exam[:, 1:])[known[:, 1:]].mean())

    _, weights = run_language_model(model, TEXT)
    button = '<button type="button" data-text="{}">{}</button>'.format
    return {
        "looks": number(weights[1, 0, -1, 1]),
        "without_upper": expected("hot", off=[(1, 0)]),
        "without_lower": expected("hot", off=[(0, 1)]),
        "found": found(),
        "found_off": found([(0, 1)]),
        "found_mean": found([(0, 1)], "mean"),
        "tame": expected("tame", TAME),
        "text": TEXT,
        "texts": " ".join(button(text, name) for name, text in TEXTS.items()),
    }


def put_model(cell):
    """Put the language model in its explorer's place, whose still is shown without scripts and on paper."""
    (shown,) = frames.stills(cell)
    scripts = "".join(f'<script src="../_static/{name}" defer></script>' for name in MODEL[:4])
    style = f'<link rel="stylesheet" href="../_static/{MODEL[4]}">'
    shown["text/html"] = (
        f'{style}<div class="attn-model"><div class="attn-still">{shown["text/html"]}</div></div>{scripts}'
    )
