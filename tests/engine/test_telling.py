"""What is said of wrong numbers without a name, and of exceptions: something that is true of this very answer."""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
from answers import attention


def shares(x):
    return attn.softmax(x)


def heads(X, W_Q, W_K, W_V, W_O, n_heads, scale=1.0, power=1.0, turn=1):
    """Multi-head attention whose scores are scaled, whose shares are bent, or whose heads stand in reverse order."""
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = attn.softmax(scale * Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])) ** power
    return attn.merge_heads((weights @ V)[::turn]) @ W_O


def scores(Q, K):
    return Q @ K.swapaxes(-1, -2)


UNNAMED = [
    ("scores", lambda Q, K: 1.5 * scores(Q, K) * (1 + 0 * Q[..., :1]), "Every number is 1.5 times as large"),
    ("scores", lambda Q, K: scores(Q, K) + 2, "Every number is 2 too large."),
    ("scores", lambda Q, K: np.abs(scores(Q, K)), "Every number has lost its sign"),
    ("scores", lambda Q, K: np.maximum(scores(Q, K), 0), "Negative numbers have become 0"),
    ("scores", lambda Q, K: scores(Q, K)[..., ::-1], "each row runs backwards"),
    ("scores", lambda Q, K: scores(Q, K) + np.arange(K.shape[-2]), "Right in column 0, wrong in column 1"),
    ("scores", lambda Q, K: scores(Q, Q[..., :1, :]) + 0 * scores(Q, K), "the same whatever K is"),
    (
        "scores",
        lambda Q, K: scores(Q, K)[None],
        "Yours has an axis of length 1 too many. Its numbers are right.",
    ),
    (
        "softmax",
        lambda x: shares(x) * 0.9,
        "Row 0 sums to 0.9, and should to 1; within the row the proportions",
    ),
    ("softmax", lambda x: shares(x * 2), "too far apart: as if all scores had been multiplied by 2."),
    ("softmax", lambda x: (shares(x) + 1 / x.shape[-1]) / 2, "The rows sum to 1"),
    ("softmax", lambda x: np.where(shares(x) < 1e-3, 0, shares(x)), "sums to"),
    ("softmax_backward", lambda w, d: attn.softmax_backward(w**2, d), "Row 0, column 0 is"),
    ("split_heads", lambda X, n: attn.split_heads(X.T.reshape(X.shape), n), "stand in other cells"),
    ("previous_token_share", lambda w: np.diag(w, -1).mean() / 2, "Every number is 0.5 times as large"),
    ("previous_token_share", lambda w: w.mean(), "row 0, column 0, and should not: the first token has none"),
    (
        "previous_token_share",
        lambda w: w[1:].mean(),
        "row 1, column 1, and should not: the one before token 1",
    ),
    (
        "previous_token_share",
        lambda w: w[-1].max(),
        "stays as it is when the weight in row 1, column 0 grows",
    ),
    (
        "previous_token_share",
        lambda w: np.average(np.diag(w, -1), weights=range(1, len(w))),
        "counts 0.667 times",
    ),
    (
        "score_divisor",
        lambda d, q, k: np.sqrt(d + 1) * q * k,
        "d_k does not count as it should: from 4 to 16",
    ),
    (
        "score_divisor",
        lambda d, q, k: np.sqrt(d) * q**1.5 * k,
        "q_size does not count as it should: from 3 to 6",
    ),
    (
        "score_divisor",
        lambda d, q, k: np.cbrt(d) * q * k,
        "With q_size and k_size yours doubles where it should",
    ),
    (
        "score_divisor",
        lambda d, q, k: np.log(d) * q * k,
        "Yours is 4.15888, and should be 6.",
    ),  # log 16 is 2 log 4
    (
        "most_attended",
        lambda w, t: [t[np.argsort(r)[len(r) // 2]] for r in w],
        "c, whose weight there is 0.2. b has 0.7.",
    ),
    ("most_attended", lambda w, t: [t[r.round().argmax()] for r in w], "c has 0.5. Right in row 0, 2."),
    ("most_attended", lambda w, t: ["x" for _ in w], "In row 0 yours is x, which is none of the tokens."),
    (
        "most_attended",
        lambda w, t: t[: len(w) - 1],
        "There should be 3 tokens, one for each row. You have 2.",
    ),
    (
        "multi_head",
        lambda X, *W: heads(X, *W, scale=1.3),
        "where all scores are 0 (W_Q full of zeros). So what comes after",
    ),
    ("multi_head", lambda X, *W: heads(X, *W, power=0.5), "gets the mean of the values, and yours does not"),
    ("multi_head", lambda X, *W: heads(X, *W, turn=-1), "Even for a single word it is wrong."),
    ("multi_head", lambda X, *W: heads(X, *W, turn=-1), "Begin there. With one head it is right."),
    ("multi_head", lambda X, *W: check.EXERCISES["multi_head"].right(X, *W) + X, "with X added to it"),
    (
        "causal_mask",
        lambda L: np.tri(L, dtype=bool) & (np.arange(L) < 4),
        "Row 4 sees keys 0, 1, 2, 3, and should see keys 0, 1, 2, 3, 4. All others are right.",
    ),
    ("attention", lambda Q, K, V, m=None: attention()(Q / 2, K, V, m), "the weights go wrong first"),
    (
        "attention",
        lambda Q, K, V, m=None: attention()(Q, K, V + 1, m),
        "Right: weights. Not right: output, which is not these weights",
    ),
    (
        "attention",
        lambda Q, K, V, m=None: attention()(Q, K[..., ::-1] if m is not None else K, V, m),
        "inputs tried it is wrong only on some with a mask.",
    ),
    (
        "scaled_scores",
        lambda Q, K: scores(Q, K) / np.sqrt(K.shape[-1] + (np.sqrt(K.shape[-1]) % 1 > 0) / 7),
        "a square number of columns",
    ),
    (
        "causal_mask",
        lambda L: np.tri(L, dtype=bool) & (np.arange(L) % 4 < 3),
        "It is right for L = 1, 2, 3, and wrong for L = 5, 12.",
    ),
    (
        "scores",
        lambda Q, K: 1.3 * scores(Q[..., 1:], K[..., 1:]),
        "Column 0 of Q has no effect on your result",
    ),
    (
        "weighted_mean",
        lambda w, v: w[::2] @ v[::2],
        "The last position of weights, position 1, has no effect",
    ),
    (
        "scores",
        lambda Q, K: scores(Q - Q.mean(axis=-2, keepdims=True), K),
        "Row 1 of your result changes with row 0 of Q, and should not.",
    ),
    (
        "scaled_scores",
        lambda Q, K: scores(Q, K) * abs(scores(Q, K)),
        "With Q doubled the right result is doubled; yours becomes 4 times as large.",
    ),
    ("softmax", lambda x: shares(x * abs(x)), "With 1 added to all of x the right result stays as it is"),
]


@np.errstate(all="ignore")
def nan_where(happens, x):
    return np.where(happens, np.nan, shares(x))


@pytest.mark.parametrize(
    "name", [name for name, e in check.EXERCISES.items() if e.wanted[0].values[0].dtype.kind == "f"]
)
def test_of_any_wrong_numbers_something_is_told(name):
    """Wrong in a way that no list of mistakes holds, on every input."""
    exercise = check.EXERCISES[name]

    def bent(*arguments):
        results = exercise.right(*arguments)
        several = isinstance(results, tuple)
        bent = [
            result + 0.01 * np.sin(7 * np.asarray(result) + 1)
            for result in (results if several else [results])
        ]
        return tuple(bent) if several else bent[0]

    feedback = getattr(check, name)(bent)
    assert feedback.status == "incorrect" and feedback.mistake in (None, "nan"), str(feedback)


def over_roots(x):
    return np.sqrt(x) / np.sqrt(x).sum(-1, keepdims=True)


NANS = [
    (lambda x: nan_where((x < 0).any(), x), "just where an input holds a number below 0. Its root"),
    (lambda x: nan_where(np.isneginf(x).any(), x), "just where an input holds a −inf."),
    (lambda x: nan_where((x == 0).any(), x), "just where an input holds a 0. 0/0 is NaN"),
    (over_roots, "on 12 of 15 inputs. It begins in your line return np.sqrt(x) / np.sqrt(x).sum"),
    (lambda x: nan_where(True, x), "on every input. NumPy meets it in no step"),
]


@pytest.mark.parametrize(("answer", "says"), NANS)
def test_of_a_nan_it_is_said_which_inputs_make_it(answer, says):
    feedback = check.softmax(answer)
    assert feedback.mistake == "nan" and says in " ".join(feedback.message.split()), str(feedback)
    assert "the same whatever" not in feedback.message


def test_a_nan_of_a_query_that_sees_nothing():
    def spoils(Q, K, V, mask=None):
        output, weights = attention()(Q, K, V, mask)
        empty = ~weights.any(axis=-1, keepdims=True)
        return np.where(empty & (np.arange(V.shape[-1]) == 0), np.nan, output), weights

    message = " ".join(check.attention(spoils).message.split())
    assert "just where an input holds a query that may look at nothing" in message, message


def test_asking_on_other_inputs_tells_nothing_where_the_function_fails_there():
    def only_what_it_knows(X, W_Q, *rest):
        assert X.shape[0] > 1
        return heads(X, W_Q, *rest, scale=1.3)

    assert "Row 0, column 0 is" in check.multi_head(only_what_it_knows).message


@pytest.mark.parametrize("odd", ["six", 6j, [6.0, 6.0], None])
def test_asking_on_other_inputs_tells_nothing_where_something_else_comes_back(odd):
    """No input of the checker has these sizes, or a weight of 0.45: it comes to them by asking."""
    divisor = check.score_divisor(
        lambda d, q, k: odd if (d, q, k) == (4, 3.0, 2.0) else np.log(d + 1) * q * k
    )
    share = check.previous_token_share(lambda weights: odd if 0.45 in weights else weights.mean())
    assert "Yours is 4.82831, and should be 6." in divisor.message
    assert "Yours is 0.333333, and should be 0.65." in share.message


@pytest.mark.parametrize("made", [lambda want, Q: Q, lambda want, Q: want + Q])
def test_an_input_that_comes_back_on_some_inputs_only_is_no_relation(made):
    """It must be so wherever the answer is wrong, not on the input shown alone."""
    sometimes = lambda Q, K: made(scores(Q, K), Q) if Q.shape == (2, 2) else scores(Q, K) ** 2 + 1  # noqa: E731
    assert "Q as it came in" in check.scores(lambda Q, K: Q).message
    for says in ("as it came in", "added to it"):
        assert says not in check.scores(sometimes).message


@pytest.mark.parametrize(("name", "answer", "says"), UNNAMED)
def test_what_is_true_of_wrong_numbers_is_said(name, answer, says):
    feedback = getattr(check, name)(answer)
    assert feedback.status == "incorrect" and says in " ".join(feedback.message.split()), str(feedback)


def appends(weights, tokens):
    found = []
    for row in weights:
        found = found.append(tokens[row.argmax()])
    return found


def total_without_a_start(weights):
    for i in range(1, len(weights)):
        total += weights[i, i - 1]  # noqa: F821, F841
    return total


def refuses(L, w):
    assert w <= L
    return np.tri(L, dtype=bool) & ~np.tri(L, k=-w, dtype=bool)


RAISING = [
    (
        "softmax",
        lambda x: np.exp(x) / np.exp(x).sum(-1, True),
        "unnamed-argument",
        "Give keepdims by its name",
    ),
    ("scores", lambda Q, K: Q @ K.swapaxes, "no-matrix", "a method without its round brackets"),
    ("scores", lambda Q, K: Q @ K.T(), "brackets", ".T and .shape take none"),
    ("scores", lambda Q, K: Q @ K.swapaxes(...), "leftover-dots", "There is a ... in that line"),
    ("scores", lambda Q, K: Q + ..., "leftover-dots", "There is a ... in that line"),
    ("most_attended", appends, "append-gives-none", "append lengthens the list itself"),
    (
        "previous_token_share",
        total_without_a_start,
        "unbound-name",
        "In its first round total has no value yet",
    ),
    ("split_heads", lambda X, n: X.reshape(-1, n, -1), "two-unknown-sizes", "write one of them out"),
    ("next_output", lambda q, k, v, K, V: np.concatenate([K, k]), "joined-unlike", "a single row has one"),
    (
        "next_output",
        lambda q, k, v, K, V: attn.scaled_dot_product_attention(q, K, V),
        "refused-by-the-course",
        "query[None, :]",
    ),
    ("window_mask", refuses, "own-refusal", "your own line that refuses this input"),
    (
        "window_mask",
        lambda L, w: np.tri(L, dtype=bool) - np.tri(L, dtype=bool),
        "minus-of-booleans",
        "no minus",
    ),
    ("online_softmax", lambda chunks: max(chunks), "truth-of-an-array", "compare whole arrays"),
    (
        "split_heads",
        lambda X, n: X.reshape(len(X), n, X.shape[1] / n),
        "whole-number-wanted",
        "// a whole one",
    ),
    ("causal_mask", lambda L: bool(np.tril(np.ones((L, L)))), "truth-of-an-array", "L = 3"),
]


def test_a_list_in_place_of_an_array_passes_and_is_told():
    feedback = check.causal_mask(lambda L: np.tri(L, dtype=bool).tolist())
    assert feedback.status == "passed" and "np.array(...) makes one" in " ".join(feedback.message.split())


@pytest.mark.parametrize(("name", "answer", "mistake", "says"), RAISING)
def test_an_exception_is_explained_by_what_the_line_holds(name, answer, mistake, says):
    feedback = getattr(check, name)(answer)
    assert (feedback.status, feedback.mistake) == ("error", mistake), str(feedback)
    assert says in " ".join(feedback.message.split()), str(feedback)


@pytest.mark.parametrize(
    ("name", "answer", "says"),
    [
        ("most_attended", lambda w, t: {t[0]}, "Expected text in a list, got an object of type set"),
        ("score_divisor", lambda d, q, k: "6", "Expected one number, got an object of type str."),
        ("causal_mask", lambda L: [["True"] * L] * L, "Expected True and False"),
        (
            "honest_heatmap",
            lambda w, m: (np.where(m, w, None), 0, 1),
            "Expected numbers; cells is an array that holds None.",
        ),
        ("scores", lambda Q, K: [[1.0, 2.0], [3.0, None]], "got an object of type list that holds None."),
        ("softmax", lambda x: [..., 1], "got an object of type list that holds ..."),
    ],
)
def test_what_came_in_place_of_numbers_is_named(name, answer, says):
    message = " ".join(getattr(check, name)(answer).message.split())
    assert says in message, message


ODD = {
    "complex": lambda a: a + 1j,
    "boolean": lambda a: a > 0,
    "infinite": lambda a: np.full(a.shape, -np.inf),
    "nothing": lambda a: np.zeros(a.shape),
    "text": lambda a: np.full(a.shape, "x"),
    "half precision": lambda a: (a + 1).astype(np.float16),
    "an axis in front": lambda a: a[None],
    "one row": lambda a: a[:1] if a.ndim else a,
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", ["softmax", "attention", "causal_mask", "score_divisor", "next_output"])
def test_whatever_comes_back_is_told(name, odd):
    """No dtype and no shape is too odd to be told about."""
    right = check.EXERCISES[name].right

    def answer(*given):
        results = right(*given)
        made = [ODD[odd](np.asarray(a)) for a in (results if isinstance(results, tuple) else (results,))]
        return tuple(made) if len(made) > 1 else made[0]

    assert getattr(check, name)(answer).status in ("incorrect", "passed")
