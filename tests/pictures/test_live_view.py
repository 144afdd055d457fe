"""What is displayed of a live widget: two outputs, the still and the widget that hides it."""

import re

import ipywidgets
import pytest
from ipywidgets.widgets.widget import _instances

from attn_parts.live_view import WIDGET_VIEW, show_live

STILL = {"text/html": "<p>a still</p>", "text/plain": "a still"}


@pytest.fixture
def shown(monkeypatch):
    """Displays the still beside a widget; the data of what was displayed."""
    kept = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: kept.append(data) or raw)

    def show(still=STILL, **more):
        kept.clear()
        show_live(ipywidgets.Button(), still, **more)
        return list(kept)

    return show


def test_still_and_widget_are_two_outputs(shown):
    still, live = shown()
    assert set(still) == {"text/html", "text/plain"} and set(live) == {WIDGET_VIEW}
    assert "<p>a still</p>" in still["text/html"] and still["text/plain"] == "a still"


def widgets_of(view):
    return _instances[view["model_id"]].children


def test_the_widget_hides_its_own_still_and_no_other(shown):
    still, live = shown()
    style = widgets_of(live[WIDGET_VIEW])[1].value
    name = re.search(r"\.(attn-still-\w+) \{display: none\}", style)[1]
    assert f'class="attn-still {name}"' in still["text/html"]
    assert name not in shown({**STILL, "text/html": "<p>another</p>"})[0]["text/html"]


def test_the_same_still_is_stored_the_same_each_time(shown):
    assert shown()[0] == shown()[0]


def test_a_note_stands_below_the_still(shown):
    assert "attn-still-note" not in shown()[0]["text/html"]
    assert shown(note="run it")[0]["text/html"].index("run it") > shown()[0]["text/html"].index("a still")
