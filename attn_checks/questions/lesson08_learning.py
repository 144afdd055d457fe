"""Questions of lesson 08; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "08-logits": Question(
        text="A head gives each of the five next words the probability 0.2, and the right one is *cool*. You push the logit of one word up a little. What does the loss do?",
        options={
            "a": (
                "It falls if the word is *cool*, and stays as it is for the other four.",
                "The loss reads one probability only, that of *cool*. But the five share one whole: what another word gains, *cool* helps to pay.",
            ),
            "b": (
                "It falls if the word is *cool*, and rises, more slowly, for the other four.",
                "*cool* lacks 0.8 of being certain, each other word has 0.2 too much. The loss moves at just these rates.",
            ),
            "c": (
                "It falls if the word is *cool*, and rises equally fast for the other four.",
                "Then pushing all five at once would raise the loss. It cannot: the same number added to all logits changes no probability.",
            ),
        },
        right="b",
        see=None,
    ),
    "08-strongest-push": Question(
        text="d_weight is −3.94 for *chai*, with a share of 0.045, −1.15 for *hot*, with 0.119, and 1.67 for *is*, with 0.048. The weighted mean is 1.82. Which of the three scores is pushed *up*, and which most?",
        options={
            "a": (
                "*chai* and *hot*, and *chai* most: it lowers the loss fastest.",
                "Its *weight* would. But scores are pushed, and a share of 0.045 answers feebly. And *is* stands a little below the mix, too.",
            ),
            "b": (
                "*chai* and *hot*, and *hot* most.",
                "The two are in the right order. But what counts is being below the *mix*, not below 0, and 1.67 is less than 1.82.",
            ),
            "c": (
                "All three, and *hot* most.",
                "All three stand below the mix: by 5.8, 3.0 and 0.16. Times their shares that is 0.26, 0.35 and 0.01.",
            ),
        },
        right="c",
        see=None,
    ),
    "08-first-push": Question(
        text="20 heads start from 20 sets of random numbers. In how many of them is the noun the place that is pushed up *most*, before learning and after 30 steps?",
        options={
            "a": (
                "By chance at the start, in a few; in all 20 after 30 steps.",
                "At first all words hand over random numbers, and what helps is an accident. What helps in one sentence and hurts in the next cancels in the sum; what can be relied on adds up.",
            ),
            "b": (
                "In all 20 from the start: only the noun tells the next word.",
                "It does, to you. To the head the value of *dough* is a random list of numbers at first, and may speak against *rise*.",
            ),
            "c": (
                "By chance in both: which word a head ends up looking at depends on where it started.",
                "Not quite that much. The start decides which heads leave out a noun. That nouns are worth looking at is in the sentences, and these are the same for all heads.",
            ),
        },
        right="a",
        see=None,
    ),
    "08-rate": Question(
        text="Three learning rates, 500 steps each, from the same start: 0.001, 0.1 and 3. How do the losses end?",
        options={
            "a": (
                "The larger the rate, the lower: a longer step gets further.",
                "Up to a point. A step goes along the slope *here*; far away the ground is another.",
            ),
            "b": (
                "All three near 0: a good direction gets there sooner or later.",
                "Later may be after step 500, and a step that is too long need not get there at all.",
            ),
            "c": (
                "0.001 has not quite arrived, 0.1 has, and 3 is as bad as guessing.",
                "Steps of 3 throw every number far across the valley. The scores become huge, the rows saturated, and no gradient leads back.",
            ),
        },
        right="c",
        see=None,
    ),
    "08-at-the-query": Question(
        text="1,024 wide, not scaled. The same random gradients are sent back from the weights of 500 queries. Compared with scaled scores, what arrives at a query is",
        options={
            "a": (
                "smaller in every row: softmax is saturated.",
                "In most rows it is. But where two keys are nearly level at the top, a small push decides between them, and such rows shout.",
            ),
            "b": (
                "smaller in the median row, and larger on average.",
                "Most rows pass on next to nothing. The few that are undecided pass on so much that they lift the mean.",
            ),
            "c": (
                "larger in every row: nothing was divided by 32.",
                "The missing division makes it larger wherever something gets through softmax. In most rows hardly anything does.",
            ),
        },
        right="b",
        see=None,
    ),
    "08-picture": Question(
        text="A head gets all its answers right, and a picture shows that it gives 0.9 of its attention to the noun. What do you know?",
        options={
            "a": (
                "That it was trained to look at the noun.",
                "It was trained to lower a loss, and that mentions no word to look at. Looking is what came of it, in 10 of 20 heads for all five nouns.",
            ),
            "b": (
                "That the answer rests on the noun: without it, the head would fail.",
                "Likely, but not yet known. Seed 4 gave *kite* 0.58 and could do without it, seed 2 gave *dough* 0.4 and could not. Take the noun out, and see.",
            ),
            "c": (
                "Where it looks in this sentence; to know what the answer needs, take something out.",
                "A weight says how much was carried over from where. What was done with it, and what would have happened otherwise, takes an experiment.",
            ),
            "d": (
                "Nothing: weights are arbitrary.",
                "They say truly from where the head mixes its values. What they leave open is *why*.",
            ),
        },
        right="c",
        see="lesson 08, Where twenty heads look",
    ),
}
