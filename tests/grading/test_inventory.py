"""The inventory: options are results of mistakes, forms are parallel, answers are read and counted."""

import contextlib
import re

import numpy as np
import pytest

import attn_helpers as attn
import links
import made_up_class
from attn_checks.__main__ import main
from attn_checks.exercise import exercises
from attn_checks.inventory import answers, command, forms, report
from course import ROOT

FORMS = forms.forms()
IDEAS = list(FORMS["A"])
NUMBER = re.compile(r"\d+(?:\.\d+)?")
ONE = np.ones(1)
# the head of each ablation, by what it answers: its weights, and what each word says for the answer
HEADS = {
    0.94: ([0.4, 0.4, 0.2], [4, 4, -2]),
    0.92: ([0.3, 0.5, 0.2], [4, 3, -1.5]),
}


def numbers_in(text):
    found = NUMBER.findall(text.replace(",", ""))
    return [float(number) for number in found]


def table(question):
    """The words of a question's table, and its last two columns of numbers."""
    _, _, _, *lines = question.text.splitlines()
    cells = [line.strip("| ").split(" | ") for line in lines]
    words, *_, left, right = zip(*cells, strict=True)
    return words, column(left), column(right)


def column(cells):
    return np.array([numbers_in(cell) for cell in cells])


def listed(numbers, digits=2):
    told = [f"{number:.{digits}f}" for number in np.ravel(numbers)]
    return f"[{' '.join(told)}]"


# What an option shows if a function is the exercise's right one, or a way to make a mistake in it.


def who(question, exercise, f):
    words, queries, keys = table(question)
    *_, last = f(queries, keys)
    yield words[np.argmax(last)]


def contribution(question, exercise, f):
    words, weights, values = table(question)
    weights = weights.ravel()
    parts = []
    for only in np.eye(len(words)):
        V = values * only[:, None]
        if exercise == "weighted_mean":
            parts.append(f(weights, V))
        else:
            shares = f(np.log(weights))
            parts.append(shares @ V)
    yield words[np.argmax(parts)]


def scale(question, exercise, f):
    _, before, after = numbers_in(question.text)
    small = f(int(before), 1.0, 1.0)
    large = f(int(after), 1.0, 1.0)
    ratio = large / small
    parts = {0.5: "½", 1 / 3: "⅓"}
    yield f"times {parts.get(ratio, round(ratio))}"


def mask(question, exercise, f):
    option, _ = question.options["a"]
    n = len(numbers_in(option))
    keys = np.ones((n, 1))
    seen = np.arange(n)[None] < n - 1
    if exercise == "apply_mask":
        scores = f(keys.T, seen)
        yield listed(attn.softmax(scores))
    else:
        _, weights = f(ONE[None], keys, keys, seen)
        yield listed(weights)


def padding(question, exercise, f):
    option, _ = question.options[question.right]
    length = option.index("0")
    allowed = np.ones((4, 4), bool)
    if exercise == "apply_mask":
        allowed[:, length:] = False
        scores = f(np.ones((4, 4)), allowed)
        allowed = ~np.isneginf(scores)
    else:
        allowed &= f([length], 4)[0]
    rows = allowed.astype(int).astype(str)
    yield " ".join(map("".join, rows))


def temperature(question, exercise, f):
    _, *weights, hotter = numbers_in(question.text)
    softer = f(np.array(weights), hotter)
    yield listed(softer)


def heads(question, exercise, f):
    first, second = numbers_in(question.text)
    W_Q, W_K, W_V = np.zeros((3, 3, 2))
    W_Q[0] = 40
    W_K[1:] = np.eye(2)
    W_V[1:] = [[first], [second]]
    words = np.eye(3)
    W_O = np.eye(2)
    first_word, *_ = f(words, W_Q, W_K, W_V, W_O, 2)
    yield listed(first_word, digits=0)


def order(question, exercise, f):
    _, weights, V = table(question)
    K = np.log(weights)
    if exercise == "attention":
        Q = np.ones((3, 1))
        (output, *_), _ = f(Q, K[::-1], V[::-1])
    else:
        *old_K, k = K
        *old_V, v = V
        output, _, _ = f(ONE, k, v, np.array(old_K), np.array(old_V))
    yield f"{output[0]:.1f}"


def ablation(question, exercise, f):
    whole, *_ = numbers_in(question.text)
    weights, says = HEADS[whole]
    logit = np.dot(weights, says)
    assert round(1 / (1 + np.exp(-logit)), 2) == whole
    K = np.log(weights)[:, None]
    V = np.zeros((3, 2))
    V[:, 0] = says
    _, without, _ = f(ONE, K, V, np.eye(2))
    yield f"{without[0]:.2f}"


def cache(question, exercise, f):
    old = ONE[None]
    _, K, V = f(3 * ONE, 5 * ONE, 7 * ONE, old, old)
    names = {3: "q", 5: "k", 7: "v"}
    last = K[-1].item(), V[-1].item()
    kept = [names[number] for number in last if number in names]
    if len(kept) == 1:
        yield f"{kept[0]} alone"
    else:
        yield " and ".join(kept)


def cost(question, exercise, f):
    width, length, _, longer = map(int, numbers_in(question.text))
    X = np.zeros((longer, width))
    if exercise == "scores":
        yield f"{f(X, X).size:,}"
    else:
        for block in (1, length):
            *_, tiles = f(X, X, X, block, False)
            yield f"{tiles * block**2:,}"


def differences(question, exercise, f):
    *scores, _, _, _, more = numbers_in(question.text)
    shifted = np.array(scores) + more
    yield listed(f(shifted))


