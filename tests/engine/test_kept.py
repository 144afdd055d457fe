"""A function that passes is kept in my_attention.py, runs as `mine`, and nothing in the file is lost whatever is in it."""

import datetime
import linecache
import re
import subprocess
import sys
import threading
import types

import numpy as np
import pytest
from IPython.core.events import EventManager

import attn_checks as check
import attn_helpers as attn
from attn_checks import mine
from attn_checks.exercise import EXERCISES
from attn_checks.kept import file as kept
from attn_checks.kept import overcome, page

SOFTMAX = '''def softmax(x):
    """Weights, é: rows that sum to 1."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))  # shifted
    return e / e.sum(axis=-1, keepdims=True)
'''
HOTTER = "def temperature_softmax(x, T):\n    'é'; return mine.softmax(x / T)\n"


SHELL = types.SimpleNamespace(events=EventManager(None, {"pre_run_cell": lambda info: None}))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The folder of a notebook."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(kept.OFF, raising=False)
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: SHELL))
    return tmp_path


def typed(source, **known):
    """The function that a cell defines."""
    name = re.search(r"def (\w+)|(\w+) =", source)[1]
    place = f"<cell {hash(source)}>"
    linecache.cache[place] = len(source), None, source.splitlines(keepends=True), place
    namespace = {
        "__name__": "__main__",
        "np": np,
        "attn": attn,
        "mine": mine,
        **known,
    }
    exec(compile(source, place, "exec"), namespace)
    return namespace[name] if name else next(iter(namespace.values()))


def said(feedback):
    return feedback.lines[-1]


def file():
    return kept.path().read_text("utf-8")


def whose(name, capsys):
    SHELL.events.trigger("pre_run_cell", None)  # as at the start of a cell
    capsys.readouterr()
    function = getattr(mine, name)
    return function, capsys.readouterr().out.strip()


def test_what_passes_is_kept_and_runs(capsys):
    assert whose("softmax", capsys)[1] == "run by the course's softmax, yours hasn't passed its check yet"
    assert (
        said(check.softmax(typed(SOFTMAX))) == "Kept in my_attention.py: from now on, mine.softmax is yours."
    )
    assert file().endswith(f"\nimport numpy as np\n\n\n# lesson 04\n{SOFTMAX}")
    function, by = whose("softmax", capsys)
    assert (function.__doc__, by) == (
        "Weights, é: rows that sum to 1.",
        "run by your softmax, kept in lesson 04",
    )
    check.temperature_softmax(typed(HOTTER))
    assert "return softmax(x / T)" in file()
    run = [
        sys.executable,
        "-I",
        "-c",
        (
            "import sys; sys.path.append('.'); import my_attention as m; "
            "print(m.temperature_softmax(m.np.zeros(2), 9.0))"
        ),
    ]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "[0.5 0.5]\n"
    with pytest.raises(AttributeError, match="the exercises are weighted_mean, scores"):
        mine.softmaks  # noqa: B018


def test_what_the_reader_adds_stays_and_a_better_answer_replaces_the_old():
    check.softmax(typed(SOFTMAX))
    kept.path().write_text(file() + "\n# my notes\nprint\n", "utf-8")
    before = file()
    check.softmax(typed(SOFTMAX.replace("shifted", "second try")))
    assert file() == before.replace("shifted", "second try")


@pytest.mark.parametrize(
    ("source", "known", "why"),
    [
        (
            SOFTMAX.replace("np.exp", "power"),
            {"power": lambda x: np.exp(x)},
            "uses `power`, which only this notebook",
        ),
        (
            SOFTMAX.replace("axis=-1", "axis=LAST"),
            {"LAST": -1},
            "uses `LAST`, which only this notebook",
        ),
        (
            SOFTMAX.replace("softmax", "my_softmax"),
            {},
            "begins with `def softmax(`",
        ),
    ],
)
def test_what_isnt_kept_is_told_why(source, known, why):
    feedback = check.softmax(typed(source, **known))
    assert not kept.path().exists()
    assert feedback.status == "passed" and why in said(feedback)


