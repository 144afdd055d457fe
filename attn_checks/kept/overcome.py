"""Mistakes that a check named, and when it passed later: in my_mistakes.json, beside the notebook, for `mine.page()` alone."""

import contextlib
import datetime
import json

from attn_checks.kept.file import keeps, locked, path, write
from attn_checks.tell.feedback import Feedback

FILE = "my_mistakes.json"  # {exercise: {mistake: [its words, when it was met, when overcome or ""]}}


def note(name: str, feedback: Feedback) -> None:
    """Remember a mistake that is named, or that those of this exercise are overcome."""
    named = feedback.status == "incorrect" and feedback.mistake and feedback.like
    if not keeps() or not (named or feedback.status == "passed"):
        return
    with contextlib.suppress(Exception), locked(path()):  # whatever is in the way, the verdict matters more
        known = noted()
        own = dict(known.get(name, {}))
        today = str(datetime.date.today())
        if named:
            _, met, _ = own.get(feedback.mistake, ["", today, ""])
            own[feedback.mistake] = [feedback.like, met, ""]
        else:
            for key, (words, met, when) in own.items():
                own[key] = [words, met, when or today]
        if own != known.get(name, {}):
            known[name] = own
            text = json.dumps(known, ensure_ascii=False, indent=1)
            write(path().with_name(FILE), f"{text}\n")


def noted() -> dict:
    try:
        return json.loads(path().with_name(FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}


def overcome() -> list[list[str]]:
    """[exercise, mistake's name, its words, when met, when overcome], in the order of time; raises on an odd file."""
    found = []
    for name, own in noted().items():
        for key, (words, *dates) in own.items():
            if dates[1]:
                met, when = map(datetime.date.fromisoformat, dates)
                found.append([name, key, words, str(met), str(when)])
    return sorted(found, key=lambda told: told[4])
