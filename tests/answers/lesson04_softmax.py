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


@right("temperature_softmax")
def log_sum_exp_with_temperature(x, temperature):
    return log_sum_exp(x / temperature)


@right("temperature_softmax")
def rows_with_temperature(x, T):
    return row_by_row(x * (1 / T))


@wrong("temperature_softmax", "temperature-ignored")
def temperature_in_the_sum(x, T):
    return shares_of(np.exp(x) / T)


@wrong("temperature_softmax", "shifted-before-dividing")
def maximum_before_dividing(x, T):
    return shares_of(np.exp(x / T - np.amax(x, -1, keepdims=True)))


@wrong("temperature_softmax", "temperature-ignored")
def only_the_maximum_divided(x, T):
    return shares_of(np.exp(x - np.amax(x, -1, keepdims=True) / T))


@wrong("temperature_softmax", None)
def temperature_of_at_least_half(x, T):
    return attn.softmax(x / max(T, 0.5))


@wrong("temperature_softmax", "shares-to-a-power")
def shares_to_a_power(x, T):
    return shares_of(attn.softmax(x) ** (1 / T))


@right("joined_softmax")
def softmax_of_the_log_sum_exps(p, a, q, b):
    share = attn.softmax([a, b])
    return np.append(share[0] * p, share[1] * q)


@right("joined_softmax")
def sums_relative_to_the_larger(p, a, q, b):
    m = max(a, b)
    first, second = np.exp(a - m), np.exp(b - m)
    return np.concatenate((first * p, second * q)) / (first + second)


@right("joined_softmax")
def log_sum_exp_of_both(p, a, q, b):
    whole = np.logaddexp(a, b)
    return np.hstack([p * np.exp(a - whole), q * np.exp(b - whole)])


@right("joined_softmax")
def as_a_list(p, a, q, b):
    top = a if a > b else b
    total = math.exp(a - top) + math.exp(b - top)
    return [x * math.exp(a - top) / total for x in p] + [x * math.exp(b - top) / total for x in q]


@right("joined_softmax")
def scores_won_back(p, a, q, b):
    with np.errstate(divide="ignore"):
        scores = np.concatenate([np.log(p) + a, np.log(q) + b])
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


@right("joined_softmax")
def into_an_empty_array(p, a, q, b):
    whole = np.empty(len(p) + len(q))
    whole[: len(p)], whole[len(p) :] = p, q
    logs = np.array([a] * len(p) + [b] * len(q))
    whole *= np.exp(logs - logs.max())
    return whole / whole.sum()


@wrong("joined_softmax", "parts-averaged")
def the_mean_of_both(p, a, q, b):
    return np.append(p, q) / 2


@wrong("joined_softmax", "parts-averaged")
def divided_by_the_sum(p, a, q, b):
    both = np.concatenate([p, q])
    return both / both.sum()


@wrong("joined_softmax", "scores-again")
def only_the_scores(p, a, q, b):
    return np.append(a + np.log(p), b + np.log(q))


@right("joined_softmax")
def sigmoid_of_the_difference(p, a, q, b):
    share = 1 / (1 + np.exp(b - a))
    return np.concatenate([share * p, (1 - share) * q])


@wrong("joined_softmax", "wrong-shift")
def the_smaller_subtracted(p, a, q, b):
    low = min(a, b)
    u, v = np.exp(a - low), np.exp(b - low)
    return np.concatenate([u * p, v * q]) / (u + v)


@wrong("joined_softmax", "softmax-of-shares")
def shares_and_logarithms_added(p, a, q, b):
    return attn.softmax([*(p + a), *(q + b)])


@wrong("joined_softmax", "not-weighted")
def concatenated(p, a, q, b):
    return np.array([*p, *q])


@wrong("joined_softmax", "no-max-subtraction")
def sums_themselves(p, a, q, b):
    powers = np.concatenate([p * np.exp(a), q * np.exp(b)])
    return powers / (np.exp(a) + np.exp(b))


