"""Questions of lesson 09; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "09-first-telling": Question(
        text="*dog tame, cup red, chai*: here the text speaks of *chai* for the first time. What does the model expect next?",
        options={
            "a": (
                "*hot*, above all: chai mostly is.",
                "In the world, perhaps. In its texts the quality was drawn anew each time, and *hot* no more often than others.",
            ),
            "b": (
                "Qualities of drinks, all of them, none much above the others.",
                "It has learned which words fit, and that nothing tells which of them it will be.",
            ),
            "c": (
                "All 202 words alike: there is nothing to look up yet.",
                "There is nothing to look up, but there is something to know: after a drink comes a drink's quality.",
            ),
        },
        right="b",
        see=None,
    ),
    "09-bottom-layer": Question(
        text="In the lower layer the last A asks, and each key knows its own word and its own place, and nothing else. Which place can no head of this layer find, in a list that it has never seen?",
        options={
            "a": (
                "The earlier A.",
                "That is easy: a query that asks for one's own word. The cell above has just done it.",
            ),
            "b": (
                "The place just before.",
                "Also easy: the query knows its own place, so it can ask for the one before, as in lesson 07.",
            ),
            "c": (
                "The place after the earlier A.",
                "Its key says “I am B, at place 1”. That A stood before it, it does not know, and nobody can ask for what no key says.",
            ),
        },
        right="c",
        see=None,
    ),
    "09-which-hurts": Question(
        text="One of the eight heads is switched off. Which one costs the model most of what it can look up?",
        options={
            "a": (
                "The one that looks one word back, in the lower layer.",
                "It never looks at the answer. But it writes the notes by which the answer is found, and nobody else does.",
            ),
            "b": (
                "One of those that look at the answer, in the upper layer.",
                "They hand over the answer, and each seems to do all of it. But there are three of them.",
            ),
            "c": (
                "All cost about the same: each is an eighth of the model.",
                "Heads are alike before learning. Afterwards each has its own business.",
            ),
        },
        right="a",
        see=None,
    ),
    "09-three-alike": Question(
        text="*hot* has the probability 0.99. One of these three heads, 1 · 0, is switched off. What does *hot* have then?",
        options={
            "a": (
                "About 0.66: a third of the votes is gone.",
                "Votes add up *before* softmax, as scores. If two are enough to be far ahead, the third changes little.",
            ),
            "b": (
                "About 0.9: nearly as before.",
                "The other two still find *hot*, and their scores are far ahead of all others.",
            ),
            "c": (
                "About 0.05: as if guessed among drinks' qualities.",
                "If the answer needed this head. Its picture looks like it, but so do two others.",
            ),
        },
        right="b",
        see=None,
    ),
    "09-tame-chai": Question(
        text="*chai tame, dog hot, cup red. cup red, chai*: in all its texts only animals were *tame*, and drinks never. What does the model expect?",
        options={
            "a": (
                "*hot*: that word is in the text, and fits a drink.",
                "Then it would look for what fits. Where do the three heads look from *chai*? At the place after the earlier *chai*, whatever stands there.",
            ),
            "b": (
                "Some quality of a drink, no one in particular.",
                "It knows those, and they get the rest. But the look-up does not ask what fits: it is the same for any two words.",
            ),
            "c": (
                "*tame*, and far above the others.",
                "The note says *chai*, so that place is found, and what it hands over is its word, whatever that is.",
            ),
        },
        right="c",
        see=None,
    ),
    "09-proof": Question(
        text="Without head 0 · 2 the model looks up 0.67 in place of 0.97. Without 0 · 2, 0 · 0 and 0 · 3 together it looks up 0.94. What do you know of 0 · 2?",
        options={
            "a": (
                "It is one of the heads that look up.",
                "Then the model should do worse with each further head that goes, too.",
            ),
            "b": (
                "The model needs it: the first experiment proves that.",
                "It proves that the other seven do badly without it. The second experiment is a model without it that does well.",
            ),
            "c": (
                "Nothing: the two experiments contradict each other.",
                "They do not. They are about different sets of heads, and both came out as they did.",
            ),
            "d": (
                "Looking up can do without it; but taken out alone, it leaves the others worse off.",
                "That is all that both experiments say. What it does for them, neither tells.",
            ),
        },
        right="d",
        see="lesson 09, What a picture does not prove",
    ),
}
