"""What to say of sizes that don't fit, by the learner's line and the arrays in it."""

import re

import numpy as np

from attn_checks.run.raised import own_frames, own_lines

SIZED = r"(?:np\.)?\b(?:zeros|ones|empty|full|eye|tri|arange|range)\((?:[^()\n]|\([^()\n]*\))*\)"
INSIDE = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"  # parentheses, up to two deep
LOST = "Has a sum or a maximum lost its axis (keepdims)? "
TURN = "Does one of them need a transpose, is it on the wrong side of @, or did you mean a different one?"


def typed_size(source: str, sizes: tuple[int, ...]) -> str:
    """What to say where one of these sizes is typed in the learner's lines, as in np.zeros(2); or ""."""
    number = rf"(?<![\w.\[-])(?:{'|'.join(map(str, sizes))})(?![\w.\]])"
    calls = [call for call in re.findall(SIZED, source) if sizes and re.search(number, call)]
    return f"You typed {calls[0]}. Should that size come from the input?" if calls else ""


def typed_limit(error, line):
    """Which limit of a loop is a typed number, and too large here; or ""."""
    size = re.search(r"axis \d+ with size (\d+)", str(error))
    for name, limit, number in re.findall(r"\bfor (\w+) in (range\((?:0, *)?(\d+)\))", own_lines(error)):
        if size and int(number) > int(size[1]) and re.search(rf"\[[^\]]*\b{name}\b", line):
            return (
                f"You typed {limit}, but here that axis has length {size[1]}. Take the number from the "
                "input instead of typing it."
            )
    return ""


def two_shapes(error):
    """Which two sizes do not fit, where an exception says so; or ""."""
    text = str(error)
    if sizes := re.search(r"operand 1 .*\(size (\d+) is different from (\d+)\)", text):
        rows, columns = map(int, sizes.groups())
        return of_product(error, columns, rows)
    shapes = re.findall(r"\(([\d,]+)\)", text) if "broadcast together" in text else []
    if len(set(shapes)) != 2:
        return ""
    left, right = (shape.strip(",").split(",")[::-1] for shape in dict.fromkeys(shapes))
    unlike = [pair for pair in zip(left, right, strict=False) if pair[0] != pair[1] and "1" not in pair]
    meets = f", and here they are {' and '.join(unlike[0])}" if unlike else ""
    typed = typed_size(own_lines(error), unlike[0] if unlike else ())
    lost = LOST if len(left) != len(right) and lost_axis(error) else ""
    return (
        f"{lost}NumPy compares two shapes from their last axis. Sizes must be equal, or one of them "
        f"1{meets}. {typed}"
    )


def lost_axis(error):
    """Whether the learner takes a sum or a maximum without keepdims, up to the line that failed."""
    return bool(re.search(rf"\b(?:sum|max|mean)\((?!{INSIDE}keepdims)", own_lines(error)))


def of_product(error, columns, rows):
    """Of `a @ b` whose sizes don't fit: how many, by name where the line gives one, and perhaps why."""
    frames = own_frames(error)
    here = f"there are {columns} and {rows}"
    why = LOST if lost_axis(error) and 1 in (columns, rows) else TURN
    for left, right in re.findall(r"(?<![\w.])(\w+) *@ *(\w+)(?![\w.\[(])", own_lines(error)):
        a, b = (np.shape(frames[-1].f_locals.get(name)) for name in (left, right))
        if a and b and (a[-1], b[-2:][0]) == (columns, rows):
            here = f"{left} {a} has {columns}, and {right} {b} has {rows}"
    return f"@ needs as many columns on its left as there are rows on its right; here {here}. {why}"
