"""The inventory: options are the results of their mistakes, forms are parallel, and a class's answers are read and counted."""

import collections
import contextlib
import re

import numpy as np
import pytest

import links
import made_up_class
from attn_checks.__main__ import main
from attn_checks.inventory import answers, command, forms, gains, report
from attn_checks.registry import exercises
from course import ROOT

IDEAS = list(forms.forms()["A"])
CELLS = re.compile(r"[\d.]+")
# What the tables of the ablation were made with: weights, and what each word says for the answer.
HEADS = {"A": ([0.4, 0.4, 0.2], [4, 4, -2]), "B": ([0.3, 0.5, 0.2], [4, 3, -1.5])}


def table(question, columns):
    """Columns of numbers of a question's table, counted from the right."""
    rows = [line.strip("| ").split(" | ") for line in question.text.splitlines()[3:]]
    return [[list(map(float, CELLS.findall(row[i]))) for row in rows] for i in columns], [
        row[0] for row in rows
    ]


def rows_of(array):
    return " ".join("".join(str(int(cell)) for cell in row) for row in np.broadcast_to(array, (4, 4)))


def listed(numbers, digits=2):
    return f"[{' '.join(f'{number:.{digits}f}' for number in np.ravel(numbers))}]"


def numbers_in(question):
    return [float(number) for number in re.findall(r"\d[\d.]*", question.text.replace(",", ""))]


def who(q, form):
    (queries, keys), words = table(q, (-2, -1))
    return {"scores": lambda f: words[np.argmax(f(np.array(queries), np.array(keys))[-1])]}


def contribution(q, form):
    (weights, values), words = table(q, (-2, -1))
    weights, values = np.ravel(weights), np.array(values)

    def largest(output):
        parts = [
            np.ravel(output(values) - output(np.where(np.eye(4)[i][:, None], 0, values))) for i in range(4)
        ]
        return words[np.argmax(parts)]

    return {
        "weighted_mean": lambda f: largest(lambda V: f(weights, V)),
        "softmax": lambda f: largest(lambda V: f(np.log(weights)) @ V),
    }


def scale(q, form):
    first, second = map(int, numbers_in(q)[1:])
    parts = {0.5: "½", 1 / 3: "⅓"}

    def shown(f):
        ratio = f(second, 1.0, 1.0) / f(first, 1.0, 1.0)
        return f"times {parts.get(ratio, f'{ratio:.0f}')}"

    return {"score_divisor": shown}


def mask(q, form):
    n = {"A": 3, "B": 4}[form]
    ones, seen = np.ones((1, n)), np.arange(n)[None] < n - 1
    softmax = exercises()["softmax"].right
    return {
        "attention": lambda f: listed(f(np.ones((1, 1)), ones.T, ones.T, seen)[1]),
        "apply_mask": lambda f: listed(softmax(f(ones, seen))),
    }


def padding(q, form):
    length = 4 - q.text.split("row, for")[0].count("one [pad]") - 2 * q.text.count("two [pad]s")
    seen = np.broadcast_to(np.arange(4) < length, (4, 4))
    return {
        "padding_mask": lambda f: rows_of(f([length], 4)[0]),
        "apply_mask": lambda f: rows_of(~np.isneginf(f(np.ones((4, 4)), seen))),
    }


def temperature(q, form):
    _, *weights, hotter = numbers_in(q)
    return {"change_temperature": lambda f: listed(f(np.array(weights), hotter))}


def heads(q, form):
    first, second = numbers_in(q)
    W_Q, W_K = np.array([[40.0, 40], [0, 0], [0, 0]]), np.array([[0.0, 0], [1, 0], [0, 1]])
    W_V = np.array([[0, 0], [first, first], [second, second]])
    return {"multi_head": lambda f: listed(f(np.eye(3), W_Q, W_K, W_V, np.eye(2), 2)[0], digits=0)}


def order(q, form):
    (weights, values), _ = table(q, (-2, -1))
    K, V = np.log(weights), np.array(values)
    one = np.ones(1)
    return {
        "attention": lambda f: f"{f(np.ones((3, 1)), K[::-1], V[::-1])[0][0, 0]:.1f}",
        "next_output": lambda f: f"{f(one, K[2], V[2], K[:2], V[:2])[0][0]:.1f}",
    }


