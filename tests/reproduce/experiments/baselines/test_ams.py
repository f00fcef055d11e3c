import numpy as np
import pytest
from scipy.optimize import minimize

from hitmiss import datasets
from reproduce.experiments.baselines.ams import (
    AMS,
    bound,
    kernel,
    margin_coefficients,
    sphere_coefficients,
)
from tests.reproduce.experiments.baselines.rings import ring


def test_the_margin_is_that_of_the_hard_svm():
    X, y = ring(30)
    sign = np.where(y, 1.0, -1.0)
    K = kernel(X, np.full(20, 0.1)) + np.eye(30) / 5
    a = margin_coefficients(K, sign)
    assert a.sum() == pytest.approx(0, abs=1e-6)
    assert a @ K @ a == pytest.approx(np.abs(a).sum(), rel=1e-5)  # at the optimum
    assert (a * sign >= 0).all()


def test_the_sphere_is_the_smallest_around_all_samples():
    X, _ = ring(25)
    K = kernel(X, np.full(20, 0.1)) + np.eye(25) / 5
    b = sphere_coefficients(K)
    assert b.min() >= 0
    assert b.sum() == pytest.approx(1)
    start = np.full(25, 1 / 25)
    sum_is_one = {"type": "eq", "fun": lambda b: b.sum() - 1}
    direct = minimize(
        lambda b: b @ K @ b,
        start,
        jac=lambda b: 2 * K @ b,
        bounds=[(0, 1)] * 25,
        constraints=sum_is_one,
        options={"ftol": 1e-12},
    )
    assert b @ K @ b == pytest.approx(direct.fun, rel=1e-6)


def test_the_gradient_of_the_bound():
    X, y = ring(30)
    arguments = X, np.where(y, 1.0, -1.0), 5.0
    start = np.random.default_rng(0).normal(-1.0, 0.3, 20)
    step = 0.01  # wide: both machines are solved to a tolerance
    slopes = [
        (bound(start + e, *arguments)[0] - bound(start - e, *arguments)[0]) / (2 * step)
        for e in step * np.eye(20)
    ]
    gradient = bound(start, *arguments)[1]
    np.testing.assert_allclose(slopes, gradient, atol=1e-3 * np.abs(gradient).max())


def test_ams_makes_the_bound_small_and_finds_the_pair():
    X, y = datasets.make_xor(80, n_irrelevant=10, random_state=0, return_X_y=True)
    ams = AMS(C=10.0).fit(X, y)
    assert set(ams.ranking_[:2]) == {0, 1}
    arguments = X, np.where(y == y[0], 1.0, -1.0), 10.0
    start = np.full(12, -0.5 * np.log(12))
    assert bound(np.log(ams.weights_), *arguments)[0] < bound(start, *arguments)[0]


def test_the_bound_is_finite_wherever_a_line_search_goes():
    X, y = ring(30)
    value, gradient = bound(np.full(20, 400.0), X, np.where(y, 1.0, -1.0), 10.0)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()
