"""The front page and the language model: their numbers are NumPy's, by keyboard, with any text or list."""

import json
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
from attn_lessons.lesson11.explorer import EVERY, TEXT
from attn_parts.formatting import number
from axe import serious_violations_of_page
from jupyter_pages import marks_of
from static_pages import DESK, FITS, PHONE, Reader, write_front_page

import front  # isort: skip

COUNTED = [f"line{k}" for k in range(30)]
LISTS = {
    "one": ("Anna", "here is 1. Write one on each line."),
    "windows": (
        " \r\n".join([*COUNTED, "line0"]),
        "of 30 lines, in small letters; the others are held out, 1 repeated.",
    ),
    "long": (
        " 🙂👩‍🚀é\n".join(line + "-long" * 2000 for line in COUNTED),
        "the others are held out, 30 cut",
    ),
    "many": ("\n".join(map(str, range(20_000))), "of 20,000 lines,"),
}
PASTE = """(list, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    list.dispatchEvent(new ClipboardEvent('paste', {clipboardData}))
}"""
TRAINED = """least => {
    const told = document.querySelector('#losses').textContent.match(/\\d\\.\\d\\d/g) ?? []
    const [loss, bigram] = told.map(Number)
    return loss < least * bigram
}"""
SAYS = "said => document.querySelector('#training').textContent.includes(said)"
PREPARED = """() => {
    const {page, trainer: code, lists} = window.trainData
    const engine = page.split('<script id="engine">')[1].split('</script>')[0]
    for (const script of [engine, code]) (0, eval)(script)
    return trainer.prepare(lists.names.text)
}"""
UNREAD = [
    (
        "The cat sat on the mat",
        "never read “the”, “sat”, “on”, “mat”. It reads only: cat.",
    ),
    ("¿Qué?", "never read “qué”"),
    ("", "Type some of its words"),
    ("chai " * 60, "It reads the last 48 words."),
    ("The cat sat", "It reads only: cat."),
]
PLACES = """() => ['#bars', '#heads', '#told', '#limits']
    .map(id => document.querySelector(id).getBoundingClientRect().y + scrollY)"""
MODEL = attn.load_language_model()
EXPLORER = attn.explore_language_model()
# as one text: to hand over thousands of numbers one by one takes long
RUN = """all => JSON.stringify(all.map(({words, off, how, ...rest}) => {
    const {logits, weights} = languageModel.run(words, off, how)
    const forward = languageModel.forward(words, off, how)
    const drawn = languageModelPicture.draw(words, forward, {words, off, how, ...rest})
    return {logits, weights, svg: languageModelPicture.svg(drawn)}
}))"""
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


def setting(turn):
    """Words, ablated heads and what else the picture shows; every word comes in some turn."""
    words = attn.LEXICON[5 * turn : 6 * turn + 5]
    return {
        "words": words,
        "off": EVERY[turn % 9 :],
        "how": ["zero", "mean"][turn % 2],
        "head": EVERY[turn % 8],
        "row": turn % len(words),
        "temperature": [0.25, 1.0, 4.0][turn % 3],
    }


def drawn(**values):
    """The picture that the notebook's explorer draws for these values."""
    drawing, told = EXPLORER.draw(**(EXPLORER.values() | values))
    return drawing.svg(told)


def test_the_model_computes_what_numpy_does_and_draws_what_the_notebook_does(model):
    settings = list(map(setting, range(41)))
    for there, here in zip(json.loads(model.evaluate(RUN, settings)), settings, strict=True):
        text, off, how = (
            " ".join(here.pop("words")),
            tuple(here.pop("off")),
            here["how"],
        )
        logits, weights = attn.run_language_model(MODEL, text, off=off, how=how)
        assert_allclose(there["logits"], logits[-1], rtol=0, atol=1e-9)
        assert_allclose(there["weights"], weights, rtol=0, atol=1e-9)
        assert there["svg"] == drawn(text=text, off=off, **here), here


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("chia hot", "The model doesn't know “chia”. Near it: chai, cocoa, chair."),
        (" ", "Type at least one word."),
        (
            "chai " * 49,
            "The model reads 48 words, commas and full stops counted; these are 49.",
        ),
    ],
)
def test_a_text_that_the_model_cannot_read_is_refused(model, text, sentence):
    model.get_by_label("text", exact=True).fill(text)
    assert model.locator(".attn-refusal").inner_text().startswith(sentence)
    model.get_by_role("button", name="start again").click()
    assert model.locator(".attn-refusal").inner_text() == ""


def test_by_keyboard_every_control_moves_the_picture(model):
    model.set_viewport_size(DESK)
    model.get_by_label("text", exact=True).fill("tea sour, owl loud. tea")
    model.get_by_role("combobox", name="head").press("ArrowDown")
    model.get_by_role("slider", name="row").press("ArrowLeft")
    model.get_by_role("slider", name="temperature").press("End")
    model.get_by_role("checkbox", name="0 · 1").press("Space")
    model.get_by_role("checkbox", name="1 · 1").press("Space")
    model.get_by_label("replaced by").select_option("mean")
    reached = {
        "head": (0, 1),
        "row": 5,
        "temperature": 4.0,
        "off": ((0, 1), (1, 1)),
        "how": "mean",
    }
    here = drawn(text="tea sour, owl loud. tea", **reached)
    assert marks_of(model.evaluate(SHOWN)) == marks_of(here)


