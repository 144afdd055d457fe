"""The front page and the language model in pages: their numbers are NumPy's, on a phone, by keyboard, with any text or list."""

import json
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
from attn_lessons.lesson11.explorer import EVERY, TEXT
from attn_parts import gpt_page
from attn_parts.formatting import number
from axe import serious_violations_of_page
from jupyter_pages import marks_of
from static_pages import OUT_OF_REACH, PHONE, Reader, write_front_page

import front  # isort: skip

COUNTED = [f"line{k}" for k in range(30)]
TRAINED = """least => {
    const [loss, bigram] = (document.querySelector('#losses').textContent.match(/\\d\\.\\d\\d/g) ?? []).map(Number)
    return loss < least * bigram
}"""
LISTS = {
    "empty": ["", "here are 0. Write one on each line."],
    "one": ["Anna", "here is 1."],
    "windows": [
        " \r\n".join([*COUNTED, "line0"]),
        "of 30 lines, in small letters; the others are held out, 1 repeated.",
    ],
    "emoji": [
        " 🙂👩‍🚀é\n".join(COUNTED),
        "of 30 lines, in small letters; the others are held out.",
    ],
    "long": [
        "\n".join(line + "-long" * 2000 for line in COUNTED),
        "of 30 lines, in small letters; the others are held out, 30 cut",
    ],
    "many": [
        "\n".join(map(str, range(20_000))),
        "of 20,000 lines,",
    ],
}
SWITCHED = [[], [(1, 0)], [(0, 1)], [(1, 2), (1, 3)]]
LONG = "chai " * 60
PREPARED = """() => {
    const {page, trainer: code, lists} = window.trainData
    for (const script of [page.split('<script id="engine">')[1].split('</script>')[0], code]) (0, eval)(script)
    return trainer.prepare(lists.names.text)
}"""
UNREAD = [
    ("The cat sat on the mat", "never read “the”, “sat”, “on”, “mat”. It reads only: cat."),
    ("¿Qué?", "never read “qué”"),
    ("", "Type some of its words"),
    (LONG, "It reads the last 48 words."),
    ("The cat sat", "It reads only: cat."),
]
PASTE = """(list, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    list.dispatchEvent(new ClipboardEvent('paste', {clipboardData}))
}"""
PLACES = "() => [...['#bars', '#heads', '#told', '#limits'].map(id => document.querySelector(id).getBoundingClientRect().y + scrollY)]"
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


@pytest.fixture
def model(reader, site):
    """The language model, as lesson 11's page has it."""
    yield reader.open(site / "model.html", math=False)
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


def test_the_model_computes_what_numpy_does(model):
    settings = list(random_settings(200, seed=60))
    given = [[here["words"], here["off"], here["how"]] for here in settings]
    found = json.loads(model.evaluate(RUN, given))
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


def test_the_picture_is_the_notebook_s_mark_for_mark(model):
    settings = list(random_settings(50, seed=7))
    for drawn, here in zip(model.evaluate(DRAW, settings), settings, strict=True):
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
def test_a_text_that_the_model_cannot_read_is_refused_with_the_sentence_of_the_error(model, text, sentence):
    model.get_by_label("text", exact=True).fill(text)
    shown = model.locator(".attn-refusal").inner_text()
    thrown = model.evaluate(THROWN, text)
    assert thrown == shown
    assert shown.startswith(sentence)
    model.get_by_role("button", name="start again").click()
    assert model.locator(".attn-refusal").inner_text() == ""


def shown_picture(model, **values):
    """Whether the page shows the marks that the notebook's explorer draws for these values."""
    drawing, told = EXPLORER.draw(**(EXPLORER.values() | values))
    model.set_viewport_size({"width": 1280, "height": 800})
    return marks_of(model.evaluate(SHOWN)) == marks_of(drawing.svg(told))


