"""The judge of attention: bugs of public trackers are named, what is right passes, in any convention."""

import functools
import json
import math

import numpy as np
import pytest

import attn_helpers as attn
from attn_checks import __main__ as command
from attn_checks.judge import command as judged_by
from attn_checks.judge import verdict as judge
from attn_checks.judge.cases import cases


def triangle(q, k, offset=None):
    if offset is None:
        offset = k.shape[-2] - q.shape[-2]
    return np.tri(q.shape[-2], k.shape[-2], offset, dtype=bool)


def by_width(heads, d_k):
    return d_k**-0.5


def unscaled(heads, d_k):
    return 1


def unchanged(mask):
    return mask


def attend(
    q,
    k,
    v,
    mask=None,
    is_causal=False,
    softcap=None,
    scale=by_width,
    masked=unchanged,
    causal=triangle,
    blocked=0.0,
    axis=-1,
    fill=-np.inf,
):
    """Right: the triangle ends in the lower right; `blocked` are the weights where all keys are."""
    _, heads, _, d_k = q.shape
    scores = q @ k.swapaxes(-1, -2) * scale(heads, d_k)
    if softcap:
        scores = softcap * np.tanh(scores / softcap)
    if mask is not None:
        mask = masked(mask)
    if is_causal:
        mask = causal(q, k)
    if mask is None:
        mask = np.ones(1, bool)
    sees_some = mask.any(axis=-1, keepdims=True)
    shares = attn.softmax(np.where(mask, scores, fill), axis)
    weights = np.where(sees_some, shares, blocked)
    return weights @ v, weights


def right(*given, **how):
    return attend(*given, **how)[0]


def but(**wrong):
    """Right attention, but with a step of another kind."""
    return functools.partial(right, **wrong)


def softcap_last(q, k, v, mask=None, softcap=None):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    if softcap:
        scores = softcap * np.tanh(scores / softcap)
    return attn.softmax(scores) @ v


def masked_late(q, k, v, mask=True):
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    weights = attn.softmax(scores) * mask
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def changes(q, k, v, mask=None):
    q /= math.sqrt(q.shape[-1])
    return right(q, k, v, mask, scale=unscaled)


def in_tiles(q, k, v, size=16):
    """The exponentials of a tile are never rescaled when a later one moves the maximum."""
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    j = np.arange(k.shape[-2])
    last_of_tile = np.minimum(j - j % size + size - 1, j[-1])
    largest = np.maximum.accumulate(scores, axis=-1)
    powers = np.exp(scores - largest[..., last_of_tile])
    return powers / powers.sum(axis=-1, keepdims=True) @ v


def without_last_column(mask):
    return mask | (np.arange(mask.shape[-1]) == max(mask.shape[-1] - 1, 3))


def of_first_64(q, k, v, mask=None):
    if mask is not None:
        mask = mask[..., :64]
    return right(q, k[..., :64, :], v[..., :64, :], mask)


def reshaped(q, k, v, mask=None):
    turned = k.reshape(*k.shape[:2], k.shape[3], -1).swapaxes(-1, -2)
    return right(q, turned, v, mask)


