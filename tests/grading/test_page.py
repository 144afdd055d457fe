"""A reader's page verified: an honest one is right, each way to forge one is refused, wrong or changed."""

import ast
import gzip
import re
import sys

import pytest

import course
from attn_checks.__main__ import main
from attn_checks.exercise import exercises
from attn_checks.grading import sandbox, verify
from attn_checks.kept import page as pages
from readers_page import OF_THE_COURSE, PICTURE, SCALED, TEXT, K, Q, made
from students import SOFTMAX

needs_walls = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="walls are Linux's")
WORKER = "import attn_checks.grading.worker as w"
CODE = f'<pre data-field="code">{SOFTMAX}</pre>'


def verdicts(page, tmp_path, seconds=20):
    """{what: (verdict, why)} of a page, verified as a file."""
    (tmp_path / "page.html").write_text(pages.html_of(page), "utf-8")
    _, found = verify.verify(tmp_path / "page.html", sandbox.walls_here(), sandbox.Limits(seconds))
    return {each.what: (each.is_, each.why) for each in found}


@needs_walls
def test_an_honest_page_is_right_and_what_no_file_proves_is_stated(tmp_path, capsys):
    (tmp_path / "page.html").write_text(TEXT, "utf-8", newline="\r\n")  # as some mail programs save it
    assert main(["verify", str(tmp_path / "page.html")]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line[:5] for line in lines] == ["right"] * 4 + ["state"] * 4
    assert main(["verify", str(tmp_path)]) == 2
    assert "There is no such file." in capsys.readouterr().out


@needs_walls
@pytest.mark.thorough
def test_a_page_of_all_solutions_is_right(tmp_path):
    texts = [course.solution(exercise) for _, exercise in course.all_exercises()]
    defined = [(node, text) for text in texts for node in ast.parse(text).body]
    functions = {
        node.name: ast.get_source_segment(text, node)
        for node, text in defined
        if isinstance(node, ast.FunctionDef) and node.name in exercises()
    }
    found = verdicts(made(functions, f"{OF_THE_COURSE}\nfrom attn_checks import mine"), tmp_path)
    assert len(functions) > 30
    assert {what for what, (told, _) in found.items() if told != "right"} == {"the name", "the date"}


def put(old, new):
    assert old in TEXT
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (SOFTMAX, "isn't a page that mine.page"),
        (TEXT[:-9], "cut off"),
        (TEXT + TEXT[:500], "cut off, or something is added"),
        (gzip.compress(bytes(10**7)), "isn't text in UTF-8. Nothing packed is opened"),
        (put("mira", "m" * 2**20), "more than 1,048,576 bytes"),
        (put("<h2>", " <h2>"), "isn't as mine.page() writes it"),
        (put("<h2>", "<!-- a second copy --><h2>"), "isn't as mine.page() writes it"),
        (put("</style>", "pre::after {content: 'evil'}</style>"), "isn't as mine.page() writes it"),
        (
            put(CODE, CODE + CODE.replace("<pre ", '<pre style="display: none" ')),
            "doesn't say what a page says",
        ),
        (put("powers =", "powers<b></b> ="), "isn't as mine.page() writes it"),
        (put("powers =", "&#112;owers ="), "isn't as mine.page() writes it"),
        (put("powers =", "powers\u202e ="), "isn't as mine.page() writes it"),
        (put(">1 0.5<", ">1<"), "doesn't say what a page says"),
        (pages.html_of(made({"other": "other = 1"})), "no function of the course"),
    ],
)
def test_a_forged_or_damaged_page_is_refused_with_the_reason(content, why):
    with pytest.raises(pages.BadPageError, match=re.escape(why)):
        pages.read(content if isinstance(content, bytes) else content.encode())


@needs_walls
def test_each_function_gets_the_verdict_that_is_its_own(tmp_path):
    outside = tmp_path / "outside.txt"
    table = "{case[0].tobytes(): want.values[0] for case, want in zip(e.cases, e.wanted)}"
    forged = {
        "weighted_mean": ("def weighted_mean(w, x):\n    return (w * x).sum() / w.sum()", ""),
        "scores": ("def scores(Q, K):\n    return K @ Q.T", "rows and columns are exchanged"),
        "causal_mask": (
            "def causal_mask(L):\n    return attn.causal_mask(L)",
            "the course's causal_mask does all",
        ),
        "padding_mask": (SOFTMAX, "isn't the function padding_mask alone"),
        "apply_mask": ("def apply_mask(s, m):\n    os._exit(0)", "ends Python"),
        "temperature_softmax": ("def temperature_softmax(x, T):\n    while True: pass", "didn't end"),
        "joined_softmax": ("def joined_softmax(*x):\n    return np.zeros(10**8)", "memory"),
        "split_heads": (f"def split_heads(*x):\n    open({str(outside)!r}, 'w')", "it raises"),
        "top_p": ("def top_p(*x):\n    return (", "can't be read as Python"),
        "softmax": (
            f"def softmax(x):\n    e = check.EXERCISES['softmax']\n    return {table}.get(x.tobytes(), x)",
            "it gives wrong numbers",
        ),
    }
    page = made(
        {name: code for name, (code, _) in forged.items()},
        OF_THE_COURSE,
        words=["a", "b"],
        Q=Q,
        K=K,
        pictures=PICTURE,
    )
    other = pages.Written("scaled_scores", SCALED, "0" * 16)
    found = verdicts(page._replace(functions=[*page.functions, other]), tmp_path)
    for name, (_, why) in forged.items():
        assert why in found[name][1] and (found[name][0] == "wrong" or not why), found[name]
    assert found["scaled_scores"][0] == found["picture scores(Q, K)"][0] == "changed since"
    assert not outside.exists()


@needs_walls
@pytest.mark.parametrize(
    ("at_once", "why"),
    [
        ("while True: pass", "did not come to an end"),
        ("import os; os._exit(0)", "ended Python"),
        ("raise ValueError('{a} {0}')", "raised ValueError: {a}"),
        (f"{WORKER}; w.Notebook.describe = lambda *given: [{{}}] * 99", "gave no answer as it should"),
        (f"{WORKER}; w.Notebook.ask = lambda *given: [['harm', '\\x1b[2J']]", "gave no answer as it should"),
    ],
)
def test_code_that_runs_with_the_definition_changes_no_verdict(at_once, why, tmp_path):
    code = f"def softmax(x, y=exec({at_once!r})):\n    return x"
    told, reason = verdicts(made({"softmax": code}), tmp_path, seconds=3)["softmax"]
    assert told == "wrong" and why in reason
