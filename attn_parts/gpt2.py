"""GPT-2 in NumPy: the weights of a published model, run with an attention function of your own.

It is the Transformer block with what GPT-2 adds: layer normalisation before each sub-layer, biases after
every matrix, a GELU in the MLP, and learned position embeddings. See Radford et al., "Language Models are
Unsupervised Multitask Learners", 2019, and https://huggingface.co/openai-community/gpt2; how its files are
fetched and read is in gpt2_files.py.
"""

import math

import numpy as np

from attn_parts.gpt import attend_in_heads
from attn_parts.gpt2_files import fetch_gpt2, read_gpt2
from attn_parts.mathematics import (
    causal_mask,
    merge_heads,
    scaled_dot_product_attention,
    softmax,
)
from attn_parts.validation import as_count

EPSILON = 1e-5  # as in GPT-2


class GPT2:
    """A model in GPT-2's format, read from a folder with config.json, tokenizer.json and model.safetensors.

    `config` holds its sizes (n_layer, n_head, n_embd, …), `parameters` its float32 weights by their published
    names, such as h.0.attn.c_attn.weight (n_embd, 3·n_embd); `tokenizer` is a tokenizers.Tokenizer.

    >>> gpt2 = GPT2("tests/mathematics/small_gpt2")  # a small one of the same format, its weights random
    >>> tokens, logits, weights = gpt2.run("The chai is hot")
    >>> tokens, logits.shape, weights.shape
    (['The', ' c', 'hai', ' is', ' hot'], (5, 300), (2, 4, 5, 5))
    """

    def __init__(self, folder):
        self.config, self.parameters, self.tokenizer = read_gpt2(folder)

    def run(self, text, attention=scaled_dot_product_attention):
        """What the model expects after each token of `text`, and the weights of all its heads.

        Parameters
        ----------
        text : str
        attention : callable
            attention(Q, K, V, mask) returns (output, weights), for arrays (n_head, L, d_k) and a boolean
            mask (L, L), True = may look.

        Returns
        -------
        tokens : list of str, L of them
            Pieces of words, most with their space in front.
        logits : ndarray of float32, shape (L, vocab_size)
            softmax of row i gives the probability of every token to follow token i.
        weights : ndarray, shape (n_layer, n_head, L, L)
        """
        if not isinstance(text, str):
            raise TypeError(f"text must be a text, got {text!r}; for example 'The chai'")
        ids = self.tokenizer.encode(text).ids
        longest = self.config["n_positions"]
        if not 1 <= len(ids) <= longest:
            raise ValueError(
                f"text has {len(ids)} tokens, this model takes 1 to {longest}; give it more words, or fewer"
            )
        positions = self.parameters["wpe.weight"][: len(ids)]
        X = self.parameters["wte.weight"][ids] + positions
        layers = []
        for layer in range(self.config["n_layer"]):
            X, weights = self._block(X, f"h.{layer}", attention)
            layers.append(weights)
        logits = self._normalise(X, "ln_f") @ self.parameters["wte.weight"].T  # the embeddings once more
        return [self._token(one) for one in ids], logits, np.stack(layers)

    def next_tokens(self, logits, count=5):
        """The likeliest next tokens and their probabilities, from one row of logits."""
        count = as_count("count", count, 1)
        probabilities = softmax(logits)
        if probabilities.ndim != 1:
            raise ValueError(
                f"logits has shape {np.shape(logits)}, expected one row of them, such as logits[-1]"
            )
        likeliest = np.argsort(-probabilities)[:count]
        return [(self._token(one), float(probabilities[one])) for one in likeliest]

    def _token(self, number):
        return self.tokenizer.decode([number], skip_special_tokens=False)

    def _block(self, X, name, attention):
        """One layer: attention, then the feed-forward layer, each normalised before and added after."""
        joined = self._linear(self._normalise(X, f"{name}.ln_1"), f"{name}.attn.c_attn")
        parts = np.split(joined, 3, axis=-1)
        mask = causal_mask(len(X))
        _, output, weights = attend_in_heads(attention, parts, self.config["n_head"], mask)
        X = X + self._linear(merge_heads(output.astype(np.float32)), f"{name}.attn.c_proj")
        hidden = _gelu(self._linear(self._normalise(X, f"{name}.ln_2"), f"{name}.mlp.c_fc"))
        return X + self._linear(hidden, f"{name}.mlp.c_proj"), weights

    def _linear(self, X, name):
        return X @ self.parameters[f"{name}.weight"] + self.parameters[f"{name}.bias"]

    def _normalise(self, X, name):
        """Mean 0 and standard deviation 1 in each row, then the learned size and shift."""
        mean = X.mean(axis=-1, keepdims=True)
        variance = X.var(axis=-1, keepdims=True)
        normal = (X - mean) / np.sqrt(variance + EPSILON)
        return normal * self.parameters[f"{name}.weight"] + self.parameters[f"{name}.bias"]


def _gelu(x):
    """ReLU with its corner rounded, in the form that GPT-2 was trained with."""
    inner = x + 0.044715 * x * x * x
    bent = np.tanh(math.sqrt(2 / math.pi) * inner)
    return 0.5 * x * (1 + bent)


def open_gpt2(name):
    """Open a real model, or print why not and return None. Never raises.

    Parameters
    ----------
    name : None, "gpt2" or path
        None: no model. "gpt2": OpenAI's smallest, 124 million parameters, fetched once (548 MB) and kept.
        Anything else is a folder with a model in the same format.

    Examples
    --------
    >>> open_gpt2(None)
    You asked for no real model. With "gpt2" instead of None, 550 MB are downloaded once from huggingface.co.
    >>> open_gpt2("no/such/folder")  # doctest: +ELLIPSIS
    No real model: no/such/folder has no config.json; ... The lesson goes on without one.
    """
    if name is None:
        print(
            'You asked for no real model. With "gpt2" instead of None, '
            "550 MB are downloaded once from huggingface.co."
        )
        return None
    try:
        return GPT2(fetch_gpt2() if name == "gpt2" else name)
    except (ImportError, OSError, ValueError, TypeError) as error:  # TypeError: no path
        print(f"No real model: {error}. The lesson goes on without one.")
        return None
