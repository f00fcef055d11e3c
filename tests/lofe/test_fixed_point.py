import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_clusters, make_spiral, make_twonorm, make_xor
from hitmiss.lofe.fixed_point import LARGEST_STEP, SMALLEST_STEP, Exact, extrapolation, fixed_point
from hitmiss.lofe.problem import Problem
from hitmiss.targets.classes import Classes
from tests import reference as ref

SERIAL = Workers(1)
CASES = {
    "spiral": (make_spiral, {"n_samples": 460, "n_irrelevant": 5}),
    "xor": (make_xor, {"n_samples": 100, "noise": 0.3, "n_irrelevant": 10}),
    "clusters": (make_clusters, {"n_samples": 60, "n_irrelevant": 10}),
    "twonorm": (make_twonorm, {"n_samples": 60, "n_irrelevant": 5}),
}


def data(name):
    make, options = CASES[name]
    X, y = make(**options, random_state=0, return_X_y=True)
    return ref.range_scale(X), y


def run(X, y, w, sigma=2.0, alpha=1.0, **options):
    problem, options = Problem(Classes(y), sigma, alpha), {"tol": 1e-7, "max_iter": 200} | options
    return fixed_point(InMemory(X, SERIAL), problem, np.asarray(w, float), **options)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("start", [1.0, 4.0])
def test_against_the_reference(name, start):
    X, y = data(name)
    w0 = np.full(X.shape[1], start)
    expected, _, converged, _ = ref.fixed_point(X, y, 2.0, 1.0, w0)
    outcome = run(X, y, w0)
    point = outcome.point
    assert converged
    assert outcome.converged
    np.testing.assert_allclose(point.w, expected, atol=1e-5 * expected.max())
    assert point.objective == pytest.approx(ref.objective(X, y, expected, 2.0, 1.0), rel=1e-5)
    assert ref.optimality_gap(X, y, point.w, 2.0, 1.0) <= 1e-5
    assert point.gap == pytest.approx(ref.optimality_gap(X, y, point.w, 2.0, 1.0), abs=1e-7)


def test_converges_where_the_plain_iteration_cycles():
    X, y = data("spiral")
    X = X[:, :2]
    start = np.array([15.679, 38.158])
    plain = ref.plain_iteration(X, y, 2.0, 1.0, start, 4)
    np.testing.assert_allclose(plain[2::2], [start, start], atol=0.05)
    np.testing.assert_allclose(plain[1::2], np.full((2, 2), [34.638, 19.349]), atol=0.05)
    outcome = run(X, y, start)
    assert outcome.converged
    assert outcome.n_iter <= 20
    np.testing.assert_allclose(outcome.point.w, [29.0007, 28.5766], rtol=1e-5)


def test_a_wide_kernel_converges_at_once():
    X, y = data("xor")
    outcome = run(X, y, np.ones(12), sigma=1e12, alpha=0.1)
    assert outcome.n_iter == 2
    expected = ref.step(ref.margins_at(X, y, np.zeros(12), 1.0), 0.1)
    np.testing.assert_allclose(outcome.point.w, expected, atol=1e-5)


def test_a_strong_penalty_ends_at_zero():
    X, y = data("twonorm")
    outcome = run(X, y, np.ones(25), alpha=100.0)
    assert outcome.converged
    np.testing.assert_array_equal(outcome.point.w, np.zeros(25))
    assert outcome.point.gap == 0
    assert outcome.point.objective == pytest.approx(60 * np.log(2))


def test_float32_data():
    X, y = data("xor")
    double, single = run(X, y, np.ones(12)), run(X.astype(np.float32), y, np.ones(12), tol=1e-5)
    assert single.converged
    assert single.point.Z.dtype == np.float32
    np.testing.assert_allclose(single.point.w, double.point.w, atol=1e-4)
    np.testing.assert_array_equal(single.point.w == 0, double.point.w == 0)


