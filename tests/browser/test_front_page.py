"""The front page and the language model in pages: their numbers and the picture are NumPy's, on a phone, by keyboard, at night."""

import json
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
from attn_lessons.lesson11.explorer import EVERY, TAME, TEXT
from attn_parts.formatting import number
from jupyter_pages import marks_of
from static_pages import OUT_OF_REACH, PHONE, write_front_page

MODEL = attn.load_language_model()
EXPLORER = attn.explore_language_model()
# as one text: to hand over thousands of numbers one by one takes long
RUN = """texts => JSON.stringify(texts.map(([words, off, how]) => ({...languageModel.run(words, off, how),
    next: [0.5, 1, 2].map(temperature => languageModel.next(words, off, how, temperature))})))"""
DRAW = """all => all.map(s => languageModelPicture.svg(
    languageModelPicture.draw(s.words, languageModel.forward(s.words, s.off, s.how), s)))"""
THROWN = (
    "text => { try { languageModel.run(text.split(' ').filter(Boolean)) } catch (error) { return "
    "error.message } }"
)
# the picture without its groups and the sizes that make its letters legible
SHOWN = """() => {
    const svg = document.querySelector('.attn-shown svg').cloneNode(true)
    for (const mark of svg.querySelectorAll('[style]')) mark.removeAttribute('style')
    for (const part of svg.querySelectorAll(':scope > g')) part.replaceWith(...part.childNodes)
    return new XMLSerializer().serializeToString(svg)
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_front_page(tmp_path_factory.mktemp("site"))


@pytest.fixture
def page(reader, site):
    yield reader.open(site / "index.html", math=False)
    assert reader.problems == []


def random_settings(count, seed):
    """Words, ablated heads and what else the picture shows, some of the texts like those of the training."""
    rng = np.random.default_rng(seed)
    for turn in range(count):
        length = int(rng.integers(1, 49))
        like_training, _ = attn.toy_texts(2, 48, [seed, turn])
        texts = [rng.integers(0, 202, length), *like_training]
        chosen = rng.permutation(8)[: rng.integers(0, 9)]
        yield {
            "words": [attn.LEXICON[word] for word in texts[turn % 3][:length]],
            "off": [EVERY[place] for place in chosen],
            "how": ["zero", "mean"][rng.integers(2)],
            "head": EVERY[rng.integers(8)],
            "row": int(rng.integers(length)),
            "temperature": float(f"{2 ** (rng.integers(-4, 5) / 2):.3g}"),
        }


def test_the_model_computes_what_numpy_does(page):
    settings = list(random_settings(200, seed=60))
    given = [[here["words"], here["off"], here["how"]] for here in settings]
    found = json.loads(page.evaluate(RUN, given))
    for here, there in zip(settings, found, strict=True):
        numbers = attn.word_numbers(" ".join(here["words"]))
        logits, weights = attn.run_language_model(
            MODEL,
            numbers,
            off=here["off"],
            how=here["how"],
        )
        assert_allclose(
            there["logits"],
            logits[-1],
            rtol=0,
            atol=1e-9,
        )
        assert_allclose(there["weights"], weights, rtol=0, atol=1e-9)
        for temperature, shares in zip((0.5, 1, 2), there["next"], strict=True):
            assert_allclose(
                shares,
                attn.softmax(logits[-1] / temperature),
                rtol=0,
                atol=1e-9,
            )


def test_the_picture_is_the_notebook_s_mark_for_mark(page):
    settings = list(random_settings(50, seed=7))
    for drawn, here in zip(page.evaluate(DRAW, settings), settings, strict=True):
        values = {**here, "text": " ".join(here["words"]), "off": tuple(here["off"])}
        drawing, told = EXPLORER.draw(**{name: values[name] for name in EXPLORER.values()})
        assert drawn == drawing.svg(told), here


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("chia hot", "The model doesn't know “chia”. Near it: chai, cocoa, chair."),
        (" ", "Type at least one word."),
        ("chai " * 49, "The model reads 48 words, commas and full stops counted; these are 49."),
    ],
)
def test_a_text_that_the_model_cannot_read_is_refused_with_the_sentence_of_the_error(page, text, sentence):
    page.get_by_label("text", exact=True).fill(text)
    shown = page.locator(".attn-refusal").inner_text()
    thrown = page.evaluate(THROWN, text)
    assert thrown == shown
    assert shown.startswith(sentence)
    page.get_by_role("button", name="start again").click()
    assert page.locator(".attn-refusal").inner_text() == ""


def shown_picture(page, **values):
    """Whether the page shows the marks that the notebook's explorer draws for these values."""
    drawing, told = EXPLORER.draw(**(EXPLORER.values() | values))
    page.set_viewport_size({"width": 1280, "height": 800})
    return marks_of(page.evaluate(SHOWN)) == marks_of(drawing.svg(told))


