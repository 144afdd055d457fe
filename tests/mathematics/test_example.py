"""The running example: the numbers set by hand that lessons quote, and the random ones."""

import pytest
from numpy.testing import assert_array_equal

import attn_helpers as attn


def test_two_examples_share_no_numbers():
    attn.load_example().X[:] = 7
    assert attn.load_example().X.max() == 4


def test_the_lessons_example_is_set_by_hand():
    example = attn.load_example()
    assert example.source == "set by hand"
    assert not example.random
    changed = example._replace(X=example.X + 1)
    assert changed.source == "numbers of your own"


@pytest.mark.parametrize("name", ["length", "d_k", "seed"])
def test_any_other_example_is_random(name):
    example = attn.load_example(**{name: 3})
    assert example.random
    assert example.source.startswith("random numbers (seed ")


def test_the_random_example_grows_without_being_redrawn():
    small = attn.load_example(4, 8, 5)
    large = attn.load_example(length=9, d_k=16)
    assert small.tokens == ["The", "chai", "is", "hot"]
    assert small.tokens == large.tokens[:4]
    assert_array_equal(small.X, large.X[:4])
    assert_array_equal(small.W_Q, large.W_Q[:, :8])


def test_typed_words_set_the_length_and_each_word_has_one_embedding():
    words = ["the", "dog", "bit", "the", "man"]
    example = attn.load_example(words=words)
    assert example.tokens == words
    assert example.X.shape == (5, 8)
    assert_array_equal(example.X[0], example.X[3])


def test_the_words_of_the_random_example_can_be_typed():
    typed = attn.load_example(words=attn.WORDS[:7])
    assert_array_equal(typed.X, attn.load_example(7).X)
