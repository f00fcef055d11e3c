import numpy as np
import pytest

from hitmiss import LOFE
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.neighbors.approximate import (
    approximate_margins,
    approximate_pair_weights,
    can_approximate,
)
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.classes import Classes
from hitmiss.targets.numbers import Numbers

W = np.array([2.0, 0, 1, 0, 3, 0])
PRECISIONS = pytest.mark.parametrize(("dtype", "tol"), [(float, 1e-8), (np.float32, 1e-5)])


def opened(dtype, n_samples=70, n_jobs=1):
    """Samples of two classes, and one that is alone in its class."""
    X = np.random.default_rng(0).random((n_samples, 6)).astype(dtype)
    return InMemory(X, Workers(n_jobs)), Classes(np.r_[2, np.arange(n_samples - 1) % 2])


@PRECISIONS
def test_margins_are_those_of_the_matrix(dtype, tol):
    features, target = opened(dtype)
    expected = features.margins(AllPairs().soft(features, W, target, 0.5))
    found = approximate_margins(features, target, W, 0.5)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tol)
    assert found.dtype == dtype


@PRECISIONS
def test_weights_of_pairs_are_those_of_the_matrix(dtype, tol):
    features, target = opened(dtype)
    Q = AllPairs().soft(features, W, target, 0.5)
    pull = 1 / (1 + np.exp(features.margins(Q) @ W))
    found = approximate_pair_weights(
        features, target, W, 0.5, lambda rows, margins: 1 / (1 + np.exp(margins))
    )
    np.testing.assert_allclose(found, pull[:, None] * Q, rtol=0, atol=tol)
    assert found.dtype == dtype


def test_pulls_are_asked_of_every_sample_once():
    features, target = opened(float)
    asked = []
    approximate_pair_weights(
        features, target, W, 0.5, lambda rows, margins: asked.extend(rows) or margins
    )
    assert sorted(asked) == list(range(70))


def test_threads_change_no_bit():
    one, three = (approximate_margins(*opened(np.float32, n_jobs=n), W, 0.5) for n in (1, 3))
    np.testing.assert_array_equal(one, three)


def test_gaps_and_targets_other_than_classes_cannot_be_approximated():
    features, target = opened(float)
    X = features.X.copy()
    X[3, 4] = np.nan
    holed = LOFE().opened(X, np.arange(70) % 2).features
    assert can_approximate(features, target)
    assert not can_approximate(holed, target)
    assert can_approximate(holed.columns(np.arange(4)), target)
    assert not can_approximate(features, Numbers(np.arange(70.0)))
