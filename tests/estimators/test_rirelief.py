import numpy as np
import pytest

from hitmiss import IRelief, RIRelief, datasets
from tests import reference as ref
from tests import relief_reference as relief

RNG = np.random.default_rng(3)
X = ref.range_scale(RNG.random((40, 6)))
Y = (X[:, 0] + X[:, 1] * X[:, 2]).round(1)  # with ties


@pytest.mark.parametrize(("sigma", "tau"), [(0.7, 0.1), (2.0, 0.5)])
def test_the_margin_and_the_fixed_point_are_those_of_the_definition(sigma, tau):
    found = RIRelief(sigma, tau=tau, tol=1e-12, max_iter=500).fit(X, Y)
    nu = relief.numbers_irelief(X, Y, found.weights_, sigma, tau)
    np.testing.assert_allclose(found.scores_, nu, rtol=1e-6, atol=1e-10)
    positive = np.maximum(nu, 0)
    np.testing.assert_allclose(found.weights_, positive / np.linalg.norm(positive), atol=1e-6)


@pytest.mark.parametrize("outliers", [True, False])
@pytest.mark.parametrize("sigma", [1.0, "auto"])
def test_two_values_are_two_classes(sigma, outliers):
    y = (X[:, 0] > 0.4).astype(float)
    found = RIRelief(sigma, outliers=outliers).fit(X, y).weights_
    expected = IRelief(sigma, outliers=outliers).fit(X, y.astype(int)).weights_
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_a_ring_is_found_among_many():
    X, y = datasets.make_ring(200, n_irrelevant=100, random_state=0, return_X_y=True)
    assert set(RIRelief().fit(X, y).ranking_[:2]) == {0, 1}
