"""Questions of lesson 05; how to add one: lesson00_start.py."""

from attn_checks.question import Question

QUESTIONS = {
    "05-warm-width": Question(
        text="A model's queries and keys are 64 numbers wide, its values 32, and the sentence has 100 words. What are the scores divided by?",
        options={
            "a": (
                "10, the root of the number of words.",
                "The number of words decides how many scores there are, not how large they get. A score is a sum over the numbers of *one* query.",
            ),
            "b": (
                "8, the root of the width of queries and keys.",
                "A score adds up 64 products, so its typical size is √64.",
            ),
            "c": (
                "About 5.7, the root of the width of the values.",
                "The values take no part in the scores; they wait until the shares are made.",
            ),
        },
        right="b",
        see="lesson 02, Dividing by √d_k",
    ),
    "05-warm-order": Question(
        text="Two keys have the same score, and the second one is blocked. Somebody takes softmax first and sets the second share to 0 afterwards. What does the first key get?",
        options={
            "a": (
                "Half, and the other half is lost.",
                "The blocked key took part in the sharing and kept its half. Mask first, and the first key gets all.",
            ),
            "b": (
                "All of it.",
                "It should. But the sharing was over before the second key was blocked.",
            ),
            "c": (
                "Nothing.",
                "Its own share is not touched. It is only too small.",
            ),
        },
        right="a",
        see="lesson 03, Before or after softmax?",
    ),
    "05-tie": Question(
        text="*is* gives 0.44 of its attention to *chai*, whose value is [4, 1], and 0.44 to *hot*, whose value is [0, 4]. The rest goes to words that hand over [0, 0]. What does *is* hold afterwards?",
        options={
            "a": (
                "[4, 1] or [0, 4], whichever comes first.",
                "A dictionary would pick one. Attention never picks, it mixes: only where one share is nearly 1 does the mix look like a pick.",
            ),
            "b": (
                "[4, 5], both together.",
                "That is a sum, as if both had a share of 1. There is only one whole 1 to give away.",
            ),
            "c": (
                "[1.76, 2.2], a little less than the middle of both.",
                "0.44 of each, added up. The middle is [2, 2.5]; the two words that hand over nothing draw it towards 0.",
            ),
        },
        right="c",
        see=None,
    ),
    "05-which-rows": Question(
        text="The causal mask is put in, so that no word looks at a later one. Which rows of the output change?",
        options={
            "a": (
                "Only that of *hot*, the last word.",
                "The last word has nothing after it, so nothing is hidden from it. It is the others that lose something.",
            ),
            "b": (
                "Those of *The*, *chai* and *is*.",
                "Each of them gave some of its attention to later words. *hot* has none after it.",
            ),
            "c": (
                "All four.",
                "Nearly. But look at the last row of the triangle: nothing is blocked in it.",
            ),
        },
        right="b",
        see=None,
    ),
    "05-permute": Question(
        text="You shuffle the words of a sentence, without a mask. What happens to the outputs of self-attention?",
        options={
            "a": (
                "Each word gets another output, because its neighbours changed.",
                "No step knows who stands next to whom. Each query meets the same set of keys.",
            ),
            "b": (
                "Nothing: the output matrix is unchanged.",
                "Its rows belong to words, and the words moved.",
            ),
            "c": (
                "The rows are shuffled the same way, and are otherwise unchanged.",
                "Every query still meets the same keys and values, only in another order, and a sum does not mind its order.",
            ),
        },
        right="c",
        see="lesson 05, Attention knows no order",
    ),
    "05-no-parameters": Question(
        text="Which numbers of its own does scaled dot-product attention learn in training? "
        "Think of the bare function of Q, K, V and mask.",
        options={
            "a": (
                "None.",
                "All that it uses is handed to it. What is learned stands before it and after it: the embeddings, "
                "W_Q, W_K and W_V that make Q, K and V, and the layers that use the output.",
            ),
            "b": (
                "The attention weights, which is why they have that name.",
                "The name misleads: attention weights are computed afresh from each sentence and stored nowhere. "
                "Weight *matrices*, such as W_Q, are learned, but they stand outside this function.",
            ),
            "c": (
                "The divisor √d_k.",
                "It follows from the shape of Q; there is nothing in it to adjust.",
            ),
        },
        right="a",
        see="lesson 05, From embeddings to outputs",
    ),
}
