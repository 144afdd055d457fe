"""Answers to the exercises of lesson 04 as people write them, each with its verdict."""

import math
import sys

import numpy as np
import pytest

import attn_helpers as attn
from answers import Answers, shares_of, verdict

answers = Answers()
right, wrong, raising = answers.right, answers.wrong, answers.raising


@right("softmax")
def the_course_s_own(x):
    return attn.softmax(x)


@right("softmax")
def row_by_row(x):
    result = np.empty(x.shape)
    for index in np.ndindex(x.shape[:-1]):
        powers = [np.exp(v - max(x[index])) for v in x[index]]
        result[index] = [p / sum(powers) for p in powers]
    return result


@right("softmax")
def log_sum_exp(x):
    top = x.max(-1, keepdims=True)
    return np.exp(x - top - np.log(np.exp(x - top).sum(-1, keepdims=True)))


@right("softmax")
def float32_shares(x):
    return attn.softmax(x).astype(np.float32)


@right("softmax")
def axis_as_parameter(x, axis=-1):
    return np.exp(x - x.max(axis, keepdims=True)) / np.exp(x - x.max(axis, keepdims=True)).sum(
        axis, keepdims=True
    )


@right("softmax")
def nested_lists_of_shares(x):
    return attn.softmax(x).tolist()


@wrong("softmax", "shift-only-above")
def shifted_above_only(x):
    return np.exp(x - np.max(x, -1)[..., None]) / np.exp(x).sum(-1)[..., None]


@wrong("softmax", "clipped", says="beyond the limit")
def scores_cut_off_at_700(x):
    powers = np.exp(np.clip(x, -700, 700))
    return powers / powers.sum(axis=-1, keepdims=True)


@wrong("softmax", "sign-reversed")
def softmax_of_minus_x(x):
    return attn.softmax(np.negative(x))


@wrong("softmax", "wrong-axis")
def loop_softmax_columns(x):
    e = np.exp(x - x.max(axis=-2, keepdims=True))
    return np.divide(e, np.add.reduce(e, axis=-2, keepdims=True))


@wrong("softmax", "no-max-subtraction")
def softmax_math_exp(x):
    return np.power(np.e, x) / np.sum(np.power(np.e, x), -1)[..., None]


@wrong("softmax", "whole-array")
def softmax_flat(x):
    flat = np.exp(x.ravel() - x.max())
    return (flat / flat.sum()).reshape(x.shape)


@wrong("softmax", "missing-keepdims")
def softmax_no_keepdims(x):
    shifted = x - x.max(-1, keepdims=True)
    return np.exp(shifted) / np.sum(np.exp(shifted), -1)


@wrong("softmax", "global-max")
def one_maximum(x):
    return np.exp(x - np.amax(x)) / np.exp(x - np.amax(x)).sum(-1)[..., None]


@wrong("softmax", "whole-array")
def divided_by_the_sum_of_all(x):
    return np.exp(x) / np.sum(np.exp(x))


@wrong("softmax", "prints-instead-of-returning")
def prints(x):
    print(attn.softmax(x))


@wrong("softmax", "returns-nothing")
def forgets(x):
    shares = attn.softmax(x)  # noqa: F841


@wrong("softmax", "not-numbers")
def returns_text(x):
    return "shares"


@wrong("softmax", "wrong-shape")
def first_row_of_it(x):
    return attn.softmax(x)[0]


@wrong("softmax", "rounded")
def rounded_to_two_digits(x):
    return np.round(attn.softmax(x), 2)


@wrong("softmax", "wrong-shift")
def softmax_shifted_by_mean(x):
    powers = np.exp(x - np.mean(x, -1)[..., None])
    return powers / np.sum(powers, -1)[..., None]


@wrong("softmax", "no-exponential")
def shares_of_distances_from_the_largest(x):
    below = x - x.max(axis=-1, keepdims=True)
    return below / below.sum(axis=-1, keepdims=True)


@wrong("softmax", "shares-of-another-function")
def shares_of_absolute_values(x):
    return np.abs(x) / np.abs(x).sum(-1, keepdims=True)


@wrong("softmax", "wrong-number-of-results")
def returns_its_input_too(x):
    return (attn.softmax(x), x)


@wrong("softmax", None)
def log_of_shares(x):
    return np.log(np.exp(x) / np.exp(x).sum(-1, keepdims=True))


@wrong("softmax", "maximum-of-columns")
def maximum_along_axis_0(x):
    return shares_of(np.exp(x - x.max(axis=0)))


@wrong("softmax", "maximum-of-columns")
def maximum_along_axis_0_kept(x):
    return shares_of(np.exp(x - x.max(axis=0, keepdims=True)))


