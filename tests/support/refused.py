"""Calls that the course refuses."""

import pytest


def assert_refused(call, *words, kind=(TypeError, ValueError, FileNotFoundError)):
    """Assert that a call ends in an error of this kind, whose message holds all these words."""
    with pytest.raises(kind) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)
