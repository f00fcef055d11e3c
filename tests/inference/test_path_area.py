import numpy as np
import pytest

from hitmiss import LOFE, datasets
from hitmiss.inference.path_area import AREA_STRIDE, NO_NOISE, noise_alpha, path_area
from hitmiss.inference.permutation import Exchange


def opened(X, y):
    features, target, weigher = LOFE(alpha=1.0).opened(X, y)
    return lambda labels: weigher.fixed_points(features, labels), target


def spiral():
    return datasets.make_spiral(200, n_irrelevant=30, random_state=0, return_X_y=True)


@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_the_area_is_that_of_separate_fits():
    X, y = spiral()
    points, target = opened(X, y)
    found = path_area(points(target), 2.0, 1.0)
    expected, alpha, w = np.zeros(32), 1.0, LOFE(alpha=1.0).fit(X, y).weights_
    while w.any():
        expected += w * (AREA_STRIDE - 1) * alpha
        alpha *= AREA_STRIDE
        w = LOFE(alpha=alpha, init=w).fit(X, y).weights_
    np.testing.assert_allclose(found.areas[:2], expected[:2], rtol=0.1)
    assert np.argsort(-found.areas)[:2].tolist() in ([0, 1], [1, 0])


def test_nothing_is_found_where_the_weakest_penalty_leaves_nothing():
    X, y = spiral()
    points, target = opened(X[:, 2:], y)
    found = path_area(points(target), 2.0, 50.0)
    assert not found.areas.any()
    assert found.explained == 0


def test_what_is_explained_is_a_share_of_the_objective():
    X, y = spiral()
    points, target = opened(X, y)
    found, fit = path_area(points(target), 2.0, 1.0), LOFE(alpha=1.0).fit(X, y)
    np.testing.assert_allclose(found.explained, 1 - fit.objective_ / (200 * np.log(2)), rtol=1e-3)


def test_noise_begins_to_have_weights_at_its_strength():
    """A few features of permuted labels, whatever the data: see `NOISE_SHARE`."""
    rng = np.random.default_rng(0)
    for X in (rng.normal(size=(100, 400)), rng.integers(0, 3, (100, 400)).astype(float)):
        points, target = opened(X, np.arange(100) % 2)
        exchange = Exchange(target.codes)
        relabeled = [target.of(exchange.draw(rng)) for _ in range(10)]
        alpha = noise_alpha(points(labels) for labels in relabeled[:5])
        counts = [np.count_nonzero(points(labels).solve(2.0, alpha).w) for labels in relabeled[5:]]
        assert 0.5 <= np.mean(counts) <= 12


def test_constant_features_have_no_noise():
    points, target = opened(np.ones((6, 3)), [0, 0, 0, 1, 1, 1])
    alpha = noise_alpha([points(target)])
    assert alpha == NO_NOISE
    assert path_area(points(target), 2.0, alpha).areas.tolist() == [0, 0, 0]


@pytest.mark.parametrize("n_irrelevant", [20, 100])
def test_irrelevant_features_do_not_change_the_area_of_others(n_irrelevant):
    X, y = datasets.make_xor(200, n_irrelevant=n_irrelevant, random_state=1, return_X_y=True)
    points, target = opened(X, y)
    found = path_area(points(target), 2.0, 3.0)
    alone, codes = opened(X[:, :2], y)
    expected = path_area(alone(codes), 2.0, 3.0)
    np.testing.assert_allclose(found.areas[:2], expected.areas, rtol=1e-2)