def ablation(q, form):
    weights, says = HEADS[form]
    V = np.stack([says, np.zeros(3)], axis=1)
    whole = 1 / (1 + np.exp(-np.dot(weights, says)))
    assert f"probability {whole:.2f}" in q.text
    return {"answers_without": lambda f: f"{f(np.ones(1), np.log(weights)[:, None], V, np.eye(2))[1, 0]:.2f}"}


def cache(q, form):
    def shown(f):
        _, K, V = f(*np.array([[3.0], [5.0], [7.0]]), np.array([[1.0]]), np.array([[2.0]]))
        kept = [{3: "q", 5: "k", 7: "v"}.get(rows[-1, 0]) for rows in (K, V)]
        return " and ".join(kept) if all(kept) else f"{kept[0] or kept[1]} alone"

    return {"next_output": shown}


def cost(q, form):
    width, length, _, longer = map(int, numbers_in(q))
    X = np.zeros((longer, width))
    # in tiles as long as the first text, or one score wide where each tile is counted
    return {
        "scores": lambda f: f"{f(X, X).size:,}",
        "flash_attention": lambda f: f"{f(X, X, X, length, False)[-1] * length**2:,}",
        "flash_attention, word by word": lambda f: f"{f(X[:, :1], X[:, :1], X[:, :1], 1, False)[-1]:,}",
    }


def differences(q, form):
    scores, more = numbers_in(q)[:3], numbers_in(q)[-1]
    return {"softmax": lambda f: listed(f(np.array(scores) + more))}


SHOWN = who, contribution, scale, mask, padding, temperature, heads, order, ablation, cache, cost, differences


def results(ways, shows):
    """What several functions come to, where they come to anything."""
    for way in ways:
        for show in shows:
            with contextlib.suppress(ValueError, IndexError, TypeError), np.errstate(all="ignore"):
                yield show(way)


@pytest.mark.parametrize("form", "AB")
@pytest.mark.parametrize("number", range(12), ids=IDEAS)
def test_each_option_is_the_result_of_its_mistake(number, form):
    question = list(forms.forms()[form].values())[number]
    shown = SHOWN[number](question, form)
    assert {*results([exercises()[next(iter(shown))].right], [*shown.values()][:1])} == {
        question.options[question.right][0]
    }
    for letter in set(question.options) - {question.right}:
        option, reply = question.options[letter]
        mistake, exercise, _ = report.RESULT_OF.fullmatch(reply).groups()
        assert report.section_of(exercise).mistakes[mistake]
        ways = [
            way for known in exercises()[exercise].known() if known.short == mistake for way in known.ways
        ]
        assert option in results(ways, [each for name, each in shown.items() if name.startswith(exercise)]), (
            option
        )


def shape(question):
    """A question without what its twin has otherwise: names of mistakes, and how long its parts are."""
    mistakes = sorted(report.RESULT_OF.findall(reply)[:1] for _, reply in question.options.values())
    return mistakes, question.see, len(question.text.split()) // 3


def test_the_forms_are_parallel():
    for first, second in zip(*(asked.values() for asked in forms.forms().values()), strict=True):
        assert shape(first) == shape(second)
        assert first.right != second.right


@pytest.mark.parametrize("form", "AB")
def test_nothing_but_the_idea_tells_the_key(form):
    asked = forms.forms()[form].values()
    assert {*collections.Counter(question.right for question in asked).values()} == {3}
    for question in asked:
        assert len({len(option) for option, _ in question.options.values()}) == 1
        sentences = re.split(r"[.?:] ", question.text.splitlines()[0])
        assert max(len(sentence.split()) for sentence in sentences) <= 20


def test_a_made_up_class_is_recovered_as_teaching_says(tmp_path):
    made_up_class.hand_in(tmp_path)
    found = command.read(tmp_path)
    text = (ROOT / "teaching" / "inventory.md").read_text("utf-8")
    for line in made_up_class.compared(found):
        assert line in text
    assert f"**{report.with_limits(found.gain())}**" in text
    assert not found.notes
    for idea in found.ideas():
        heading = report.headings(idea.see[1:3])[idea.see].replace(" ", "-")
        assert idea.page.split("#")[1] == links.page_id(heading)


