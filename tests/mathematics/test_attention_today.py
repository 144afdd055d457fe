"""Memories, facts and sinks of lesson 14; its shared heads and delta rule: test_open_models.py."""

import attn_helpers as attn
from attn_lessons.lesson14 import _seeker as seeker


def test_what_is_found_is_counted_and_ties_are_shared():
    asked = attn.tell([("chai", "hot"), ("dog", "tame"), ("chai", "cold")])
    hot, tame, cold = asked.V
    assert asked.found([cold, tame]) == 1
    assert asked.found([hot, tame]) == 0.5
    assert asked.found([hot + cold, tame]) == 0.75


def loss_on_new_texts(head, begin):
    words, wanted = seeker.make_texts(500, begin, [999])
    loss, _ = seeker.seeker_gradients(head, words, wanted)
    return loss


def test_words_that_look_for_nothing_look_at_the_first():
    """Plain softmax fails without a begin word, and a sink makes up for that."""
    head = seeker.train_seeker()
    words, _ = seeker.make_texts(500, True, [999])
    *_, weights = seeker.run_seeker(head, words)
    on_begin = weights[:, 0, :, 0]
    asks = words >= seeker.FIRST_ASKED
    tells = (words > 0) & ~asks
    assert on_begin[tells].mean() > 0.95
    assert on_begin[asks].mean() < 0.05
    assert loss_on_new_texts(head, begin=True) < 0.001
    plain = seeker.train_seeker(begin=False)
    plain_loss = loss_on_new_texts(plain, begin=False)
    assert plain_loss > 0.02
    with_sink = seeker.train_seeker(begin=False, sink=True)
    assert loss_on_new_texts(with_sink, begin=False) < plain_loss / 4
