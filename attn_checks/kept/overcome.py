"""Mistakes that a check named, and when it passed later: in my_mistakes.json, for `mine.page()`."""

import contextlib
import datetime
import json

from attn_checks.kept.file import keeps, path, write
from attn_checks.tell.feedback import Feedback

FILE = "my_mistakes.json"  # [exercise, mistake, its words, when it was met, when overcome or ""] of each


def note(name: str, feedback: Feedback) -> None:
    """Remember a mistake that is named, or that those of this exercise are overcome."""
    if not keeps():
        return
    today = str(datetime.date.today())
    with contextlib.suppress(Exception):  # whatever is in the way, the verdict matters more
        before = rows = noted()
        if feedback.status == "passed":
            rows = [[*row[:4], row[4] or today] if row[0] == name else row for row in rows]
        elif feedback.status == "incorrect" and feedback.mistake and feedback.like:
            key = [name, feedback.mistake]
            met = next((row[3] for row in rows if row[:2] == key), today)
            rows = [row for row in rows if row[:2] != key] + [[*key, feedback.like, met, ""]]
        if rows != before:
            text = json.dumps(rows, ensure_ascii=False, indent=1)
            write(path().with_name(FILE), f"{text}\n")


def noted() -> list[list[str]]:
    try:
        return json.loads(path().with_name(FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []


def overcome() -> list[list[str]]:
    """The mistakes that are overcome, in the order of time; raises on an odd file."""
    return sorted([row for row in noted() if row[4]], key=lambda row: row[4])
