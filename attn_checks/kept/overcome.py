"""Mistakes that a check named, and when it passed later: in my_mistakes.json, beside the notebook, for `mine.page()` alone."""

import contextlib
import datetime
import json

from attn_checks.kept.file import keeps, locked, path, write
from attn_checks.tell.feedback import Feedback

FILE = "my_mistakes.json"  # {exercise: {mistake: [its words, when it was met, when overcome or ""]}}


def note(name: str, feedback: Feedback) -> None:
    """Remember a mistake that is named, or that those of this exercise are overcome."""
    named = feedback.mistake if feedback.status == "incorrect" and feedback.like else None
    if not keeps() or not (named or feedback.status == "passed"):
        return
    with contextlib.suppress(Exception), locked(path()):  # whatever is in the way, the verdict matters more
        known, today = noted(), str(datetime.date.today())
        own = known.get(name, {})
        if named:
            _, met, _ = own.get(named, ["", today, ""])
            new = own | {named: [feedback.like, met, ""]}
        else:
            new = {key: [words, met, when or today] for key, (words, met, when) in own.items()}
        if new != own:
            text = json.dumps(known | {name: new}, ensure_ascii=False, indent=1)
            write(path().with_name(FILE), text + "\n")


def noted() -> dict:
    try:
        return json.loads(path().with_name(FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def overcome() -> list[list[str]]:
    """[exercise, mistake's name, its words, when met, when overcome], in the order of time; raises on an odd file."""
    told = [
        [name, key, words, str(datetime.date.fromisoformat(met)), str(datetime.date.fromisoformat(when))]
        for name, own in noted().items()
        for key, (words, met, when) in own.items()
        if when
    ]
    return sorted(told, key=lambda each: each[:2:-1])
