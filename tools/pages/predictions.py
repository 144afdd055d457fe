"""Predictions on the pages: the replies to each option, which frames.js shows on a click."""

import html
import re

from attn_checks.ask.predict import Prediction


def asked(source):
    """The name of the prediction that a cell asks for, None if it asks for none."""
    found = re.search(r"""(?m)^check\.predict\(["']([\w-]+)["']\)$""", source)
    return found and found[1]


def as_html(slug, still):
    """The question with its options as folds, `still`, and the reply to each option, which waits unseen."""
    return f'<div class="attn-question"><div>{still}</div>{"".join(replies(slug))}</div>'


def replies(slug):
    for letter in Prediction(slug).question.options:
        prediction = Prediction(slug)
        option = prediction.buttons[letter].description
        prediction.choose(letter)
        chosen = prediction.buttons[letter].description
        yield (
            f'<template data-option="{html.escape(option)}" data-chosen="{html.escape(chosen)}">'
            f"{prediction.reply.value}</template>"
        )
