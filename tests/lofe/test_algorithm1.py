import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_clusters, make_spiral, make_xor
from hitmiss.lofe.algorithm1 import PRUNE, algorithm_1
from hitmiss.lofe.fixed_point import fixed_point
from hitmiss.lofe.problem import Problem
from hitmiss.targets.classes import Classes
from tests import reference as ref

SERIAL = Workers(1)


def clusters():
    X, y = make_clusters(60, n_irrelevant=10, random_state=0, return_X_y=True)
    return ref.range_scale(X), y


def lonely_clusters():
    """Every sample of the third cluster is a class of its own."""
    X, y = clusters()
    return X, np.where(y == 2, 2 + np.arange(60), y)


def xor(n_irrelevant=0):
    X, y = make_xor(100, noise=0.3, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)
    return ref.range_scale(X), y


def raw_spiral(n_irrelevant=20):
    return make_spiral(200, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


def run(X, y, max_iter, tol=0.01, record=lambda **row: None):
    return algorithm_1(
        InMemory(X, SERIAL),
        Problem(Classes(y), 2.0, 1.0),
        tol=tol,
        max_iter=max_iter,
        record=record,
    )


@pytest.mark.parametrize("make", [clusters, lonely_clusters, xor, raw_spiral])
@pytest.mark.parametrize("max_iter", [1, 2, 12])
def test_number_by_number_as_the_reference(make, max_iter):
    X, y = make()
    found = run(X, y, max_iter)
    w, n_iter, converged, _ = ref.paper_algorithm(X, y, 2.0, 1.0, max_iter=max_iter)
    np.testing.assert_allclose(found.w, w, rtol=1e-6, atol=1e-12)
    np.testing.assert_array_equal(found.w == 0, w == 0)
    assert (found.n_iter, found.converged) == (n_iter, converged)
    np.testing.assert_allclose(found.gradient, ref.gradient(X, y, w, 2.0), atol=1e-5)
    assert found.objective == pytest.approx(ref.objective(X, y, w, 2.0, 1.0), rel=1e-6)
    assert found.gap == pytest.approx(ref.optimality_gap(X, y, w, 2.0, 1.0), rel=1e-5)
    expected = ref.gradient(X, y, np.ones(X.shape[1]), 2.0)
    assert found.start == 0
    assert found.largest_alpha > expected.max() > 0


def test_history_follows_the_iterates_of_the_reference():
    X, y = clusters()
    rows = []
    run(X, y, 12, record=lambda **row: rows.append(row))
    iterates = ref.paper_algorithm(X, y, 2.0, 1.0, max_iter=12)[3]
    changes = np.linalg.norm(np.diff(iterates, axis=0), axis=1)
    np.testing.assert_allclose([row["residual"] for row in rows], changes, rtol=1e-6)
    assert [row["n_nonzero"] for row in rows] == [np.count_nonzero(w) for w in iterates[1:]]
    assert [row["start"] for row in rows] == [0] * len(changes)
    values = [ref.objective(X, y, w, 2.0, 1.0) for w in iterates[1:]]
    np.testing.assert_allclose([row["objective"] for row in rows], values, rtol=1e-6)


def test_it_loses_a_relevant_feature_for_good():
    X, y = raw_spiral()
    counts = []
    found = run(X, y, 30, record=lambda **row: counts.append(row["n_nonzero"]))
    assert found.converged
    assert found.w[0] == 0
    assert found.gap > 1  # the certificate shows it
    assert np.all(np.diff(counts) <= 0)
    assert found.w[found.w > 0].min() >= PRUNE**2
    features, problem = InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0)
    ours = fixed_point(features, problem, np.ones(22), tol=1e-6, max_iter=200)
    np.testing.assert_array_equal(np.flatnonzero(ours.w), [0, 1])
    assert ours.objective < found.objective


def test_it_cycles_between_the_two_features_of_xor():
    X, y = xor()
    found = [run(X, y, n_iter) for n_iter in range(7, 13)]
    reference = ref.paper_algorithm(X, y, 2.0, 1.0, max_iter=12)[3]
    np.testing.assert_allclose([f.w for f in found], reference[7:], rtol=1e-6, atol=1e-12)
    assert [int(f.w.argmax()) for f in found] == [1, 0, 1, 0, 1, 0]
    assert not any(f.converged for f in found)
    assert min(f.gap for f in found) > 1


def test_tol_bounds_the_change():
    X, y = clusters()
    changes = []
    found = run(X, y, 100, tol=1.0, record=lambda **row: changes.append(row["residual"]))
    assert found.converged
    assert changes[-1] < 1 <= min(changes[:-1])


def test_float32_data():
    X, y = clusters()
    single, double = run(X.astype(np.float32), y, 3), run(X, y, 3)
    np.testing.assert_allclose(single.w, double.w, rtol=1e-3, atol=1e-6)
    assert single.w.dtype == np.float64