def test_what_a_function_uses_is_imported():
    from math import fsum

    source = SOFTMAX.replace("    return", "    fsum([math.pi]); exp(0); attn.softmax(x)\n    return")
    check.softmax(typed(source, fsum=fsum, exp=np.exp, math=__import__("math")))
    head = file().partition("\n\n\n")[0]
    for line in (
        "from math import fsum",
        "from numpy import exp",
        "import math",
        f"{kept.OF_THE_COURSE}import attn_helpers as attn",
    ):
        assert f"\n{line}" in head
    for way in (["my_attention.py"], ["-c", "import my_attention"]):  # without the course
        assert subprocess.run([sys.executable, *way], env={}).returncode == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SOFTMAX[:40], "can't be read as Python (line"),
        ("(" * 5000, "can't be read as Python"),
        (SOFTMAX.replace("e / ", ""), "doesn't pass check.softmax any longer"),
        (f"{SOFTMAX}\nraise ValueError('mine')", "my_attention.py raises ValueError: mine"),
        (f"{SOFTMAX}\nexit()", "my_attention.py raises SystemExit"),
    ],
)
def test_a_bad_file_is_told_and_left_as_it_is(text, why, capsys):
    kept.path().write_text(text, "utf-8")
    function, by = whose("softmax", capsys)
    assert why in by and function is EXERCISES["softmax"].right
    if "can't" in why:
        assert "It isn't kept" in said(check.softmax(typed(SOFTMAX))) and file() == text
        mine.code()
        mine.load("xyz")
        assert capsys.readouterr().out.count("can't") + 1 == 2


def test_a_folder_that_cant_be_written_to_is_told(monkeypatch):
    def refuses(*given):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(kept.os, "open", refuses)
    assert "can't be written here (Permission denied)" in said(check.softmax(typed(SOFTMAX)))


