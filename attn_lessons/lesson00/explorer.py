"""Lesson 00: what *it* looks at, before and after a head is trained."""

import functools

import numpy as np

from attn_parts.explorer import Choice, Explorer, Slider
from attn_parts.pronoun import draw_answers_of, nearest_frame, stored_heads


def explore_pronoun(twin=False):
    """Show what *it* looks at in a sentence such as "The chai is hot so we let it" (lesson 00).

    The weights are learned: stored frames of one attention head, from random parameters to step 500. Without
    `twin` the head before training is above the same head after `step` steps. With it both are after `step`
    steps, the first and another that answers as well but looks elsewhere (lesson 06). Controls: step (0 to
    500), noun.
    """
    stored = stored_heads()
    heads = {name: {**head, "frames": stored["frames"]} for name, head in stored["heads"].items()}
    last = heads["looks"]["frames"][-1]
    controls = [
        Slider("step", last, 0, last, 10),
        Choice("noun", stored["nouns"][0], stored["nouns"]),
    ]
    return Explorer(functools.partial(_draw_pronoun, heads, twin), controls)


def _draw_pronoun(heads, twin, step, noun):
    stored = stored_heads()
    looks = heads["looks"]
    before = "before training"
    which = stored["nouns"].index(noun)
    answers = stored["answers"]
    words = stored["sentences"][which]
    after = f"after {looks['frames'][nearest_frame(looks, step)]} steps"
    if twin:
        title = f"in two heads {after}"
        rows = (
            (looks, step, f"one head, {after}"),
            (heads["does not look"], step, f"its twin, {after}"),
        )
    else:
        after = f"{after} of training" if step else before
        title = f"{before} and {after}"
        rows = (looks, 0, before), (looks, step, after)
    frames = [(label, nearest_frame(head, step), head) for head, step, label in rows]
    shown = [
        (
            label,
            *(np.array(head[name][frame][which]) for name in ("weights", "answers")),
        )
        for label, frame, head in frames
    ]
    return draw_answers_of(words, answers, shown, f"What “it” looks at, {title}")
