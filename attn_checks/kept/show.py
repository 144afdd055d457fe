"""Gather what `mine.page()` shows: functions that still pass, what they compute, the GPT, the mistakes."""

import ast
import contextlib
import datetime
import io
from pathlib import Path

import numpy as np

from attn_checks.exercise import exercises
from attn_checks.kept import overcome, page
from attn_checks.kept.file import FILE, IMPORTS, NotKeptError, free_names, keeps, parts_of, read, write
from attn_checks.kept.mine import GPT, Mine, parts_of_gpt


def write_page(mine: Mine, target: str, without: tuple, mistakes: bool, name: str) -> list[str]:
    """Write the page; what to tell its author, in lines."""
    told: list[str] = []
    try:
        made = gathered(mine, read(), set(without), name, overcame(mistakes, told), told)
        if not made.functions:
            why = f"pass a check first, so that {FILE} has a function to show."
            return [*told, f"{target} isn't written: {why}"]
        content = page.html_of(made)
        page.read(content.encode())
        write(Path(target), content)
    except (NotKeptError, page.BadPageError) as reason:
        return [*told, f"{target} isn't written: {reason}"]
    counts = {
        "functions": made.functions,
        "pictures": made.pictures,
        "samples of your GPT": made.gpt and made.gpt[3],
        "mistakes overcome": made.mistakes,
    }
    listed = ", ".join(f"{what}: {len(parts)}" for what, parts in counts.items() if parts)
    return [*told, f"Written: {target} ({listed}). Open it in a browser, show it, hand it in."]


def overcame(mistakes, told):
    """The mistakes to show; none where the reader doesn't want that, or has changed their file."""
    try:
        return overcome.overcome() if mistakes and keeps() else []
    except Exception as error:
        told.append(f"Your mistakes aren't shown: {overcome.FILE} can't be used ({type(error).__name__}).")
        return []


def gathered(mine, text, without, name, mistakes, told):
    """The Page of what a file holds; what isn't shown, and why, goes into `told`."""
    parts = parts_of(text)
    own = [*parts, *(key for _, key, *_ in mistakes)]
    if unknown := without - {*own, *mine._exercises(), "sentence", GPT}:
        raise ValueError(f"without has {min(unknown)!r}, but you have {', '.join(own)}")
    functions = yours(mine, parts, without, told)
    codes = whole(functions, parts, told)
    imports = imports_of(text, codes)
    written = [page.Written(each, code, page.record_of(imports, code)) for each, code in codes.items()]
    sentence = of_sentence(mine)
    pictures = {}
    if "sentence" not in without:
        kept = {each: functions[each] for each in codes.keys() & functions}
        pictures = pictures_of(kept, *sentence)
    if not pictures:
        sentence = (), (), ()
    gpt = gpt_of(parts, told) if GPT in parts.keys() - without else ()
    shown = [[each, *told] for each, key, *told in mistakes if not {each, key} & without]
    today = str(datetime.date.today())
    return page.Page(name, today, imports, written, *sentence, pictures, gpt, shown)


def yours(mine, parts, without, told):
    """{name: function} of those that still pass and can be shown, in the order of the file."""
    found = {}
    for name, code in parts.items():
        exercise = mine._exercises().get(name)
        if exercise is None or name in without:
            continue
        function, by = mine._found(exercise)
        if function is exercise.right:
            told.append(f"{name} isn't shown: {by.partition(': ')[2]}")
        elif not is_seen(code):
            told.append(f"{name} isn't shown: it has a letter that can't be seen. Type that line anew.")
        else:
            found[name] = function
    return found


def whole(functions, parts, told):
    """{name: code} of the functions that use only what is shown, and of what else they use of the file."""
    shown = set()
    for name in functions:
        used = used_by(name, parts)
        hidden = [each for each in used - functions.keys() if each in exercises() or not is_seen(parts[each])]
        if hidden:
            told.append(f"{name} isn't shown: it calls {min(hidden)}, which isn't.")
        else:
            shown |= used
    return {name: code for name, code in parts.items() if name in shown}


def is_seen(code):
    return page.shown(code) == code


def used_by(name, parts):
    """What a function uses of the file's definitions, itself included."""
    found = set()
    new = {name}
    while new:
        found |= new
        new = set().union(*(free_names(parts[each]) & parts.keys() for each in new)) - found
    return found


def imports_of(text, codes):
    """The imports of a file that these functions need."""
    used = set().union(*map(free_names, codes.values()))
    imports = [node for node in ast.parse(text).body if isinstance(node, IMPORTS) and bound(node) & used]
    return "\n".join(map(ast.unparse, imports))


def bound(node):
    """The names that an import, or a `try` around some, gives values to."""
    names = [part for part in ast.walk(node) if isinstance(part, ast.alias)]
    return {(each.asname or each.name).split(".")[0] for each in names}


def of_sentence(mine):
    """The words, queries and keys of `mine.sentence()`, with as many digits as a page shows."""
    with contextlib.redirect_stdout(io.StringIO()):
        words, *both = mine.sentence()
    return words, *([[float(f"{value:.4g}") for value in row] for row in each] for each in both)


def pictures_of(functions, words, Q, K):
    """{expression: numbers, as a page rounds them} of those whose functions are there and fit."""
    found = {}
    given = {"Q": np.array(Q), "K": np.array(K)}
    for expression in page.PICTURES:
        if not page.needs(expression) <= functions.keys():
            continue
        with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):  # of the reader's
            values = np.asarray(eval(expression, dict(functions), given), float)
            values = np.round(values, 2) + 0.0  # no −0
            if values.shape == (len(words), len(words)) and np.isfinite(values).all():
                found[expression] = values
    return found


def gpt_of(parts, told):
    try:
        _, _, value = parts[GPT].partition("=")
        kept = parts_of_gpt(**ast.literal_eval(value.strip()))
    except Exception as error:  # whatever the reader has made of it
        told.append(f"What your GPT wrote isn't shown: {GPT} in {FILE} can't be used ({error}).")
        return ()
    return kept["source"], kept["loss"], kept["baseline"], kept["samples"]
