"""Training, with gradients written by hand: back through attention, and a head that learns where to look.

The head reads a toy language of 25 sentences, "The chai is hot so we let it", and predicts the next word.
Chai we let cool, a kite we let fly: what comes after *it* depends on the noun that *it* refers to. Gradients
keep the dtype of what they belong to; what isn't of the right kind raises a TypeError, and what doesn't fit a
ValueError.
"""

import functools

import numpy as np

from attn_parts.mathematics import scale_of, scaled_dot_product_attention, softmax
from attn_parts.validation import (
    as_count,
    as_floats,
    as_indices,
    as_positive,
    call_own,
    check_weights,
    fit,
    in_dtype,
)

NEXT_WORD = {"chai": "cool", "dough": "rise", "kite": "fly", "bell": "ring", "plant": "grow"}
NOUNS = list(NEXT_WORD)
DESCRIPTIONS = ["hot", "ready", "light", "new", "small"]  # one for each noun; that pair is kept for the exam
MATRICES = "W_Q", "W_K", "W_V", "W_O"
OTHER_WORDS = [*DESCRIPTIONS, "The", "is", "so", "we", "let", "it"]  # after the nouns
VOCABULARY = [*NOUNS, *OTHER_WORDS]
D_K = 8


def softmax_backward(weights, d_weights):
    """Compute the gradient at the scores from that at the weights, both (..., L_k): softmax backwards.

    `weights` are what softmax returned along the last axis, and `d_weights` how fast the loss grows with
    each. Every row of the result sums to 0, because adding the same number to all scores of a row changes no
    weight.

    >>> softmax_backward(np.array([0.5, 0.5]), np.array([1.0, 0.0]))
    array([ 0.25, -0.25])
    """
    (weights, d_weights), dtype = as_floats(weights=weights, d_weights=d_weights)
    if weights.shape != d_weights.shape:
        raise ValueError(
            f"weights {weights.shape} and d_weights {d_weights.shape} differ in shape; "
            "there is one gradient per weight"
        )
    check_weights("weights", weights)
    mean = (weights * d_weights).sum(axis=-1, keepdims=True)
    d_scores = weights * (d_weights - mean)
    return d_scores.astype(dtype, copy=False)


def attention_backward(query, key, value, weights, d_output, scale=None):
    """Compute the gradients of scaled dot-product attention at query, key and value, in their shapes.

    Parameters
    ----------
    query, key, value : ndarray, shapes (..., L_q, d_k), (..., L_k, d_k), (..., L_k, d_v)
        The leading axes must be equal; they don't broadcast.
    weights : ndarray, shape (..., L_q, L_k)
        The attention weights that these gave; masked ones are 0, and so pass nothing back.
    d_output : ndarray, shape (..., L_q, d_v)
        How fast the loss grows with each number of the output.
    scale : float, optional
        What the scores were multiplied by, if not by 1/√d_k.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> attention_backward(one, one, one, weights=one, d_output=one)
    (array([[0.]]), array([[0.]]), array([[1.]]))
    """
    named = {
        "query": query,
        "key": key,
        "value": value,
        "weights": weights,
        "d_output": d_output,
    }
    shapes = "... L_q d_k, ... L_k d_k, ... L_k d_v, ... L_q L_k, ... L_q d_v"
    arrays, dtype = as_floats(shapes, **named)
    query, key, value, weights, d_output = arrays
    leading = [array.shape[:-2] for array in arrays]
    if len(set(leading)) > 1:
        raise ValueError(
            f"the leading axes {leading} of {', '.join(named)} differ, but a gradient has the shape of its "
            "array; repeat what several share with np.broadcast_to, and sum its gradients over that axis"
        )
    d_weights = d_output @ value.mT
    d_scores = softmax_backward(weights, d_weights) * scale_of(key, scale)
    d_query = d_scores @ key
    d_key = d_scores.mT @ query
    d_value = weights.mT @ d_output
    return in_dtype(dtype, d_query, d_key, d_value)


def cross_entropy(logits, targets):
    """Compute the mean of -ln p(right), and its gradient: probabilities minus 1 at the right answer, over n.

    `logits` are (n, answers); `targets`, whole numbers (n,), are the right answers.

    >>> loss, d_logits = cross_entropy(np.zeros((1, 2)), np.array([0]))
    >>> round(loss, 3), d_logits
    (0.693, array([[-0.5,  0.5]]))
    """
    (logits,), dtype = as_floats("n answers", logits=logits)
    if not logits.size:
        raise ValueError(f"logits {logits.shape} are empty; pass a row for each right answer")
    n, answers = logits.shape
    remedy = "take them from X, targets = pronoun_sentences()"
    targets = as_indices("targets", targets, answers, remedy)
    if targets.shape != (n,):
        raise ValueError(f"targets have shape {targets.shape}, expected {n} of them; {remedy}")
    largest = logits.max(axis=-1, keepdims=True)
    shifted = logits - largest
    total = np.exp(shifted).sum(axis=-1, keepdims=True)
    log_probabilities = shifted - np.log(total)
    right = np.eye(answers, dtype=logits.dtype)[targets]
    loss = -(right * log_probabilities).sum() / n
    d_logits = (np.exp(log_probabilities) - right) / n
    return float(loss), d_logits.astype(dtype, copy=False)


