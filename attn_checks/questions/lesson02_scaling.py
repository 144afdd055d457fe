"""Questions of lesson 02; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "02-eight-times": Question(
        text="With the scores 0, 1, −1 and 2, *chai* gives itself 0.24 of its attention and *hot* 0.64. "
        "Now the scores are 0, 8, −8 and 16. How much does *chai* give itself?",
        options={
            "a": (
                "Still 0.24: all four scores grew by the same factor.",
                "If shares were the scores divided by their sum, a common factor would cancel. Softmax takes powers first, and in a power it does not.",
            ),
            "b": (
                "0.03, an eighth of it.",
                "A factor of 8 in the scores is not a factor of 8 in the powers: e⁸ is about 3,000.",
            ),
            "c": (
                "Practically nothing.",
                "*chai* is now 8 behind *hot*, not 1, and so its power is e⁸, about 3,000 times, smaller.",
            ),
        },
        right="c",
    ),
    "02-how-large": Question(
        text="A query and a key of d_k random numbers, each typically about 1 in size, plus or minus. "
        "When d_k goes from 4 to 400, the typical size of their dot product grows",
        options={
            "a": (
                "100-fold: there are a hundred times more terms.",
                "It would, if all terms had the same sign. Half of them are negative here, and much cancels.",
            ),
            "b": (
                "10-fold.",
                "Plus and minus cancel in part, and what is left grows like the root of the number of terms. Why the root, you can count out below.",
            ),
            "c": (
                "hardly at all, because plus and minus cancel.",
                "They cancel on *average*: the mean is 0. But toss 400 coins, and heads and tails will seldom come out equal, nor even within 2.",
            ),
        },
        right="b",
    ),
    "02-three-divisors": Question(
        text="At d_k = 64 the scores are divided by nothing, by √64, and by 64. Their standard deviation is then, in this order, about",
        options={
            "a": (
                "8, 1 and 1/8.",
                "The scores have size √64 = 8 to begin with. Dividing by 8 makes it 1, and dividing by 64 makes it 8/64.",
            ),
            "b": (
                "64, 8 and 1.",
                "64 is their *variance*. The standard deviation is its root.",
            ),
            "c": (
                "8, 1 and 0.",
                "A size of 0 would mean that all scores are equal. However large the divisor, scores that differ still differ afterwards.",
            ),
        },
        right="a",
        see="lesson 02, How large is a dot product?",
    ),
    "02-nudges": Question(
        text="d_k is 1024, and the scores are not scaled. Every entry of 1,000 queries is nudged by 0.1, up or down. What do their 1,000 rows of weights do?",
        options={
            "a": (
                "All of them move a little: the nudge is small.",
                "It is small in every entry. But a score adds up 1024 of them, and changes by about 3. What matters is how far ahead the winning key was.",
            ),
            "b": (
                "None of them moves: in each, one key has taken everything.",
                "So it is in most. But a score changes by about 3, and in some rows the second key was no further behind than that.",
            ),
            "c": (
                "Most do not move at all, and some jump to another key.",
                "A winner that is far ahead stays, and keeps all. Where two keys are close, the nudge decides between them, and everything changes hands.",
            ),
        },
        right="c",
    ),
    "02-why-the-root": Question(
        text="Why √d_k, and not d_k?",
        options={
            "a": (
                "The variance of q·k is d_k, so its typical size is √d_k; dividing by it brings the size to 1.",
                "The variances of d_k independent terms add up, and the typical size is the root of the sum.",
            ),
            "b": (
                "Dividing by d_k would make rows of weights sum to less than 1.",
                "Softmax makes every row sum to 1 whatever you divide by. Dividing by d_k makes the rows too *even*.",
            ),
            "c": (
                "Because the square root keeps negative scores negative.",
                "Dividing by any positive number keeps the sign, d_k included.",
            ),
            "d": (
                "Because Q and K each get √d_k, and together that is d_k.",
                "That would divide the product by d_k. Measure: the standard deviation would then be 1/√d_k, not 1.",
            ),
        },
        right="a",
        see="lesson 02, Dividing by √d_k",
    ),
}
