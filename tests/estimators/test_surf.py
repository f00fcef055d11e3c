"""SURF, SURFStar, MultiSURF, MultiSURFStar: one definition, four limits."""

import numpy as np
import pytest
import skrebate

import hitmiss
from hitmiss import RSURF, SURF, LOFERegressor, MultiSURF, RIRelief, RMultiSURF, datasets
from tests import reference as ref
from tests import relief_reference as relief

NAMES = ["SURF", "SURFStar", "MultiSURF", "MultiSURFStar"]
over_names = pytest.mark.parametrize("name", NAMES)


def ours(name, X, y, **parameters):
    return getattr(hitmiss, name)(**parameters).fit(X, y)


def peer(name, X, y):
    method = getattr(skrebate, name.replace("Star", "star"))
    return method().fit(X.copy(), y).feature_importances_


def peer_radius(X):
    """The mean over all N² distances, the zeros from each sample to itself included."""
    return np.mean(ref.distances(X, np.ones(X.shape[1])))


def like_peer(name, X):
    return {"radius": peer_radius(X)} if name.startswith("SURF") else {}


@over_names
@pytest.mark.parametrize("sizes", [(1, 1), (1, 4), (1, 1, 1), (1, 2, 3)])
def test_against_the_definition(name, sizes):
    X, y = relief.gaussian_classes(40, sizes=sizes)
    expected = relief.radius_scores(X, y, name)
    np.testing.assert_allclose(ours(name, X, y).weights_, expected, rtol=1e-9, atol=1e-12)


@over_names
@pytest.mark.parametrize("sizes", [(1, 1), (1, 5)])
def test_two_classes_are_equal_to_scikit_rebate(name, sizes):
    X, y = relief.gaussian_classes(60, sizes=sizes)
    found = ours(name, X, y, **like_peer(name, X)).weights_
    np.testing.assert_allclose(found, peer(name, X, y), rtol=1e-6)


def corners(n_points=15, seed=0):
    """The same points in each of three classes, told apart by three features.

    Every sample is as far from a point of one other class as from that of another, so all its
    neighborhoods hold equally many of both. The jitter makes all features continuous.
    """
    rng = np.random.default_rng(seed)
    points, jitter = rng.random((n_points, 6)), 1e-4 * rng.random((3 * n_points, 3))
    y = np.repeat([0, 1, 2], n_points)
    return ref.range_scale(np.hstack([np.tile(points, (3, 1)), 0.3 * np.eye(3)[y] + jitter])), y


@over_names
def test_three_classes_are_equal_to_scikit_rebate_where_each_is_as_near(name):
    X, y = corners()
    found = ours(name, X, y, **like_peer(name, X)).weights_
    np.testing.assert_allclose(found, peer(name, X, y), rtol=1e-6, atol=1e-9)


@over_names
def test_scikit_rebate_overweighs_misses_of_unequal_numbers(name):
    """It gives a miss class with the share f of the near misses f² (C - 1) in place of a share.

    These sum to 1 only where all f are equal, and to C - 1 where all misses are of one class:
    such a sample counts C - 1 times as much for its misses as for its hits.
    """
    X, y = relief.gaussian_classes(40, sizes=(1, 1, 1))
    D, radius = ref.distances(X, np.ones(8)), peer_radius(X)
    limits = relief.surf_limits if name.startswith("SURF") else relief.multisurf_limits
    total = np.zeros(8)
    for n in range(len(y)):
        near, far = relief.near_and_far(D, n, limits(D, n, radius))

        def margin(neighbors, n=n, **how):
            share = peer_share(y[neighbors][y[neighbors] != y[n]])
            return relief.sample_margin(X, y, n, neighbors, share, **how)

        total += margin(near)
        total -= margin(far) if name == "SURFStar" else 0
        total += margin(far, likeness=True) if name == "MultiSURFStar" else 0
    np.testing.assert_allclose(peer(name, X, y), total / len(y), rtol=1e-6)
    assert np.abs(ours(name, X, y).weights_ - total / len(y)).max() > 0.01


def peer_share(labels):
    return lambda y, n, c, classes: 2 * np.mean(labels == c) ** 2


