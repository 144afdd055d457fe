"""The GPT in JavaScript computes what NumPy does, and the page made of one runs alone, with any letters."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_helpers as attn
from attn_parts import gpt, names
from attn_parts.gpt_page import save_gpt_page
from axe import serious_violations_of_page
from static_pages import FITS

NAMES = attn.load_names_model()
LETTERS = "\naé𝄞 <Zß"
SETTINGS = [  # blocks, heads, width, positions, texts, letters of each
    (1, 4, 48, 16, 3, 16),
    (2, 3, 6, 5, 2, 4),
    (1, 2, 8, 9, 5, 1),
]
# logits, attention weights, loss and all gradients of one batch
RUN = """([sizes, arrays, given, asked, n, kind]) => {
    const model = {sizes}
    for (const name in arrays) model[name] = globalThis[kind].from(arrays[name])
    const {logits, weights} = gpt.forward(model, given, n)
    const {loss, gradients} = gpt.gradients(model, given, asked, n)
    const found = {logits, weights: weights.flatMap(each => [...each]), loss: [loss]}
    for (const name in arrays) found[name] = gradients[name]
    return Object.fromEntries(Object.entries(found).map(([name, numbers]) => [name, [...numbers]]))
}"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The stored model of first names, and one of odd letters that was never trained."""
    folder = tmp_path_factory.mktemp("saved")
    odd = gpt.start_gpt(1, letters=len(LETTERS), width=8, blocks=2, positions=12)
    save_gpt_page(
        odd,
        LETTERS,
        folder / "odd.html",
        heads=2,
        title="</script> & <b>",
        trained_on="<i>",
    )
    save_gpt_page(NAMES, names.LETTERS, folder / "names.html")
    return folder


@pytest.mark.parametrize(("blocks", "heads", "width", "positions", "n", "length"), SETTINGS)
@pytest.mark.parametrize(("kind", "within"), [("Float32Array", 1e-6), ("Float64Array", 1e-9)])
def test_logits_and_gradients_are_numpy_s(
    reader, saved, monkeypatch, blocks, heads, width, positions, n, length, kind, within
):
    monkeypatch.setattr(gpt, "HEADS", heads)  # the page takes any number
    page = reader.open(saved / "odd.html", math=False)
    sizes = {"letters": 9, "width": width, "blocks": blocks, "positions": positions}
    model = {name: np.float32(array).astype(float) for name, array in gpt.start_gpt(1, **sizes).items()}
    numbers = np.random.default_rng(width).integers(9, size=(n, length + 1))
    plain = {name: array.ravel().tolist() for name, array in model.items()}
    batch = [numbers[:, :-1].ravel().tolist(), numbers[:, 1:].ravel().tolist(), n]
    found = page.evaluate(RUN, [sizes | {"heads": heads}, plain, *batch, kind])
    logits, weights = gpt.run_gpt(model, numbers[:, :-1])
    loss, gradients = gpt.gpt_gradients(model, numbers)
    for name, expected in {
        "logits": logits,
        "weights": weights,
        "loss": loss,
        **gradients,
    }.items():
        assert_allclose(found[name], np.ravel(expected), rtol=within, atol=within, err_msg=name)


def test_the_saved_page_goes_on_and_shows_what_the_model_computes(reader, saved):
    page = reader.open(saved / "names.html", math=False)
    page.emulate_media(reduced_motion="reduce")
    page.get_by_label("begins").fill("Mar")
    logits, weights = gpt.run_gpt(NAMES, np.array([[0, 13, 1, 18]]))
    expected = np.sort(attn.softmax(logits[0, -1] / 0.8))[:-7:-1]
    bars = page.locator("#next > p").all_inner_texts()
    assert_allclose([float(bar.split()[-1]) for bar in bars], expected, atol=0.006)
    told = page.locator("#heads [role=img]").last.get_attribute("aria-label")
    assert_allclose(
        [*map(float, re.findall(r"0\.\d\d|1\.00", told))],
        weights[0, 0, -1, -1],
        atol=0.006,
    )
    page.get_by_role("button", name="Go on").click()
    letters = page.locator("#text button")
    letters.nth(4).wait_for()
    assert letters.all_inner_texts()[:4] == ["⏎", "m", "a", "r"]
    letters.nth(1).click()
    page.keyboard.press("ArrowRight")
    current = page.locator("#text [aria-current]")
    assert current.inner_text() == "a"
    assert current.evaluate("it => it === document.activeElement")
    assert page.evaluate(FITS)
    assert serious_violations_of_page(page, set()) == []
    assert (saved / "names.html").stat().st_size < 200_000
    assert reader.problems == []


def test_any_letters_and_titles_are_kept_as_they_are(reader, saved):
    page = reader.open(saved / "odd.html", math=False)
    page.get_by_label("begins").fill("z𝄞a?É<")
    assert page.locator("#text button").all_inner_texts() == [
        "⏎",
        "Z",
        "𝄞",
        "a",
        "é",
        "<",
    ]
    assert "It doesn't know ?" in page.locator("#wrong").inner_text()
    assert page.title() == page.inner_text("h1") == "</script> & <b>"
    assert "trained on <i>." in page.inner_text("#lead")
    assert reader.problems == []
