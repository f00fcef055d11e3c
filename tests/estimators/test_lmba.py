import numpy as np
import pytest
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from hitmiss import FREL, Ensemble, Lmba, datasets, margin_sample_weights


def twonorm(n_samples=60, n_irrelevant=100):
    return datasets.make_twonorm(
        n_samples, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True
    )


def energies(X, y, k):
    """Mean |x - hit| and |x - miss| over k nearest of each, and the mean miss-to-hit distance."""
    D = np.abs(X[:, None] - X).sum(axis=2)
    rows = []
    for n in range(len(y)):
        hits = np.flatnonzero((y == y[n]) & (np.arange(len(y)) != n))
        misses = np.flatnonzero(y != y[n])
        hits, misses = (side[np.argsort(D[n, side])[:k]] for side in (hits, misses))
        h, m = (np.abs(X[n] - X[side]).mean(axis=0) for side in (hits, misses))
        rows.append((h, m, D[np.ix_(misses, hits)].mean()))
    return [np.array(part) for part in zip(*rows, strict=True)]


def test_minimizes_the_square_loss_of_several_neighbors():
    X, y = twonorm(40, 0)  # more rows than features: one minimizer
    H, M, theta = energies(X, y, 5)

    def objective(w):
        E, gap = H @ w, np.maximum(theta - M @ w, 0)
        return np.mean(E**2 + gap**2), 2 * (E @ H - gap @ M) / len(y)

    best = minimize(objective, np.zeros(20), jac=True, options={"gtol": 1e-10})
    lmba = Lmba(5, scale=None).fit(X, y)
    np.testing.assert_allclose(lmba.weights_, best.x, rtol=1e-4, atol=1e-5)
    assert lmba.objective_ == pytest.approx(best.fun, rel=1e-6)


def test_takes_the_shortest_of_many_minimizers():
    X, y = twonorm(20, 100)
    H, M, theta = energies(X, y, 5)
    w = Lmba(5, scale=None).fit(X, y).weights_
    np.testing.assert_allclose(H @ w, 0, atol=1e-4 * theta.max())
    assert (M @ w >= theta * (1 - 1e-4)).all()
    A = np.vstack([H, M])  # the shortest has no part that no row sees
    np.testing.assert_allclose(A.T @ np.linalg.pinv(A.T) @ w, w, atol=1e-6 * abs(w).max())


def test_is_the_limit_of_frel_when_alpha_vanishes():
    X, y = twonorm(30, 60)
    lmba = Lmba(5).fit(X, y).weights_
    frel = FREL("square", alpha=1e-6, n_neighbors=5).fit(X, y).weights_
    np.testing.assert_allclose(lmba, frel, atol=1e-3 * abs(frel).max())


def test_paper_is_algorithm_1_without_a_penalty():
    X, y = twonorm(30, 10)
    H, M, theta = energies(X, y, 3)
    w = np.ones(X.shape[1])
    for h, m, t in zip(H, M, theta, strict=True):
        nabla = 2 * (w @ h) * h - 2 * max(0, t - w @ m) * m
        w = w - nabla / np.linalg.norm(nabla)
    found = Lmba(3, solver="paper", scale=None).fit(X, y)
    np.testing.assert_allclose(found.weights_, w, rtol=1e-8)


def test_positive_weights():
    X, y = twonorm(40, 30)
    lmba = Lmba(5, positive=True).fit(X, y)
    assert (lmba.weights_ >= 0).all()
    assert lmba.converged_
    with pytest.raises(ValueError, match="solver='paper' cannot do"):
        Lmba(solver="paper", positive=True).fit(X, y)


def test_sample_weights_by_hand():
    # One feature, all neighbors. Margins: 9 - 1, 8 - 1; the mirror images; so all distances are
    # 0 or 1 and every sample has one other at 0 and two at 1.
    X = [[0.0], [1.0], [9.0], [10.0]]
    np.testing.assert_allclose(margin_sample_weights(X, [0, 0, 1, 1]), 1)
    # With the last at 19: margins (13, 12), (12, 11) halved sums ... by the definition itself.
    X = np.array([[0.0], [1.0], [9.0], [19.0]])
    z = np.array([14 - 1, 13 - 1, 8.5 - 10, 18.5 - 10])
    mean_distance = np.abs(z[:, None] - z).sum(axis=1) / 3
    expected = (1 / mean_distance) / np.mean(1 / mean_distance)
    np.testing.assert_allclose(margin_sample_weights(X, [0, 0, 1, 1], scale=None), expected)


def test_sample_weights_of_samples_without_a_hit_or_a_difference():
    X, y = twonorm(20, 5)
    with pytest.warns(UserWarning, match="single sample"):
        weight = margin_sample_weights(X, np.r_[y[:19], 7])
    assert weight[19] == 0
    assert weight[:19].mean() == pytest.approx(1)
    np.testing.assert_array_equal(margin_sample_weights(np.ones((4, 3)), [0, 0, 1, 1]), 1)
    with pytest.raises(ValueError, match="NaN in row 0"):
        margin_sample_weights([[np.nan], [1], [2], [3]], [0, 0, 1, 1])


def test_an_outlier_gets_the_smallest_weight_and_moves_vr_lmba_less():
    X, y = twonorm(60, 30)
    X[0], y[0] = X[y == 1][-1] * 1.01, 0  # a sample amid the other class
    weight = margin_sample_weights(X, y)
    assert weight.argmin() == 0
    others = np.arange(60) != 0

    def moved(with_it, without):
        a, b = (Lmba(10).fit(X, y, sample_weight=s).weights_ for s in (with_it, without))
        return np.linalg.norm(a - b) / np.linalg.norm(b)

    assert moved(weight, weight * others) < moved(np.ones(60), 1.0 * others)


@pytest.mark.parametrize("make", [Lmba, lambda: FREL("square", alpha=0.1), FREL])
def test_the_bits_do_not_depend_on_the_threads_of_blas(make):
    """Products of these sizes are shared out among threads, and summed in another order then."""
    X, y = twonorm(240, 80)
    found = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            fitted = make().fit(X, y, sample_weight=margin_sample_weights(X, y))
            (statistic,) = make().label_statistics(X, y, [np.arange(240)], None)
        found.append((fitted.weights_, fitted.objective_, statistic.values))
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_steps_of_length_one_take_no_weights():
    X, y = twonorm(20, 5)
    for estimator in (Lmba(solver="paper"), Ensemble(Lmba(solver="paper"))):
        with pytest.raises(ValueError, match=r"^[^.]*sample_weight[^.]*; leave it out[^.]*\.$"):
            estimator.fit(X, y, sample_weight=np.arange(20.0))
    with pytest.raises(ValueError, match="so that class_weight has no effect; leave it out"):
        Lmba(solver="paper", class_weight="balanced").fit(X, y)
    Lmba(3, solver="paper").fit(X, y, groups=np.arange(20) // 2)
