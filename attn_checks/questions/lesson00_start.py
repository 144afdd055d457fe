"""Questions of lesson 00.

To add one to a lesson: put a Question under a new name "NN-what-it-asks" into QUESTIONS of that lesson's file.
Every option gets a reply of its own: why it tempts, and what to run or look at next. A reply names no letter and
does not start with "right" or "wrong", which is said for it. Spread the right letters.
"""

from attn_checks.question import Question

QUESTIONS = {
    "00-zero-score": Question(
        text="The four halved scores of *hot* are 0 for *The*, 3 for *chai*, 0 for *is* and 0 for *hot* itself. What share of its attention does *The* get?",
        options={
            "a": (
                "None: its score is 0.",
                "A score of 0 feels like nothing. But softmax takes the power first, and e⁰ is 1: a positive number, like every power of e.",
            ),
            "b": (
                "One part of about 23.",
                "e⁰ is 1 and e³ about 20, so there are 1 + 20 + 1 + 1 parts in all, and *The* gets one of them.",
            ),
            "c": (
                "One part of about 20.",
                "1 against 20 is how *The* compares with *chai*. A share is compared with the whole: with the sum of all four powers.",
            ),
        },
        right="b",
        see="lesson 00, A whole pass by hand",
    ),
    "00-mix": Question(
        text="*hot* gives 0.87 of its attention to *chai*, whose value is [4, 1], and 0.04 to each of the others: [0, 0], [0, 0], and [0, 4] of its own. Which list comes out?",
        options={
            "a": (
                "Close to [3.5, 1]: nearly the value of *chai*.",
                "0.87 of [4, 1] makes up nearly all of it, and the rest adds a touch of warmth.",
            ),
            "b": (
                "Close to [0, 4]: it is still the word *hot*.",
                "A word does not keep its own value unless it looks at itself, and *hot* gives itself just 0.04. (A Transformer adds the old meaning back afterwards, in a step of its own: lesson 05.)",
            ),
            "c": (
                "[4, 5]: what all four hand over, added up.",
                "That would be so if each counted in full. Each counts with its share only, and the shares sum to 1.",
            ),
        },
        right="a",
        see="lesson 00, A whole pass by hand",
    ),
    "00-row": Question(
        text="A row of attention weights reads 0.1, 0.2, 0.7. Whose row is it, and what do the numbers say?",
        options={
            "a": (
                "It belongs to a key; the numbers say how much each query attends to it.",
                "That would be a column. A column need not sum to 1; these numbers do.",
            ),
            "b": (
                "It belongs to a query; it attends to the third token and to no other.",
                "It is a query's row. But the other two are small, not 0: they take part with 10 % and 20 %.",
            ),
            "c": (
                "It belongs to a query; the numbers are the shares of its attention, one for each key.",
                "Each query has one row, and it shares a whole 1 out among the keys.",
            ),
        },
        right="c",
        see="lesson 00, The one formula",
    ),
}
