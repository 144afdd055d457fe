"""Questions of lesson 04; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "04-warm-blocked": Question(
        text="Under the causal mask *The* may look at nothing but itself, and its score for itself is 0. What share of its attention does it give itself?",
        options={
            "a": (
                "0.25, because four words stand in the sentence.",
                "Four stand in it, but three are hidden: their scores are −∞, and the power of −∞ is 0.",
            ),
            "b": (
                "0, like the score.",
                "A score of 0 looks like nothing. Its power is e⁰ = 1, though, and here that is the only power there is.",
            ),
            "c": (
                "1: all of it.",
                "One power is left, and a number divided by itself is 1. The score could have been −3 or 50 as well.",
            ),
        },
        right="c",
        see="lesson 03, Before or after softmax?",
    ),
    "04-which-recipe": Question(
        text="Shares should not be negative, and a larger score should get a larger share. For the scores 0, 1, −1, 2: which recipe does it?",
        options={
            "a": (
                "Divide each score by the sum of all.",
                "It is the first idea that comes to mind. But −1 is divided by 2 with all the others, and no word can get −50 % of the attention.",
            ),
            "b": (
                "Square the scores, then divide by the sum.",
                "Squares are never negative, true. But (−1)² is as large as 1², so a bad match gets as much as a fair one.",
            ),
            "c": (
                "Raise 2 to the power of each, then divide by the sum.",
                "A power of 2 is never negative, and it grows whenever the score grows. So e is not the only base that would do.",
            ),
        },
        right="c",
    ),
    "04-add-constant": Question(
        text="You add 100 to every score of one row. What happens to its softmax?",
        options={
            "a": (
                "The largest weight gets closer to 1.",
                "That happens when scores are *multiplied* by a number above 1. Adding keeps every difference.",
            ),
            "b": (
                "Nothing.",
                "Every power of e is multiplied by the same e¹⁰⁰, which cancels in the division.",
            ),
            "c": (
                "All weights grow, by the same factor.",
                "The powers of e do, and so does their sum. After the division the weights still sum to 1.",
            ),
        },
        right="b",
        see="lesson 04, Why powers, and why of e",
    ),
    "04-after-the-shift": Question(
        text="From each score of a row you subtract the largest one. Between which numbers do the powers of e now lie?",
        options={
            "a": (
                "Between 0 and 1, and at least one is exactly 1.",
                "No score is above 0 any more, and the largest is 0 itself, whose power is e⁰ = 1.",
            ),
            "b": (
                "Between −1 and 1.",
                "The *scores* are now 0 or negative. A power of e is never negative, whatever the score.",
            ),
            "c": (
                "Between 0 and 1, and they sum to 1.",
                "That is what the shares will do, after the division. The sum of the powers is at least 1, for the largest score alone brings that much.",
            ),
        },
        right="a",
        see="lesson 04, Overflow, seen and cured",
    ),
    "04-wrong-axis": Question(
        text="In the table of scores, rows are queries and columns are keys. Somebody shares out down the *columns*, with `axis=-2`. How do you notice?",
        options={
            "a": (
                "NumPy complains about the shape.",
                "It would be nice of it. But there is a largest number and a sum in every column as well as in every row, and the result has the right shape.",
            ),
            "b": (
                "Some shares become negative.",
                "Powers are positive whichever way you add them up, and so are the shares.",
            ),
            "c": (
                "The numbers in a row no longer sum to 1.",
                "Now each column does: every key divides itself among the queries. Nothing else looks odd. The sum of a row is the number to check.",
            ),
        },
        right="c",
        see="lesson 04, Which way do the shares run?",
    ),
    "04-temperature": Question(
        text="The temperature goes towards 0. What becomes of a row with one largest score?",
        options={
            "a": (
                "The largest score takes everything.",
                "Dividing by a small number stretches the differences, and softmax looks at differences.",
            ),
            "b": (
                "All keys get the same weight.",
                "That is the other end: the limit of a *high* temperature.",
            ),
            "c": (
                "All weights go to 0.",
                "They cannot: they sum to 1 at every temperature.",
            ),
        },
        right="a",
        see="lesson 04, Temperature",
    ),
    "04-push": Question(
        text="You push one score of a row up a little, and its share p rises. How large must p be to begin with, for it to rise most?",
        options={
            "a": (
                "Near 0: there is most room to grow.",
                "There is room, but a share near 0 belongs to a tiny power. Let it grow by a tenth of itself, and it is still tiny.",
            ),
            "b": (
                "At one half.",
                "There the power is large enough to matter, and half of the whole is still left to be won.",
            ),
            "c": (
                "Near 1: the largest score counts most.",
                "Its power grows most, that is true. But it has nearly everything already, and there is hardly anything left to take from the others.",
            ),
        },
        right="b",
        see="lesson 04, A push on one score",
    ),
}
