"""Draw README.md's moving picture, lesson 00's head while it learns, and its last frame for readers who want less motion.

python tools/draw_learning.py           write .github/learning.svg and .github/learned.svg
"""

import _command
import attn_helpers as attn
from attn_lessons.lesson10._film import moving

STEPS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 100, 150, 200, 500]


def pictures():
    """{file name: SVG}."""
    explorer = attn.explore_pronoun()
    drawn = [explorer.draw(step=step, noun="chai") for step in STEPS]
    film, told = moving(drawn)
    whole, _ = drawn[-1]
    return {"learning.svg": film.svg(told) + "\n", "learned.svg": whole.svg(told) + "\n"}


if __name__ == "__main__":
    for name, svg in pictures().items():
        (_command.ROOT / ".github" / name).write_text(svg, "utf-8")