@wrong("joined_softmax", "logarithms-as-portions")
def portions_of_logarithms(p, a, q, b):
    return np.concatenate([p * a, q * b]) / (a + b)


@wrong("joined_softmax", "weighted-by-length")
def by_length(p, a, q, b):
    n = len(p) + len(q)
    return np.concatenate([p * len(p) / n, q * len(q) / n])


@wrong("joined_softmax", "wrong-shift")
def relative_to_the_first(p, a, q, b):
    grown = np.exp(b - a)
    return np.concatenate([p, q * grown]) / (1 + grown)


@wrong("joined_softmax", "not-normalised")
def powers_of_all(p, a, q, b):
    return np.concatenate([np.exp(a) * p, np.exp(b) * q])


@wrong("joined_softmax", "portions-swapped")
def mixed_up(p, a, q, b):
    m = max(a, b)
    u, v = np.exp(a - m), np.exp(b - m)
    return np.concatenate([v * p, u * q]) / (u + v)


@wrong("joined_softmax", "softmax-of-shares")
def softmax_once_more(p, a, q, b):
    return attn.softmax(np.concatenate([p, q]))


@wrong("joined_softmax", "one-part-weighted")
def only_the_second(p, a, q, b):
    return np.concatenate([p, q * np.exp(b - np.logaddexp(a, b))])


@wrong("joined_softmax", "parts-exchanged")
def second_first(p, a, q, b):
    u, v = attn.softmax([a, b])
    return np.concatenate([v * q, u * p])


@wrong("joined_softmax", "returns-nothing")
def joined_and_forgotten(p, a, q, b):
    u, v = attn.softmax([a, b])
    np.concatenate([u * p, v * q])


@wrong("joined_softmax", "wrong-shape")
def added(p, a, q, b):
    u, v = attn.softmax([a, b])
    return np.stack([u * p.sum(), v * q.sum()])


@wrong("joined_softmax", "rounded")
def joined_and_rounded(p, a, q, b):
    first = 1 / (1 + np.exp(b - a))
    return np.concatenate([first * p, (1 - first) * q]).round(6)


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


@wrong("temperature_softmax", "another-temperature")
def root_of_the_temperature(x, t):
    return attn.softmax(x / t**0.5)


@wrong("temperature_softmax", "rounded-to-whole")
def whole_temperatures(x, t):
    powers = np.exp((x - x.max(-1, keepdims=True)) / int(t))
    return powers / powers.sum(-1, keepdims=True)


@wrong("temperature_softmax", "another-base")
def temperature_as_base(x, t):
    return shares_of(t**x)


@wrong("joined_softmax", "divided-by-larger")
def divided_by_the_larger(p, a, q, b):
    first, second = attn.softmax([a / max(a, b), b / max(a, b)])
    return np.concatenate([first * p, second * q])


@wrong("joined_softmax", "logarithms-as-portions")
def shares_times_logarithms(p, a, q, b):
    both = np.concatenate([p * a, q * b])
    return both / both.sum()


@wrong("joined_softmax", "larger-part-only")
def the_larger_part_wins(p, a, q, b):
    return np.concatenate([p, 0 * q] if a > b else [0 * p, q])


@wrong("joined_softmax", "one-part-weighted")
def sum_below_the_second_alone(p, a, q, b):
    first, second = np.exp([a, b] - np.maximum(a, b))
    return np.concatenate([first * p, second * q / (first + second)])


@wrong("temperature_softmax", "hard-maximum")
def argmax_below_1(x, t):
    return np.eye(x.shape[-1])[x.argmax(-1)] if t < 1 else attn.softmax(x / t)


@pytest.mark.parametrize(("exercise", "function", "expected", "says"), answers.params)
def test_the_verdict(exercise, function, expected, says):
    verdict(exercise, function, expected, says)
