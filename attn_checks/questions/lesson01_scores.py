"""Questions of lesson 01; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "01-negative-score": Question(
        text="The query of *chai* reads [1, 2, 0, −1] and the key of *is* [0, 0, 0, 2] (thing, description, article, verb). What is their score?",
        options={
            "a": (
                "0: *chai* is not looking for a verb.",
                "Not looking for verbs would be a 0 in the last place of the query. There is a −1, and it counts: (−1)·2.",
            ),
            "b": (
                "−2: *chai* would rather not find a verb.",
                "Three products are 0, and the fourth is (−1)·2. Not to look for something and to look away from it are two things.",
            ),
            "c": (
                "2: *verb* stands on both cards.",
                "It does, but with −1 on the query's card. A product keeps the sign, and so (−1)·2 pulls the score down.",
            ),
        },
        right="b",
        see="lesson 01, The dot product, by hand",
    ),
    "01-who-looks": Question(
        text="*hot* looking at *chai* scores 6. What does *chai* score, looking at *hot*? "
        "(The query of *chai* is [1, 2, 0, −1], the key of *hot* [0, 2, 0, 0].)",
        options={
            "a": (
                "4",
                "2·2, from the description. Now chai's query meets hot's key; before, it was hot's query and chai's key. Other cards, another number.",
            ),
            "b": (
                "6: they are the same two words.",
                "The same words, but not the same cards. For *hot* → *chai* it was hot's query and chai's key; now it is chai's query and hot's key.",
            ),
            "c": (
                "−2: chai's query has a minus.",
                "It has, but at *verb*, and the key of *hot* has a 0 there. Multiply entry by entry: only the description counts.",
            ),
        },
        right="a",
        see="lesson 01, Who looks is the row",
    ),
    "01-which-product": Question(
        text="Q and K hold one word in each row, and have the shape (L, d_k). Which product gives all scores, one for each query and key?",
        options={
            "a": (
                "`Q @ K`",
                "It runs here, because L and d_k are both 4, and so it looks right. But `@` takes *columns* on the right, "
                "and a column of K is nobody's key. *Spot the bug* shows what it gives.",
            ),
            "b": (
                "`Q * K`",
                "`*` multiplies entry by entry and adds nothing up: the shape stays (L, d_k), and each query meets only the key in its own row.",
            ),
            "c": (
                "`Q @ K.T`",
                "`@` takes rows on the left and columns on the right, and in `K.T` each key is a column.",
            ),
        },
        right="c",
        see="lesson 01, All scores at once",
    ),
    "01-other-value": Question(
        text="In place of *chai* the sentence says *soup*: a thing as well, so with the same query and key, but with another value, drink 1 and warm 7. What changes?",
        options={
            "a": (
                "The scores, and with them everything that follows.",
                "Scores are made of queries and keys, and those are the same. The value has not been looked at yet.",
            ),
            "b": (
                "Only what comes back.",
                "*hot* finds *soup* exactly as it found *chai*, and gets something else from it.",
            ),
            "c": (
                "The shares and what comes back, but not the scores.",
                "The shares are made of the scores alone. If those stay, the shares stay; only what they are multiplied with is new.",
            ),
        },
        right="b",
        see="lesson 01, What comes back: the value",
    ),
    "01-all-zero": Question(
        text="A word's query is [0, 0, 0, 0], so all four of its scores are 0. What comes back to it?",
        options={
            "a": (
                "Nothing: [0, 0].",
                "Tempting, since nothing matches. But e to the power 0 is 1, not 0, and shares always sum to 1: there is no share left for *nothing*.",
            ),
            "b": (
                "Its own value, for want of a match.",
                "A word has no special place among the keys. Its own key scores 0 like all the others, and gets the same share.",
            ),
            "c": (
                "The mean of all four values.",
                "Equal scores make equal shares, a quarter each, and a mix in equal shares is the mean.",
            ),
        },
        right="c",
        see="lesson 01, Between a dictionary and a mean",
    ),
    "01-one-projection": Question(
        text="Suppose *one* learned matrix W makes query and key alike, and the scores are (XW)(XW)ᵀ. "
        "Can the score of *hot* for *chai* then differ from that of *chai* for *hot*?",
        options={
            "a": (
                "No, whatever W is.",
                "Both are the dot product of the same two rows of XW, and a dot product does not care which comes first.",
            ),
            "b": (
                "Yes, if W is learned well.",
                "W can be learned, and that is more than X·Xᵀ has. But each score is the dot product of row *hot* and row *chai* of XW, in either order.",
            ),
            "c": (
                "Yes, unless W is square.",
                "The shape of W sets how long the rows of XW are. The two scores are still the dot product of the same two rows.",
            ),
        },
        right="a",
        see="lesson 01, Why two projections to compare words?",
    ),
    "01-why-three-projections": Question(
        text="Why does a token get a query *and* a key, made by two matrices, and not one list that serves as both?",
        options={
            "a": (
                "So that the scores can be learned at all.",
                "One shared matrix W can be learned too. But (XW)(XW)ᵀ stays symmetric, whatever it learns. "
                "X·Xᵀ is the one that has nothing to learn.",
            ),
            "b": (
                "So that *hot* → *chai* and *chai* → *hot* can differ.",
                "With one list for both, the score there and the score back are the same dot product. "
                "Two matrices make two lists, one for what a word looks for and one for what it is.",
            ),
            "c": (
                "So that the scores do not grow too large.",
                "A second matrix can make scores smaller, and larger too, but that is not what it is for. Size is the business of lesson 02.",
            ),
            "d": (
                "So that no word can find itself.",
                "With two matrices a word may still find itself: *chai* scores 2 with its own key. Hiding words is the business of the mask, lesson 03.",
            ),
        },
        right="b",
        see="lesson 01, Why two projections to compare words?",
    ),
}
