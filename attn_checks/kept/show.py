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
    definitions,
    is_off,
    parts_of,
    path,
    read,
    write,
)
from attn_checks.kept.mine import GPT, Mine, parts_of_gpt
from attn_checks.kept.source import free_names


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
    }
    counts["mistakes overcome"] = made.mistakes
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
    if unknown := without - {*mine._exercises(), *parts, *(each[1] for each in mistakes), "sentence", GPT}:
        raise ValueError(
            f"without has {min(unknown)!r}, but you have {', '.join([*parts, *(each[1] for each in mistakes)])}"
        )
    functions = yours(mine, parts, without, told)
    codes = closed(functions, parts, {name for name, _ in definitions(text)} - {*mine._exercises()}, told)
    used = set().union(*map(names_in, codes.values()))
    imports = [node for node in ast.parse(text).body if isinstance(node, IMPORTS)]
    if any(isinstance(node, ast.With) and bound(node) & used for node in imports):
        used.add("contextlib")
    imports = "\n".join(ast.unparse(node) for node in imports if bound(node) & used)
    written = [page.Written(each, code, page.record_of(imports, code)) for each, code in codes.items()]
    words, Q, K = sentence(mine) if "sentence" not in without else ([], [], [])
    pictures = pictures_of({each: functions[each] for each in codes if each in functions}, words, Q, K)
    gpt = gpt_of(parts, told) if GPT not in without else ()
    shown = [[each, words, *dates] for each, key, words, *dates in mistakes if not {each, key} & without]
    sentence_ = (words, Q, K) if pictures else ((), (), ())
    return page.Page(name, str(datetime.date.today()), imports, written, *sentence_, pictures, gpt, shown)


def yours(mine, parts, without, told):
    """{name: function} of those that still pass and can be shown."""
    found = {}
    for name in parts.keys() & mine._exercises().keys() - without:
        function, by = mine._found(mine._exercises()[name])
        if function is mine._exercises()[name].right:
            told.append(f"{name} isn't shown: {by.partition(': ')[2]}")
        elif page.shown(parts[name]) != parts[name]:
            told.append(f"{name} isn't shown: it has a letter that can't be seen. Type that line anew.")
        else:
            found[name] = function
    return {name: found[name] for name in parts if name in found}


def closed(functions, parts, helpers, told):
    """{name: code} of the functions, with what they use of the file's other definitions; without those that lack some."""
    shown = set(functions)
    while True:
        uses = {name: names_in(parts[name]) & parts.keys() - {name} for name in shown}
        lacking = {name: used - shown - helpers for name, used in uses.items()}
        more = set().union(*uses.values()) & helpers - shown
        if not more and not any(lacking.values()):
            return {name: parts[name] for name in parts if name in shown}
        for name, used in lacking.items():
            if used:
                told.append(f"{name} isn't shown: it calls {min(used)}, which isn't.")
                shown.discard(name)
        shown |= more


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
    for expression in page.PICTURES:
        if page.needs(expression) <= functions.keys():
            with (
                contextlib.suppress(Exception),
                contextlib.redirect_stdout(io.StringIO()),
            ):  # of the reader's functions
                given = {"Q": np.array(Q), "K": np.array(K)}
                values = np.round(np.asarray(eval(expression, dict(functions), given), float), 2) + 0.0
                if values.shape == (len(words),) * 2 and np.isfinite(values).all():
                    found[expression] = values
    return found


def gpt_of(parts, told):
    try:
        kept = (
            parts_of_gpt(**ast.literal_eval(parts[GPT].partition("=")[2].strip())) if GPT in parts else None
        )
    except Exception as error:  # whatever the reader has made of it
        told.append(f"What your GPT wrote isn't shown: {GPT} in {FILE} can't be used ({error}).")
        return ()
    return (kept["source"], kept["loss"], kept["baseline"], kept["samples"]) if kept else ()