class Adam:
    """Gradient descent with a step size per parameter: Kingma and Ba, 2014, https://arxiv.org/abs/1412.6980.

    The pace is the running mean of its gradient, divided by the running typical size of it: a step is about
    `rate` long wherever the gradient keeps its direction, however large or small it is. `parameters`, arrays
    of floats by name, change in place.

    >>> parameters = {"w": np.array([1.0, 1.0])}
    >>> Adam(parameters, rate=0.1).step({"w": np.array([5.0, -0.01])})
    >>> parameters["w"].round(3)
    array([0.9, 1.1])
    """

    def __init__(self, parameters, rate):
        arrays = parameters.values() if isinstance(parameters, dict) else [None]
        if any(np.asarray(array).dtype.kind != "f" for array in arrays):
            raise TypeError("parameters must be a dictionary of arrays of floats; make one with start_head")
        self.parameters = parameters
        self.rate = as_positive("rate", rate)
        self.steps = 0
        self.mean = zeros_like(parameters)
        self.square = zeros_like(parameters)

    def step(self, gradients):
        """Change every parameter a little; `gradients` has an array for each name."""
        shapes = shapes_of(self.parameters)
        if not isinstance(gradients, dict) or shapes_of(gradients) != shapes:
            raise ValueError(f"gradients must be arrays by name, of shapes {shapes}; one for each parameter")
        self.steps += 1
        for name, gradient in gradients.items():
            mean = self.mean[name]
            square = self.square[name]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            # both start at 0, which the divisions make up for
            pace = mean / (1 - 0.9**self.steps)
            size = np.sqrt(square / (1 - 0.999**self.steps))
            self.parameters[name] -= self.rate * pace / (size + 1e-8)


def zeros_like(parameters):
    """Zeros in the shape and dtype of each parameter."""
    return {name: np.zeros_like(array) for name, array in parameters.items()}


def shapes_of(parameters):
    """The shape of each parameter."""
    return {name: np.shape(array) for name, array in parameters.items()}


# --- the head that learns what "it" stands for ----------------------------------------------------------


def pronoun_sentence(noun, description):
    """Write the eight words of one sentence of the toy language.

    >>> " ".join(pronoun_sentence("chai", "hot"))
    'The chai is hot so we let it'
    """
    return ["The", noun, "is", description, "so", "we", "let", "it"]


def pronoun_sentences(unseen=False, next_word=None):
    """Make the 20 training sentences ("The chai is new so we let it"), or with `unseen` the test set's five.

    `next_word` has a next word for each noun, NEXT_WORD unless given; a sixth noun makes it 24 sentences and
    6. Returns X (n, 8, words), each word one-hot at its place in the vocabulary, nouns first, and targets
    (n,), the place of each sentence's noun in `next_word`.

    >>> X, targets = pronoun_sentences()
    >>> X.shape, targets[:5]
    ((20, 8, 16), array([0, 0, 0, 0, 1]))
    >>> pronoun_sentences(next_word=NEXT_WORD | {"kettle": "whistle"})[0].shape
    (24, 8, 17)
    """
    vocabulary = vocabulary_of(NEXT_WORD if next_word is None else next_word)
    nouns = vocabulary[: -len(OTHER_WORDS)]
    places = []
    targets = []
    for i, noun in enumerate(nouns):
        for j, description in enumerate(DESCRIPTIONS):
            if (i % len(DESCRIPTIONS) == j) == unseen:
                sentence = pronoun_sentence(noun, description)
                places.append([vocabulary.index(word) for word in sentence])
                targets.append(i)
    one_hot = np.eye(len(vocabulary))
    return one_hot[np.array(places)], np.array(targets)


def vocabulary_of(next_word):
    """The nouns of a toy language, then the words that all its sentences are made of."""
    if not isinstance(next_word, dict) or not next_word:
        raise TypeError(f'next_word is {next_word!r}, expected a dictionary; try {{"chai": "cool"}}')
    for noun in next_word:
        if noun in OTHER_WORDS:
            raise ValueError(f"{noun!r} is already a word of every sentence; take another noun")
    return [*next_word, *OTHER_WORDS]


def start_head(seed, size=1.0):
    """Create an untrained head: random W_Q, W_K, W_V (16, 8) and W_O (8, 5), of standard deviation `size`.

    A row of the first three is the query, key or value of a word; W_O turns the output into logits of the
    five next words.

    >>> {name: matrix.shape for name, matrix in start_head(seed=1).items()}
    {'W_Q': (16, 8), 'W_K': (16, 8), 'W_V': (16, 8), 'W_O': (8, 5)}
    """
    shapes = dict.fromkeys(MATRICES, (len(VOCABULARY), D_K))
    shapes["W_O"] = (D_K, len(NOUNS))
    rng = np.random.default_rng(seed)
    return {name: size * rng.standard_normal(shape) for name, shape in shapes.items()}


