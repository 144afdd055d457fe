"""Write the table of mistakes that the checkers know into TEACHING.md, between its two marks.

python .ci/mistakes_table.py            write it
python .ci/mistakes_table.py --check    only say whether it is current (exit code 1 if not)
"""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
import attn_checks  # noqa: E402

PAGE = ROOT / "TEACHING.md"
START, END = "<!-- mistakes: start -->", "<!-- mistakes: end -->"


def table():
    """One row for each slip of each exercise, in the order of the lessons."""
    rows = ["| exercise | slip | what the checker calls it | lesson |", "| --- | --- | --- | --- |"]
    seen = set()
    for name, exercise in attn_checks.EXERCISES.items():
        for mistake in exercise.mistakes:
            if (mistake.slug, mistake.name) not in seen:
                seen.add((mistake.slug, mistake.name))
                lesson = mistake.see.removeprefix("lesson ")
                rows.append(
                    f"| `{name}` | {mistake.name.replace('*', chr(92) + '*')} | `{mistake.slug}` | {lesson} |"
                )
    return "\n".join(rows)


def page_with_table(text):
    before, rest = text.split(START)
    return f"{before}{START}\n{table()}\n{END}{rest.split(END)[1]}"


def main(arguments):
    text = PAGE.read_text(encoding="utf-8")
    current = page_with_table(text)
    if "--check" in arguments:
        if text != current:
            print("TEACHING.md is out of date: run python .ci/mistakes_table.py")
        return int(text != current)
    PAGE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
