"""A function that passes is kept in my_attention.py and runs as `mine`, and nothing in the file is lost."""

import datetime
import linecache
import sys
import types

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
from attn_checks import mine
from attn_checks.exercise import EXERCISES
from attn_checks.kept import file as kept
from attn_checks.kept import overcome, page
from environments import python

SOFTMAX = '''def softmax(x):
    """Weights, é: rows that sum to 1."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))  # shifted
    return e / e.sum(axis=-1, keepdims=True)
'''
HOTTER = "def temperature_softmax(x, T):\n    'é'; return mine.softmax(x / T)\n"
SCORES = "def scores(Q, K):\n    return Q @ K.swapaxes(-1, -2)\n"
SCALED = (
    "def scaled_scores(Q, K):\n    scores = mine.scores(Q, K)\n    return scores / np.sqrt(Q.shape[-1])\n"
)
MASK = "def causal_mask(L):\n    attn.softmax([0]); return [[j <= i for j in range(L)] for i in range(L)]\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of a notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(kept.OFF, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: "a shell"))


def checked(source, **known):
    """What is said of the function that a cell defines."""
    place = f"<cell {hash(source)}>"
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    namespace = {"__name__": "__main__", "np": np, "attn": attn, "mine": mine, **known}
    exec(compile(source, place, "exec"), namespace)
    name, function = namespace.popitem()
    return getattr(check, name.removeprefix("my_"))(function)


def said(source, **known):
    return checked(source, **known).lines[-1]


def file():
    return kept.path().read_text("utf-8")


def whose(name, capsys):
    mine._told.clear()  # as at the start of a cell
    return printed(capsys, lambda: getattr(mine, name)).strip()


def printed(capsys, call):
    capsys.readouterr()
    call()
    return capsys.readouterr().out


def test_what_passes_is_kept_and_runs(capsys):
    assert str(mine).startswith("Yours so far: nothing yet.")
    assert whose("softmax", capsys) == "run by the course's softmax, yours hasn't passed its check yet"
    assert said(SOFTMAX) == "Kept in my_attention.py: from now on, mine.softmax is yours."
    assert file().endswith(f"\nimport numpy as np\n\n\n# lesson 04\n{SOFTMAX}")
    assert whose("softmax", capsys) == "run by your softmax, kept in lesson 04"
    assert mine.softmax.__doc__ == "Weights, é: rows that sum to 1."
    checked(HOTTER)
    assert "return softmax(x / T)" in file()
    code = "import my_attention as m; print(m.temperature_softmax(m.np.zeros(2), 9.0))"
    assert python("-c", code).stdout == "[0.5 0.5]\n"
    assert str(mine) == "Yours so far, in my_attention.py: softmax, temperature_softmax."
    with pytest.raises(AttributeError, match="the exercises are weighted_mean, scores"):
        mine.softmaks  # noqa: B018


def test_what_the_reader_adds_stays_and_a_better_answer_replaces_the_old():
    checked(SOFTMAX)
    kept.path().write_text(file() + "\n# my notes\nprint\n", "utf-8")
    before = file()
    checked(SOFTMAX.replace("shifted", "second try"))
    assert file() == before.replace("shifted", "second try")


@pytest.mark.parametrize(
    ("old", "new", "known", "why"),
    [
        (
            "np.exp",
            "power",
            {"power": lambda x: np.exp(x)},
            "uses `power`, which only this notebook",
        ),
        (
            "axis=-1",
            "axis=LAST",
            {"LAST": -1},
            "uses `LAST`, which only this notebook",
        ),
        (
            "softmax",
            "my_softmax",
            {},
            "begins with `def softmax(`",
        ),
    ],
)
def test_what_isnt_kept_is_told_why(old, new, known, why):
    feedback = checked(SOFTMAX.replace(old, new), **known)
    assert feedback.status == "passed" and why in feedback.lines[-1]
    assert not kept.path().exists()