def run_head(head, X, *, mask=None, scale=None):
    """Run the head: the last word's weights per sentence, (n, L), and the next word's probabilities, (n, 5).

    Parameters
    ----------
    head : dict
        As `start_head` returns it.
    X : ndarray, shape (n, L, 16)
        Sentences as `pronoun_sentences` returns them. A row of zeros is a word that is missing.
    mask : ndarray of bool, shape (L,), optional
        True where it may look.
    scale : float, optional
        What scores are multiplied by, if not by 1/√d_k.

    Examples
    --------
    >>> X, targets = pronoun_sentences(unseen=True)
    >>> weights, probabilities = run_head(start_head(seed=1), X)
    >>> weights.shape, probabilities.shape
    ((5, 8), (5, 5))
    """
    *_, output, weights = _attend(head, X, mask, scale)
    return weights[:, 0], softmax(output[:, 0] @ head["W_O"])


def head_gradients(head, X, targets, *, mask=None, scale=None, backward=None):
    """Compute the loss of the head, and by name the gradients at its matrices.

    Parameters
    ----------
    head, X, mask, scale
        As in `run_head`.
    targets : ndarray of int, shape (n,)
        Number of the right next word.
    backward : callable, optional
        Replaces `attention_backward`, for example by a function of your own.

    Examples
    --------
    >>> loss, gradients = head_gradients(start_head(seed=1), *pronoun_sentences())
    >>> gradients["W_O"].shape
    (8, 5)
    """
    X, query, key, value, output, weights = _attend(head, X, mask, scale)
    W_O = head["W_O"]
    loss, d_logits = cross_entropy(output[:, 0] @ W_O, targets)
    d_output = (d_logits @ W_O.T)[:, None]
    backward = backward or attention_backward
    if scale is not None:
        backward = functools.partial(backward, scale=scale)
    values = (query, key, value, weights, d_output)
    shapes = {"d_query": query.shape, "d_key": key.shape, "d_value": value.shape}
    d_query, d_key, d_value = call_own("backward", backward, values, shapes)
    return loss, {
        "W_Q": X[:, -1].T @ d_query[:, 0],
        "W_K": _per_word(X, d_key),
        "W_V": _per_word(X, d_value),
        "W_O": output[:, 0].T @ d_logits,
    }


def check_head(head, X):
    """`X` as floats (n, L, words), if `head` has its four matrices and W_Q a row for each word."""
    if not isinstance(head, dict) or not head.keys() >= set(MATRICES):
        raise TypeError(
            f"head must be a dictionary of W_Q, W_K, W_V and W_O, got {type(head).__name__}; "
            "make one with start_head"
        )
    (X,), _ = as_floats(X=X)
    matrices = {name: head[name] for name in MATRICES}
    fit("n L words, words d_k, words d_k, words d_v, d_v answers", X=X, **matrices)
    return X


def _per_word(X, gradient):
    """What arrives at each row of a matrix that words were multiplied with, added up over all sentences."""
    return (X.mT @ gradient).sum(axis=0)


def _attend(head, X, mask, scale):
    """`X` as floats; queries of the last words alone, keys and values of all; output and weights."""
    X = check_head(head, X)
    query = X[:, -1:] @ head["W_Q"]
    key = X @ head["W_K"]
    value = X @ head["W_V"]
    output, weights = scaled_dot_product_attention(query, key, value, mask, scale=scale)
    return X, query, key, value, output, weights


def train_head(head, X, targets, steps=500, rate=0.01, **how):
    """Train the head in place on all sentences. Yields each step, from 0 to `steps`, and the loss before it.

    `rate` is the length of Adam's steps; `how` is what else `head_gradients` takes.

    >>> head, (X, targets) = start_head(seed=1), pronoun_sentences()
    >>> losses = [loss for step, loss in train_head(head, X, targets)]
    >>> len(losses), losses[500] < 0.01
    (501, True)
    """
    steps = as_count("steps", steps)
    adam = Adam(head, rate)
    for step in range(steps + 1):
        loss, gradients = head_gradients(head, X, targets, **how)
        yield step, loss
        if step < steps:
            adam.step(gradients)


def watch_training(head, steps=500, rate=0.01, **how):
    """Train on the pronoun sentences, and keep a frame of the test set at every tenth step.

    Returns frames (their steps), loss, weights[frame][noun][word] and answers[frame][noun][next word], to
    three decimals.

    >>> seen = watch_training(start_head(seed=1), steps=20)
    >>> seen["frames"], seen["loss"]
    ([0, 10, 20], [2.757, 1.678, 1.204])
    """
    X, targets = pronoun_sentences()
    unseen, _ = pronoun_sentences(unseen=True)
    seen = {"frames": [], "loss": [], "weights": [], "answers": []}
    for step, loss in train_head(head, X, targets, steps, rate, **how):
        if step % 10 == 0:
            weights, answers = run_head(head, unseen)
            for kept, value in zip(seen.values(), (step, loss, weights, answers), strict=True):
                kept.append(np.round(value, 3).tolist())
    return seen
