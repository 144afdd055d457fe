"""Answers to the exercises of lesson 09 as people write them, each with its verdict."""

import numpy as np
import pytest

from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("ablate")
def head_by_head(heads, off):
    return np.stack([0 * head if number in off else head for number, head in enumerate(heads)])


@right("ablate")
def times_a_column_of_ones_and_zeros(heads, off):
    keep = np.array([number not in off for number in range(len(heads))])
    return heads * keep[:, None, None]


@wrong("ablate", "words-not-heads", "some words of every head")
def counts_the_words(heads, off):
    heads = heads.copy()
    for number in off:
        if number < heads.shape[1]:
            heads[:, number, :] = 0
    return heads


@wrong("ablate", "columns-not-heads")
def counts_the_columns(heads, off):
    heads = heads.copy()
    for number in off:
        if number < heads.shape[2]:
            heads[..., number] = 0
    return heads


@wrong("ablate", "kept-these-only", "the other way round")
def keeps_the_list(heads, off):
    return np.stack([head if number in off else 0 * head for number, head in enumerate(heads)])


@wrong("ablate", "one-of-them-only")
def returns_too_early(heads, off):
    heads = heads.copy()
    for number in off:
        heads[number] = 0
        return heads
    return heads


@wrong("ablate", "nothing-off")
def forgets_to_return_the_copy(heads, off):
    copy = heads.copy()
    copy[off] = 0
    return heads


@wrong("ablate", "removed", "hands over zeros")
def drops_them(heads, off):
    return np.array([head for number, head in enumerate(heads) if number not in off])


@wrong("ablate", "changes-its-input")
def changes_what_it_was_given(heads, off):
    heads[off] = 0
    return heads


@right("previous_token_score")
def by_rows_and_columns(weights):
    rows = np.arange(1, weights.shape[-1])
    return weights[..., rows, rows - 1].mean(-1)


@right("previous_token_score")
def by_trace(weights):
    return np.trace(weights, offset=-1, axis1=-2, axis2=-1) / (weights.shape[-1] - 1)


@wrong("previous_token_score", "first-two-axes", "the last two")
def diagonal_as_for_one_head(weights):
    return np.diagonal(weights, offset=-1).mean(axis=-1)


@wrong("previous_token_score", "one-number-for-all")
def mean_of_everything(weights):
    return np.diagonal(weights, -1, -2, -1).mean()


@wrong("previous_token_score", "next-token")
def wrong_side(weights):
    return np.diagonal(weights, 1, -2, -1).mean(-1)


@wrong("previous_token_score", "diagonal")
def forgets_the_offset(weights):
    return np.diagonal(weights, axis1=-2, axis2=-1).mean(-1)


@wrong("previous_token_score", "first-row-counted")
def divides_by_the_length(weights):
    return np.diagonal(weights, -1, -2, -1).sum(-1) / weights.shape[-1]


@right("induction_score")
def with_a_dictionary(weights, words):
    last, found = {}, []
    for place, word in enumerate(words.tolist()):
        if word in last:
            found.append(weights[place, last[word] + 1])
        last[word] = place
    return sum(found) / len(found)


@right("induction_score")
def by_masks(weights, words):
    same = np.tril(words[:, None] == words, -1)
    places = np.flatnonzero(same.any(axis=1))
    before = same.shape[1] - 1 - same[places, ::-1].argmax(axis=1)
    return weights[places, before + 1].mean()


@wrong("induction_score", "same-word", "one column further")
def stops_at_the_same_word(weights, words):
    last, found = {}, []
    for place, word in enumerate(words.tolist()):
        if word in last:
            found.append(weights[place, last[word]])
        last[word] = place
    return np.mean(found)


@wrong("induction_score", "first-of-several", "The last one")
def finds_with_index(weights, words):
    words = words.tolist()
    found = [weights[i, words.index(w) + 1] for i, w in enumerate(words) if words.index(w) < i]
    return np.mean(found)


@wrong("induction_score", "all-earlier")
def counts_every_earlier_one(weights, words):
    found = []
    for i in range(len(words)):
        for j in range(i):
            if words[i] == words[j]:
                found.append(weights[i, j + 1])
    return np.mean(found)


@wrong("induction_score", "rows-and-columns", "A row is the place that looks")
def lets_the_key_look(weights, words):
    last, found = {}, []
    for place, word in enumerate(words.tolist()):
        if word in last:
            found.append(weights[last[word] + 1, place])
        last[word] = place
    return np.mean(found)


@wrong("induction_score", "wrong-count")
def divides_by_all_places(weights, words):
    return (
        with_a_dictionary(weights, words)
        * len(set(range(len(words))) - {words.tolist().index(w) for w in words})
        / len(words)
    )


