"""Questions of lesson 03; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "03-answer-in-the-input": Question(
        text="Every row must guess the next word; the row of *hot* must guess *so*. Nothing is hidden. "
        "In how many of the four rows does the answer stand among the keys that the row may look at?",
        options={
            "a": (
                "In three.",
                "*chai*, *is* and *hot* are words of the sentence, so the rows that must guess them can look them up. Only *so* is not there yet.",
            ),
            "b": (
                "In all four.",
                "In nearly all. But which word must the last row guess, and is it one of the four?",
            ),
            "c": (
                "In none: a row sees keys, not answers.",
                "A key is made from a word, and the word to be guessed is one of them: *The* must guess *chai*, and *chai* has a key.",
            ),
        },
        right="a",
    ),
    "03-what-chai-loses": Question(
        text="Now *chai* may look only at *The* and at itself. What becomes of its output?",
        options={
            "a": (
                "Both numbers shrink, for more than half of its attention is gone.",
                "What *hot* handed over was warmth alone, its value is [0, 4]. And softmax shares a whole 1 out among the keys that are left.",
            ),
            "b": (
                "Hardly anything changes: it looks at itself.",
                "It does now. But its warmth came from the value of *hot*, to which it gave 0.644.",
            ),
            "c": (
                "It becomes more drink and less warm.",
                "The weight that went to *hot*, whose value is [0, 4], now goes mostly to *chai* itself, whose value is [4, 1].",
            ),
        },
        right="c",
        see="lesson 03, The causal triangle",
    ),
    "03-mask-before-softmax": Question(
        text="Somebody multiplies the weights by the 0/1 mask *after* softmax. What goes wrong?",
        options={
            "a": (
                "Nothing: blocked weights are 0 either way.",
                "They are, but add up what is left of the row: it no longer makes 1.",
            ),
            "b": (
                "Blocked keys still get a small weight.",
                "Multiplied by 0 they get nothing. It is the *other* weights that are wrong.",
            ),
            "c": (
                "Rows with something hidden sum to less than 1, and by how much depends on the hidden scores.",
                "The blocked keys took part in the sharing and kept their part of the whole 1. So the future still leaks in, through the total.",
            ),
        },
        right="c",
        see="lesson 03, Before or after softmax?",
    ),
    "03-share-out-again": Question(
        text="You set the forbidden weights to 0 *after* softmax, and then divide each row by its new sum. "
        "Compared with masking before softmax, the result is",
        options={
            "a": (
                "equal but for rounding, until the visible weights are too small to store.",
                "Dividing again restores the proportions, as long as there is something left to divide. "
                "Where the hidden score is some 800 larger, the visible weights have all become 0, and 0/0 is NaN.",
            ),
            "b": (
                "different: each row sums to 1 again, but in other proportions.",
                "Dividing a row by one number keeps its proportions, and those of the visible weights were right all along. "
                "The next cell shows it; a later one lets the hidden score grow.",
            ),
            "c": (
                "equal but for rounding, however large the hidden scores.",
                "On paper it is: dividing again puts the missing part back in the right proportions. "
                "But a computer cannot store numbers as small as you like. Watch what happens below when the hidden score grows.",
            ),
        },
        right="a",
        see="lesson 03, Sharing out again",
    ),
    "03-minus-a-billion": Question(
        text="A query may look at nothing. To each of its scores 1, 2, 3 a mask adds −1e9, in NumPy's usual float64. Its weights are",
        options={
            "a": (
                "all 0.",
                "e to the −1e9 is 0 by itself. But softmax gives the row a whole 1 to share out, and looks only at the differences between scores.",
            ),
            "b": (
                "0.09, 0.24 and 0.67, as if there were no mask.",
                "The same number was added to all three scores, and softmax sees only their differences. Where nothing is left to compare with, −1e9 blocks nothing.",
            ),
            "c": (
                "all a third.",
                "That happens with fewer digits, in float32. In float64 a billion and 1, a billion and 2 are still different numbers.",
            ),
        },
        right="b",
        see="lesson 03, −1e9 and where it breaks",
    ),
    "03-harmless-padding": Question(
        text="Behind *The chai is hot* stands a [pad] of zeros. No mask. What does it do to the outputs of the four words?",
        options={
            "a": (
                "Nothing: its scores are 0, and so is its value.",
                "A score of 0 is no weight of 0. What is e to the 0?",
            ),
            "b": (
                "It makes all of them smaller.",
                "Its score of 0 gives it e⁰ = 1 in every row: a share of the attention, for which it hands over nothing.",
            ),
            "c": (
                "It changes only the row of the [pad] itself.",
                "That row is its query. But it is a *key* as well, and every word has a score for every key.",
            ),
        },
        right="b",
        see="lesson 03, Padding",
    ),
    "03-padding-which-axis": Question(
        text="A sentence is padded with two [pad] tokens at the end. Which part of its mask must be False?",
        options={
            "a": (
                "The last two rows.",
                "That silences the queries of the padding. But the real tokens could still attend *to* the padding.",
            ),
            "b": (
                "The last two columns.",
                "No query may look at padding: as keys they are hidden from all. What the padding's own rows compute, nobody reads.",
            ),
            "c": (
                "The lower right 2 × 2 corner.",
                "That only keeps padding from looking at padding. What about the rows above?",
            ),
        },
        right="b",
        see="lesson 03, Padding",
    ),
}
