import numpy as np
import pytest

from hitmiss import RSURF, SURF, LOFERegressor, MultiSURF, RIRelief, RMultiSURF, datasets
from tests import reference as ref
from tests import relief_reference as relief

RNG = np.random.default_rng(3)
X = ref.range_scale(RNG.random((40, 6)))
Y = (X[:, 0] + X[:, 1] * X[:, 2]).round(1)  # with ties


@pytest.mark.parametrize(("kind", "name"), [(RSURF, "SURF"), (RMultiSURF, "MultiSURF")])
@pytest.mark.parametrize("tau", [0.03, 0.1, 1.0])
def test_against_the_definition(kind, name, tau):
    expected = relief.numbers_radius_scores(X, Y, name, tau)
    np.testing.assert_allclose(kind(tau=tau).fit(X, Y).weights_, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("kind", "classifier"), [(RSURF, SURF), (RMultiSURF, MultiSURF)])
def test_two_values_are_two_classes(kind, classifier):
    y = (X[:, 0] > 0.4).astype(float)
    found, expected = kind().fit(X, y).weights_, classifier().fit(X, y.astype(int)).weights_
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_three_points_by_hand():
    """All are within the radius; likeness exp(-1) one rank apart and exp(-2) two, tau 1/3."""
    near, far = np.exp(-1), np.exp(-2)
    found = RSURF(2.0, tau=1 / 3).fit([[0.0], [1.0], [4.0]], [5.0, 6.0, 9.0])
    # Distances over the range: 1/4 (01), 1 (02), 3/4 (12).
    ends = [(near, 1 / 4, far, 1), (near, 3 / 4, far, 1)]
    margins = [
        ((1 - a) * d + (1 - b) * e) / (2 - a - b) - (a * d + b * e) / (a + b) for a, d, b, e in ends
    ]
    np.testing.assert_allclose(found.weights_, [sum(margins) / 3])  # the middle one has 1/2 - 1/2


@pytest.mark.parametrize("kind", [RSURF, RMultiSURF])
def test_only_the_order_of_y_counts(kind):
    X, y = datasets.make_ring(80, n_irrelevant=5, random_state=0, return_X_y=True)
    weights = kind().fit(X, y).weights_
    np.testing.assert_array_equal(kind().fit(X, np.exp(3 * y)).weights_, weights)
    with pytest.raises(ValueError, match="tau must be a positive number"):
        kind(tau=0).fit(X, y)


@pytest.mark.parametrize("make", [RSURF, RMultiSURF, RIRelief, LOFERegressor])
def test_two_samples_have_no_hit(make):
    with pytest.raises(ValueError, match="No two samples are alike in y; give more samples"):
        make().fit([[0.0, 1.0], [1.0, 0.0]], [0.0, 1.0])
