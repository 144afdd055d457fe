"""Make the page that lists the mistakes which the checkers know; tools/pages.py puts it among the others."""

import attn_checks
from attn_checks.tell.feedback import section

PAGE = """# Mistakes that the checkers know

A checker computes what each mistake would give on its inputs and compares the numbers, so it recognises a mistake
however you write it, and also two mistakes made in two steps. This table comes from the checkers' own data.

| mistake | what the checker calls it | exercises | read again |
| --- | --- | --- | --- |
"""


def page():
    """Markdown with one row for each mistake, in the order of the lessons, and every exercise that names it."""
    found = {}
    for name, exercise in attn_checks.EXERCISES.items():
        for mistake in exercise.known():
            _, exercises = found.setdefault((mistake.short, mistake.name), (section(mistake.see), {}))
            exercises[f"`{name}`"] = True
    return PAGE + "".join(
        f"| {name.replace('*', chr(92) + '*')} | `{short}` | {', '.join(exercises)} | {place.removeprefix('lesson ')} |\n"
        for (short, name), (place, exercises) in found.items()
    )
