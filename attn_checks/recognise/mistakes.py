"""A mistake as data, and tables of them."""

from collections.abc import Callable
from typing import NamedTuple


class Mistake(NamedTuple):
    """One mistake as data: what it computes, how to say it, where to look."""

    short: str
    name: str  # several, with "; " between them, are told as a numbered list
    ways: tuple | list  # functions with the exercise's signature; each is one way that it can come out
    say: str
    see: str = ""  # id of the cell to read again; that of the exercise if empty
    shows: Callable | None = None  # (wanted, got) -> bool, for whole families of values
    first: object = None  # of two mistakes made together, the one to mend first


def table(see, *mistakes):
    """Mistakes after which to read again at `see`, where they name no other place: for a table that exercises share."""
    return tuple(mistake._replace(see=mistake.see or see) for mistake in mistakes)


def inside(mistakes, around):
    """A table of mistakes lifted into something larger: `around` makes of each way the larger function."""
    return tuple(
        mistake._replace(ways=[around(way) for way in mistake.ways], shows=None) for mistake in mistakes
    )


def again(mistakes, ways):
    """Mistakes of a table, by short name, each made in other ways."""
    known = {mistake.short: mistake for mistake in mistakes}
    return tuple(known[short]._replace(ways=each) for short, each in ways.items())


def with_zeros(row):
    """What sets one row to 0, or one entry of a single row."""

    def change(array):
        array = array.copy()
        array[(..., row, slice(None)) if array.ndim > 1 else row] = 0
        return array

    return change
