"""Attention of open models, from NumPy alone, against what their classes in `transformers` gave (tools/models.py stored it)."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import models
import open_models

ROWS = json.loads(models.STORED.read_text("utf-8"))["rows"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
@pytest.mark.parametrize("pieces", [[9], [4, 1, 1, 1, 1, 1]], ids=["whole", "cached"])
def test_attention_is_that_of_the_class(row, pieces):
    parameters = open_models.parameters(row["shapes"])
    output = open_models.run(row["layer"], parameters, row["settings"], np.array(row["X"]), pieces)
    most = np.abs(row["output"]).max()
    assert_allclose(output / most, np.array(row["output"]) / most, atol=models.MOST)


def test_ten_classes_are_compared_and_each_as_the_tool_has_it():
    assert len({row["class"] for row in ROWS}) >= 10
    assert [row["name"] for row in ROWS] == [model["name"] for model in models.COMPARED["models"]]
