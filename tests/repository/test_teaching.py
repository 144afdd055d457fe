"""The teachers' pages: one for every lesson, whose places, keys and numbers are those of the course."""

import re

import attn_checks
import course
import mistakes_table
import set_address
from course import ROOT, every_lesson
from solutions import ASKED

TEACHING = (ROOT / "TEACHING.md").read_text("utf-8")
PLANS = (ROOT / "teaching" / "plans.md").read_text("utf-8")
PARTS = [
    "Aim",
    "Where they get stuck",
    "Answers",
    "If you're late",
    "In five minutes",
    "On the board",
]


def page(path):
    """The teacher's page of one lesson."""
    return (ROOT / "attn_lessons" / f"lesson{path.stem[:2]}" / "teaching.md").read_text("utf-8")


def tables(text, heads):
    """The rows of every table below these heads, each a list of its cells, and the line above the table."""
    rule = r"\| --- " * len(heads) + r"\|\n"
    found = re.finditer(rf"(?m)^(.*)\n\n\| {re.escape(' | '.join(heads))} \|\n{rule}((?:\|.*\n)+)", text)
    return [(match[1], list(map(cells, match[2].splitlines()))) for match in found]


def cells(line):
    return line.strip("| ").split(" | ")


@every_lesson
def test_every_lesson_has_a_whole_page_that_teaching_links_to(path, notebook):
    text = page(path)
    assert text.count("\n") <= 70
    missing = [part for part in PARTS if f"**{part}.**" not in text]
    assert not missing, f"the teacher's page of {path.stem} lacks {missing}"
    answers = text.split("**Answers.**")[1].split("\n\n")[0]
    numbers = re.findall(r"Exercise (\d+): ", answers)
    assert numbers == [str(number) for number, _ in enumerate(course.exercises(notebook), 1)]
    assert f"]({set_address.colab(path.name)}#slideshowMode=true)" in text
    assert f"](attn_lessons/lesson{path.stem[:2]}/teaching.md)" in TEACHING


def length(minutes):
    """The end of the last of cells that say "0–5", "5–12", …, each beginning where the last one ended."""
    found = [tuple(map(int, cell.split("–"))) for cell in minutes]
    begins, ends = zip(*found, strict=True)
    assert begins == (0, *ends[:-1])
    return ends[-1]


@every_lesson
def test_every_minute_of_a_class_is_planned(path, notebook):
    places = {"–", *course.headings(notebook.cells)}
    plans = tables(page(path), ["minutes", "where", "what you do and ask"])
    assert plans
    for _, rows in plans:
        assert length(row[0] for row in rows) == 50
        assert not {row[1] for row in rows} - places


def test_every_minute_of_the_hour_the_half_day_and_the_six_sessions_is_planned():
    places = {"–": ["–"]}
    for path in course.NOTEBOOKS:
        places[path.stem[:2]] = ["–", *course.headings(course.read(path).cells)]
    lengths = []
    for _, rows in tables(PLANS, ["minutes", "lesson", "where", "what you do"]):
        lengths.append(length(row[0] for row in rows))
        assert all(where in places[lesson] for _, lesson, where, _ in rows)
    [(_, rows)] = tables(PLANS, ["session", "minutes", "lesson", "what you do"])
    lengths += [length(row[1] for row in rows if row[0] == session) for session in "123456"]
    assert lengths == [50, 240, 90, 90, 90, 90, 90, 90]


@every_lesson
def test_every_question_is_there_with_its_key(path, notebook):
    source = "\n".join(cell.source for cell in course.code_cells(notebook))
    [(_, rows)] = tables(page(path), ["question", "key", "tempting", "what to say"])
    found = {question.split("`")[1]: (key, tempting) for question, key, tempting, _ in rows}
    assert set(ASKED.findall(source)) == set(found), "the teacher's page has one row per question"
    for slug, (key, tempting) in found.items():
        assert key == attn_checks.QUESTIONS[slug].right, slug
        assert key not in tempting.split(" or "), slug


def move(explorer, settings):
    """Do as the page says: "`d_k` 64, `causal` off" sets two controls, "`forward`" presses a button."""
    for name, said in re.findall(r"`(\w+)`(?: (.*?))?(?=, `|$)", settings):
        control = getattr(explorer, name)
        if not said:
            control.click()
        elif hasattr(control, "options"):  # words, or pairs of a word and what it stands for
            names = [one[0] if isinstance(one, tuple) else one for one in control.options]
            control.index = list(map(str, names)).index(said)
        elif isinstance(control.value, bool):
            control.value = {"on": True, "off": False}[said]
        else:
            control.value = type(control.value)(said.replace("−", "-"))


def seen(explorer):
    """Every number that its picture shows or its description says."""
    drawn = re.findall(r"<text[^>]*>([^<]*)</text>", explorer._svg)
    words = " ".join([explorer.description, *drawn])
    return re.findall(r"\d*\.?\d+", words)


@every_lesson
def test_numbers_are_those_of_the_lesson_and_its_sliders(path, notebook):
    shown = course.shown_numbers(notebook)
    for line, rows in tables(page(path), ["set", "ask", "you see"]):
        source = re.search(r"`(attn\.explore_\w+\(.*?\))`, in this order", line)
        explorer = course.made(source[1])
        for settings, _, promised in rows:
            move(explorer, settings)
            numbers = re.findall(
                r"\d*\.?\d+",
                re.sub(
                    r"√\d|head \d|near \d",
                    "",
                    promised,
                ),
            )
            found = seen(explorer)
            assert set(numbers) <= set(found), (settings, promised, explorer.description)
            shown += map(float, found)
    assert not course.stale_numbers(page(path).replace(",", ""), shown, digits=2)


LISTED = re.compile(r'<li id="([\w-]+)">.*<small><code>([\w-]+)</code> in (.+)\. Read again')


def test_the_page_of_mistakes_names_every_mistake_of_every_exercise_and_tells_ten_stories():
    told = mistakes_table.page()  # which checks the code of each story
    assert told.count("<summary>The code, and what the checker says</summary>") == 10
    found = LISTED.findall(told)
    assert len({address for address, _, _ in found}) == len(found)
    named = {(name, short) for _, short, names in found for name in re.findall(r"<code>(\w+)", names)}
    for name, exercise in attn_checks.EXERCISES.items():
        for mistake in exercise.known():
            assert (name, mistake.short) in named