def test_scikit_rebate_takes_each_sample_for_its_own_neighbor():
    """SURF's radius is the mean distance of all pairs; the peer averages N zeros as well.

    Points 0, 3, 4, 6 are 3, 4, 6, 1, 3, 2 apart, 19/6 on average, and the peer has 38/16. So the
    pairs 3 apart are neighbors, and the peer leaves them out.
    """
    X, y = np.array([[0.0], [3], [4], [6]]), np.array([0, 0, 1, 1])
    surf = ours("SURF", X, y)
    assert surf.radius_ * 6 == pytest.approx(19 / 6)
    assert peer_radius(X) == 38 / 16
    by_definition = [-3, (1 + 3) / 2 - 3, 1 - 2, 3 - 2]
    np.testing.assert_allclose(surf.weights_, [np.mean(by_definition) / 6])
    without_them = [0, 1, 1 - 2, -2]
    found = skrebate.SURF(categorical_features=[]).fit(X.copy(), y).feature_importances_
    np.testing.assert_allclose(found, [np.mean(without_them) / 6])
    np.testing.assert_allclose(ours("SURF", X, y, radius=38 / 16 / 6).weights_, found)


def test_four_points_by_hand():
    # Distances 1 (01), 9 (02), 10 (03), 8 (12), 9 (13), 1 (23); their mean is 38 / 6.
    X, y = np.array([[0.0], [1], [9], [10]]), np.array([0, 0, 1, 1])
    surf = ours("SURF", X, y, scale=None)
    assert surf.radius_ == pytest.approx(38 / 6)
    np.testing.assert_allclose(surf.weights_, [-1])  # near: the hit of each, 1 away, no miss
    far = (9.5 + 8.5 + 8.5 + 9.5) / 4
    np.testing.assert_allclose(ours("SURFStar", X, y, scale=None).weights_, [-1 - far])
    # Mean 20/3 and deviation sqrt(146/9) at the ends, 6 and sqrt(38/3) inside: the same near
    # ones; far of 0 is 3 (10 > 8.68), of 1 is 2 and 3 (8, 9 > 7.78), and so on.
    np.testing.assert_allclose(ours("MultiSURF", X, y, scale=None).weights_, [-1])
    likeness = np.mean([1 - 9.5, 1 - 8.5, 1 - 8.5, 1 - 9.5])
    np.testing.assert_allclose(ours("MultiSURFStar", X, y, scale=None).weights_, [-1 + likeness])


@over_names
def test_invariances(name):
    X, y = relief.gaussian_classes(40, sizes=(1, 2, 2))
    found = ours(name, X, y).weights_
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(y)), rng.permutation(8)
    np.testing.assert_allclose(ours(name, X[rows], y[rows]).weights_, found, rtol=1e-9)
    np.testing.assert_allclose(ours(name, X[:, columns], y).weights_, found[columns], rtol=1e-9)
    np.testing.assert_allclose(ours(name, 3 * X - 1, y).weights_, found, rtol=1e-9)


@over_names
def test_whole_numbers_have_the_same_neighbors_in_any_order_and_precision(name):
    """Many distances are at a limit there, and rounding must not take them in."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 3, size=(10, 4)).astype(float)
        y, rows, columns = np.arange(10) % 2, rng.permutation(10), rng.permutation(4)
        exact = ours(name, X, y).weights_
        single = ours(name, X[rows][:, columns].astype(np.float32), y[rows]).weights_
        np.testing.assert_allclose(single, exact[columns], rtol=1e-5, atol=1e-6)


@over_names
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_equidistant_samples_have_no_neighbors(name, dtype):
    for n in (5, 6, 7, 11, 30):
        found = ours(name, np.eye(n, dtype=dtype), np.arange(n) % 2)
        assert not found.weights_.any()
        np.testing.assert_array_equal(found.ranking_, np.arange(n))


@pytest.mark.parametrize("name", ["SURF", "SURFStar"])
def test_the_radius_must_be_positive(name):
    with pytest.raises(ValueError, match="radius must be a positive number"):
        ours(name, np.eye(4), [0, 0, 1, 1], radius=0)


RNG = np.random.default_rng(3)
X = ref.range_scale(RNG.random((40, 6)))
Y = (X[:, 0] + X[:, 1] * X[:, 2]).round(1)  # with ties


@pytest.mark.parametrize(("kind", "name"), [(RSURF, "SURF"), (RMultiSURF, "MultiSURF")])
@pytest.mark.parametrize("tau", [0.03, 0.1, 1.0])
def test_against_the_definition_of_rsurf(kind, name, tau):
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
