import numpy as np
import pytest
from scipy.optimize import check_grad

from hitmiss._util.workers import Workers
from hitmiss.data.one_sample import Rows
from hitmiss.targets.classes import Classes
from hitmiss.weighting.simba import Ascent, linear, sigmoid
from tests import relief_reference as relief


def ascent(X, y, utility=linear, factor=None):
    return Ascent(Rows(X, Workers(1)), Classes(np.asarray(y)), factor, utility)


def test_one_step_by_hand():
    # Sample 0: nearest hit (3, 4) away, norm 5; nearest miss (8, 6) away, norm 10.
    X, y = np.array([[0.0, 0], [3, 4], [8, 6], [9, 9]]), np.array([0, 0, 1, 1])
    expected = (np.array([64, 36]) / 10 - np.array([9, 16]) / 5) / 2
    np.testing.assert_allclose(ascent(X, y).gradient(np.ones(2), 0), expected)


@pytest.mark.parametrize("utility", [linear, sigmoid(3.0)])
@pytest.mark.parametrize("n", [0, 7, 19])
def test_the_gradient_against_finite_differences(utility, n):
    X, y = relief.gaussian_classes(20, sizes=(1, 1, 2))
    model = ascent(X, y, utility)
    w = np.random.default_rng(n).uniform(0.5, 2, 8)
    error = check_grad(
        lambda w: utility(relief.simba_margin(X, y, w, n))[0],
        lambda w: model.gradient(w, n),
        w,
        epsilon=1e-6,
    )
    assert error < 1e-6


def test_the_objective_is_the_sum_of_utilities():
    X, y = relief.gaussian_classes(20)
    w = np.random.default_rng(0).random(8)
    margins = [relief.simba_margin(X, y, w, n) for n in range(20)]
    assert ascent(X, y).objective(w) == pytest.approx(sum(margins))
    squashed = sum(1 / (1 + np.exp(-2.0 * np.array(margins))))
    assert ascent(X, y, sigmoid(2.0)).objective(w) == pytest.approx(squashed)


def test_a_factor_scales_the_features():
    X, y = relief.gaussian_classes(20)
    factor = np.random.default_rng(0).random(8)
    scaled, folded = ascent(X * factor, y), ascent(X, y, factor=factor)
    np.testing.assert_allclose(
        folded.gradient(np.ones(8), 3), scaled.gradient(np.ones(8), 3), rtol=1e-12
    )
    assert folded.objective(np.ones(8)) == pytest.approx(scaled.objective(np.ones(8)))


def test_misses_of_all_classes_are_pooled():
    X, y = relief.gaussian_classes(30, sizes=(1, 1, 1))
    model = ascent(X, y)
    for n in range(30):
        _, miss, _, distance = model._neighbors(np.ones(8), n)
        d = np.linalg.norm(X - X[n], axis=1)
        assert distance == pytest.approx(d[y != y[n]].min())
        assert y[miss] != y[n]
