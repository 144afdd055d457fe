"""Answers to the exercises of lesson 06 as people write them, each with its verdict."""

import numpy as np
import pytest

from answers import Answers, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("most_attended")
def tokens_in_a_tuple(w, t):
    return tuple(t[j] for j in w.argmax(axis=-1))


@right("most_attended")
def array_of_objects(w, t):
    return np.array(t, dtype=object)[w.argmax(axis=-1)]


@right("most_attended")
def argmax_of_each_row(w, t):
    return [t[int(r.argmax())] for r in w]


@right("most_attended")
def tokens_as_an_array(w, t):
    return np.array(t)[np.argmax(w, axis=1)]


@wrong("most_attended", "columns-read")
def largest_of_each_column(w, t):
    return [t[int(np.argmax(c))] for c in w.T]


@wrong("most_attended", "first-row-only")
def returns_inside_the_loop(weights, tokens):
    for row in weights:
        return tokens[row.argmax()]


@wrong("most_attended", "not-numbers")
def returns_a_dict(w, t):
    return dict(enumerate(t))


@wrong("most_attended", "threshold")
def threshold_of_04(w, t):
    return [t[j] for r in w for j in range(len(r)) if r[j] > 0.4]


@wrong("most_attended", "letters")
def words_added_up(weights, tokens):
    found = []
    for row in weights:
        found += tokens[row.argmax()]
    return found


@wrong("most_attended", None)
def rounded_before_argmax(w, t):
    return [t[j] for j in w.round(1).argmax(axis=-1)]


@wrong("most_attended", "stray-comma")
def comma_behind_the_list(w, t):
    return ([t[j] for j in w.argmax(-1)],)


@wrong("most_attended", "changes-its-input")
def writes_into_the_tokens(weights, tokens):
    picked = [tokens[j] for j in weights.argmax(axis=1)]
    tokens[: len(picked)] = picked
    return picked


@wrong("most_attended", None)
def looks_up_by_token(weights, tokens):
    rows = (dict(zip(tokens, row, strict=True)) for row in weights)
    return [max(row, key=row.get) for row in rows]


@wrong("most_attended", "not-numbers")
def tokens_in_one_text(w, t):
    return " ".join(t[j] for j in w.argmax(axis=-1))


@raising("most_attended", "list-indexed-by-array", says="one by one")
def list_indexed_by_an_array(w, t):
    return t[w.argmax(axis=-1)]


@raising("most_attended", "one-number-given", says="Without an axis")
def loop_over_one_argmax(w, t):
    return [t[i] for i in w.argmax()]


@wrong("most_attended", "off-by-one")
def one_column_back(weights, tokens):
    return [tokens[j - 1] for j in weights.argmax(axis=-1)]


@wrong("most_attended", "another-order")
def in_alphabetical_order(weights, tokens):
    return sorted(tokens[j] for j in weights.argmax(axis=-1))


@wrong("previous_token_share", "wrong-count")
def two_rows_too_few(weights):
    return np.diag(weights, -1).sum() / (len(weights) - 2)


@wrong("previous_token_share", "some-rows-only")
def returns_inside_its_loop(weights):
    total = 0
    for i in range(1, len(weights)):
        total += weights[i, i - 1]
        return total / (len(weights) - 1)


@wrong("most_attended", "largest-so-far", says="begin anew with each row")
def compares_with_the_left_neighbour(weights, tokens):
    found = []
    for row in weights:
        best = 0
        for j in range(1, len(tokens)):
            if row[j] > row[j - 1]:
                best = j
        found.append(tokens[best])
    return found


@wrong("most_attended", "column-missing")
def stops_before_the_last_key(weights, tokens):
    return [tokens[max(range(len(tokens) - 1), key=lambda j, row=row: row[j])] for row in weights]


@wrong("most_attended", "columns-read")
def best_query_for_each_row(weights, tokens):
    return [tokens[np.argmax(weights[:, i])] for i in range(len(weights))]


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