def test_record_is_told_of_every_iteration():
    X, y = data("spiral")
    rows = []
    outcome = run(X, y, np.ones(7), record=lambda **row: rows.append(row))
    assert len(rows) == outcome.n_iter
    for row in rows:
        assert row.keys() == {"objective", "step", "n_nonzero", "gap", "residual"}
        assert SMALLEST_STEP <= row["step"] <= LARGEST_STEP
    assert rows[0]["n_nonzero"] == 7
    assert rows[0]["objective"] == pytest.approx(ref.objective(X, y, np.ones(7), 2.0, 1.0))
    assert rows[-1]["n_nonzero"] == 2
    assert rows[-1]["objective"] == outcome.point.objective
    assert rows[-1]["residual"] <= 1e-7 * np.linalg.norm(outcome.point.w)


def test_the_first_step_is_the_exact_minimum():
    X, y = data("clusters")
    outcome = run(X, y, np.ones(12), max_iter=2)
    target = ref.step(ref.margins_at(X, y, np.ones(12), 2.0), 1.0)
    np.testing.assert_allclose(outcome.point.w, target, atol=1e-5)
    half = run(X, y, np.ones(12), max_iter=2, step=0.5)
    np.testing.assert_allclose(half.point.w, (1 + target) / 2, atol=1e-5)


def test_too_few_iterations_are_reported():
    X, y = data("clusters")
    outcome = run(X, y, np.ones(12), max_iter=2)
    assert outcome.n_iter == 2
    assert not outcome.converged
    assert isinstance(outcome.converged, bool)


def test_enough_ends_the_iteration_early():
    X, y = data("clusters")
    seen = []
    outcome = run(X, y, np.ones(12), enough=lambda w: bool(seen.append(w) or np.sum(w > 0) < 5))
    assert outcome.n_iter == 2
    assert not outcome.converged
    np.testing.assert_array_equal(seen[-1], outcome.point.w)


def test_a_long_step_makes_no_weight_negative():
    X, y = data("clusters")
    seen = []
    outcome = run(X, y, np.full(12, 20.0), step=4.0, enough=lambda w: bool(seen.append(w)))
    assert outcome.converged
    assert np.min(seen) == 0
    np.testing.assert_allclose(outcome.point.w, run(X, y, np.ones(12)).point.w, atol=1e-5)


def test_a_start_at_zero():
    X, y = data("twonorm")
    expected = ref.fixed_point(X, y, 2.0, 1.0, np.zeros(25))[0]
    outcome = run(X, y, np.zeros(25))
    assert outcome.converged
    assert expected.any()
    np.testing.assert_allclose(outcome.point.w, expected, atol=1e-5)


def test_zeros_return():
    X, y = data("clusters")
    start = np.ones(12)
    start[:2] = 0  # the relevant features
    np.testing.assert_allclose(run(X, y, start).point.w, run(X, y, np.ones(12)).point.w, atol=1e-5)
    np.testing.assert_array_equal(np.flatnonzero(run(X, y, start).point.w), [0, 1])
    np.testing.assert_array_equal(start, np.repeat([0, 1], [2, 10]))


def test_order_of_features_and_samples_does_not_matter():
    X, y = data("clusters")
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(60), rng.permutation(12)
    moved = run(X[np.ix_(rows, columns)], y[rows], np.ones(12)).point.w
    np.testing.assert_allclose(moved, run(X, y, np.ones(12)).point.w[columns], atol=1e-5)


@pytest.mark.parametrize("name", CASES)
def test_extrapolated_steps_lead_there_without_newtons_method(name):
    class WithoutNewton(Exact):
        root = None

    X, y = data(name)
    w = np.ones(X.shape[1])
    how = {"evaluator": WithoutNewton(), "anderson": extrapolation().on(np.arange(len(w)))}
    found, expected = run(X, y, w, **how), run(X, y, w)
    assert found.converged
    np.testing.assert_allclose(found.w, expected.w, atol=1e-5 * expected.w.max())