def test_it_writes_the_word_that_is_drawn_and_stops_at_48(model):
    model.evaluate("() => { Math.random = () => 0.999 }")
    model.emulate_media(reduced_motion="reduce")
    model.get_by_role("button", name="write the next word").press("Enter")
    logits, _ = attn.run_language_model(MODEL, TEXT)
    next_word = attn.LEXICON[int((attn.softmax(logits[-1]).cumsum() <= 0.999).sum())]
    text = model.get_by_label("text", exact=True)
    assert text.input_value() == f"{TEXT} {next_word}"
    for _ in range(3):
        model.get_by_role("button", name="write 12 words").press("Enter")
    assert len(attn.word_numbers(text.input_value())) == 48
    assert "can't read more" in model.locator(".attn-refusal").inner_text()
    model.get_by_role("button", name="start again").click()
    assert text.input_value() == TEXT


def test_the_head_shows_the_stored_numbers_of_every_step(page):
    stored = attn.load_data("pronoun_head")
    head = stored["heads"]["looks"]
    for noun, name in enumerate(stored["nouns"]):
        page.select_option("#noun", name)
        for frame in (0, 3, 50):
            page.locator("#step").fill(str(frame))
            texts = page.locator("[data-shows=after] text").all_text_contents()
            numbers = [*head["weights"][frame][noun], *head["answers"][frame][noun]]
            assert [text for text in texts if "." in text] == [*map(number, numbers)]
            assert page.locator("output[for=step]").inner_text() == str(stored["frames"][frame])


def test_three_numbers_lead_to_numpy_s_weights_and_sum(page):
    _, X, W_Q, W_K, W_V = attn.load_example()
    query = (X @ W_Q)[3]
    keys = X @ W_K
    values = X @ W_V
    query[0] = -2.5
    keys[1, 0] = 2.5
    values[1, 0] = 5
    weights = attn.softmax(keys @ query / 2)
    page.fill("#query", "-1.5")
    page.get_by_role("button", name="query, one less").click()
    page.fill("#key", "2.5")
    for _ in range(4):  # from 4 on, and no further than 5
        page.get_by_role("button", name="value, one more").press("Enter")
    cells = page.locator("#arithmetic tbody td:last-child").all_inner_texts()
    assert [cell.strip() for cell in cells] == [*map(number, weights)]
    output = ", ".join(map(number, weights @ values)).replace("-", "−")
    assert page.locator("#sums b").inner_text() == f"[{output}]"
    page.fill("#query", "9")
    assert page.locator("#wrong").inner_text() == "Type a number from −5 to 5."


SWITCHED = [*zip(front.TEXTS, ([(1, 0)], [], [(1, 2), (1, 3)]), strict=True)]


@pytest.mark.parametrize(("name", "off"), SWITCHED)
def test_switches_show_before_and_after_and_nothing_moves(page, name, off):
    before, after = (
        dict(attn.next_words(attn.run_language_model(MODEL, front.TEXTS[name], off=heads)[0], 202))
        for heads in ([], off)
    )
    page.get_by_role("button", name=name).click()
    places = page.evaluate(PLACES)
    for layer, head in off:
        switch = page.get_by_role("button", name=f"{layer} · {head}")
        switch.press("Enter")
        assert switch.evaluate("it => it === document.activeElement && it.ariaPressed") == "true"
    word = max(before, key=before.get)
    row = page.locator("#expected tr").filter(has=page.get_by_role("rowheader", name=word, exact=True))
    assert row.locator("td").all_inner_texts() == [
        number(before[word]),
        number(after[word]),
    ]
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


def test_the_bigram_is_counted_on_training_lines_and_asked_on_held_out_ones(page):
    found = page.evaluate(PREPARED)
    seen = np.array(found["seen"])
    held = np.array(found["held"])
    counts = np.full((len(found["letters"]),) * 2, 0.1)
    np.add.at(counts, (seen[:, :-1], seen[:, 1:]), 1)
    probabilities = counts / counts.sum(axis=1, keepdims=True)
    assert_allclose(
        found["bigram"],
        -np.log(probabilities[held[:, :-1], held[:, 1:]]).mean(),
        atol=1e-9,
    )
    training, _ = attn.load_names()
    assert sorted(found["training"]) == sorted(training)


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


@pytest.mark.parametrize(("text", "said"), LISTS.values(), ids=LISTS)
def test_any_list_trains_or_is_told_why_not(page, text, said):
    page.locator("#list").evaluate(PASTE, text)
    assert page.get_by_label("your own").is_checked()
    page.get_by_role("button", name="Train").click()
    page.wait_for_function(SAYS, arg=said)
    if "Write" not in said:
        page.wait_for_function(TRAINED, arg=100)


def test_a_short_list_stops_before_it_is_learned_by_heart_and_goes_on_if_asked(page):
    page.get_by_label("your own").check()
    train(page, least=100)
    page.get_by_role("button", name="Go on").click(timeout=120_000)
    page.locator("#samples .copied").first.wait_for(timeout=120_000)
    page.get_by_role("button", name="Stop").click()


def test_it_fits_a_phone_has_few_words_and_is_light(page, site):
    assert page.evaluate(FITS)
    assert page.evaluate("document.documentElement.scrollHeight") <= 8.5 * PHONE["height"]
    assert serious_violations_of_page(page, set()) == []
    page.evaluate("() => document.querySelectorAll('svg, [data-exercise]').forEach(box => box.remove())")
    assert len(page.inner_text("body").split()) <= 1000
    loaded = {
        *re.findall(r'(?:href|src)="(_static/[^"]+)"', page.content()),
        "index.html",
    }
    assert sum((site / name).stat().st_size for name in loaded) < 400_000