@wrong("induction_score", "one-place-only", "indented")
def returns_inside_the_loop(weights, words):
    last = {}
    for place, word in enumerate(words.tolist()):
        if word in last:
            return weights[place, last[word] + 1]
        last[word] = place


@wrong("induction_score", "previous-token")
def looks_one_back(weights, words):
    return np.diagonal(weights, -1).mean()


@wrong("previous_token_score", "largest")
def largest_of_each_row(weights):
    return weights.max(-1).mean(-1)


@wrong("previous_token_score", "block")
def all_cells_below(weights):
    return np.mean(weights[..., 1:, :-1], axis=(-2, -1))


@wrong("induction_score", "never-before", "for the first time")
def argmax_of_nothing(weights, words):
    found = []
    for i in range(len(words)):
        j = np.argmax(words[:i] == words[i]) if i else 0
        found.append(weights[i, j + 1])
    return np.mean(found)


@wrong("induction_score", "never-before")
def begins_with_place_0(weights, words):
    found = []
    for i in range(len(words)):
        place = 0
        for j in range(i):
            if words[i] == words[j]:
                place = j + 1
        found.append(weights[i, place])
    return np.mean(found)


@wrong("induction_score", "list-read-twice", "whatever its words")
def half_a_text_back(weights, words):
    half = len(words) // 2
    return np.diagonal(weights, -(half - 1)).mean()


@wrong("induction_score", "largest")
def favourite_of_the_right_rows(weights, words):
    return np.mean([weights[i].max() for i in range(len(words)) if words[i] in words[:i]])


@wrong("induction_score", None)
def a_constant(weights, words):
    return 0.9


@wrong("ablate", None)
def whole_numbers(heads, off):
    heads = heads.astype(int)
    heads[off] = 0
    return heads


@wrong("ablate", "one-of-them-only", "or the copy")
def copies_in_the_loop(heads, off):
    silent = heads
    for number in off:
        silent = heads.copy()
        silent[number] = 0
    return silent


@wrong("ablate", "one-index-for-each-axis", "head 0, and in it word 2")
def index_is_a_tuple(heads, off):
    silent = heads.copy()
    silent[tuple(off)] = 0
    return silent


@wrong("ablate", "not-zero", "NaN")
def puts_none(heads, off):
    silent = heads.copy()
    silent[off] = None
    return silent


@wrong("ablate", "partly-zero")
def first_word_of_the_heads(heads, off):
    silent = heads.copy()
    silent[off, 0] = 0
    return silent


@wrong("previous_token_score", "wraps-around")
def row_0_looks_at_the_last(weights):
    rows = np.arange(weights.shape[-1])
    return weights[..., rows, rows - 1].mean(-1)


@wrong("previous_token_score", "all-earlier")
def everything_below(weights):
    return np.tril(weights, -1).sum(axis=(-1, -2)) / (weights.shape[-1] - 1)


@wrong("previous_token_score", None, "the same whatever weights")
def nothing(weights):
    return np.zeros(weights.shape[:-2])


@wrong("induction_score", None, "the same whatever weights")
def nothing_found(weights, words):
    return 0.0


@wrong("induction_score", "itself-counted", "asked before the new place goes in")
def dictionary_filled_too_early(weights, words):
    last, found = {}, []
    for place, word in enumerate(words.tolist()):
        last[word] = place
        if word in last:
            found.append(weights[place, last[word] + 1])
    return np.mean(found)


@wrong("induction_score", "place-0-missed", "0 for False")
def zero_is_false(weights, words):
    last, found = {}, []
    for place, word in enumerate(words.tolist()):
        if last.get(word):
            found.append(weights[place, last[word] + 1])
        last[word] = place
    return np.mean(found) if found else 0.0


@wrong("induction_score", "neighbour-missed", "two places before i")
def range_one_too_short(weights, words):
    found = []
    for i in range(len(words)):
        earlier = [j for j in range(i - 1) if words[j] == words[i]]
        if earlier:
            found.append(weights[i, earlier[-1] + 1])
    return np.mean(found)


@wrong("induction_score", "one-for-each-word")
def last_time_of_each_word(weights, words):
    last, found = {}, {}
    for place, word in enumerate(words.tolist()):
        if word in last:
            found[word] = weights[place, last[word] + 1]
        last[word] = place
    return np.mean(list(found.values()))


@wrong("induction_score", "later-counted")
def searches_the_whole_text(weights, words):
    same = np.roll(words[:, None] == words, 1, axis=1)
    same[:, 0] = False
    return weights[same].mean()


@wrong("induction_score", None, "the word of place 4 stood at place 2 last")
def last_but_one(weights, words):
    found = []
    for i in range(len(words)):
        earlier = [j for j in range(i) if words[j] == words[i]]
        if earlier:
            found.append(weights[i, earlier[max(0, len(earlier) - 2)] + 1])
    return np.mean(found)


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