def test_by_keyboard_every_control_moves_the_picture(model):
    text = model.get_by_label("text", exact=True)
    head = model.get_by_role("combobox", name="head")
    text.fill("tea sour, owl loud. tea")
    assert shown_picture(model, text="tea sour, owl loud. tea", head=(0, 0), row=6)
    head.press("ArrowDown")
    model.get_by_role("slider", name="row").press("ArrowLeft")
    model.get_by_role("slider", name="temperature").press("End")
    model.get_by_role("checkbox", name="0 · 1").press("Space")
    model.get_by_role("checkbox", name="1 · 1").press("Space")
    model.get_by_label("replaced by").select_option("mean")
    moved = {
        "head": (0, 1),
        "row": 5,
        "temperature": 4.0,
        "off": ((0, 1), (1, 1)),
        "how": "mean",
    }
    assert shown_picture(model, text="tea sour, owl loud. tea", **moved)


def test_it_writes_the_word_that_is_drawn_and_stops_at_48(model):
    model.evaluate("() => { Math.random = () => 0.999 }")
    model.emulate_media(reduced_motion="reduce")
    model.get_by_role("button", name="write the next word").press("Enter")
    logits, _ = attn.run_language_model(MODEL, TEXT)
    drawn = attn.LEXICON[int((attn.softmax(logits[-1]).cumsum() <= 0.999).sum())]
    text = model.get_by_label("text", exact=True)
    assert text.input_value() == f"{TEXT} {drawn}"
    for _ in range(3):
        model.get_by_role("button", name="write 12 words").press("Enter")
    assert len(attn.word_numbers(text.input_value())) == 48
    assert "can't read more" in model.locator(".attn-refusal").inner_text()
    model.get_by_text("Its 202 words").click()
    model.get_by_role("button", name="start again").click()
    model.get_by_role("button", name="owl", exact=True).click()
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
    cells = page.locator("#arithmetic tbody td:last-child").all_inner_texts()
    assert [cell.strip() for cell in cells] == [number(weight) for weight in weights]
    expected = ", ".join(number(x).replace("-", "−") for x in weights @ values)
    assert page.locator("#sums b").inner_text() == f"[{expected}]"
    page.fill("#query", "9")
    assert page.locator("#wrong").inner_text() == "Type a number from −5 to 5."


def test_a_tap_changes_a_number_by_one(page):
    page.get_by_role("button", name="query, one less").click()
    assert page.locator("#query").input_value() == "2"
    assert page.locator("#score").inner_text().endswith("= 4")
    for _ in range(4):
        page.get_by_role("button", name="value, one more").press("Enter")
    assert page.locator("#value").input_value() == "5"


def expected(text, off=()):
    """The probability of every next word."""
    logits, _ = attn.run_language_model(MODEL, text, off=off)
    return dict(attn.next_words(logits, 202))


@pytest.mark.parametrize("off", SWITCHED, ids=str)
@pytest.mark.parametrize("name", front.TEXTS)
def test_switches_show_before_and_after_and_nothing_moves(page, name, off):
    text = front.TEXTS[name]
    page.get_by_role("button", name=name).click()
    before = expected(text)
    word = max(before, key=before.get)
    places = page.evaluate(PLACES)
    for layer, head in off:
        switch = page.get_by_role("button", name=f"{layer} · {head}")
        switch.press("Enter")
        assert switch.evaluate("it => it === document.activeElement")
        assert switch.get_attribute("aria-pressed") == "true"
    after = number(expected(text, off)[word])
    name = page.get_by_role("rowheader", name=word, exact=True)
    row = page.locator("#expected tr").filter(has=name)
    assert row.locator("td").all_inner_texts() == [number(before[word]), after]
    if off:
        assert page.locator("#heads .now").last.inner_text() == after
    assert page.evaluate(PLACES) == places


