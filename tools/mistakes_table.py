"""Write the table of mistakes that the checkers know into TEACHING.md, between its two marks.

python tools/mistakes_table.py            write it
python tools/mistakes_table.py --check    only say whether it is current (exit code 1 if not)
"""

import sys

from set_address import ROOT

sys.path.insert(0, str(ROOT))
import attn_checks  # noqa: E402
from attn_checks.sections import section  # noqa: E402

PAGE = ROOT / "TEACHING.md"
START, END = "<!-- mistakes: start -->", "<!-- mistakes: end -->"


def table():
    """One row for each mistake, in the order of the lessons, with every exercise whose checker names it.

    Exercises of lessons that are still to come are left out.
    """
    mistakes = {}
    for name, exercise in attn_checks.EXERCISES.items():
        for mistake in exercise.known():
            lesson = section(mistake.see).removeprefix("lesson ")
            if any((ROOT / "notebooks").glob(f"{lesson[:2]}_*.ipynb")):
                _, exercises = mistakes.setdefault((mistake.short, mistake.name), (lesson, []))
                if name not in exercises:
                    exercises.append(name)
    rows = [
        "| mistake | what the checker calls it | exercises | look again at |",
        "| --- | --- | --- | --- |",
    ]
    for (short, name), (lesson, exercises) in mistakes.items():
        named = ", ".join(f"`{exercise}`" for exercise in exercises)
        rows.append(f"| {name.replace('*', chr(92) + '*')} | `{short}` | {named} | {lesson} |")
    return "\n".join(rows)


def page_with_table(text):
    before, rest = text.split(START)
    return f"{before}{START}\n{table()}\n{END}{rest.split(END)[1]}"


def main(arguments):
    text = PAGE.read_text(encoding="utf-8")
    current = page_with_table(text)
    if "--check" in arguments:
        if text != current:
            print("TEACHING.md is out of date: run python tools/mistakes_table.py")
        return int(text != current)
    PAGE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