def test_what_a_function_uses_is_imported():
    from math import fsum

    uses = "    fsum([math.pi]); exp(0); attn.softmax(x)\n    return"
    checked(SOFTMAX.replace("    return", uses), fsum=fsum, exp=np.exp, math=__import__("math"))
    head, _, _ = file().partition("# lesson 04")
    for line in (
        "from math import fsum",
        "from numpy import exp",
        "import math",
        "    import attn_helpers as attn",
    ):
        assert f"\n{line}\n" in head
    assert python("my_attention.py", env={}).returncode == 0  # without the course


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            SOFTMAX[:40],
            "can't be read as Python (line",
        ),
        (
            "(" * 5000,
            "can't be read as Python",
        ),
        (
            SOFTMAX.replace("e / ", ""),
            "doesn't pass check.softmax any longer",
        ),
        (
            f"{SOFTMAX}\nraise ValueError('mine')",
            "my_attention.py raises ValueError: mine",
        ),
        (
            f"{SOFTMAX}\nexit()",
            "my_attention.py raises SystemExit",
        ),
    ],
)
def test_a_bad_file_is_told_and_left_as_it_is(text, why, capsys):
    kept.path().write_text(text, "utf-8")
    assert why in whose("softmax", capsys) and mine.softmax is EXERCISES["softmax"].right
    if "can't" in why:
        assert "It isn't kept" in said(SOFTMAX) and "can't be read as Python" in str(mine)
        assert "can't" in printed(capsys, mine.code)
        assert file() == text


def test_a_folder_that_cant_be_written_to_is_told(monkeypatch):
    def refuses(*given):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(kept.os, "replace", refuses)
    assert "can't be written here (Permission denied)" in said(SOFTMAX)
    assert not kept.path().exists()


def test_one_line_carries_everything_to_another_machine(capsys):
    for source in (SOFTMAX, HOTTER, MASK):
        checked(source)
    mine.keep_sentence(["Déjà", "vu"], [[1, 0.5], [0, 2]], [[3, 0], [1, 1]])
    line = printed(capsys, mine.code)
    kept.path().unlink()
    for damaged in (line[11:-9], line[11:80], "", None, 3):
        assert "isn't a whole line of mine.code()" in printed(capsys, lambda code=damaged: mine.load(code))
        assert not kept.path().exists()
    names = "softmax, temperature_softmax, causal_mask, sentence."
    assert printed(capsys, lambda: exec(line)) == f"Loaded into my_attention.py: {names}\n"
    assert whose("temperature_softmax", capsys) == "run by your temperature_softmax, kept in lesson 04"
    assert mine.causal_mask(2).tolist() == [[True, False], [True, True]]  # of a list
    assert mine.sentence()[0] == ["Déjà", "vu"]
    before = file()
    assert f"nothing new. Already here: {names}" in printed(capsys, lambda: exec(line))
    assert file() == before and before.count("import attn_helpers") == 1


def test_where_a_class_is_graded_nothing_is_kept_and_mine_is_the_courses(monkeypatch):
    checked(SOFTMAX)
    monkeypatch.setenv(kept.OFF, "1")
    assert mine.softmax is EXERCISES["softmax"].right
    before = file()
    assert checked(SOFTMAX.replace("shifted", "again")).status == "passed" and file() == before


@pytest.mark.parametrize(
    "answer",
    [attn.softmax, EXERCISES["softmax"].right, lambda x: mine.softmax(np.asarray(x)).copy()],
)
def test_an_answer_that_only_calls_the_courses_own_isnt_the_readers(answer):
    assert check.softmax(answer).mistake == "calls-the-course"


def test_an_answer_may_call_what_was_kept_while_it_is_checked():
    checked(SCORES)
    assert checked(SCALED).status == "passed"
    feedback = checked(SCALED.replace("/", "*"))
    assert feedback.status == "incorrect" and "run by" not in str(feedback)
    assert "scores = mine.scores(Q, K)" in file()  # which `scores(Q, K)` couldn't be, in the file
    assert mine.scaled_scores(np.eye(4), np.eye(4))[0, 0] == 0.5


def test_a_sentence_of_the_readers_own_returns_in_later_lessons(capsys):
    _, Q, K = mine.sentence()
    mine.keep_sentence(*mine.sentence())
    assert not kept.path().exists()
    mine.keep_sentence(["My", "dog", "is", "old"], Q, K)
    assert "Kept in my_attention.py: “My dog is old”." in capsys.readouterr().out
    words, mine_Q, _ = mine.sentence()
    assert words[1] == "dog" and np.array_equal(mine_Q, Q)
    kept.path().write_text("sentence = 3", "utf-8")
    assert mine.sentence()[0] == ["The", "chai", "is", "hot"]
    for bad in ([[1, 2]], [[1], [2, 3]], [1, 2]):
        with pytest.raises(ValueError, match="same number of columns, got 2 words"):
            mine.keep_sentence(["a", "b"], bad, bad)


