"""Gather what `mine.page()` shows: the reader's functions that still pass, what they compute, their GPT, their mistakes."""

import ast
import contextlib
import datetime
import io
from pathlib import Path

import numpy as np

from attn_checks.kept import overcome, page
from attn_checks.kept.file import (
    FILE,
    IMPORTS,
    NotKeptError,
    is_off,
    parts_of,
    path,
    read,
    write,
)
from attn_checks.kept.mine import GPT, Mine, parts_of_gpt
from attn_checks.kept.source import free_names
from attn_checks.registry import exercises


def write_page(mine: Mine, target: str, without: tuple, mistakes: bool, name: str) -> list[str]:
    """Write the page; what to tell its author, in lines."""
    told: list[str] = []
    try:
        text = "" if is_off() else read(path())
        made = gathered(mine, text, set(without), name, overcame(mistakes, told), told)
        if not made.functions:
            return [
                *told,
                f"{target} isn't written: pass a check first, so that {FILE} has a function to show.",
            ]
        content = page.html_of(made)
        page.read(content.encode())
        write(Path(target), content)
    except (NotKeptError, page.BadPageError) as reason:
        return [*told, f"{target} isn't written: {reason}"]
    except OSError as error:
        return [*told, f"{target} can't be written ({error.strerror})."]
    counts = {
        "functions": made.functions,
        "pictures": made.pictures,
        "samples of your GPT": made.gpt and made.gpt[3],
        "mistakes overcome": made.mistakes,
    }
    listed = ", ".join(f"{what}: {len(parts)}" for what, parts in counts.items() if parts)
    return [*told, f"Written: {target} ({listed}). Open it in a browser, show it, hand it in."]


def overcame(mistakes, told):
    """{mistake's name: what a page tells}, in the order of time, or nothing where that's not to be shown."""
    try:
        return overcome.overcome() if mistakes and not is_off() else []
    except Exception as error:  # whatever the reader has made of the file
        told.append(f"Your mistakes aren't shown: {overcome.FILE} can't be used ({type(error).__name__}).")
        return []


def gathered(mine, text, without, name, mistakes, told):
    """The Page of what a file holds; what isn't shown, and why, goes into `told`."""
    parts = parts_of(text)
    own = [*parts, *(key for _, key, *_ in mistakes)]
    if unknown := without - {*own, *mine._exercises(), "sentence", GPT}:
        raise ValueError(f"without has {min(unknown)!r}, but you have {', '.join(own)}")
    functions = yours(mine, parts, without, told)
    codes = closed(functions, parts, told)
    imports = imports_of(text, codes)
    written = []
    for each, code in codes.items():
        written.append(page.Written(each, code, page.record_of(imports, code)))
    of_sentence = [], [], []
    pictures = {}
    if "sentence" not in without:
        of_sentence = sentence(mine)
        kept = {each: functions[each] for each in codes if each in functions}
        pictures = pictures_of(kept, *of_sentence)
    if not pictures:
        of_sentence = [], [], []
    gpt = gpt_of(parts, told) if GPT in parts.keys() - without else ()
    shown = [[each, *told] for each, key, *told in mistakes if not {each, key} & without]
    today = str(datetime.date.today())
    return page.Page(name, today, imports, written, *of_sentence, pictures, gpt, shown)


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
        elif page.shown(code) != code:
            told.append(f"{name} isn't shown: it has a letter that can't be seen. Type that line anew.")
        else:
            found[name] = function
    return found


def closed(functions, parts, told):
    """{name: code} of the functions, with what they use of the file's other definitions; without those that lack some."""
    helpers = {name for name, code in parts.items() if name not in exercises() and page.shown(code) == code}
    shown = set(functions)
    while True:
        more, lacking = set(), {}
        for name in sorted(shown):
            used = names_in(parts[name]) & parts.keys() - shown
            more |= used & helpers
            if used - helpers:
                lacking[name] = min(used - helpers)
        if not more and not lacking:
            return {name: code for name, code in parts.items() if name in shown}
        for name, used in lacking.items():
            told.append(f"{name} isn't shown: it calls {used}, which isn't.")
        shown = (shown | more) - lacking.keys()


def imports_of(text, codes):
    """The imports of a file that these functions need."""
    used = set().union(*map(names_in, codes.values()))
    needed = []
    for node in ast.parse(text).body:
        if isinstance(node, IMPORTS) and bound(node) & used:
            needed.append(node)
    lines = [ast.unparse(node) for node in needed]
    if any(isinstance(node, ast.With) for node in needed):
        lines.insert(0, "import contextlib")
    return "\n".join(dict.fromkeys(lines))


def names_in(code):
    if isinstance(ast.parse(code).body[0], ast.FunctionDef):
        return free_names(code)
    return {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}


def bound(node):
    """The names that an import, or a `with` around some, gives values to."""
    imports = [part for part in ast.walk(node) if isinstance(part, ast.Import | ast.ImportFrom)]
    return {(each.asname or each.name).split(".")[0] for part in imports for each in part.names}


def sentence(mine):
    """The words, queries and keys of `mine.sentence()`, with as many digits as a page shows."""
    with contextlib.redirect_stdout(io.StringIO()):
        words, *both = mine.sentence()
    return list(words), *([[float(f"{value:.4g}") for value in row] for row in each] for each in both)


def pictures_of(functions, words, Q, K):
    """{expression: numbers, as a page rounds them} of those whose functions are there and give fitting numbers."""
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
