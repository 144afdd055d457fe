"""Errors that a lesson shows on purpose."""

import pytest

import attn_helpers as attn


def test_the_error_is_printed_in_one_line_and_nothing_stops(capsys):
    with attn.expect_error():
        raise ValueError("sizes differ:\n    3 and 4")
    assert capsys.readouterr().out == "ValueError: sizes differ: 3 and 4\n"


def test_code_that_does_not_fail_is_refused(capsys):
    with pytest.raises(AssertionError, match="no error came"), attn.expect_error():
        pass
    assert capsys.readouterr().out == ""


def test_an_interrupt_goes_on():
    with pytest.raises(KeyboardInterrupt), attn.expect_error():
        raise KeyboardInterrupt
