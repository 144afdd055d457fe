"""A mistake as data, and tables of them.

A table says by which functions a mistake is made; what is said of it is below the same key in mistakes.md:

    MISTAKES = {
        "axis-1": each(exponentials, lambda e: e / e.sum(axis=1, keepdims=True)),
        "no-max": lambda x: np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True),
    }

A key is the name by which a mistake is known. Where one name is told in two ways, the second key ends in a
bracket: "rounded (weights)".
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from attn_checks.recognise.words import sections


class Mistake(NamedTuple):
    """One mistake as data: what it computes, how to say it, where to look."""

    short: str
    name: str = ""
    ways: tuple | list = ()  # functions with the exercise's signature; each is one way that it can come out
    say: str = ""
    see: str = ""  # id of the cell to read again; that of the exercise if empty
    shows: Callable | None = None  # (wanted, got) -> bool, for whole families of values
    first: object = None  # of two mistakes made together, the one to mend first
    key: str = ""  # its heading in mistakes.md: `short`, or more
    section: str = ""  # the exercise below whose name it is told, if not the one that asks

    @property
    def names(self) -> list[str]:
        """Of several mistakes made together, whose name is "one; another", each by itself."""
        return self.name.split("; ")


class Shown(NamedTuple):
    """In a table: a mistake known by a condition (wanted, got) -> bool, and perhaps by ways as well."""

    condition: Callable
    ways: object = []  # a way, or a list of them


def result_is(condition: Callable, kinds: str = "iuf") -> Callable:
    """For Shown: whether a result of the right shape and kind meets a condition on mine and right numbers."""

    def shows(want, got):
        if [array.shape for array in got.values or ()] != [want.values[0].shape]:
            return False
        mine = got.values[0]
        right = want.values[0]
        return mine.dtype.kind in kinds and bool(condition(mine, right))

    return shows


# what a table may be: by key a way, several, or Shown; Mistakes; or several such tables, one after the other
Table = dict | Mistake | Iterable


def mistakes_of(table: Table) -> tuple[Mistake, ...]:
    """The mistakes of a table, in its order."""
    if isinstance(table, Mistake):
        return (table,)
    if isinstance(table, dict):
        return tuple(mistake_of(key, given) for key, given in table.items())
    return tuple(chain.from_iterable(map(mistakes_of, table)))


def mistake_of(key: str, given: Callable | list | Shown) -> Mistake:
    shows, ways = given if isinstance(given, Shown) else (None, given)
    ways = ways if isinstance(ways, list) else [ways]
    return Mistake(key.partition(" (")[0], ways=ways, shows=shows, key=key)


def each(firsts: Iterable, then: Callable) -> list:
    """One way for each of several first steps: what `then` makes of its result."""
    return [lambda *given, first=first: then(first(*given)) for first in firsts]


def with_each(values: Iterable, way: Callable) -> list:
    """One way for each of several values, which `way` takes after what else it is given."""
    return [lambda *given, value=value: way(*given, value) for value in values]


def in_orders(own: str, *others: str) -> list:
    """One way for each other order of several results, each of which is a letter of `own`."""
    return with_each(others, lambda *given: tuple(given[own.index(name)] for name in given[-1]))


def inside(table: Table, around: Callable) -> tuple[Mistake, ...]:
    """A table lifted into something larger: `around` makes of each way the larger function."""
    return tuple(
        mistake._replace(ways=list(map(around, mistake.ways)), shows=None) for mistake in mistakes_of(table)
    )


def only(table: Table, *keys: str) -> tuple[Mistake, ...]:
    """Some mistakes of a table."""
    return tuple(mistake for mistake in mistakes_of(table) if mistake.key in keys)


def without(table: Table, *keys: str) -> tuple[Mistake, ...]:
    """The mistakes of a table but some."""
    return tuple(mistake for mistake in mistakes_of(table) if mistake.key not in keys)


def merged(*tables: Table) -> tuple[Mistake, ...]:
    """Several tables as one, in which each key is once, with its ways from all of them."""
    made: dict[str, Mistake] = {}
    for mistake in mistakes_of(tables):
        first = made.setdefault(mistake.key, mistake._replace(ways=[]))
        made[mistake.key] = first._replace(ways=[*first.ways, *mistake.ways])
    return tuple(made.values())


def told_in(section: str, *tables: Table) -> tuple[Mistake, ...]:
    """Tables borrowed from another exercise, told as there unless the one that asks has words of its own."""
    return tuple(mistake._replace(section=mistake.section or section) for mistake in mistakes_of(tables))


def told(mistake: Mistake, exercise: str, see: str) -> Mistake:
    """A mistake with its words; `see`: where to look if they don't say. ValueError names a missing one."""
    for name in (exercise, mistake.section or exercise):
        section = sections().get(name)
        words = section.mistakes.get(mistake.key) if section else None
        if words:
            return mistake._replace(name=words.name, say=words.say, see=words.see or see)
    place = section.path if section else "mistakes.md of its lesson"
    raise ValueError(
        f"{place}: below '## {name}' write '### {mistake.key}: what the mistake is', and a sentence or two, "
        f"because {exercise} has a mistake of this key"
    )


def with_zeros(row: int) -> Callable:
    """What sets one row to 0, or one entry of a single row."""

    def change(array):
        array = array.copy()
        array[(..., row, slice(None)) if array.ndim > 1 else row] = 0
        return array

    return change
