"""Every solution passes its own checker, and no exercise passes before it is attempted."""

import ast

import numpy
import pytest

import attn_checks
import attn_helpers
import course

EXERCISES = [
    pytest.param(exercise, id=f"{path.stem}-{exercise.title.split(':')[0].replace(' ', '-')}")
    for path, exercise in course.all_exercises()
    if exercise.check and exercise.answer
]


def feedback(code, check):
    """Run `code`, then the check cell, with the names that the setup cell gives; what the check returns."""
    namespace = {
        "np": numpy,
        "attn": attn_helpers,
        "check": attn_checks,
        "mine": attn_checks.mine,
    }
    exec(compile(code, "<exercise>", "exec"), namespace)
    statements = ast.parse(check)
    last = statements.body.pop()
    assert isinstance(last, ast.Expr), "the check cell must end with the feedback, so that it is displayed"
    exec(compile(statements, "<check>", "exec"), namespace)
    return eval(compile(ast.Expression(last.value), "<check>", "eval"), namespace)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_solution_passes(exercise):
    result = feedback(course.solution(exercise), exercise.check.source)
    assert result.status == "passed", f"{exercise.title}\n{result.message}"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_stub_does_not_pass(exercise):
    """A stub of `...` is not attempted; given code with a bug in it is incorrect."""
    result = feedback(exercise.stub.source, exercise.check.source)
    expected = "not attempted" if course.is_open(exercise) else "incorrect"
    assert result.status == expected, f"{exercise.title}\n{result.message}"
