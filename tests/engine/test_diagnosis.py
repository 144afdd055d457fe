"""What a checker says of wrong numbers without a name: something that is true of this very answer."""

import numpy as np
import pytest

import attn_checks as check
import attn_helpers as attn
from answers import attention


def heads(X, W_Q, W_K, W_V, W_O, n_heads, scale=1.0, power=1.0, turn=1):
    """Multi-head attention whose scores are scaled, whose weights are bent, or whose heads come in reverse order."""
    Q, K, V = (attn.split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = attn.softmax(scale * Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])) ** power
    return attn.merge_heads((weights @ V)[::turn]) @ W_O


def scores(Q, K):
    return Q @ K.swapaxes(-1, -2)


def softmax(x):
    return attn.softmax(x)


# fmt: off
UNNAMED = [
    # related to the right numbers
    ("scores", lambda Q, K: 1.5 * scores(Q, K), "Every number is 1.5 times as large"),
    ("scores", lambda Q, K: scores(Q, K) + 2, "Every number is 2 too large."),
    ("scores", lambda Q, K: np.abs(scores(Q, K)), "Every number has lost its sign"),
    ("scores", lambda Q, K: scores(Q, K)[..., ::-1], "each row runs backwards"),
    ("scores", lambda Q, K: Q, "Your function returns Q as it came."),
    ("split_heads", lambda X, n: attn.split_heads(X.T.reshape(X.shape), n), "right numbers are there, but in other cells"),
    ("multi_head", lambda X, *W: check.EXERCISES["multi_head"].right(X, *W) + X, "X is added to the right result"),
    ("previous_token_share", lambda w: np.diag(w, -1).mean() / 2, "Every number is 0.5 times as large"),
    # rows that should sum to 1
    ("softmax", lambda x: np.where(softmax(x) < 1e-3, 0, softmax(x)), "Row 1 sums to 0.998966, and should sum to 1."),
    ("softmax", lambda x: softmax(x * 2), "Your rows sum to 1, as they should"),
    ("attention", lambda Q, K, V, m=None: attention()(Q, K[..., ::-1] if m is not None else K, V, m), "is in row 0, column 2, and belongs elsewhere"),
    # which result goes wrong
    ("attention", lambda Q, K, V, m=None: attention()(Q / 2, K, V, m), "Your output is your weights times the values"),
    ("attention", lambda Q, K, V, m=None: attention()(Q, K, V + 1, m), "Right: weights. Not right: output."),
    # what the result depends on
    ("scores", lambda Q, K: scores(Q, Q[..., :1, :]) + 0 * scores(Q, K), "K has no effect on your result, and should."),
    ("scores", lambda Q, K: 1.3 * scores(Q[..., 1:], K[..., 1:]), "Column 0 of Q has no effect on your result, and should."),
    ("scores", lambda Q, K: scores(Q - Q.mean(axis=-2, keepdims=True), K), "Row 1 of your result changes with row 0 of Q, and shouldn't."),
    ("weighted_mean", lambda w, v: w[::2] @ v[::2], "Position 1 of weights has no effect"),
    # type and shape
    ("scores", lambda Q, K: scores(Q, K)[None], "Yours has 3 axes instead of 2. Its numbers are right."),
    ("softmax", lambda x: softmax(x).sum(), "Yours is a single number"),
    ("attention", lambda Q, K, V, m=None: (V, K), "The shape of weights should be (2, 2)."),
    ("next_output", lambda q, k, v, K, V: [check.EXERCISES["next_output"].right(q, k, v, K, V)[i] for i in (1, 0, 2)], "in the order K, output and V"),
    ("most_attended", lambda w, t: {t[0]}, "Expected text in a list, got an object of type set"),
    ("score_divisor", lambda d, q, k: "6", "Expected one number, got an object of type str."),
    ("honest_heatmap", lambda w, m: (np.where(m, w, None), 0, 1), "Expected numbers; cells is an array that holds None."),
    ("scores", lambda Q, K: [[1.0, 2.0], [3.0, None]], "got an object of type list that holds None."),
    ("softmax", lambda x: [..., 1], "got an object of type list that holds ..."),
    # NaN
    ("softmax", lambda x: np.sqrt(x) / np.sqrt(x).sum(-1, keepdims=True), "on 12 of 15 inputs. NumPy first warns in your line"),
    # an exercise's own words
    ("previous_token_share", lambda w: w.mean(), "row 0, column 0, and should not: the first token has none"),
    ("previous_token_share", lambda w: np.average(np.diag(w, -1), weights=range(1, len(w))), "counts 0.667 times"),
    ("score_divisor", lambda d, q, k: np.cbrt(d) * q * k, "With q_size and k_size yours doubles where it should"),
    ("most_attended", lambda w, t: ["x" for _ in w], "In row 0 yours is x, which is none of the tokens."),
    ("multi_head", lambda X, *W: heads(X, *W, scale=1.3), "where all scores are 0 (W_Q full of zeros). So what comes after"),
    ("multi_head", lambda X, *W: heads(X, *W, power=0.5), "gets the mean of the values, and yours does not"),
    ("multi_head", lambda X, *W: heads(X, *W, turn=-1), "Begin there. With one head it is right."),
    ("causal_mask", lambda L: np.tri(L, dtype=bool) & (np.arange(L) < 4), "Row 4 sees keys 0, 1, 2, 3, and should see keys 0, 1, 2, 3, 4."),
]
# fmt: on


