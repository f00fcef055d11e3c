"""The paper's bound on the evidence is the tightest one, and above the evidence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from reproduce.evidence_bound import bound_evidence
from tests import reference


def entropy(z):
    return -z * np.log(z) - (1 - z) * np.log(1 - z)


@given(x=st.floats(-50, 50), zeta=st.floats(1e-6, 1 - 1e-6))
def test_the_bound_on_the_logistic_function(x, zeta):
    assert log_expit(x) <= zeta * x - entropy(zeta) + 1e-9
    tight = np.clip(expit(-x), 1e-12, 1 - 1e-12)
    np.testing.assert_allclose(tight * x - entropy(tight), log_expit(x), rtol=1e-6, atol=1e-9)


@pytest.fixture
def Z():
    """Margin vectors of 30 samples in six features."""
    X, y = np.random.default_rng(0).standard_normal((30, 6)), np.repeat([0, 1], 15)
    X[:, 0] += 2 * y
    return reference.margins_at(X, y, np.array([2.0, 0.3, 0, 0, 0, 0]), 2.0)


def dual(zeta, Z, alpha):
    return -entropy(zeta).sum() - np.log(alpha - zeta @ Z).sum()


@pytest.mark.parametrize("alpha", [0.05, 1.0, 20.0])
def test_the_tightest_bound_against_scipy(Z, alpha):
    evidence, zeta = bound_evidence(Z, alpha)
    logit = minimize(
        lambda t: dual(expit(t), Z, alpha) if (expit(t) @ Z < alpha).all() else 1e9,
        np.log(zeta / (1 - zeta)) + 0.01,
        method="Nelder-Mead",
        options={"maxfev": 20_000, "fatol": 1e-10, "adaptive": True},
    )
    value = evidence.log_evidence - Z.shape[1] * np.log(alpha)
    assert value <= logit.fun + 1e-9
    means = 1 / (alpha - zeta @ Z)
    assert (means > 0).all()  # every posterior holds
    np.testing.assert_allclose(zeta, expit(-Z @ means), rtol=1e-4, atol=1e-8)


def test_slope_of_the_bound_by_finite_differences(Z):
    up, down = (bound_evidence(Z, np.exp(e))[0].log_evidence for e in (1e-4, -1e-4))
    np.testing.assert_allclose(bound_evidence(Z, 1.0)[0].slope, (up - down) / 2e-4, rtol=1e-5)


def test_the_bound_is_above_the_evidence_itself():
    Z = np.random.default_rng(1).standard_normal((12, 1)) + 0.3
    exact = quad(lambda w: 1.5 * np.exp(-1.5 * w + log_expit(Z[:, 0] * w).sum()), 0, 40)[0]
    assert bound_evidence(Z, 1.5)[0].log_evidence >= np.log(exact)