def test_what_the_readers_gpt_wrote_is_kept_and_replaced(capsys):
    given = ["Ñuk", "two\nlines", "\ud800"], np.float32(2.0512345), 2.46, "400 names\nof dragons"
    mine.keep_gpt(*given)
    mine.keep_gpt(given[0] * 6, *given[1:])
    told = "Kept in my_attention.py: what your GPT wrote (18 samples, loss 2.05, baseline 2.46).\n"
    assert capsys.readouterr().out.endswith(told)
    namespace = {}
    exec(file(), namespace)
    about = {"source": "400 names of dragons", "loss": 2.0512, "baseline": 2.46, "samples": given[0] * 6}
    assert namespace["my_gpt"] == about and file().count("my_gpt = ") == 1
    for bad in ("abc", 1, 2, "names"), (["a", "b" * 301], 1, 2, "names"), (["a"], float("nan"), 2, "names"):
        with pytest.raises(ValueError, match="expected"):
            mine.keep_gpt(*bad)


def paged(capsys, **options):
    """What mine.page() says, and the Page that it wrote."""
    told = printed(capsys, lambda: mine.page(**options))
    return told, page.read(kept.path().with_name("my_attention.html").read_bytes())


def test_a_page_shows_what_is_the_readers_and_nothing_of_the_courses(capsys):
    assert "isn't written: pass a check first" in printed(capsys, mine.page)
    for source in (
        SOFTMAX,
        HOTTER,
        SCORES,
        SCALED.replace("scores =", "s =").replace("scores /", "s /"),
        MASK,
    ):
        checked(source)
    mine.keep_sentence(["süß", "</td>"], [[1, 0.123456], [0, 2]], [[3, 0], [1, 1]])
    mine.keep_gpt(["a\u202eb"], 2.05, 2.46, "names")
    told, made = paged(capsys, name="Zoë")
    assert "(functions: 5, pictures: 2, samples of your GPT: 1)" in told
    assert list(made.pictures) == list(page.PICTURES)[:2]  # of attention there is none yet
    assert (made.name, made.words, made.Q[0][1]) == ("Zoë", ["süß", "</td>"], 0.1235)
    assert made.gpt[3] == [r"a\u202eb"]
    kept.path().write_text(file().replace("j <= i", "j < i"), "utf-8")
    told, made = paged(capsys, without=["scores", "sentence", "my_gpt"])
    assert "causal_mask isn't shown: yours, in my_attention.py, doesn't pass" in told
    assert "scaled_scores isn't shown: it calls scores, which isn't." in told
    assert [each.name for each in made.functions] == ["softmax", "temperature_softmax"]
    assert not (made.pictures or made.words or made.gpt)
    for bad, why in ({"path": "a.py"}, "where the page goes"), ({"without": ["b"]}, "but you have softmax"):
        with pytest.raises(ValueError, match=why):
            mine.page(**bad)


def test_what_the_reader_added_to_the_file_is_shown_where_it_is_used(capsys):
    checked(SOFTMAX)
    text = file().replace("axis=-1, keepdims=True))", "**LAST))")
    kept.path().write_text(f"{text}\nLAST = dict(axis=-1, keepdims=True)\nOTHER = 1\n", "utf-8")
    _, made = paged(capsys)
    assert [each.name for each in made.functions] == ["softmax", "LAST"]
    kept.path().write_text(file().replace("# shifted", "# \u200b"), "utf-8")
    assert "softmax isn't shown: it has a letter that can't be seen" in printed(capsys, mine.page)


def test_a_mistake_is_remembered_until_it_is_overcome_and_left_out_if_asked(capsys):
    wrong = SOFTMAX.replace("e.sum(axis=-1", "e.sum(axis=0")
    checked(wrong)
    assert overcome.overcome() == []
    checked(SOFTMAX)
    today = str(datetime.date.today())
    told = ["softmax", "normalised over the queries", today, today]
    assert paged(capsys)[1].mistakes == [tuple(told)]
    for options in ({"mistakes": False}, {"without": ["wrong-axis"]}):
        assert not paged(capsys, **options)[1].mistakes
    for text in ("[", "[3]"):
        kept.path().with_name(overcome.FILE).write_text(text, "utf-8")
        assert checked(wrong).mistake == "wrong-axis"
        assert "Your mistakes aren't shown" in paged(capsys)[0]