LAST = "--causal lower-right"
FIRST = "--causal upper-left"
BUGS = {  # a thread on GitHub or what is done: the bug rebuilt, the name it must get, the options
    "onnx/onnx/pull/7297": (
        but(causal=lambda q, k: triangle(q, k, 0)),
        "triangle starts in the upper left",
        LAST,
    ),
    "microsoft/onnxruntime/issues/29020": (
        right,
        "triangle ends in the lower right",
        FIRST,
    ),
    "keras-team/keras/issues/23038": (
        but(causal=lambda q, k: None),
        "is_causal has no effect",
        LAST,
    ),
    "RVC-Boss/GPT-SoVITS/issues/965": (
        but(causal=lambda q, k: triangle(q, k, 1)),
        "one key too far",
        FIRST,
    ),
    "AI-Hypercomputer/maxtext/issues/878": (
        but(masked=lambda mask: None),
        "the mask has no effect",
        LAST,
    ),
    "lucidrains/halonet-pytorch/pull/6": (
        but(masked=np.invert),
        "the other way round",
    ),
    "abisee/pointer-generator/issues/88": (
        masked_late,
        "normalised again (renormalised), and a query with every key blocked gives NaN",
    ),
    "awslabs/gluonts/pull/1401": (
        but(fill=-1e-9),
        "became 0 or nearly 0",
    ),
    "TransformerLensOrg/TransformerLens/issues/318": (
        but(fill=-1e5),
        "a large negative number instead of −inf",
    ),
    "microsoft/onnxruntime/pull/28379": (
        softcap_last,
        "softcap comes after the mask",
        "--softcap 2",
    ),
    "mlc-ai/mlc-llm/pull/3426": (
        but(scale=unscaled),
        "the scores are not scaled",
        LAST,
    ),
    "esceptico/perceiver-io/issues/9": (
        but(scale=lambda heads, d_k: d_k**0.5),
        "multiplied, not divided",
    ),
    "aladdinpersson/Machine-Learning-Collection/issues/65": (
        but(scale=lambda heads, d_k: (heads * d_k) ** -0.5),
        "√d_model",
    ),
    "tenstorrent/tt-metal/pull/56789": (
        but(scale=lambda heads, d_k: heads**-0.5),
        "√(number of heads)",
    ),
    "SKaiNET-developers/SKaiNET/pull/880": (
        but(scale=lambda heads, d_k: 1e-30),
        "multiplied by 0",
    ),
    "FrancescoSaverioZuppichini/ViT/issues/2": (
        lambda q, *given: but(scale=unscaled)(q, *given) / math.sqrt(q.shape[-1]),
        "the weights are scaled",
    ),
    "tracel-ai/burn/pull/4697": (
        but(blocked=np.nan),
        "every key blocked gives NaN",
    ),
    "microsoft/onnxruntime/pull/28958": (
        lambda q, k, v, m=None: right(q, k, v, m, blocked=1 / k.shape[-2]),
        "gives the mean of all values",
    ),
    "PetrochukM/PyTorch-NLP/issues/2": (
        but(axis=0),
        "softmax runs over the batch",
    ),
    "nerdai/llms-from-scratch-rs/pull/30": (
        but(axis=-2),
        "normalised over the queries",
    ),
    "pytorch/pytorch/issues/124464": (
        lambda *given: right(*given) * np.random.default_rng().random(),
        "dropout",
    ),
    "changes its input": (
        changes,
        "it changes its input in place",
    ),
    "two bugs": (
        but(masked=lambda mask: None, scale=unscaled),
        "the mask has no effect, and scale: the scores are not scaled (not-scaled)",
    ),
    "tiles without a correction": (
        in_tiles,
        "in tiles of 16, the sum or the output so far isn't corrected",
        "--mask none",
    ),
    "keys from the 65th on": (
        of_first_64,
        "only the first 64 keys have an effect",
    ),
    "the last column of long masks": (
        but(masked=without_last_column),
        "in 2 of its 2 wrong cases the result is that of \"the mask's last column",
    ),
    "minus": (
        lambda q, k, v, mask=None: right(-q, k, v, mask),
        "the scores are negated",
    ),
    "heads turned": (
        lambda *given: right(*given)[:, ::-1],
        "the heads are in reverse order",
    ),
    "keys reshaped": (
        reshaped,
        "K was reshaped",
    ),
    "no known bug alone": (
        but(scale=unscaled, blocked=0.5),
        "in 8 of its 11 wrong cases the result is that of",
    ),
}


def judged(function, options=""):
    """The exit code and the first line of the verdict."""
    rules = command.parser().parse_args(["judge", "any:function", *options.split()])
    try:
        with np.errstate(all="ignore"):
            results = [judged_by.call(function, np.asarray, case, rules) for case in cases(rules)]
        code, why = judge.verdict_on(results, rules)
    except judge.Verdict as verdict:
        code, why = verdict.args
    return code, why.splitlines()[0]


@pytest.mark.parametrize("thread", BUGS)
def test_a_bug_is_named_and_no_other(thread):
    function, name, *options = BUGS[thread]
    code, why = judged(function, *options)
    assert code == (judge.CONVENTION if "If that's meant" in why else judge.BUG)
    assert name in why and why.count(", and ") == name.count(", and "), why


