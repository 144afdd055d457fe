"""Lesson 10: loss and gradients of a head over a whole batch of sentences, made of steps."""

import numpy as np

from attn_checks.exercise import Step, Steps, exercise, in_orders
from attn_parts import mathematics as maths
from attn_parts.learning import attention_backward


def turned(array):
    return array.swapaxes(-1, -2)


def forward(asking, X, W_Q, W_K, W_V):
    Q, K, V = asking @ W_Q, X @ W_K, X @ W_V
    return Q, K, V, *maths.scaled_dot_product_attention(Q, K, V)


def of_right(p, right):
    """The probability of each sentence's right answer."""
    return (p * right).sum(axis=-1)


def mean(logs):
    return -np.mean(logs)


def back(d_logits, W_O, *forward_pass):
    return attention_backward(*forward_pass, d_logits @ W_O.T)


def scaled_again(d_Q, d_K, d_V, Q):
    root = np.sqrt(Q.shape[-1])
    return d_Q / root, d_K / root, d_V


def at_matrices(add=lambda products: products.sum(axis=0)):
    """The gradient at each matrix: what was multiplied with it, turned, times what arrived, over all
    sentences.
    """

    def at(asking, X, output, d_Q, d_K, d_V, d_logits):
        pairs = (asking, d_Q), (X, d_K), (X, d_V), (output, d_logits)
        return tuple(add(turned(left) @ d) for left, d in pairs)

    return at


# X: (n, L, d_model), asking: (n, 1, d_model), Q: (n, 1, d_k), K: (n, L, d_k), V: (n, L, d_v)
ASKING = {
    "all-words-ask": lambda X: X,
    "first-word-asks": lambda X: X[:, :1],
}
# p: probabilities of all answers (n, 1, answers), right: the right ones as one-hot rows
LOGS = {
    "loss-over-answers": lambda p, right: right * np.log(p),
    "all-answers-count": [
        lambda p, right: np.log(p),
        lambda p, right: np.log(p).sum(axis=-1),
    ],
}
# logs: logarithms of the probabilities of what was right; the same mistakes are made in lesson 13
LOSS = {
    "loss-negative": np.mean,
    "loss-summed": lambda logs: -np.sum(logs),
    "logarithm-of-the-mean": lambda logs: -np.log(np.exp(logs).mean()),
    "no-logarithm": [
        lambda logs: 1 - np.exp(logs).mean(),
        lambda logs: np.exp(logs).mean(),
        lambda logs: -np.exp(logs).mean(),
    ],
    "another-base": [
        lambda logs: -np.mean(logs) / np.log(2),
        lambda logs: -np.mean(logs) / np.log(10),
    ],
}
PER_SENTENCE = {"loss-per-sentence": [np.negative, lambda logs: -logs[..., 0]]}
D_LOGITS = {
    "not-averaged": lambda p, right: p - right,
    "averaged-over-answers": lambda p, right: (p - right) / p.size,
    "right-minus-p": lambda p, right: (right - p) / len(p),
    "right-not-subtracted": lambda p, right: p / len(p),
    "gradient-at-p": lambda p, right: -right / p / len(p),
}
GRADIENTS = {
    "scaled-again": scaled_again,
    "queries-and-keys-exchanged": in_orders("QKV", "KQV"),
}
AT = {
    "sentences-averaged": at_matrices(lambda products: products.mean(axis=0)),
    "one-sentence": [
        at_matrices(lambda products: products[0]),
        at_matrices(lambda products: products[-1]),
    ],
    "sentences-not-added": at_matrices(lambda products: products),
}
RETURN = {
    "loss-last": lambda loss, *gradients: (*gradients, loss),
    "loss-missing": lambda loss, *gradients: gradients,
    "other-order": in_orders("LQKVO", "LOVKQ", "LOQKV"),
}
STEPS = Steps(
    "X right W_Q W_K W_V W_O",
    {
        "asking": Step("X", "asking", ASKING, lambda X: X[:, -1:]),
        "forward": Step("asking X W_Q W_K W_V", "Q K V output weights", (), forward),
        "softmax": Step("output W_O", "p", (), lambda output, W_O: maths.softmax(output @ W_O)),
        "logs": Step("p right", "logs", LOGS, lambda p, right: np.log(of_right(p, right))),
        "loss": Step("logs", "loss", [LOSS, PER_SENTENCE], mean),
        "logits": Step("p right", "d_logits", D_LOGITS, lambda p, right: (p - right) / len(p)),
        "back": Step("d_logits W_O Q K V weights", "d_Q d_K d_V", (), back),
        "gradients": Step("d_Q d_K d_V Q", "d_Q d_K d_V", GRADIENTS),
        "at": Step(
            "asking X output d_Q d_K d_V d_logits",
            "at_Q at_K at_V at_O",
            AT,
            at_matrices(),
        ),
        "return": Step("loss at_Q at_K at_V at_O", "result", RETURN, lambda *five: five),
    },
)
right_answer = STEPS.whole({})


def sentences(n, L, words, d_k, d_v, answers):
    """So many one-hot sentences with their right answers, and matrices of -1, 0 and 1."""

    def make(draw):
        X = np.eye(words)[draw(n, L).astype(int) % words]
        right = np.eye(answers)[draw(n, 1).astype(int) % answers]
        shapes = (words, d_k), (words, d_k), (words, d_v), (d_v, answers)
        return X, right, *(np.sign(draw(*shape)) for shape in shapes)

    return make


@exercise(
    steps=STEPS,
    result=("loss", "d_W_Q", "d_W_K", "d_W_V", "d_W_O"),
    inputs={
        "two sentences": sentences(2, 3, 4, 2, 2, 2),
        "all sizes differ": sentences(4, 3, 6, 2, 3, 5),
        "one sentence": sentences(1, 3, 4, 2, 2, 3),
        "many sentences": sentences(9, 4, 7, 3, 3, 4),
    },
)
def batch_gradients(X, right, W_Q, W_K, W_V, W_O):
    """Check `f(X, right, W_Q, W_K, W_V, W_O)` → loss, d_W_Q, d_W_K, d_W_V, d_W_O of a batch.

    Returns Feedback.
    """
    return right_answer(X, right, W_Q, W_K, W_V, W_O)
