"""Draw README.md's moving picture, lesson 00's head while it learns, and its last frame for readers who want less motion.

python tools/draw_learning.py           write .github/learning.svg and .github/learned.svg
"""

import os

import _command
import attn_helpers as attn
from attn_parts.svg import Drawing

STEPS = [0, 10, 20, 30, 40, 50, 60, 70, 80, 100, 150, 200, 500]
FIRST, EACH, LAST = 1.5, 0.4, 4.0  # seconds


def pictures():
    """{file name: SVG}. In the moving one, what all frames share is drawn once, and the rest of each in its time."""
    explorer = attn.explore_pronoun()
    drawn = [explorer.draw(step=step, noun="chai") for step in STEPS]
    frames = [drawing.marks for drawing, _ in drawn]
    shared = os.path.commonprefix(frames)
    whole, told = drawn[-1]
    seconds = [FIRST, *[EACH] * (len(STEPS) - 2), LAST]
    rules = [".f:nth-last-of-type(n+2){visibility:hidden}", "@media (prefers-reduced-motion:no-preference){"]
    moving = Drawing(whole.width, whole.height, "What “it” looks at, before training and while it is trained")
    moving.marks = list(shared)
    for place, marks in enumerate(frames):
        begin, end = (100 * sum(seconds[:k]) / sum(seconds) for k in (place, place + 1))
        rules.append(f"@keyframes f{place}{{0%{{visibility:hidden}}{begin:.2f}%{{visibility:visible}}")
        rules.append(f"{end:.2f}%{{visibility:{'visible' if end == 100 else 'hidden'}}}}}")
        rules.append(f".f{place}{{animation:f{place} {sum(seconds):g}s step-end infinite}}")
        moving.marks += [f'<g class="f f{place}">', *marks[len(shared) :], "</g>"]
    svg = moving.svg(told).replace("<rect", f"<style>{''.join(rules)}}}</style><rect", 1)
    return {"learning.svg": svg + "\n", "learned.svg": whole.svg(told) + "\n"}


if __name__ == "__main__":
    for name, svg in pictures().items():
        (_command.ROOT / ".github" / name).write_text(svg, "utf-8")
