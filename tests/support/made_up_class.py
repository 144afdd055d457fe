"""A made-up class of 30 that answers the inventory twice, and of which is known who knows what."""

import csv
import random

from attn_checks.inventory.forms import columns, forms
from attn_checks.inventory.report import with_limits

SIZE = 30
# idea: how many know it before and after, the wrong idea of others (None: they guess), and of how many
KNOWN = {
    "who-attends-to-whom": (6, 24, "queries-and-keys-swapped", 5),
    "what-a-weight-doesn't-say": (3, 12, "hard-maximum", 14),
    "scale": (3, 18, "d-k-without-root", 8),
    "mask-before-softmax": (6, 21, "mask-after-softmax", 7),
    "padding": (0, 9, "padding-rows", 12),
    "temperature": (9, 27, "temperature-multiplied", 2),
    "what-heads-add": (6, 15, "heads-added", 3),
    "order-without-positions": (3, 15, "put-in-front", 10),
    "what-an-ablation-proves": (6, 9, "all-others-blocked", 13),
    "what-a-cache-keeps": (9, 24, "query-stored", 4),
    "cost-of-length": (15, 21, "own-tile-only", 6),
    "only-differences-count": (12, 12, None, 0),
}


def answer(question, known, rank, time, chance):
    """The letter of the student of this rank, who answers as they think in nine of ten cases."""
    *knowing, mistake, held = known
    meant = None
    if rank < knowing[time]:
        meant = question.right
    elif rank >= SIZE - held:
        [meant] = (letter for letter, (_, reply) in question.options.items() if f"`{mistake}`" in reply)
    sure = meant and chance.random() < 0.9
    return (meant if sure else chance.choice("abcd")).upper()


def hand_in(folder):
    """Write what the class handed in, lines and tables from paper; half began with form A, half with B."""
    chance = random.Random(40)
    ranks = [chance.sample(range(SIZE), SIZE) for _ in KNOWN]
    for time, name in enumerate(("before", "after")):
        (folder / name).mkdir(parents=True)
        typed = [columns()]
        for student in range(SIZE):
            form = "AB"[(student + time) % 2]
            asked = zip(forms()[form].values(), KNOWN.values(), ranks, strict=True)
            letters = [
                answer(question, known, rank[student], time, chance) for question, known, rank in asked
            ]
            if student % 3:
                line = f"attention-inventory {form} {''.join(letters)} student {student}\n"
                (folder / name / f"{student}.txt").write_text(line)
            else:
                typed.append([f"Student {student}", form, *letters])
        with (folder / name / "paper.csv").open("w", newline="") as file:
            csv.writer(file, delimiter=";").writerows(typed)


def compared(report):
    """A table's line for each idea: what is known of the class, and what the report found."""
    for found, (idea, (before, after, mistake, held)) in zip(report.ideas(), KNOWN.items(), strict=True):
        gain = (after - before) / (SIZE - before)
        _, low, high = found.gain
        [named] = {
            reply.split("`")[1]
            for _, reply in forms()["A"][idea].options.values()
            if reply.endswith(found.say)
        }
        cells = [
            found.title,
            f"{before} → {after}",
            f"{gain:.2f}",
            with_limits(found.gain),
            "yes" if low <= gain <= high else "**no**",
            f"`{mistake}`, {held}" if mistake else "none, they guess",
            f"`{named}`, {found.chose} of {found.wrong}",
            "yes" if named == mistake else "**no**",
        ]
        yield f"| {' | '.join(cells)} |"
