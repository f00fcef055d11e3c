import numpy as np
import pytest

from hitmiss.datasets import (
    make_additive,
    make_friedman,
    make_product,
    make_ring,
    make_survival,
)

FORMULAS = {
    make_additive: lambda X: X[:, 0] + X[:, 1] ** 2 + np.sin(3 * X[:, 2]),
    make_product: lambda X: X[:, 0] * X[:, 1],
    make_ring: lambda X: np.cos(3 * np.sqrt(X[:, 0] ** 2 + X[:, 1] ** 2)),
}


@pytest.mark.parametrize("make", FORMULAS)
def test_numbers_by_their_formula(make):
    X, y = make(noise=0, n_irrelevant=4, random_state=0, return_X_y=True)
    np.testing.assert_allclose(y, FORMULAS[make](X))
    assert np.abs(X).max() <= 1


def test_friedman_by_hand():
    X, y = make_friedman(50, noise=0, random_state=0, return_X_y=True)
    a, b, c, d, e = (X.T + 1) / 2
    expected = 10 * np.sin(np.pi * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e
    np.testing.assert_allclose(y, expected)


@pytest.mark.parametrize("make", [*FORMULAS, make_friedman, make_survival])
def test_irrelevant_features_change_nothing_else(make):
    few, many = (make(20, n_irrelevant=n, random_state=3) for n in (0, 9))
    np.testing.assert_array_equal(few.target, many.target)
    np.testing.assert_array_equal(few.data, many.data[:, : len(few.relevant)])
    assert many.data.shape[1] == len(many.feature_names) == len(few.relevant) + 9
    assert make(20, dtype="float32", random_state=0).data.dtype == np.float32


def test_noise_is_a_share_of_the_signal():
    clean, noisy = (make_friedman(4000, noise=s, random_state=0).target for s in (0, 0.5))
    assert np.std(noisy - clean) / np.std(clean) == pytest.approx(0.5, rel=0.05)


def test_times_are_exponential_and_censored_ones_too_early():
    X, y = make_survival(4000, censored=0.3, random_state=0, return_X_y=True)
    _, whole = make_survival(4000, censored=0.0, random_state=0, return_X_y=True)
    assert (~y["event"]).mean() == 0.3
    assert (y["time"] <= whole["time"]).all()
    assert (y["time"][y["event"]] == whole["time"][y["event"]]).all()
    unit = whole["time"] * np.exp(4 * X[:, 0] * X[:, 1])  # of hazard 1
    assert unit.mean() == pytest.approx(1, abs=0.06)
    with pytest.raises(ValueError, match="censored must be a share"):
        make_survival(censored=1.0)
