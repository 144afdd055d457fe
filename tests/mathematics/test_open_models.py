"""Attention of open models in NumPy alone, against what `transformers` gave (tools/models.py stored it)."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose

import models
import open_models

ROWS = json.loads(models.STORED.read_text("utf-8"))["rows"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_attention_is_that_of_the_class(row):
    layer = open_models.LAYERS[row["layer"]]
    given = open_models.parameters(row["shapes"])
    X = np.array(row["X"])
    output = layer(given, X, **row["settings"])
    largest = np.abs(row["output"]).max()
    assert_allclose(output / largest, row["output"] / largest, atol=models.MOST)


def test_the_stored_models_are_those_that_the_tool_compares():
    assert [row["name"] for row in ROWS] == [model["name"] for model in models.COMPARED["models"]]
