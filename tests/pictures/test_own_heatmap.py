"""A heatmap that the reader draws, and a sentence with which they fool a head (lesson 06)."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

import attn_helpers as attn
import course

WEIGHTS = np.array([[1, np.nan], [0.25, 0.75]])
[SOLUTION] = [cell.source for cell in course.read(course.NOTEBOOKS[6]).cells if cell.id == "l06-build-help"]
DRAW = SOLUTION.split("```python\n")[1].split("\nlow, high")[0]
# What is changed in the lesson's own drawing, and what is told of it then.
CHANGES = [
    ("", "", "Nothing is missing"),
    (", vmin=low, vmax=high", "", "Colours: yours run from 0.25 to 1.00"),
    (
        'xlabel="key", ylabel="query"',
        'xlabel="query", ylabel="key"',
        "Axes: exchange the two",
    ),
    (
        'xlabel="key", ylabel="query"',
        'xlabel="Keys", ylabel="Queries"',
        "Nothing is missing",
    ),
    ("ax.set_yticks(range(len(names)), names)", "pass", "Names:"),
    ('figure.colorbar(image, label="attention weight")', "pass", "Colour bar:"),
    ("ax.text(", "print(", "Numbers: there are none"),
    ("ax.text(j, i", "ax.text(i, j", "rows and columns are exchanged"),
    ("{cells[i, j]:.2f}", "{cells[j, i]:.2f}", "rows and columns are exchanged"),
    ('"black" if', '"white" if', "1.00 in row 0, column 0 can't be read"),
    ("color=ink", 'color="gray"', "the blocked cell in row 0, column 1 says nan"),
    ("for i in range(len(names))", "for i in range(1)", "row 1, column 0 says nothing"),
    (":.2f", ":.1f", "row 0, column 0 says 1.0, and its weight is 1.00"),
    ("return figure", "return plt.figure()", "There's no heatmap"),
]


@pytest.mark.parametrize(("before", "after", "told"), CHANGES)
def test_what_a_drawing_lacks_is_said(before, after, told, capsys):
    assert before in DRAW
    names = {"print": lambda *texts, **how: None}
    exec(DRAW.replace(before, after) if before else DRAW, names)
    attn.examine_heatmap(names["draw"](WEIGHTS, 0, 1, ["a", "b"], "two words"), WEIGHTS)
    assert told in capsys.readouterr().out
    plt.close("all")


@pytest.fixture(scope="module")
def head():
    head = attn.start_head(seed=1)
    list(attn.train_head(head, *attn.pronoun_sentences()))
    return head


@pytest.mark.parametrize(
    ("sentence", "meant", "told"),
    [
        (
            "the chai is hot, so we let it",
            "chai",
            "says cool (1.00). If “it” is the chai, it isn't fooled.",
        ),
        (
            "The chai is kite so we let it",
            "chai",
            "cool would be right, so this sentence fools it.",
        ),
        ("The chai is kite so we let it", "kite", "it isn't fooled."),
    ],
)
def test_a_head_is_fooled_only_if_it_answers_for_another_noun(head, sentence, meant, told):
    assert attn.ask_head(head, sentence, meant).alt.endswith(told)


@pytest.mark.parametrize(
    ("sentence", "meant", "told"),
    [
        ("The tea is hot so we let it", "tea", "doesn't know tea"),
        ("The chai is hot so we let", "chai", "must end in 'it'"),
        ("The chai is hot so we let it", "kite", "must be a noun of your sentence"),
    ],
)
def test_a_sentence_that_the_head_cannot_take_is_refused(head, sentence, meant, told):
    with pytest.raises(ValueError, match=told):
        attn.ask_head(head, sentence, meant)
