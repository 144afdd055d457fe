"""Lesson 07: splitting into heads, and attention with several of them."""

from itertools import product

import numpy as np

from attn_checks.comparing import same
from attn_checks.exercise import Mistake, exercise
from attn_parts import mathematics as maths

CUT = "lesson 07, Cut by reshape"
BUG = "lesson 07, Spot the bug"
BACK = "lesson 07, And back"
JOINED = "lesson 07, Side by side, and mixed"
PRODUCT = "lesson 07, One big product"
HAND = "lesson 07, Two heads, two rows"
SCALE = "lesson 02, Dividing by √d_k"


def split(X, n_heads):
    return X.reshape(len(X), n_heads, -1).swapaxes(0, 1)


def cut_up(X, n_heads):
    return X.reshape(n_heads, len(X), -1)


def strided(X, n_heads):
    return X.reshape(len(X), -1, n_heads).transpose(2, 0, 1)


SPLIT_MISTAKES = [
    Mistake(
        "reshape-without-transpose",
        name="reshaped without a transpose",
        ways=[cut_up, lambda X, n_heads: X.T.reshape(n_heads, len(X), -1)],
        say="The shape is right, but each head got whole words, broken over several rows, in place of some columns of every word.",
        see=BUG,
    ),
    Mistake(
        "not-transposed",
        name="heads and words are in the other order",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1)],
        say="Your first axis counts words. The heads come first, so that each is a matrix of its own.",
        see=CUT,
    ),
    Mistake(
        "strided-split",
        name="every n-th column in place of a block",
        ways=[strided],
        say="Your heads take turns, column by column. Head 0 has the first columns, all in a row.",
        see=CUT,
    ),
    Mistake(
        "features-first",
        name="each head is turned on its side",
        ways=[lambda X, n_heads: split(X, n_heads).swapaxes(-1, -2)],
        say="Within a head a row is a word, as in X. You have exchanged words and columns.",
        see=CUT,
    ),
    Mistake(
        "other-axes-exchanged",
        name="other axes were exchanged",
        ways=[
            lambda X, n_heads, order=order: X.reshape(len(X), n_heads, -1).transpose(order)
            for order in ((0, 2, 1), (2, 0, 1))
        ],
        say="After reshape the axes are words, heads, columns. Heads and words change places, the first two; the columns stay last.",
        see=CUT,
    ),
    Mistake(
        "slices-overlap",
        name="the slices of columns do not lie side by side",
        ways=[
            lambda X, n_heads: np.stack([X[:, h : h + X.shape[1] // n_heads] for h in range(n_heads)]),
            lambda X, n_heads: np.stack([X[:, : X.shape[1] // n_heads] for _ in range(n_heads)]),
        ],
        say="Head 1 begins where head 0 ends. By how many columns does the start of a slice move from head to head?",
        see=CUT,
    ),
    Mistake(
        "not-split",
        name="all heads got everything",
        ways=[lambda X, n_heads: np.stack([X] * n_heads)],
        say="Each head should see some of the columns, d_model / n_heads of them.",
        see=CUT,
    ),
    Mistake(
        "sizes-exchanged",
        name="n_heads columns a head, in place of n_heads heads",
        ways=[
            lambda X, n_heads: X.reshape(len(X), -1, n_heads).swapaxes(0, 1),
            lambda X, n_heads: X.reshape(-1, len(X), n_heads),
            lambda X, n_heads: X.reshape(len(X), -1, n_heads),
        ],
        say="n_heads counts the heads, and that is the first axis. How wide each of them is follows from it.",
        see=CUT,
    ),
    Mistake(
        "tokens-dealt-out",
        name="the words are dealt out, not the columns",
        ways=[lambda X, n_heads: np.stack(np.split(X, n_heads))],
        say="Each head got some of the rows. Every head should see all words, and some columns of each.",
        see=CUT,
    ),
    Mistake(
        "reversed",
        name="the heads stand in reverse order",
        ways=[lambda X, n_heads: split(X, n_heads)[::-1]],
        say="The first head has the first columns.",
        see=CUT,
    ),
    Mistake(
        "reversed-axes",
        name=".T reverses every axis",
        ways=[lambda X, n_heads: X.reshape(len(X), n_heads, -1).T],
        say="On three axes .T turns their order round: first becomes last. Exchange only words and heads.",
        see="lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "always-two-heads",
        name="n_heads has no effect",
        ways=[lambda X, n_heads: split(X, 2)],
        say="You always make two heads. It should be as many as n_heads says.",
        see=CUT,
    ),
]


@exercise(
    inputs={
        "smallest": lambda draw: (draw(2, 4), 2),
        "three heads": lambda draw: (draw(3, 6), 3),
        "heads one feature wide": lambda draw: (draw(4, 4), 4),
        "one head": lambda draw: (draw(3, 4), 1),
        "one token": lambda draw: (draw(1, 4), 2),
        "more tokens than features in a head": lambda draw: (draw(5, 6), 2),
    },
    mistakes=SPLIT_MISTAKES,
    result="heads",
    see=CUT,
)
def split_heads(X, n_heads):
    """Check `f(X, n_heads)`, X (L, d_model) → (n_heads, L, d_head). Returns Feedback."""
    return split(X, n_heads)


def side_by_side(heads):
    return heads.swapaxes(0, 1).reshape(heads.shape[1], -1)


def merged_by_reshape(heads):
    return heads.reshape(heads.shape[1], -1)


def by_root_of_d_model(X, n_heads):
    return X.shape[-1] ** -0.5


def with_parts(split=split, scale=None, merge=side_by_side, project=lambda X, W: X @ W):
    """Multi-head attention with some parts replaced."""

    def multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
        Q, K, V = (split(X @ W, n_heads) for W in (W_Q, W_K, W_V))
        factor = None if scale is None else scale(X, n_heads)
        return project(merge(maths.scaled_dot_product_attention(Q, K, V, scale=factor)[0]), W_O)

    return multi_head


def keys_reversed(X, W_Q, W_K, W_V, W_O, n_heads):
    Q, K, V = (split(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    return side_by_side(maths.softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V) @ W_O


def of_weights(share):
    """Multi-head attention that makes its weights of scaled scores in another way."""

    def multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
        Q, K, V = (split(X @ W, n_heads) for W in (W_Q, W_K, W_V))
        return side_by_side(share(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])) @ V) @ W_O

    return multi_head


MULTI_HEAD_MISTAKES = [
    Mistake(
        "reshape-without-transpose",
        name="reshaped without a transpose",
        ways=[
            with_parts(split=cut_up),
            with_parts(merge=merged_by_reshape),
            with_parts(split=cut_up, merge=merged_by_reshape),
            with_parts(scale=by_root_of_d_model, merge=merged_by_reshape),
        ],
        say="Splitting or joining the heads mixes up words: reshape alone does not move axes.",
        see=BACK,
    ),
    Mistake(
        "scaled-by-d-model",
        name="scaled by √d_model",
        ways=[with_parts(scale=by_root_of_d_model)],
        say="A score of one head adds up d_model / n_heads products, not d_model.",
        see=SCALE,
    ),
    Mistake(
        "not-scaled",
        name="the scores are not scaled",
        ways=[with_parts(scale=lambda X, n_heads: 1.0)],
        say="Divide by √d_head.",
        see=SCALE,
    ),
    Mistake(
        "one-head",
        name="n_heads has no effect",
        ways=[lambda X, W_Q, W_K, W_V, W_O, n_heads: maths.self_attention(X, W_Q, W_K, W_V)[0] @ W_O],
        say="This is one wide head. Split the columns among the heads before attending.",
        see=PRODUCT,
    ),
    Mistake(
        "no-output-projection",
        name="W_O is missing",
        ways=[with_parts(project=lambda X, W: X)],
        say="The joined heads pass through one more matrix, W_O.",
        see=JOINED,
    ),
    Mistake(
        "heads-added",
        name="the heads were added up, or averaged",
        ways=[
            with_parts(merge=lambda heads: np.tile(heads.sum(axis=0), (1, len(heads)))),
            with_parts(merge=lambda heads: np.tile(heads.mean(axis=0), (1, len(heads)))),
        ],
        say="Heads stand side by side (concatenated), each keeps its columns.",
        see=JOINED,
    ),
    Mistake(
        "output-projection-transposed",
        name="W_O was transposed",
        ways=[with_parts(project=lambda X, W: X @ W.T)],
        say="A row of the joined heads is a word, so W_O multiplies from the right, as it is.",
        see=JOINED,
    ),
    Mistake(
        "divided-by-d-k",
        name="divided by d_k, without the root",
        ways=[with_parts(scale=lambda X, n_heads: n_heads / X.shape[-1])],
        say="The width of a head is right; its root is what the scores are divided by.",
        see=SCALE,
    ),
    Mistake(
        "strided-split",
        name="every n-th column in place of a block",
        ways=[
            with_parts(split=strided),
            with_parts(
                split=strided, merge=lambda heads: heads.transpose(1, 2, 0).reshape(heads.shape[1], -1)
            ),
        ],
        say="Your heads take turns, column by column. Head 0 has the first columns of W_Q, W_K and W_V, all in a row.",
        see=CUT,
    ),
    Mistake(
        "joined-by-other-axes",
        name="the wrong axes were exchanged before joining",
        ways=[
            with_parts(scale=scale, merge=merge)
            for scale in (None, by_root_of_d_model)
            for merge in (
                lambda heads: heads.swapaxes(-1, -2).reshape(heads.shape[1], -1),
                lambda heads: heads.transpose(1, 2, 0).reshape(heads.shape[1], -1),
                lambda heads: heads.transpose(2, 0, 1).reshape(heads.shape[1], -1),
            )
        ],
        say="Before you join, the words must be the first axis and the heads the second. Then the columns of all heads stand in one row.",
        see=BACK,
    ),
    Mistake(
        "divided-by-another-root",
        name="divided by another number, or its root",
        ways=[
            with_parts(scale=lambda X, n_heads: len(X) ** -0.5),
            with_parts(scale=lambda X, n_heads: n_heads**-0.5),
            with_parts(scale=lambda X, n_heads: 1 / n_heads),
            with_parts(scale=lambda X, n_heads: n_heads / np.sqrt(X.shape[-1])),
        ],
        say="The scores are not divided by the root of a head's width, d_model / n_heads. Which axis of Q is that, now that the heads stand in front?",
        see=SCALE,
    ),
    Mistake(
        "reversed-axes",
        name=".T reverses every axis",
        ways=[keys_reversed],
        say="K has three axes now, and .T turns all of them round. Only the last two should change places.",
        see="lesson 01, Batches: which axes to swap",
    ),
    Mistake(
        "shared-over-heads",
        name="softmax runs over the heads",
        ways=[of_weights(lambda scores: maths.softmax(scores, axis=0))],
        say="The first axis counts heads now, and each head shares out by itself. Keys are the *last* axis, counted from the end.",
        see=JOINED,
    ),
    Mistake(
        "wrong-axis",
        name="normalised over the queries",
        ways=[of_weights(lambda scores: maths.softmax(scores, axis=-2))],
        say="In each head it is the *columns* of your weights that sum to 1. A row belongs to one query, and its shares sum to 1.",
        see="lesson 04, Which way do the shares run?",
    ),
    Mistake(
        "no-softmax",
        name="softmax is missing",
        ways=[of_weights(lambda scores: scores)],
        say="The values are mixed in scaled scores, not in shares.",
        see=JOINED,
    ),
    Mistake(
        "softmax-twice",
        name="softmax is taken twice",
        ways=[of_weights(lambda scores: maths.softmax(maths.softmax(scores)))],
        say="What comes out of softmax are shares. Taken for scores, they lie so close together that a second softmax makes them nearly even.",
        see="lesson 04, From scores to shares",
    ),
    Mistake(
        "transposed-weights",
        name="the weights were transposed",
        ways=[of_weights(lambda scores: maths.softmax(scores).swapaxes(-1, -2))],
        say="In each head, row i of the weights says in which shares word i mixes the values. Yours are mixed by columns.",
        see=JOINED,
    ),
    Mistake(
        "weights-shared-by-heads",
        name="all heads use the same weights",
        ways=[
            of_weights(
                lambda s, of=of, root=root: np.broadcast_to(of(maths.softmax(s / len(s) ** root)), s.shape)
            )
            for root in (0, 0.5)  # the right divisor, or the root of d_model
            for of in (lambda w: w.mean(axis=0), lambda w: w.sum(axis=0), lambda w: w[0], lambda w: w[-1])
        ],
        say="The weights of the heads were averaged, added up, or taken from one of them. Each head mixes its own columns of V in its *own* weights.",
        see=JOINED,
    ),
    Mistake(
        "causal-unasked",
        name="a causal mask that nobody asked for",
        ways=[
            of_weights(
                lambda scores: maths.softmax(np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf))
            )
        ],
        say="This function takes no mask: every token may look at every token.",
        see=JOINED,
    ),
    Mistake(
        "projections-mixed-up",
        name="two of Q, K and V come from one projection",
        ways=[
            lambda X, *rest, order=order: with_parts()(X, *(rest[i] for i in order), *rest[3:])
            for order in product(range(3), repeat=3)
            if order != (0, 1, 2)
        ],
        say="Queries come from W_Q, keys from W_K, values from W_V. Two of yours have changed places, or share one.",
        see=HAND,
    ),
]


def where_it_parts(ask, given, wanted, got):
    """What still goes right when the weights are known beforehand: for one word, where all scores are 0, in one head."""
    X, W_Q, *W, n_heads = given

    def goes_right(X, W_Q, n_heads):
        """On X and, where no score is so large that it decides alone, on a smaller one; None if it fails there."""
        results = [(ask(x, W_Q, *W, n_heads), (with_parts()(x, W_Q, *W, n_heads),)) for x in (X, X / 4)]
        return all(same(*pair) for pair in results) if all(mine for mine, _ in results) else None

    one_word, no_scores = goes_right(X[:1], W_Q, n_heads), goes_right(X, 0 * W_Q, n_heads)
    if one_word is None or no_scores is None:
        return ""
    if not one_word:
        text = "Even for a single word it is wrong. Its one weight is 1, whatever the score: out comes its V, joined, times W_O. Begin there."
    elif not no_scores:
        text = "For a single word it is right. Where all scores are 0 (W_Q full of zeros) each word gets the mean of the values, and yours does not: look at how you share out, and at weights @ V."
    else:
        text = "For a single word it is right, and where all scores are 0 (W_Q full of zeros). So what comes after the weights is right where all weights are alike. Look at how scores are made and shared out, each head by itself, and at which weights meet which V, on which axis."
    if n_heads > 1 and goes_right(X, W_Q, 1):
        text += " With one head it is right."
    return text


def embeddings(length, d_model, n_heads):
    """An input: X, four projections, and the number of heads."""
    return lambda draw: (
        draw(length, d_model),
        *(draw(d_model, d_model) / 2 for _ in range(4)),
        n_heads,
    )


@exercise(
    own=where_it_parts,
    inputs={
        "smallest": embeddings(2, 4, 2),
        "three heads": embeddings(3, 6, 3),
        "more tokens than features in a head": embeddings(5, 6, 2),
        "one head": embeddings(3, 4, 1),
        "heads one feature wide": embeddings(4, 4, 4),
    },
    mistakes=MULTI_HEAD_MISTAKES,
    result="output",
    see=PRODUCT,
)
def multi_head(X, W_Q, W_K, W_V, W_O, n_heads):
    """Check `f(X, W_Q, W_K, W_V, W_O, n_heads)` → (L, d_model). Returns Feedback."""
    return with_parts()(X, W_Q, W_K, W_V, W_O, n_heads)