SHOWN = [
    who,
    contribution,
    scale,
    mask,
    padding,
    temperature,
    heads,
    order,
    ablation,
    cache,
    cost,
    differences,
]


def results(idea, form, told_in, short=None):
    """What an option shows by the right function of an exercise, or by each way to make a mistake in it."""
    exercise = exercises()[told_in]
    ways = [] if short else [exercise.right]
    for mistake in exercise.known():
        if mistake.short == short:
            ways += mistake.ways
    show = SHOWN[IDEAS.index(idea)]
    question = FORMS[form][idea]
    for way in ways:
        with contextlib.suppress(ValueError, IndexError, TypeError), np.errstate(all="ignore"):
            yield from show(question, told_in, way)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("idea", IDEAS)
def test_each_option_is_the_result_of_its_mistake(idea, form):
    question = FORMS[form][idea]
    wrong = dict(question.options)
    key, _ = wrong.pop(question.right)
    for option, reply in wrong.values():
        short, told_in, _ = report.RESULT_OF.fullmatch(reply).groups()
        assert short in report.section_of(told_in).mistakes
        assert key in results(idea, form, told_in)
        assert option in results(idea, form, told_in, short)


@pytest.mark.parametrize("idea", IDEAS)
def test_the_forms_are_parallel(idea):
    first = FORMS["A"][idea]
    second = FORMS["B"][idea]
    _, replies = zip(*first.options.values(), strict=True)
    _, same_replies = zip(*second.options.values(), strict=True)
    assert sorted(replies) == sorted(same_replies)
    assert first.see == second.see
    assert first.right != second.right
    longer = len(first.text.split()) - len(second.text.split())
    assert abs(longer) <= 1


@pytest.mark.parametrize("form", FORMS)
def test_nothing_but_the_idea_tells_the_key(form):
    keys = "".join(question.right for question in FORMS[form].values())
    assert sorted(keys) == list("aaabbbcccddd")
    for question in FORMS[form].values():
        lengths = {len(option) for option, _ in question.options.values()}
        assert len(lengths) == 1
        text, *_ = question.text.splitlines()
        for sentence in re.split("[.?:] ", text):
            assert len(sentence.split()) <= 20


def test_a_made_up_class_is_recovered_as_its_page_says(tmp_path):
    made_up_class.hand_in(tmp_path)
    found = command.read(tmp_path)
    text = (ROOT / "teaching" / "inventory.md").read_text("utf-8")
    for line in made_up_class.compared(found):
        assert line in text
    assert f"{report.with_limits(found.gain())}" in text
    assert not found.notes
    for idea in found.ideas():
        heading = report.headings(idea.see[1:3])[idea.see]
        assert idea.page.endswith(f".html#{links.page_id(heading)}")


def line(name, form="A", letters="ABCDABCDABCD"):
    return f"attention-inventory {form} {letters} {name}\n"


TYPED = """name;form;1;2;3;4;5;6;7;8;9;10;11;12
;;;;;;;;;;;;;
 Zoë ;b;a;B;c;D;a;b;;x;a;b;c;d
"""
ODD = {  # what is in before, and what must be said of it
    "excel": (TYPED.encode("utf-8-sig"), "no letter from A to D"),
    "an older excel": (TYPED.encode("cp1252"), "the same form both times"),
    "cut off": (line("Zoë") + "attention-inventory B ABC", "cut off"),
    "no answers": ("name,form,1,2\nZora,A,B,B", "lacks the columns 3, 4"),
    "a picture": ("%PDF\0", "isn't text"),
    "twice": (line("Zoë") + line("zoë "), "2.0 before"),
    "twice otherwise": (line("Zoë") + line("Zoë", "B"), "the fuller"),
    "half": (line("Zoë", letters="ABCDAB------"), "half of the answers"),
    "empty": (line("Zoë", letters="------------"), "without a single answer"),
    "another name": (line("Zoë") + line("Zora"), "only before"),
    "nobody twice": (line("Zora"), "the same name each time"),
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_get_a_sentence_that_names_no_one(odd, tmp_path, capsys):
    content, said = ODD[odd]
    if isinstance(content, str):
        content = content.encode()
    later = line("Zoë", "B") + line("Yan")
    for time, given in (("before", content), ("after", later.encode())):
        folder = tmp_path / time
        folder.mkdir()
        (folder / "renamed").write_bytes(given)
    page = tmp_path / "out" / "report.html"
    asked = ["inventory", str(tmp_path), "--output", str(page.parent)]
    if main(asked) == 0:
        assert not re.search("Zo|Yan", page.read_text("utf-8"))
        main([*asked, "--names"])
        assert "Yan" in page.read_text("utf-8")
    assert said in "".join(capsys.readouterr())


def test_a_notebook_is_answered_by_clicks(capsys):
    cells = forms.notebook_of("B").cells
    first, *asks, last = [cell.source for cell in cells if cell.cell_type == "code"]
    shown = []
    names = {}
    exec(first, names)
    names["display"] = shown.append
    for cell in asks:
        exec(cell, names)
    for buttons in shown[:-1]:
        buttons.value = "C"
    exec(last.replace('""', '" Zoë K "'), names)
    printed = capsys.readouterr().out
    expected = answers.Answers("Zoë K", "B", "CCCCCCCCCCC-")
    assert answers.answers_in(printed.encode()) == ([expected], [])


def test_what_a_class_is_given_holds_no_key(tmp_path):
    assert main(["inventory", "--output", str(tmp_path)]) == 0
    for path in tmp_path.iterdir():
        text = path.read_text("utf-8")
        for question in FORMS["A"].values():
            for _, reply in question.options.values():
                assert reply not in text