@wrong("softmax", "maximum-of-columns")
def maximum_along_axis_1(x):
    return shares_of(np.exp(x - x.max(axis=1, keepdims=True)))


@wrong("softmax", "shifted-only-if-large")
def only_when_large(x):
    return shares_of(np.exp(x - x.max(axis=-1, keepdims=True) if x.max() > 700 else x))


@wrong("softmax", "wrong-shift")
def maximum_added(x):
    return shares_of(np.exp(x + x.max(axis=-1, keepdims=True)))


@wrong("softmax", "wrong-shift")
def largest_absolute_value_subtracted(x):
    return shares_of(np.exp(x - abs(x).max(axis=-1, keepdims=True)))


@wrong("softmax", "global-max")
def maximum_of_the_last_two_axes(x):
    return shares_of(np.exp(x - np.max(x, (-2, -1), keepdims=True)))


@wrong("softmax", "wrong-shift")
def first_score_subtracted(x):
    return shares_of(np.exp(x - x[..., :1]))


@wrong("softmax", "nan")
def one_maximum_for_a_batch(x):
    return shares_of(np.exp(x - x.max(axis=(-1, -2) if x.ndim > 2 else -1, keepdims=True)))


@right("softmax")  # of floats: whole numbers are not announced
def fills_zeros_like(x):
    result = np.zeros_like(x)
    for i in np.ndindex(x.shape[:-1]):
        result[i] = shares_of(np.exp(x[i] - x[i].max()))
    return result


@wrong("softmax", None, says="For a table it is right. This input is a single row")
def softmax_of_a_table(x):
    return np.array([np.exp(row - row.max()) / np.exp(row - row.max()).sum() for row in x])


@raising("softmax", "axis-out-of-range", says="Counted from the end")
def maximum_along_axis_5(x):
    return attn.softmax(x) + x.max(axis=5)


@raising("softmax", "undefined-name", says="np.exp")
def exp_without_np(x):
    return exp(x) / exp(x).sum()  # noqa: F821


@raising("softmax", "error", says="Python's own words")
def text_to_int(x):
    return int("shares")


@raising("softmax", "unknown-attribute", says="attn.softmax")
def softmax_of_numpy(x):
    return np.softmax(x)


@raising("softmax", "undefined-name", says="is it powers?")
def misspelt(x):
    powers = np.exp(x)
    return powers / power.sum()  # noqa: F821


@raising("softmax", "undefined-name", says="attn.softmax")
def course_function_without_attn(x):
    return softmax(x)  # noqa: F821


@raising("softmax", "unknown-argument", says="keepdims")
def keepdim(x):
    return np.exp(x) / np.exp(x).sum(-1, keepdim=True)


@raising("softmax", "unknown-argument", says="NumPy's axis")
def dim(x):
    return x.max(dim=-1)


@raising("softmax", "one-number-wanted", says="np.exp for math.exp")
def math_exp(x):
    return math.exp(x)


@raising("softmax", "ends-python", says="SystemExit")
def exits(x):
    return sys.exit()


@wrong("softmax", "divided-by-maximum")
def divided_by_the_largest(x):
    return shares_of(np.exp(x / np.max(x, -1, keepdims=True)))


@wrong("softmax", "shift-after-exp")
def parenthesis_closed_too_early(x):
    return shares_of(np.exp(x) - x.max(-1, keepdims=True))


@wrong("softmax", "nan-to-num")
def zeros_for_nan(x):
    return np.nan_to_num(shares_of(np.exp(x)))


@wrong("softmax", "standardised")
def z_scores(x):
    return shares_of(np.exp((x - x.mean(-1)[..., None]) / x.std(-1)[..., None]))


@wrong("softmax", "sign-lost")
def absolute_scores(x):
    return shares_of(np.exp(abs(x) - abs(x).max(-1, keepdims=True)))


@wrong("softmax", "unlike-above-and-below")
def sum_of_the_scores(x):
    return np.exp(x) / x.sum(-1, keepdims=True)


@wrong("softmax", "epsilon")
def never_divide_by_0(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / (powers.sum(-1, keepdims=True) + 1e-3)


@wrong("softmax", "half-precision")
def half(x):
    return attn.softmax(x).astype("float16")


@wrong("softmax", "clipped")
def at_most_50(x):
    return shares_of(np.exp(np.minimum(x, 50)))


@wrong("softmax", "wrong-shift")
def a_thousand(x):
    return shares_of(np.exp(x - 1000))


@wrong("softmax", "shares-of-another-function")
def expm1(x):
    return shares_of(np.expm1(x))


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