def test_by_keyboard_every_control_moves_the_picture(page):
    text = page.get_by_label("text", exact=True)
    head = page.get_by_role("combobox", name="head")
    text.fill("tea sour, owl loud. tea")
    assert shown_picture(page, text="tea sour, owl loud. tea", head=(1, 0), row=6)
    head.press("ArrowDown")
    page.get_by_role("slider", name="row").press("ArrowLeft")
    page.get_by_role("slider", name="temperature").press("End")
    page.get_by_role("checkbox", name="0 · 1").press("Space")
    page.get_by_role("checkbox", name="1 · 1").press("Space")
    page.get_by_label("replaced by").select_option("mean")
    moved = {
        "head": (1, 1),
        "row": 5,
        "temperature": 4.0,
        "off": ((0, 1), (1, 1)),
        "how": "mean",
    }
    assert shown_picture(page, text="tea sour, owl loud. tea", **moved)


def test_it_writes_the_word_that_is_drawn_and_stops_at_48(page):
    page.evaluate("() => { Math.random = () => 0.999 }")
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="write the next word").press("Enter")
    logits, _ = attn.run_language_model(MODEL, TEXT)
    drawn = attn.LEXICON[int((attn.softmax(logits[-1]).cumsum() <= 0.999).sum())]
    text = page.get_by_label("text", exact=True)
    assert text.input_value() == f"{TEXT} {drawn}"
    for _ in range(3):
        page.get_by_role("button", name="write 12 words").press("Enter")
    assert len(attn.word_numbers(text.input_value())) == 48
    assert "can't read more" in page.locator(".attn-refusal").inner_text()
    page.get_by_text("Its 202 words").click()
    page.get_by_role("button", name="start again").click()
    page.get_by_role("button", name="owl", exact=True).click()
    assert text.input_value() == f"{TEXT} owl"


def test_the_head_shows_the_stored_numbers_of_every_step(page):
    stored = attn.load_data("pronoun_head")
    head = stored["heads"]["looks"]
    step = page.locator("#step")
    for noun, name in enumerate(stored["nouns"]):
        page.select_option("#noun", name)
        for frame in (0, 3, 10, 50):
            step.fill(str(frame))
            texts = page.locator("[data-shows=after] text").all_text_contents()
            numbers = [number(x) for x in (*head["weights"][frame][noun], *head["answers"][frame][noun])]
            assert [text for text in texts if "." in text] == numbers
            assert page.locator("output[for=step]").inner_text() == str(stored["frames"][frame])


@pytest.mark.parametrize(
    "three",
    [(3, 2, 4), (0, 2, 4), (-1.5, 2.5, -4), (5, 5, 5)],
)
def test_three_numbers_lead_to_numpy_s_weights_and_sum(page, three):
    _, X, W_Q, W_K, W_V = attn.load_example()
    query = (X @ W_Q)[3]
    keys = X @ W_K
    values = X @ W_V
    query[0], keys[1, 0], values[1, 0] = three
    weights = attn.softmax(keys @ query / 2)
    for name, value in zip(("query", "key", "value"), three, strict=True):
        page.fill(f"#{name}", str(value))
    cells = page.locator("#softmax tbody td:last-child").all_inner_texts()
    assert [cell.strip() for cell in cells] == [number(weight) for weight in weights]
    expected = ", ".join(number(x).replace("-", "−") for x in weights @ values)
    assert page.locator("#sums b").inner_text() == f"[{expected}]"
    page.fill("#query", "9")
    assert page.locator("#wrong").inner_text() == "Type a number from −5 to 5."


@pytest.mark.parametrize(
    ("button", "off", "text", "word"),
    [("1.0", [(1, 0)], TEXT, "hot"), ("0.1", [(0, 1)], TEXT, "hot"), ("chai", [], TAME, "tame")],
)
def test_a_button_in_the_text_shows_what_it_says(page, button, off, text, word):
    logits, _ = attn.run_language_model(MODEL, text, off=off)
    share = number(dict(attn.next_words(logits, 5))[word])
    page.get_by_role("checkbox", name="0 · 3").check()  # the button switches it on again
    pressed = page.locator(f"[data-try^='{button}']")
    pressed.focus()
    before = page.evaluate("scrollY")
    pressed.press("Enter")
    assert page.evaluate("scrollY") == before
    assert pressed.evaluate("it => it === document.activeElement")
    assert f" {word} {share}" in page.locator(".attn-shown desc").first.text_content()
    assert share in page.locator("li").filter(has=pressed).inner_text()


def test_it_fits_a_phone_has_few_words_and_is_light(page, site):
    assert page.evaluate("document.documentElement.scrollHeight") <= 8 * PHONE["height"]
    assert page.evaluate(OUT_OF_REACH.replace("article *", "body *")) == []
    page.evaluate(
        "() => document.querySelectorAll('svg, .attn-model, [data-exercise]').forEach(box => box.remove())"
    )
    assert len(page.inner_text("body").split()) <= 900
    loaded = {*re.findall(r'(?:href|src)="(_static/[^"]+)"', page.content()), "index.html"}
    assert sum((site / name).stat().st_size for name in loaded) < 300_000