@pytest.mark.parametrize("n", [6, 12, 30])
def test_intervals_hold_for_small_classes(n):
    rng = np.random.default_rng(n)
    held = collections.Counter()
    for _ in range(600):
        was = rng.random((n, 12)) < 0.7
        now = was & (rng.random((n, 12)) < 0.5)
        _, low, high = gains.gain(~was[:, 0], ~now[:, 0])
        held["idea"] += low <= 0.5 <= high
        _, low, high = gains.gain_over_all(was.sum(1).tolist(), now.sum(1).tolist())
        held["all"] += low <= 0.5 <= high
    assert all(0.92 <= times / 600 <= 0.99 for times in held.values()), held


LINE = "attention-inventory {} ABCDABCDABCD {}\n"
HEADS = "form;name;" + ";".join(f"Q{number}" for number in range(1, 13))
TYPED = f"{HEADS}\n\nb; Zoë ;" + ";".join("a) B c. D a b - x d a b c".replace("- ", " ; ").split(" "))
ODD = {  # what is in before and in after, and what must be said
    "excel": ({"a.csv": TYPED.encode("utf-8-sig")}, "no letter from A to D"),
    "old excel": ({"a.csv": TYPED.encode("cp1252")}, "no letter from A to D"),
    "utf-16, renamed": ({"a": LINE.format("A", "Zoë").encode("utf-16")}, ""),
    "cut off": ({"a.txt": (LINE.format("A", "Zoë") + "attention-inventory B ABC").encode()}, "cut off"),
    "no answers": ({"a.csv": b"name,form,1,2\nZo,A,B,B"}, "lacks the columns 3, 4"),
    "a picture": ({"a.pdf": b"%PDF\0"}, "isn't text"),
    "twice": ({"a": LINE.format("A", "Zoë").encode(), "b": LINE.format("A", "zoë ").encode()}, ""),
    "otherwise": (
        {"a": LINE.format("A", "Zoë").encode(), "b": LINE.format("B", "Zoë").encode()},
        "the fuller",
    ),
    "half": ({"a": b"attention-inventory A ABCDAB------ Zo"}, "half of the answers"),
    "empty": ({"a": b"attention-inventory A ------------ Zo"}, "without a single answer"),
    "another name": ({"a": LINE.format("A", "Zora").encode()}, "only before"),
    "same form": ({"a": LINE.format("B", "Zoë").encode()}, "same form both times"),
    "nothing": ({}, ""),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_answers_get_a_sentence_that_names_no_one(name, tmp_path, capsys):
    files, said = ODD[name]
    for time in ("before", "after"):
        (tmp_path / "class" / time).mkdir(parents=True)
    for file, content in files.items():
        (tmp_path / "class" / "before" / file).write_bytes(content)
    (tmp_path / "class" / "after" / "all.txt").write_text(LINE.format("B", "Zoë") + LINE.format("B", "Yan"))
    given = ["inventory", str(tmp_path / "class"), "--output", str(tmp_path / "out")]
    code = main(given)
    shown = capsys.readouterr()
    assert said in shown.out + shown.err
    if code == 0:
        page = (tmp_path / "out" / "report.html").read_text("utf-8")
        assert not re.search("Zo|Yan", page + shown.out)
        main([*given, "--names"])
        assert "Yan" in (tmp_path / "out" / "report.html").read_text("utf-8") + capsys.readouterr().out


def test_what_a_class_is_given_holds_no_key_and_its_notebook_is_answered_by_clicks(tmp_path, capsys):
    assert main(["inventory", "--output", str(tmp_path)]) == 0
    notebook = forms.notebook_of("B")
    replies = [reply for asked in forms.forms()["B"].values() for _, reply in asked.options.values()]
    for path in tmp_path.iterdir():
        assert not [reply for reply in replies if reply in path.read_text("utf-8")]
    first, *asks, last = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    exec(first, names := {})
    shown = []
    names["display"] = shown.append
    for cell in asks:
        exec(cell, names)
    for buttons in shown[:-1]:
        buttons.value = "C"
    exec(last.replace('""', '" Zoë K "'), names)
    read, problems = answers.answers_in(capsys.readouterr().out.encode())
    assert read == [answers.Answers("Zoë K", "B", "C" * 11 + "-")]
    assert not problems