@pytest.mark.parametrize(("name", "answer", "says"), UNNAMED)
def test_what_is_true_of_wrong_numbers_is_said(name, answer, says):
    feedback = getattr(check, name)(answer)
    assert feedback.status == "incorrect" and says in " ".join(feedback.message.split()), str(feedback)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("scores", lambda Q, K: scores(Q, K) + np.arange(K.shape[-2])),
        ("scaled_scores", lambda Q, K: scores(Q, K) * abs(scores(Q, K))),
        ("score_divisor", lambda d, q, k: np.log(d) * q * k),  # log 16 is 2 log 4
    ],
)
def test_where_nothing_specific_is_true_the_numbers_stand_alone(name, answer):
    feedback = getattr(check, name)(answer)
    assert feedback.tables and len(feedback.lines) == 2, str(feedback)  # the input, and where to look


@pytest.mark.parametrize("made", [lambda want, Q: Q, lambda want, Q: want + Q, lambda want, Q: 2 * want])
def test_what_holds_on_some_inputs_only_is_not_said(made):
    sometimes = lambda Q, K: made(scores(Q, K), Q) if Q.shape == (2, 2) else scores(Q, K) ** 2 + 1  # noqa: E731
    for says in ("as it came", "added", "times as large"):
        assert says not in check.scores(sometimes).message


@pytest.mark.parametrize(
    "name", [name for name, e in check.EXERCISES.items() if e.wanted[0].values[0].dtype.kind == "f"]
)
def test_an_answer_that_no_list_holds_gets_no_name(name):
    right = check.EXERCISES[name].right

    def bent(*arguments):
        results = right(*arguments)
        each = [np.asarray(a) for a in (results if isinstance(results, tuple) else (results,))]
        moved = tuple(a + 0.01 * np.sin(7 * a + 1) for a in each)
        return moved if isinstance(results, tuple) else moved[0]

    feedback = getattr(check, name)(bent)
    assert feedback.status == "incorrect" and feedback.mistake in (None, "nan"), str(feedback)


def test_asking_on_other_inputs_tells_nothing_where_the_function_fails_there():
    def only_what_it_knows(X, W_Q, *rest):
        assert X.shape[0] > 1
        return heads(X, W_Q, *rest, scale=1.3)

    assert "single word" not in check.multi_head(only_what_it_knows).message


ODD = {
    "complex": lambda a: a + 1j,
    "boolean": lambda a: a > 0,
    "infinite": lambda a: np.full(a.shape, -np.inf),
    "nothing": lambda a: np.zeros(a.shape),
    "text": lambda a: np.full(a.shape, "x"),
    "empty": lambda a: np.zeros((2, 3, 0)),
    "an axis in front": lambda a: a[None],
    "one row": lambda a: a[:1] if a.ndim else a,
    "none": lambda a: None,
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