def test_two_kernels_at_once_lose_nothing():
    names = [f"f{i}" for i in range(20)]

    def add(name):
        with kept.locked(kept.path()):
            kept.write(kept.path(), kept.merged(kept.read(kept.path()), "#", f"def {name}(): ...", name, []))

    threads = [threading.Thread(target=add, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(kept.parts_of(file())) == set(names)
    assert [path.name for path in kept.path().parent.iterdir()] == [kept.FILE]


def test_one_line_carries_everything_to_another_machine(capsys):
    check.softmax(typed(SOFTMAX))
    check.temperature_softmax(typed(HOTTER))
    capsys.readouterr()
    mine.code()
    line = capsys.readouterr().out
    kept.path().unlink()
    for damaged in (
        line[11:-9],
        line[11:80],
        "",
        None,
        3,
    ):
        mine.load(damaged)
        assert "isn't a whole line of mine.code()" in capsys.readouterr().out and not kept.path().exists()
    exec(line)
    assert capsys.readouterr().out == "Loaded into my_attention.py: softmax, temperature_softmax.\n"
    assert whose("temperature_softmax", capsys)[1] == "run by your temperature_softmax, kept in lesson 04"
    before = file()
    exec(line)
    assert (
        "nothing new. Already here: softmax, temperature_softmax." in capsys.readouterr().out
        and file() == before
    )


def test_what_calls_the_courses_functions_is_carried_as_well(capsys):
    uses = (
        "def causal_mask(L):\n    attn.softmax(np.zeros(L))\n    return np.tril(np.ones((L, L), "
        "dtype=bool))\n"
    )
    check.softmax(typed(SOFTMAX))
    check.causal_mask(typed(uses, attn=attn))
    capsys.readouterr()
    mine.code()
    line = capsys.readouterr().out
    kept.path().unlink()
    exec(line)
    assert capsys.readouterr().out == "Loaded into my_attention.py: softmax, causal_mask.\n"
    assert whose("causal_mask", capsys)[1] == "run by your causal_mask, kept in lesson 03"
    assert file().count("import attn_helpers") == 1


def test_where_a_class_is_graded_nothing_is_kept_and_mine_is_the_courses(monkeypatch, capsys):
    check.softmax(typed(SOFTMAX))
    monkeypatch.setenv(kept.OFF, "1")
    assert whose("softmax", capsys)[0] is EXERCISES["softmax"].right
    before = file()
    assert check.softmax(typed(SOFTMAX.replace("shifted", "again"))).status == "passed" and file() == before


@pytest.mark.parametrize(
    "answer",
    [attn.softmax, EXERCISES["softmax"].right, lambda x: mine.softmax(np.asarray(x)).copy()],
)
def test_an_answer_that_only_calls_the_courses_own_isnt_the_readers(answer):
    assert check.softmax(answer).mistake == "calls-the-course"


def test_the_setup_cell_says_what_is_the_readers():
    """In a line that `print(mine)` prints."""
    assert str(mine).startswith("Yours so far: nothing yet.")
    check.softmax(typed(SOFTMAX))
    assert str(mine) == "Yours so far, in my_attention.py: softmax."
    kept.path().write_text("(", "utf-8")
    assert "can't be read as Python" in str(mine)


def test_a_sentence_of_the_readers_own_returns_in_later_lessons(capsys):
    mine.keep_sentence(*mine.sentence())
    assert "yours isn't kept yet" in capsys.readouterr().out and not kept.path().exists()
    given = ["Déjà", "vu"], [[1, 0.5], [0, 2]], [[3, 0], [1, 1]]
    mine.keep_sentence(*given)
    words, Q, K = mine.sentence()
    assert (words, Q.tolist(), K.tolist()) == given
    mine.code()
    line = capsys.readouterr().out.splitlines()[-1]
    kept.path().unlink()
    exec(line)
    assert mine.sentence()[0] == given[0]
    kept.path().write_text("sentence = 3", "utf-8")
    assert mine.sentence()[0] == ["The", "chai", "is", "hot"]
    with pytest.raises(ValueError, match=r"got 2 words, Q \(1, 2\)"):
        mine.keep_sentence(["a", "b"], [[1, 2]], [[1, 2]])


def test_an_answer_may_call_what_was_kept_while_it_is_checked():
    check.softmax(typed(SOFTMAX))
    source = (
        "def change_temperature(weights, temperature):\n    return mine.softmax(np.log(weights) / "
        "temperature)\n"
    )
    assert check.change_temperature(typed(source)).status == "passed"
    feedback = check.change_temperature(typed(source.replace("/", "*")))
    assert feedback.status == "incorrect" and "run by" not in str(feedback)


def test_a_list_that_passed_comes_as_an_array():
    check.causal_mask(
        typed("def causal_mask(L):\n    return [[j <= i for j in range(L)] for i in range(L)]\n")
    )
    assert (~mine.causal_mask(2)).tolist() == [[False, True], [False, False]]


def test_new_words_alone_make_a_sentence_of_the_readers_own(capsys):
    _, Q, K = mine.sentence()
    mine.keep_sentence(["My", "dog", "is", "old"], Q, K)
    assert "Kept in my_attention.py: “My dog is old”." in capsys.readouterr().out
    with pytest.raises(ValueError, match="same number of columns"):
        mine.keep_sentence(["a", "b"], [[1], [2, 3]], [[1, 2], [2, 3]])


def test_what_the_readers_gpt_wrote_is_kept_and_replaced(capsys):
    given = ["Ñuk", "two\nlines", "\ud800"], np.float32(2.0512345), 2.46, "400 names\nof dragons"
    mine.keep_gpt(*given)
    mine.keep_gpt(given[0] * 6, *given[1:])
    told = "Kept in my_attention.py: what your GPT wrote ({} samples, loss 2.05, baseline 2.46).\n"
    assert capsys.readouterr().out == told.format(3) + told.format(18)
    namespace = {}
    exec(file(), namespace)
    assert file().count("# lesson 13: my GPT\nmy_gpt = ") == 1
    assert namespace["my_gpt"] == {
        "source": "400 names of dragons",
        "loss": 2.0512,
        "baseline": 2.46,
        "samples": given[0] * 6,
    }
    kept.path().write_text("(", "utf-8")
    mine.keep_gpt(*given)
    assert "can't be read as Python" in capsys.readouterr().out and file() == "("


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("abc", 1, 2, "names"), "samples as a list of texts"),
        ((3, 1, 2, "names"), "samples as a list of texts"),
        ((["a", 3], 1, 2, "names"), "samples as a list of texts"),
        (([], 1, 2, "names"), "1 to 20 samples and a source, got 0"),
        ((["a"] * 21, 1, 2, "names"), "1 to 20 samples and a source, got 21"),
        ((["a"], 1, 2, " "), "got 1 and ' '"),
        ((["a", "b" * 301], 1, 2, "names"), "sample 2 has 301 characters"),
        ((["a"], float("nan"), 2, "names"), "loss as a number of at least 0, got nan"),
        ((["a"], 1, "many", "names"), "baseline as a number of at least 0, got 'many'"),
    ],
)
def test_what_no_gpt_gives_isnt_kept(given, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        mine.keep_gpt(*given)
    assert not kept.path().exists()


MASK = "def causal_mask(L):\n    return np.tri(L, dtype=bool)\n"
SCORES = "def scores(Q, K):\n    return Q @ K.swapaxes(-1, -2)\n"
SCALED = "def scaled_scores(Q, K):\n    return mine.scores(Q, K) / np.sqrt(Q.shape[-1])\n"


def paged(capsys, **options):
    """What mine.page() says, and the Page that it wrote, None if none."""
    capsys.readouterr()
    mine.page(**options)
    written = kept.path().with_name("my_attention.html")
    return capsys.readouterr().out, page.read(written.read_bytes()) if written.exists() else None


def test_a_page_shows_what_is_the_readers_and_nothing_of_the_courses(capsys):
    assert "isn't written: pass a check first" in paged(capsys)[0]
    for source in (SOFTMAX, HOTTER, SCORES, SCALED, MASK):
        getattr(check, re.search(r"\w+(?=\()", source)[0])(typed(source))
    mine.keep_sentence(["süß", "</td>"], [[1, 0.123456], [0, 2]], [[3, 0], [1, 1]])
    mine.keep_gpt(["a\u202eb"], 2.05, 2.46, "names")
    said, made = paged(capsys, name="Zoë")
    assert "(functions: 5, pictures: 2, samples of your GPT: 1)" in said
    assert [each.name for each in made.functions] == list(kept.parts_of(file()))[:5]
    assert list(made.pictures) == list(page.PICTURES)[:2]  # of attention there is none yet
    assert (made.name, made.words, made.Q[0][1]) == ("Zoë", ["süß", "</td>"], 0.1235)
    assert made.gpt[3] == [r"a\u202eb"]
    kept.path().write_text(file().replace("np.tri", "~np.tri"), "utf-8")
    said, made = paged(capsys, without=["scores", "sentence", "my_gpt"])
    assert "causal_mask isn't shown: yours, in my_attention.py, doesn't pass" in said
    assert "scaled_scores isn't shown: it calls scores, which isn't." in said
    assert [each.name for each in made.functions] == ["softmax", "temperature_softmax"]
    assert not (made.pictures or made.words or made.gpt)


def test_what_the_reader_added_to_the_file_is_shown_where_it_is_used(capsys):
    check.softmax(typed(SOFTMAX))
    text = file().replace("axis=-1, keepdims=True))", "**LAST))")
    kept.path().write_text(f"{text}\nLAST = dict(axis=-1, keepdims=True)\nOTHER = 1\n", "utf-8")
    _, made = paged(capsys)
    assert [each.name for each in made.functions] == ["softmax", "LAST"]
    kept.path().write_text(
        text.replace("**LAST", "axis=-1, keepdims=True").replace("# shifted", "# \u200b"), "utf-8"
    )
    assert "softmax isn't shown: it has a letter that can't be seen" in paged(capsys)[0]


def test_a_mistake_is_remembered_until_it_is_overcome_and_left_out_if_asked(capsys):
    wrong = SOFTMAX.replace("e.sum(axis=-1", "e.sum(axis=0")
    check.softmax(typed(wrong))
    assert overcome.overcome() == []
    check.softmax(typed(SOFTMAX))
    today = str(datetime.date.today())
    told = ["softmax", "wrong-axis", "normalised over the queries", today, today]
    assert overcome.overcome() == [told]
    assert paged(capsys)[1].mistakes == [("softmax", *told[2:])]
    for options in ({"mistakes": False}, {"without": ["wrong-axis"]}):
        assert not paged(capsys, **options)[1].mistakes
    odd = kept.path().with_name(overcome.FILE)
    for text in ("[", "{}", "[3]", '{"softmax": {"a": 3}}', '{"softmax": {"a": ["b", "c", "d"]}}'):
        odd.write_text(text, "utf-8")
        assert check.softmax(typed(wrong)).mistake == "wrong-axis"
        said, made = paged(capsys)
        assert made and ("Your mistakes aren't shown" in said) == (text != "{}")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"path": "my_attention.py"}, "where the page goes"),
        ({"without": "softmax"}, "list of names"),
        ({"without": ["softmaks"]}, "without has 'softmaks', but you have softmax"),
    ],
)
def test_what_no_page_can_be_is_an_error(options, why, folder):
    check.softmax(typed(SOFTMAX))
    with pytest.raises(ValueError, match=why):
        mine.page(**options)
    mine.page(str(folder / "none" / "a.html"))
    assert not list(folder.glob("**/*.html"))
