"""Errors that a lesson makes on purpose: shown in one line, and nothing stops."""

import contextlib
from collections.abc import Iterator


@contextlib.contextmanager
def expect_error(kind: type[Exception] = Exception) -> Iterator[None]:
    """Run the lines below, which must fail, and print their error in one line.

    Parameters
    ----------
    kind : class of exceptions
        Only such an error is expected; any other goes on as usual.

    Examples
    --------
    >>> with expect_error():
    ...     [1, 2, 3][5]
    IndexError: list index out of range
    """
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        raise TypeError(f"expect_error takes a kind of error, such as ValueError; got {kind!r}")
    try:
        yield
    except kind as error:
        print(f"{type(error).__name__}: {' '.join(str(error).split())}")
    else:
        raise AssertionError(f"no error came, though {kind.__name__} was expected: these lines do not fail")
