"""Skewed features and outliers are told of where they may hide the answer."""

import re
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss import LOFE
from hitmiss._util.workers import Workers
from hitmiss.estimators import skew, thresholds
from hitmiss.estimators.validation import scaled_features

Y = np.arange(60) % 2


def counted(X):
    return skew.skewed_features(scaled_features(X, "range", Workers(1)))


def signal():
    """Feature 3 of 50 normal ones tells the classes apart."""
    X = np.random.default_rng(0).normal(size=(60, 50))
    X[:, 3] += 2.5 * Y
    return X


def said(X, **params):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        LOFE(**params).fit(X, Y)
    return " ".join(str(warning.message) for warning in caught)


def test_by_hand():
    even = np.arange(60.0)
    outlier, mark, constant = even.copy(), np.zeros(60), np.ones(60)
    outlier[7], mark[7] = 1e6, 1e6
    narrow, wide = even.copy(), even.copy()
    narrow[59], wide[59] = 300, 290  # over which the middle half is 29.5
    X = np.column_stack([even, outlier, mark, constant, narrow, wide])
    assert counted(X) == (2, 6)
    assert counted(X[:, 1:2].astype(np.float32)) == (1, 1)


def test_of_very_many_values_some_features_are_looked_at(monkeypatch):
    monkeypatch.setattr(thresholds, "SKEW_VALUES", 600)
    assert counted(np.exp(3 * signal())) == (10, 10)


@given(arrays(float, (7, 3), elements=st.floats(-1e300, 1e300)))
def test_any_numbers(X):
    n_skewed, n = counted(X)
    assert 0 <= n_skewed <= n == 3


def test_skewed_data_get_the_right_cure():
    X = np.exp(2 * signal())
    n_skewed = re.search(
        r"first try logarithms or ranks, since (\d+) of 50 features looked at are", said(X)
    )
    assert int(n_skewed[1]) > 25
    assert LOFE().fit(np.log(X), Y).get_support(indices=True).tolist() == [3]


def test_so_does_a_single_outlier():
    X = signal()
    X[5, 3] = 1e6
    assert "since 1 of 50 features looked at is skewed or has outliers" in said(X)
    ranks = X.argsort(axis=0).argsort(axis=0)
    assert LOFE().fit(ranks, Y).get_support(indices=True).tolist() == [3]


@pytest.mark.parametrize("params", [{"alpha": 1e3}, {"alpha": 1e6, "scale": None}])
def test_others_do_not(params):
    assert said(signal(), **params).startswith("All weights are zero: alpha=")
    assert "logarithms" not in said(signal(), **params)
