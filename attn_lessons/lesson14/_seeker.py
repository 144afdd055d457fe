"""One head whose words seek something or nothing: trained with a begin word, without one, or with a sink.

A text has eight words. "tea=hot" tells something and asks for nothing, so the head should return zeros there.
"tea?" asks for what was told, and the head should return it. A text may begin with a word of its own,
"begin".
"""

import numpy as np

from attn_parts.attention_today import grouped_attention
from attn_parts.gpt import gradient_at_rows
from attn_parts.learning import Adam, softmax_backward
from attn_parts.mathematics import causal_mask

KINDS = ["tea", "dog", "cup", "road"]
TOLD = ["hot", "old", "red", "wet"]
TELLING = [f"{kind}={told}" for kind in KINDS for told in TOLD]
TOKENS = ["begin", *TELLING, *[f"{kind}?" for kind in KINDS]]
FIRST_ASKED = 1 + len(TELLING)
LENGTH = WIDTH = 8
STEPS, BATCH, RATE = 600, 32, 0.03
SHOWN = ["tea=hot", "dog=old", "tea?", "cup=red", "dog?", "road=wet", "cup?", "tea?"]


def make_texts(count, begin, seed):
    """Word numbers (count, 8), and what the head should return, (count, 8, 4): 1 for an answer, else 0."""
    rng = np.random.default_rng(seed)
    words = np.zeros((count, LENGTH), int)
    wanted = np.zeros((count, LENGTH, len(TOLD)))
    for row, want in zip(words, wanted, strict=True):
        told = {}
        for i in range(1 if begin else 0, LENGTH):
            new = [kind for kind in range(len(KINDS)) if kind not in told]
            if told and (not new or rng.random() < 0.5):
                kind = rng.choice(list(told))
                row[i] = FIRST_ASKED + kind
                want[i, told[kind]] = 1
            else:
                kind = rng.choice(new)
                told[kind] = rng.integers(len(TOLD))
                row[i] = 1 + len(TOLD) * kind + told[kind]
    return words, wanted


def run_seeker(head, words):
    """Queries, keys, values, output and weights of the head on word numbers (..., L): (..., 1, L, width)."""
    in_head = words[..., None, :]
    Q, K, V = (head[name][in_head] for name in "QKV")
    mask = causal_mask(words.shape[-1])
    sinks = head.get("sink", -np.inf)
    output, weights = grouped_attention(Q, K, V, mask, sinks=sinks)
    return Q, K, V, output, weights


def seeker_gradients(head, words, wanted):
    """The mean squared error, and its gradient at every parameter."""
    Q, K, V, output, weights = run_seeker(head, words)
    error = output - wanted[:, None]
    loss = float((error**2).mean())
    d_output = 2 * error / output.size
    d_weights = d_output @ V.mT
    lost = 1 - weights.sum(axis=-1, keepdims=True)  # the sink's weight, whose value is 0
    whole = np.concatenate([weights, lost], axis=-1)
    d_whole = np.concatenate([d_weights, 0 * lost], axis=-1)
    d_scores = softmax_backward(whole, d_whole)
    d_scaled = d_scores[..., :-1] / WIDTH**0.5
    parts = {
        "Q": d_scaled @ K,
        "K": d_scaled.mT @ Q,
        "V": weights.mT @ d_output,
    }
    gradients = {}
    for name, part in parts.items():
        gradients[name] = gradient_at_rows(words, part, len(TOKENS))
    if "sink" in head:
        gradients["sink"] = np.array([d_scores[..., -1].sum()])
    return loss, gradients


def train_seeker(begin=True, sink=False):
    """Train the head for 600 steps, about a second; returns rows Q, K, V for each word, and perhaps a sink.

    Parameters
    ----------
    begin : bool
        Whether texts begin with the word "begin", which tells and asks nothing.
    sink : bool
        Whether the head may learn the logit of a sink, which starts at 0.

    Returns
    -------
    dict of ndarrays
        Q, K (21, 8), V (21, 4), and sink (1,) where there is one.
    """
    rng = np.random.default_rng(0)
    widths = {"Q": WIDTH, "K": WIDTH, "V": len(TOLD)}
    head = {}
    for name, width in widths.items():
        head[name] = 0.5 * rng.standard_normal((len(TOKENS), width))
    if sink:
        head["sink"] = np.zeros(1)
    words, wanted = make_texts(64 * BATCH, begin, [0, 1])
    adam = Adam(head, RATE)
    for step in range(STEPS):
        first = step % 64 * BATCH
        some = slice(first, first + BATCH)
        _, gradients = seeker_gradients(head, words[some], wanted[some])
        adam.step(gradients)
    return head


def seek(head, begin=True):
    """Read one text with the head: its tokens, Q (L, 8), K (L, 8) and V (L, 4)."""
    tokens = ["begin", *SHOWN[:-1]] if begin else SHOWN
    words = np.array([TOKENS.index(token) for token in tokens])
    Q, K, V, _, _ = run_seeker(head, words)
    return tokens, Q[0], K[0], V[0]
