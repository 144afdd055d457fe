"""Questions of lesson 10; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "10-crossing": Question(
        text="One block of GPT-2 small multiplies every word with its matrices, W_Q to W_2: 7 million products a word, however long the text. Scores and mix take more products a word the longer the text is. From which length on do they take more than the matrices?",
        options={
            "a": (
                "From the start: the tables are what makes attention slow.",
                "The tables grow with the square of the length, and a small square is small. With 100 words they hardly show beside matrices that are 768 and 3072 wide.",
            ),
            "b": (
                "From a few hundred words.",
                "A score takes 64 products in each of 12 heads, 768 in all, and the mix as many. A few hundred times 1,536 is still far below 7 million.",
            ),
            "c": (
                "From a few thousand words.",
                "Scores and mix take 2 · 768 products for each key, the matrices 12 · 768². They meet at 6 · 768 keys.",
            ),
        },
        right="c",
        see=None,
    ),
    "10-rows": Question(
        text="You take 128 queries at a time and let them attend to all keys, then the next 128, and put the outputs below one another. What changes, compared with all queries at once?",
        options={
            "a": (
                "Only how much memory is needed at a time.",
                "Each row has a softmax of its own, and never asks what stands in another row. So a table of 128 rows is enough, and it can be thrown away.",
            ),
            "b": (
                "The numbers, a little: softmax sees only a part of the table.",
                "It sees 128 whole *rows*, and shares run along a row. If the *keys* were cut, the sum would be that of a part; that comes later in this lesson.",
            ),
            "c": (
                "The number of multiplications: there are fewer.",
                "Every query still meets every key. They only do not all meet at the same time.",
            ),
        },
        right="a",
        see=None,
    ),
    "10-skip": Question(
        text="1,024 words, causal. Cut the table into 8 × 8 squares, each with 128 queries and 128 keys. In how many of the 64 squares is there nothing to compute at all?",
        options={
            "a": (
                "In none: blocked scores have to be set to −∞ first.",
                "So it looks while the table is made as a whole. But where every score of a square is blocked, its powers are all 0, and adding nothing needs no arithmetic.",
            ),
            "b": (
                "In 28.",
                "0 in the last row of squares, 1 in the row above, … 7 in the first. The 8 squares on the diagonal are needed in part.",
            ),
            "c": (
                "In 32, the half above the diagonal.",
                "Half of the *scores* are hidden, nearly. But the diagonal runs through 8 squares, and these are needed for what lies below it.",
            ),
        },
        right="b",
        see=None,
    ),
    "10-rescale": Question(
        text="After 1, 3, 2 and 0 you keep two numbers: the largest score, 3, and the sum of the powers of 2 relative to it, 1.875. Now comes a 5. What becomes of 1.875?",
        options={
            "a": (
                "It stays, and the power of the new score is added to it.",
                "Then four powers would stand relative to 3, and one relative to 5. The old ones would count four times as much as they should.",
            ),
            "b": (
                "It is divided by 4, and 1 is added.",
                "All four powers were taken relative to 3. Relative to 5 each is 2⁻² of that, so their sum is, too; and the new largest has the power 2⁰.",
            ),
            "c": (
                "It is of no use any more: the four powers have to be taken anew.",
                "They would have to if each needed a correction of its own. But moving the maximum multiplies all of them by the same factor, and a common factor can be put on the sum.",
            ),
        },
        right="b",
        see=None,
    ),
    "10-next-word": Question(
        text="A model that keeps its keys and values writes word number 1,000. What does this one word cost, compared with word number 500?",
        options={
            "a": (
                "Twice as much in scores and mix, and the same in the matrices.",
                "One query meets 1,000 keys, where it met 500. And only the new word has to go through the matrices.",
            ),
            "b": (
                "Four times as much in scores and mix, and twice as much in the matrices.",
                "That is what starting over would cost: the whole table, and all words through the matrices again. The rows of earlier words have not changed, and nobody asks for them.",
            ),
            "c": (
                "The same in both: it is one new word each time.",
                "It is one new *query* each time. But it looks at all keys that there are, and these have become twice as many.",
            ),
        },
        right="a",
        see=None,
    ),
    "10-reach": Question(
        text="Every word may look at itself and the two words before it, a window of 3. Three such layers stand one above the other. Word 0 is exchanged for another. Up to which word do the outputs of the third layer change?",
        options={
            "a": (
                "Up to word 2: what a window hides stays hidden.",
                "In the first layer, yes. But what word 2 holds *after* that layer has to do with word 0, and in the second layer word 4 looks at word 2.",
            ),
            "b": (
                "Up to the last: from layer to layer everything spreads to everybody.",
                "It spreads, but a layer carries it two words on and no further.",
            ),
            "c": (
                "Up to word 6.",
                "Each layer carries it as far as a window looks back, two words. Three layers carry it six.",
            ),
        },
        right="c",
        see=None,
    ),
}
