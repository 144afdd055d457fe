"""What to say of sizes that don't fit, by the learner's line and the arrays in it."""

import re

import numpy as np

from attn_checks.errors.raised import own_frames, own_lines

SIZED = r"(?:np\.)?\b(?:zeros|ones|empty|full|eye|tri|arange|range)\((?:[^()\n]|\([^()\n]*\))*\)"


def typed_size(source, sizes):
    """What to say of a learner's lines where one of these sizes is a typed number, such as np.zeros(2); or ""."""
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


def two_shapes(error, line):
    """Which two sizes do not fit, where an exception says so."""
    text = str(error)
    sizes = re.search(r"operand 1 .*\(size (\d+) is different from (\d+)\)", text)
    if sizes:
        return (
            "@ needs as many columns on its left as there are rows on its right; "
            f"{of_product(error, line, int(sizes[2]), int(sizes[1]))}"
        )
    if re.search(r"\.shape\b(?! *\[)", line) and re.search(r"[/*]|sqrt", line):
        return (
            "You calculate with a whole shape, a tuple with one size per axis. Pick one of them, such as "
            ".shape[-1]."
        )
    shapes = re.findall(r"\(([\d,]+)\)", text) if "broadcast together" in text else []
    shapes = list(dict.fromkeys(shapes))  # of += the first comes twice
    if len(shapes) != 2:
        return ""
    left, right = (shape.strip(",").split(",") for shape in shapes)
    of_matrices = len(left + right) > 2
    is_product = len(left) > 1 < len(right) or left[-1] == right[-2:][0]  # one row: only where @ would fit
    if is_product and re.search(r"[\w\])] *\* *[\w(]", line) and not re.search(r"@|[\w\])] *[-+]", line):
        return "* multiplies cell by cell, and these shapes don't fit. Write @ for the matrix product."
    pairs = zip(*(reversed([int(n) for n in shape.split(",") if n]) for shape in shapes), strict=False)
    unlike = [pair for pair in pairs if pair[0] != pair[1] and 1 not in pair]
    meets = f", and here they are {unlike[0][0]} and {unlike[0][1]}" if unlike else ""
    typed = typed_size(own_lines(error), sum(unlike, ()))
    is_row = any(shape.endswith(",") for shape in shapes)
    lost = LOST if of_matrices and is_row and lost_axis(error) else ""
    return (
        f"{lost}NumPy compares two shapes from their last axis. Sizes must be equal, or one of them "
        f"1{meets}. {typed}"
    )


LOST = "Has a sum or a maximum lost its axis (keepdims)? "


INSIDE = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*"  # parentheses, up to two deep


def lost_axis(error):
    """Whether the learner takes a sum or a maximum without keepdims, up to the line that failed."""
    return bool(re.search(rf"\b(?:sum|max|mean)\((?!{INSIDE}keepdims)", own_lines(error)))


TURN = "Does one of them need a transpose, is it on the wrong side of @, or did you mean a different one?"


def of_product(error, line, columns, rows):
    """Of `a @ b` whose sizes do not fit: how many there are, by name where the line gives one, and why that may be."""
    frames = own_frames(error)
    for left, right in re.findall(r"(?<![\w.])(\w+) *@ *(\w+)(?![\w.\[(])", line):
        a, b = (frames[-1].f_locals.get(name) for name in (left, right))
        is_pair = type(a) is type(b) is np.ndarray and min(a.ndim, b.ndim) > 0
        if is_pair and (a.shape[-1], b.shape[-2:][0]) == (columns, rows):
            has = f"here {left} {a.shape} has {columns}, and {right} {b.shape} has {rows}"
            return f"{has}. {LOST if lost_axis(error) and 1 in (columns, rows) else TURN}"
    return f"here there are {columns} and {rows}. {LOST if lost_axis(error) else TURN}"
