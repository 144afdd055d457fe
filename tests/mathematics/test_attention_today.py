"""Shared heads, sinks, memories and facts of lesson 14: on small integers by hand, and against other ways to compute them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import attn_checks as check
import attn_helpers as attn
from attn_lessons.lesson14.pictures import _directions
from attn_parts import facts, seeker
from attn_parts.attention_today import grouped_attention, running_memory

rng = np.random.default_rng(14)


def test_neighbouring_query_heads_share_a_key_value_head():
    query, key, value = (
        rng.standard_normal((6, 3, 4)),
        rng.standard_normal((2, 5, 4)),
        rng.standard_normal((2, 5, 3)),
    )
    mask = attn.causal_mask(3, 5, offset=2)
    output, weights = grouped_attention(query, key, value, mask)
    for head, used in enumerate([0, 0, 0, 1, 1, 1]):
        alone = attn.scaled_dot_product_attention(
            query[head],
            key[used],
            value[used],
            mask,
        )
        assert_allclose((output[head], weights[head])[0], alone[0])
        assert_allclose(weights[head], alone[1])


def test_a_sink_is_one_more_key_without_a_value():
    query, key, value = (rng.standard_normal((2, 4, 3)) for _ in range(3))
    sinks = np.array([0.5, -1.0])
    output, weights = grouped_attention(
        query,
        key,
        value,
        attn.causal_mask(4),
        sinks=sinks,
    )
    for head, sink in enumerate(sinks):
        exponentials = np.tril(np.exp(query[head] @ key[head].T / 3**0.5))
        by_hand = exponentials / (exponentials.sum(axis=1, keepdims=True) + np.exp(sink))
        assert_allclose(weights[head], by_hand)
        assert_allclose(output[head], by_hand @ value[head])


def test_heads_that_cannot_be_shared_are_refused():
    with pytest.raises(ValueError, match="3 heads, key 2 and value 2"):
        grouped_attention(
            np.zeros((3, 1, 1)),
            np.zeros((2, 1, 1)),
            np.zeros((2, 1, 1)),
        )


def test_linear_attention_is_a_masked_product_without_softmax():
    query, key = rng.standard_normal((2, 3, 7, 4))
    value = rng.standard_normal((3, 7, 5))
    output, memory = running_memory(query, key, value)
    assert_allclose(output, np.tril(query @ key.swapaxes(-1, -2)) @ value)
    assert_allclose(memory, key.swapaxes(-1, -2) @ value)


def test_the_delta_rule_by_hand_and_as_a_product_of_matrices():
    key, value = (
        np.array([[1.0, 0], [0, 1], [1, 0]]),
        np.array(
            [
                [5.0, 2],
                [4, 4],
                [7, 1],
            ]
        ),
    )
    assert_allclose(
        running_memory(
            key,
            key,
            value,
            np.ones(3),
        )[1],
        [[7, 1], [4, 4]],
    )
    assert_allclose(
        running_memory(
            key,
            key,
            value,
            [1, 1, 0.5],
        )[1],
        [[6, 1.5], [4, 4]],
    )
    key, value, strength, keep = (
        rng.standard_normal((6, 3)),
        rng.standard_normal((6, 2)),
        rng.random(6),
        rng.random(6),
    )
    memory = np.zeros((3, 2))
    for k, v, s, left in zip(key, value, strength, keep, strict=True):
        memory = left * (np.eye(3) - s * np.outer(k, k)) @ memory + s * np.outer(k, v)
    assert_allclose(
        running_memory(
            key,
            key,
            value,
            strength,
            keep,
        )[1],
        memory,
    )


@pytest.mark.parametrize(("told", "width"), [(1, 64), (2, 16)])
def test_the_exercise_s_rule_is_the_course_s(told, width):
    asked = facts.random_facts(20, told, width)
    rule = check.EXERCISES["delta_rule"].right(asked.K, asked.V, 0.5)
    assert_allclose(asked.Q @ rule, facts._remembered(asked, 0.5))


def test_what_is_found_is_counted_and_ties_are_shared():
    asked = facts.tell(
        [
            ("chai", "hot"),
            ("dog", "tame"),
            ("chai", "cold"),
        ]
    )
    hot, tame, cold = asked.V
    assert asked.found(np.array([cold, tame])) == 1
    assert asked.found(np.array([hot, tame])) == 0.5
    assert asked.found(np.array([hot + cold, tame])) == 0.75
    with pytest.raises(ValueError, match="one row for each query"):
        asked.found(hot)
    with pytest.raises(ValueError, match="pairs of words"):
        facts.tell([("chai", 3)])


def test_what_each_way_keeps_and_finds():
    """The order that the lesson tells of, on three texts of its own size."""
    for seed in range(3):
        once, twice = (
            facts.random_facts(128, 1, seed=seed),
            facts.random_facts(
                32,
                2,
                seed=seed,
            ),
        )
        found = {way: (call(once), call(twice)) for way, call in facts.WAYS.items()}
        once, twice = (
            {way: of.found(both[i]) for way, both in found.items()} for i, of in enumerate((once, twice))
        )
        assert (
            once["softmax"]
            == once["best keys"]
            == 1
            > once["linear"]
            > 0.9
            > 0.7
            > once["delta"]
            > once["window"]
        )
        assert twice["delta"] > 0.95
        assert (
            max(
                twice["softmax"],
                twice["linear"],
                twice["best keys"],
            )
            < 0.75
        )
    assert [facts.kept(way, 100, 64) for way in facts.WAYS] == [
        12800,
        4096,
        12800,
        4096,
        4096,
    ]


def test_words_that_look_for_nothing_look_at_the_first():
    """Three seeds: the begin word gets it, plain softmax fails without one, and a sink makes up for that."""
    for seed in range(3):
        losses = {}
        for begin, sink in ((True, False), (False, False), (False, True)):
            head = seeker.train_seeker(begin, sink, seed)
            losses[begin, sink] = seeker.seeker_loss(head, begin)
            if begin:
                words, _ = seeker.make_texts(500, True, [999])
                first = seeker.run_seeker(head, words)[4][..., 0]
                assert first[(words > 0) & (words < seeker.FIRST_ASKED)].mean() > 0.95
                assert first[words >= seeker.FIRST_ASKED].mean() < 0.05
        assert losses[True, False] < 0.001 < 0.02 < losses[False, False]
        assert losses[False, True] < losses[False, False] / 4


@pytest.mark.parametrize("sink", [False, True])
def test_gradients_of_the_seeker_are_finite_differences(sink):
    trained = seeker.train_seeker(
        not sink,
        sink,
        seed=1,
    )  # where gradients are small, so it's moved away
    head = {name: array + rng.standard_normal(array.shape) for name, array in trained.items()}
    words, wanted = seeker.make_texts(4, not sink, 5)
    _, gradients = seeker.seeker_gradients(head, words, wanted)
    for name, array in head.items():
        for place in rng.integers(array.size, size=12):
            nudged = []
            for step in (1e-5, -1e-5):
                moved = {**head, name: array.copy()}
                moved[name].flat[place] += step
                nudged.append(
                    seeker.seeker_gradients(
                        moved,
                        words,
                        wanted,
                    )[0]
                )
            assert_allclose(
                gradients[name].flat[place],
                (nudged[0] - nudged[1]) / 2e-5,
                atol=1e-7,
                rtol=1e-5,
            )
        assert np.abs(gradients[name]).max() > 1e-3


def test_caches_of_open_models():
    """By hand: Llama 3.1 8B keeps 128 kB of each token, and gpt-oss has a window of 128 in every other layer."""
    models = {model["name"]: model["cache"] for model in attn.load_data("open_models")["models"]}
    cache = check.EXERCISES["cache_bytes"].right
    assert cache(1000, **models["Llama 3.1 8B"]) == 1000 * 128 * 1024
    assert cache(1000, **models["gpt-oss-120b"]) == 2 * 2 * 8 * 64 * (18 * 1000 + 18 * 128)
    assert cache(1000, **models["DeepSeek-V3"]) == 2 * 61 * 576 * 1000


def test_a_latent_row_as_wide_as_keys_and_values_loses_nothing():
    for directions in _directions():
        assert_allclose(directions @ directions.T, np.eye(128), atol=1e-10)
