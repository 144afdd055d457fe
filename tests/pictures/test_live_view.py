"""What is displayed of a live widget: two outputs, the still and the widget that hides it."""

import re

import ipywidgets
import pytest
from ipywidgets.widgets.widget import _instances

from attn_parts.live_view import WIDGET_VIEW, progress_bar, show_live


@pytest.fixture
def shown(monkeypatch):
    """Displays a still beside a widget; the data of what was displayed."""
    kept = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: kept.append(data) or raw)

    def show(still="a still", **more):
        kept.clear()
        show_live(ipywidgets.Button(), {"text/html": f"<p>{still}</p>", "text/plain": still}, **more)
        return list(kept)

    return show


def test_still_and_widget_are_two_outputs_and_the_widget_hides_its_own_still(shown):
    still, live = shown()
    assert set(still) == {"text/html", "text/plain"} and set(live) == {WIDGET_VIEW}
    assert "<p>a still</p>" in still["text/html"] and still["text/plain"] == "a still"
    style = _instances[live[WIDGET_VIEW]["model_id"]].children[1].value
    name = re.search(r"\.(attn-still-\w+) \{display: none\}", style)[1]
    assert f'class="attn-still {name}"' in still["text/html"]
    assert name not in shown("another")[0]["text/html"]


def test_the_same_still_is_stored_the_same_each_time_with_its_note_below(shown):
    assert shown()[0] == shown()[0] and "attn-still-note" not in shown()[0]["text/html"]
    assert shown(note="run it")[0]["text/html"].index("run it") > shown()[0]["text/html"].index("a still")


def test_the_bar_counts_and_stores_no_time(capsys):
    assert list(progress_bar(3, label="round")) == [0, 1, 2]
    assert list(progress_bar(0)) == []
    assert not re.search(r"\d+ ?(s|ms|it/s)\b", capsys.readouterr().out)
