"""What tests of lessons share."""

import pytest

import course


@pytest.fixture
def notebook(path):
    """The lesson that a test is given by `every_lesson`."""
    return course.read(path)