def test_a_text_of_other_words_gets_an_answer_and_a_way_on(page):
    text = page.get_by_label("text", exact=True)
    for typed, said in UNREAD:
        text.fill(typed)
        assert said in page.locator("#unread").inner_text()
    page.locator("#trial").click()
    assert text.input_value() == "cat sleepy, cup red, river wide. cup red, river wide, cat"
    assert not page.locator("#unread").is_visible()
    assert page.locator("#expected th").first.inner_text() == "sleepy"


def train(page, least):
    """Trains until the held-out loss is below `least` times the bigram's."""
    page.get_by_role("button", name="Train").click()
    page.wait_for_function(TRAINED, arg=least, timeout=120_000)


def test_the_bigram_is_counted_and_asked_on_the_lines_that_the_gpt_is(page):
    found = page.evaluate(PREPARED)
    seen, held = np.array(found["seen"]), np.array(found["held"])
    letters = found["letters"]
    counts = np.full((len(letters), len(letters)), 0.1)
    np.add.at(counts, (seen[:, :-1], seen[:, 1:]), 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    loss = -np.log(shares[held[:, :-1], held[:, 1:]]).mean()
    assert_allclose(found["bigram"], loss, atol=1e-9)
    texts = ["".join(letters[number] for number in window) for window in held]
    whole = {line for text in texts for line in text.split("\n")[1:-1]}
    training, held_out = attn.load_names()
    assert sorted(found["training"]) == sorted(training)
    assert len(whole) > 300 and whole <= set(held_out)


def test_it_trains_from_a_file_and_what_it_saves_is_a_page_that_writes(page, tmp_path, chromium):
    train(page, least=1.0)
    assert "4,617 of 5,130 lines" in page.locator("#training").inner_text()
    assert page.locator("#samples li").count() == 8
    page.get_by_role("button", name="Stop").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a page").click()
    download.value.save_as(tmp_path / "my_gpt.html")
    saved = Reader(chromium.new_page())
    saved.open(tmp_path / "my_gpt.html", math=False)
    assert "trained on 4,617 first names of the United States Census" in saved.page.inner_text("#lead")
    saved.page.locator("#text .written").nth(1).wait_for()
    assert saved.problems == []
    saved.page.close()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open it here").click()
    opened.value.locator("#text .written").nth(1).wait_for()
    opened.value.close()
    assert gpt_page.MADE_HERE in (tmp_path / "my_gpt.html").read_text("utf-8")


@pytest.mark.parametrize(("text", "said"), LISTS.values(), ids=LISTS)
def test_any_list_trains_or_is_told_why_not(page, text, said):
    page.locator("#list").evaluate(PASTE, text)
    assert page.get_by_label("your own").is_checked()
    if "of " in said:
        train(page, least=100)
    else:
        page.get_by_role("button", name="Train").click()
    page.wait_for_function("said => document.querySelector('#training').textContent.includes(said)", arg=said)


def test_a_short_list_stops_before_it_is_learned_by_heart_and_goes_on_if_asked(page):
    page.get_by_label("your own").check()
    train(page, least=100)
    page.get_by_role("button", name="Go on").wait_for(timeout=120_000)
    assert "Stopped" in page.locator("#training").inner_text()
    page.get_by_role("button", name="Go on").click()
    page.locator("#samples .copied").first.wait_for(timeout=120_000)
    page.get_by_role("button", name="Stop").click()


def test_it_fits_a_phone_has_few_words_and_is_light(page, site):
    assert page.evaluate("document.documentElement.scrollHeight") <= 8.5 * PHONE["height"]
    assert page.evaluate(OUT_OF_REACH.replace("article *", "body *")) == []
    assert serious_violations_of_page(page, set()) == []
    page.evaluate("() => document.querySelectorAll('svg, [data-exercise]').forEach(box => box.remove())")
    assert len(page.inner_text("body").split()) <= 1000
    loaded = {*re.findall(r'(?:href|src)="(_static/[^"]+)"', page.content()), "index.html"}
    assert sum((site / name).stat().st_size for name in loaded) < 400_000
