"""Questions of lesson 06; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "06-colour-scale": Question(
        text="In picture A *hot* gives *chai* 0.87 of its attention. How much does it give in picture B?",
        options={
            "a": (
                "About a quarter, hardly more than the other three get.",
                "The bar of B ends at 0.256. Its brightest yellow stands for that, and its darkest blue for 0.246.",
            ),
            "b": (
                "0.87 as well: both cells have the same yellow.",
                "The same colour is the same number only where the scales are the same. Look at what stands at the two ends of each bar.",
            ),
            "c": (
                "It cannot be said, since no numbers stand in the cells.",
                "To three digits, no. But the colour bar says which number each colour stands for, and so it can be read off roughly.",
            ),
        },
        right="a",
        see=None,
    ),
    "06-dark-cell": Question(
        text="Nobody has told you how the picture was made. *chai → hot* looks about as dark as *hot → is*. What was the scaled *score* of *chai* for *hot*?",
        options={
            "a": (
                "Strongly negative, or the weight would not be so close to 0.",
                "A low score is one way to a weight of nearly 0. A mask is another, and the dark triangle hints at it; then the score plays no part at all.",
            ),
            "b": (
                "0: dark means no score.",
                "Softmax takes e⁰ = 1 from a score of 0, which is a share like any other. In the row of *hot* three scores are 0.",
            ),
            "c": (
                "It may have been anything.",
                "If the cell was blocked, its score was thrown away, however high it was. The picture draws a blocked cell as a weight of 0, so you cannot tell.",
            ),
        },
        right="c",
        see=None,
    ),
    "06-same-score": Question(
        text="*The → chai*, *is → chai* and *chai → hot* have the same scaled score, 2. What about their weights?",
        options={
            "a": (
                "All three are equal: softmax makes the same weight of the same score.",
                "It does within a row. But every row divides by a sum of its own, and the three rows have different sums.",
            ),
            "b": (
                "All three differ.",
                "Each 2 competes with other scores: with three zeros, with another 2, with 1, 0 and −1.",
            ),
            "c": (
                "The two in the column of *chai* are equal, the third is not.",
                "Softmax works along rows, never along a column. *The* and *is* share out their attention separately.",
            ),
        },
        right="b",
        see=None,
    ),
    "06-random-weights": Question(
        text="Draw embeddings and projections at random, 1,000 times. In how many of the draws do *chai* and *hot* each give the other their largest weight?",
        options={
            "a": (
                "In most: the two words belong together.",
                "They do, and you know it. The numbers do not: they were drawn without looking at the words.",
            ),
            "b": (
                "In none or hardly any: random numbers show no pattern.",
                "Every table of random numbers has a largest entry in each row, so every draw shows *some* pattern. This one comes up as often as any other of its kind.",
            ),
            "c": (
                "In about 1 of 16.",
                "There are four keys. Each of the two words picks a given one in about 1 draw of 4, and both do in 1 of 4 · 4.",
            ),
        },
        right="c",
        see=None,
    ),
    "06-how-to-tell": Question(
        text="You may run both heads as often as you like. What tells whether such a look at the noun is a rule or an accident?",
        options={
            "a": (
                "The size of the weight: a head that has learned is surer of itself.",
                "Large random numbers make large scores, and these make weights close to 1. The two heads differ by 0.01.",
            ),
            "b": (
                "Other sentences: does the head look at the noun there too?",
                "A rule about nouns shows on other nouns too. A lucky draw was lucky for one word.",
            ),
            "c": (
                "The row sums: only learned weights sum to 1.",
                "Softmax sees to that, whatever the scores are. It is a test of how a table was drawn, not of what was learned.",
            ),
        },
        right="b",
        see=None,
    ),
    "06-twin": Question(
        text="Now one word is deleted, *The is hot so we let it* and so on, each word before *it* in turn. Which deletion makes the *twin* give up *cool*?",
        options={
            "a": (
                "That of *we*.",
                "It has 0.53 of the attention, the largest share. What a head mixes in most, its output is likely to rest on, but only the experiment can tell.",
            ),
            "b": (
                "That of *chai*.",
                "The noun decides which word is correct. Whether this *head* uses it is another question, and 0.006 is not much to use.",
            ),
            "c": (
                "None: as it does without *chai*, it can do without any word.",
                "Then its answer would not depend on the sentence, and it finishes the other four sentences correctly. Something must tell it that this one is not theirs.",
            ),
        },
        right="a",
        see=None,
    ),
}