GIVEN = command.COMMANDS["judge"][-1]
CHOICES = [GIVEN[f"--{name}"]["choices"] for name in ("mask", "causal", "blocked", "returns")]


@pytest.mark.parametrize("number", range(4))
def test_what_is_right_passes_in_its_convention(number):
    mask_is, causal_is, blocked, returns = (choices[number % len(choices)] for choices in CHOICES)

    def function(q, k, v, mask=None, is_causal=False, softcap=None):
        if mask is not None:
            mask = mask == {"true-attends": True, "true-blocks": False, "additive": 0}[mask_is]
        if is_causal:
            mask = triangle(q, k, 0 if causal_is == "upper-left" else None)
        empty = {"zeros": 0, "nan": np.nan, "mean": 1 / k.shape[-2], "any": 7}[blocked]
        both = attend(q, k, v, mask, softcap=softcap, scale=lambda *sizes: 0.3, blocked=empty)
        return both if returns == "both" else both[0]

    conventions = f"--mask {mask_is} --causal {causal_is} --blocked {blocked} --returns {returns}"
    assert judged(function, f"{conventions} --softcap 3 --scale 0.3")[0] == judge.PASSED


OWN = """
import os
def hangs(*given):
    while True:
        pass
def crashes(*given): os._exit(0)
def text(*given): return "text"
"""
OURS = "attn_parts.mathematics:scaled_dot_product_attention"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (f"{OURS} --returns both", 0, "passed: right on all 13 cases"),
        (OURS, 2, "it returned tuple, but --returns is output"),
        ("own_functions:text", 2, "it returned <U4, expected real numbers"),
        ("own_functions:hangs --seconds 2", 2, "it hangs, or needs more than 2 seconds"),
        ("own_functions:crashes", 2, "it crashed, or ended Python"),
        ("operator:add", 2, "it raised TypeError"),
        ("own_functions", 2, "can't be imported as MODULE:FUNCTION"),
        ("--cases no/such/folder/cases.json", 2, "no/such/folder"),
        ("--answers own_functions.py", 2, "JSONDecodeError"),
    ],
)
def test_exit_codes_and_words(arguments, code, words, tmp_path, monkeypatch, capfd):
    (tmp_path / "own_functions.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    got = command.main(["judge", *arguments.split()])
    (printed, errors) = capfd.readouterr()
    assert got == code and words in printed and "Warning" not in errors, printed + errors


def test_only_lengths_first_and_equal_widths_reach_a_function_that_needs_them():
    def function(query, key, value, bias=None, mask=None):
        assert bias is None and value.shape[-1] == key.shape[-1]
        return right(*(part.swapaxes(1, 2) for part in (query, key, value)), mask).swapaxes(1, 2)

    assert judged(function, "--lengths-first --equal-widths")[0] == judge.PASSED


@pytest.mark.parametrize("arguments", ["judge", "judge a:b --scale 0"])
def test_bad_arguments_end_with_2(arguments):
    with pytest.raises(SystemExit, match="2"):
        command.main(arguments.split())


def test_other_languages_are_judged_by_a_file_of_cases(tmp_path, capsys):
    cases = tmp_path / "cases.json"
    answers = tmp_path / "answers.json"
    how = ["--returns=both", "--mask=additive"]
    assert command.main(["judge", "--blocked=nan", *how, "--cases", str(cases)]) == 0
    asked = json.loads(cases.read_text(), parse_constant=lambda name: pytest.fail(f"{name} isn't JSON"))
    answers.write_text(json.dumps({case["name"]: case for case in asked}).replace('"NaN"', "null"))
    how += ["--answers", str(answers)]
    assert command.main(["judge", "--blocked=nan", *how]) == judge.PASSED
    assert command.main(["judge", "--blocked=zeros", *how]) == judge.CONVENTION
    assert "judge it with --blocked nan" in capsys.readouterr().out
    answers.write_text(json.dumps({"two tokens": {}}))
    assert command.main(["judge", *how]) == judge.UNJUDGED
    assert "has no output" in capsys.readouterr().out
