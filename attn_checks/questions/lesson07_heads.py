"""Questions of lesson 07; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "07-louder": Question(
        text="Before softmax, *is* scores 2 with *chai* and 2 with *hot*, and 0 with the two others. Suppose it looked ten times as hard, so that the scores are 20, 20, 0 and 0. What comes back from [4, 1] and [0, 4]?",
        options={
            "a": (
                "Nearly [4, 5]: enough attention for both.",
                "However hard it looks, there is one whole to give away. *chai* and *hot* together cannot get more than 1.",
            ),
            "b": (
                "[2, 2.5]: half of each.",
                "The two others lose what little they had, and the two that are wanted alike share the whole.",
            ),
            "c": (
                "Nearly [4, 1] or [0, 4]: one of them takes all.",
                "A larger factor makes the leader take all. Here nobody leads: equal scores get equal shares at any size.",
            ),
        },
        right="b",
        see="lesson 07, Why does *is* come back lukewarm?",
    ),
    "07-reshape": Question(
        text="A.reshape(2, 3, 2) makes two matrices of three rows and two columns of A. What does the first of them hold?",
        options={
            "a": (
                "All of the first word and half of the second.",
                "reshape reads the rows one after another and fills the new shape with them. It knows nothing of words and heads.",
            ),
            "b": (
                "Columns 0 and 1 of all three words.",
                "That is what head 0 should have. But reshape moves no number: it reads them in the order in which they stand, row by row.",
            ),
            "c": (
                "Every second column of all three words.",
                "No number is skipped. reshape reads all of them in the order in which they stand.",
            ),
        },
        right="a",
        see="lesson 07, Cut by reshape",
    ),
    "07-parameters": Question(
        text="A layer 512 wide has one head with W_Q, W_K, W_V and W_O, all (512, 512). Now it gets eight heads, each 64 wide. How many numbers are there to learn in all?",
        options={
            "a": (
                "Eight times as many: each head has projections of its own.",
                "It has, but only 64 columns of them. Eight times 64 columns are the 512 that were there before.",
            ),
            "b": (
                "An eighth: 64 columns in place of 512.",
                "That is one head. There are eight, side by side.",
            ),
            "c": (
                "As many as before.",
                "The columns are dealt out, and none is added. W_O is as large as it was, too.",
            ),
        },
        right="c",
        see="lesson 07, What do more heads cost?",
    ),
    "07-rotary": Question(
        text="A query stands at place 5 and a key at place 2, and both are turned by an angle proportional to their place. Now ten words are put in front, so that they stand at 15 and 12. What happens to their score?",
        options={
            "a": (
                "Nothing.",
                "Both turn by the same angle more, so the angle *between* them is what it was. It depends on how far apart they stand.",
            ),
            "b": (
                "It becomes smaller: they are turned further.",
                "Turning makes no vector shorter, and both are turned by the same angle more.",
            ),
            "c": (
                "It becomes something else, and that is how a model knows the place.",
                "A model that adds positions can see the place itself. Turning tells it only how far apart two words stand.",
            ),
        },
        right="a",
        see="lesson 07, Turning in place of adding",
    ),
    "07-cache": Question(
        text="A layer has 32 heads of queries. Now each four of them share one head of keys and values, so that there are 8 of these. What becomes a quarter as large?",
        options={
            "a": (
                "The tables of weights.",
                "Each head of queries still makes a table of its own, 32 in all, each a row for every query and a column for every key.",
            ),
            "b": (
                "The whole layer, W_Q and W_O included.",
                "W_Q serves 32 heads as before, and W_O still takes what 32 heads hand over.",
            ),
            "c": (
                "The keys and values that are kept while the model writes.",
                "Only keys and values are stored for the words to come, and there are 8 heads of each in place of 32.",
            ),
        },
        right="c",
        see="lesson 07, Fewer keys and values",
    ),
}
