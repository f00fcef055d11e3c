"""The evidence: half-normal posteriors, the best strength, and fits tuned by it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit, log_expit

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.validation import scaled_features
from hitmiss.lofe import FixedPoints, Problem
from hitmiss.lofe.multistart import STARTS
from hitmiss.online.evidence import (
    Likelihood,
    around,
    best_alpha,
    by_evidence,
    half_normal,
    likelihood,
    local_evidence,
    stronger_alphas,
)
from hitmiss.targets.classes import Classes
from tests import reference


@settings(max_examples=60, deadline=None)
@given(rate=st.floats(-30, 30), log_curvature=st.floats(-8, 4))
def test_half_normal_against_quadrature(rate, log_curvature):
    curvature = 10.0**log_curvature
    if rate < 1e-3 and curvature < 1e-2:
        curvature = 1e-2  # the density must fall within reach of the quadrature
    mode = max(0.0, -rate / curvature)
    peak = -rate * mode - curvature * mode**2 / 2

    def density(w):
        return np.exp(-rate * w - curvature * w**2 / 2 - peak)

    width = 1 / np.sqrt(curvature)
    reach = min(12 * width, 45 / rate) if rate > 0 else 12 * width
    ends = max(0.0, mode - 12 * width), mode + reach
    options = {"epsabs": 0, "epsrel": 1e-11, "limit": 400}
    integral = quad(density, *ends, **options)[0]
    first = quad(lambda w: w * density(w), *ends, **options)[0]
    mean, log_integral = half_normal(np.array([rate]), np.array([curvature]))
    np.testing.assert_allclose(mean, first / integral, rtol=1e-7)
    np.testing.assert_allclose(log_integral, np.log(integral) + peak, rtol=1e-7, atol=1e-9)


def test_without_curvature_the_posterior_is_exponential():
    mean, log_integral = half_normal(np.array([0.5, 4.0]), np.zeros(2))
    np.testing.assert_array_equal(mean, [2.0, 0.25])
    np.testing.assert_allclose(log_integral, np.log([2.0, 0.25]))


def test_the_two_forms_of_the_half_normal_meet():
    rate = np.ones(2)
    mean, log_integral = half_normal(rate, np.array([0.999e-6, 1.001e-6]))
    np.testing.assert_allclose(np.diff(mean), -2 * 0.002e-6, atol=1e-9)
    np.testing.assert_allclose(np.diff(log_integral), -0.002e-6, atol=1e-11)


def test_features_without_a_posterior_are_counted():
    w = np.array([3.0, 0.0, 0.0])
    fit = Likelihood(-1.0, w, slope=np.array([2.0, 2.0, 0.5]), curvature=np.array([0, 0.1, 0]))
    value, means, n_improper = around(fit, 1.0)
    assert n_improper == 1
    assert means[0] == 3.0  # the weight stands for its mean
    assert means[2] == 2.0  # exponential with rate 1 - 0.5
    assert np.isfinite(value)


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 6))
    y = np.repeat([0, 1], 15)
    X[:, 0] += 2 * y
    w = np.array([2.0, 0.3, 0, 0, 0, 0])
    return X, y, w


def test_likelihood_against_the_definition(problem):
    X, y, w = problem
    found = likelihood(InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0), w)
    Z = reference.margins_at(X, y, w, 2.0)
    s = expit(-Z @ w)
    np.testing.assert_allclose(found.value, log_expit(Z @ w).sum())
    np.testing.assert_allclose(found.slope, s @ Z)
    np.testing.assert_allclose(found.curvature, (s * (1 - s)) @ Z**2)


def test_slope_of_the_local_evidence_by_finite_differences(problem):
    X, y, w = problem
    features = InMemory(X, Workers(1))
    fit = likelihood(features, Problem(Classes(y), 2.0, 1.0), w)
    for alpha in (0.1, 1.0, 5.0):
        up, down = (around(fit, alpha * np.exp(e))[0] for e in (1e-5, -1e-5))
        slope = local_evidence(features, Problem(Classes(y), 2.0, alpha), w).slope
        np.testing.assert_allclose(slope, (up - down) / 2e-5, rtol=1e-6, atol=1e-7)


def test_local_evidence_is_exact_for_one_feature_of_a_quadratic_likelihood():
    fit = Likelihood(-3.0, np.array([0.7]), np.array([0.4]), np.array([1.3]))

    def integrand(w):
        step = w - 0.7
        return 2.0 * np.exp(-2.0 * w - 3.0 + 0.4 * step - 0.65 * step**2)

    np.testing.assert_allclose(around(fit, 2.0)[0], np.log(quad(integrand, 0, 30)[0]), rtol=1e-9)


def test_a_constant_feature_does_not_count(problem):
    X, y, w = problem
    wider, longer = np.column_stack([X, np.full(len(X), 7.0)]), np.append(w, 0.0)
    task = Problem(Classes(y), 2.0, 1.0)
    plain = local_evidence(InMemory(X, Workers(1)), task, w)
    with_constant = local_evidence(InMemory(wider, Workers(1)), task, longer)
    np.testing.assert_allclose(with_constant[:2], plain[:2], rtol=1e-12)


def test_the_best_strength_and_stronger_ones():
    def slope(alpha):
        return 40 * np.log(0.7 / alpha)

    for near in (0.4, 0.7, 1.3):
        np.testing.assert_allclose(best_alpha(slope, near, 2.0, 0.01), 0.7, rtol=0.01)
    assert best_alpha(slope, 5.0, 2.0, 0.01) == 5.0  # too far away
    reach = 2.576 / np.sqrt(40)
    expected = 0.7 * np.exp([reach, reach / 2, reach / 4])
    np.testing.assert_allclose(stronger_alphas(slope, 0.7), expected, rtol=1e-6)
    assert stronger_alphas(lambda alpha: alpha, 0.7) == []  # no maximum


def solver(X, y, **settings):
    settings = {"more_starts": STARTS, "tol": 1e-5, "max_iter": 200} | settings
    features = scaled_features(X, "range", Workers(1))
    starts = [features.n_features**-0.5, 1.0]
    problem = Problem(Classes(y), 1.0, 1.0)
    return FixedPoints(features, problem, starts, record=lambda **_: None, **settings)


@pytest.mark.full
def test_the_strength_does_not_depend_on_where_the_search_begins():
    task = solver(*datasets.make_waveform(200, n_irrelevant=500, random_state=0, return_X_y=True))
    fits, evidence = zip(*(by_evidence(task, 2.0, begin) for begin in (0.03, 1.0)), strict=True)
    assert fits[0].alpha == pytest.approx(fits[1].alpha, rel=0.05)
    assert all(found.n_improper == 0 for found in evidence)
    weights = np.array([found.w for found in fits])
    assert np.ptp(weights, axis=0).max() < 0.05 * weights.max()


def test_evidence_finds_pure_interactions_and_nothing_else():
    X, y = datasets.make_xor(200, n_irrelevant=100, random_state=0, return_X_y=True)
    model = LOFE(alpha="evidence").fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1]
    assert model.optimality_gap_ < 1e-3
    assert np.isfinite(model.log_evidence_)
    assert model.n_improper_ == 0


def test_data_without_any_signal_keep_no_feature():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 300)), rng.permutation(np.repeat([0, 1], 50))
    task = solver(X, y)
    assert not by_evidence(task, 2.0, begin=0.2)[0].w.any()
    assert np.count_nonzero(task.solve(2.0, 0.2).w) > 10
