"""The running example: the numbers set by hand that lessons quote, and the random ones."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import attn_helpers as attn


def test_two_examples_share_no_numbers():
    attn.load_example().X[:] = 7
    assert attn.load_example().X.max() == 4


def test_an_example_says_where_its_numbers_are_from():
    by_hand = attn.load_example()
    random = attn.load_example(4, 8, 5)
    assert (by_hand.source, by_hand.random) == ("set by hand", False)
    assert (random.source, random.random) == ("random numbers (seed 5)", True)
    assert all(attn.load_example(**{name: 3}).random for name in ("length", "d_k", "seed"))
    assert random._replace(X=by_hand.X).source == "numbers of your own"
    assert len(by_hand) == len(random) == 5
    assert isinstance(by_hand, tuple)


def test_the_random_example_grows_without_being_redrawn():
    small = attn.load_example(4, 8, 5)
    large = attn.load_example(length=9, d_k=16)
    assert small.tokens == ["The", "chai", "is", "hot"] == large.tokens[:4]
    assert_array_equal(small.X, large.X[:4])
    assert_array_equal(small.W_Q, large.W_Q[:, :8])
    assert_allclose(small.X[0, :3], np.random.default_rng([5, 0]).standard_normal(3))
    assert abs(attn.load_example(32, 64).W_K.var() * 8 - 1) < 0.2


def test_typed_words_set_the_length_and_each_word_has_one_embedding():
    example = attn.load_example(words="the dog bit the man".split())
    assert example.tokens == ["the", "dog", "bit", "the", "man"]
    assert example.X.shape == (5, 8)
    assert_array_equal(example.X[0], example.X[3])
    assert_array_equal(attn.load_example(words=attn.WORDS[:7]).X, attn.load_example(7).X)
