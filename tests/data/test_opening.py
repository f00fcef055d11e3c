"""Tests of opening data."""

import numpy as np

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.in_memory import InMemory
from hitmiss.data.nominal import column_scaling
from hitmiss.data.opening import in_single_precision


def opened(X):
    features = InMemory(X, Workers(1))
    return features.scaled(column_scaling(features.extremes(), by_range=True))


def test_single_precision_keeps_small_differences_of_large_numbers():
    X = 1e8 + np.random.default_rng(0).random((9, 5))
    found = in_single_precision(opened(X))
    assert found.dtype == np.float32
    w = np.arange(5.0)
    np.testing.assert_allclose(found.distances(w), opened(X).distances(w), atol=1e-5)


def test_single_precision_keeps_what_is_missing():
    X = np.random.default_rng(0).random((9, 5))
    X[2, 1] = np.nan
    w = np.ones(5)
    found = in_single_precision(opened(X))
    np.testing.assert_allclose(found.distances(w), opened(X).distances(w), atol=1e-6)


def test_single_precision_leaves_the_rest_alone(monkeypatch):
    X = np.random.default_rng(0).random((9, 5))
    single, double = opened(X.astype(np.float32)), opened(X)
    assert in_single_precision(single) is single
    monkeypatch.setattr(sizes, "SINGLE_BYTES", 4 * X.size - 1)
    assert in_single_precision(double) is double
