import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_limits

from hitmiss import (
    FREL,
    BackwardElimination,
    Ensemble,
    Lmba,
    Relief,
    ReliefF,
    datasets,
    margin_sample_weights,
)
from hitmiss.losses import LOSSES, SquareSquare, Weighted
from hitmiss.penalties import L1, L2
from hitmiss.solvers.exact import exact
from tests import reference
from tests.solvers.problems import (
    Absolute,
    BentSquaredHinge,
    ElasticNet,
    SquaredHinge,
    by_lbfgs,
)

FOUR = np.array([[0.0, 0.0], [1.0, 4.0], [8.0, 1.0], [9.0, 3.0]])
LABELS = ["a", "a", "b", "b"]


def twonorm(n_samples=60, n_irrelevant=100, seed=0):
    return datasets.make_twonorm(
        n_samples, n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True
    )


def literal(X, y):
    """|x - NH| and |x - NM| of every sample, Manhattan neighbors in the space of all features."""
    D = np.abs(X[:, None] - X).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    same = y[:, None] == y
    hit = np.where(same, D, np.inf).argmin(axis=1)
    miss = np.where(same, np.inf, D).argmin(axis=1)
    return np.abs(X - X[hit]), np.abs(X - X[miss]), np.abs(X[miss] - X[hit]).sum(axis=1)


def random_rows(rng):
    """Margin vectors of random data, n samples, and the largest length of one."""
    n, d = int(rng.integers(8, 20)), int(rng.integers(3, 40))
    X, y = rng.random((n, d)), np.arange(n) % 2
    hits, misses, _ = literal(X, y)
    return misses - hits, n, np.linalg.norm(misses - hits, axis=1).max()


def test_four_points_by_hand():
    # Hits are (1, 4) and (1, 2) apart, the nearest misses (8, 1). With a strong penalty
    # w = mean of margin vectors * |loss'(0)| / (2 alpha), and loss'(0) = -1/2.
    Z = np.array([[7, -3], [7, -3], [7, -1], [7, -1]])
    frel = FREL(alpha=1e6, scale=None).fit(FOUR, LABELS)
    np.testing.assert_allclose(frel.weights_, Z.mean(axis=0) / 2 / 2e6, rtol=1e-4)
    np.testing.assert_array_equal(frel.ranking_, [0, 1])


def test_square_takes_the_distance_between_miss_and_hit_as_margin():
    X, y = twonorm(20, 10)
    hits, misses, theta = literal(X, y)
    loss = Weighted(SquareSquare(theta), np.full(40, 1 / 20))
    expected = exact(np.vstack([hits, misses]), loss, L2(0.1), tol=1e-9, max_iter=99)
    frel = FREL("square", alpha=0.1, scale=None, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(frel.weights_, expected.w, rtol=1e-6, atol=1e-9)
    assert frel.objective_ == pytest.approx(
        loss.value(np.vstack([hits, misses]) @ expected.w).sum() + 0.1 * expected.w @ expected.w
    )


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_paper_follows_algorithm_1(name, penalty):
    X, y = twonorm(25, 5)
    hits, misses, theta = literal(X, y)
    w, n = np.ones(X.shape[1]), len(y)
    for h, m, t in zip(hits, misses, theta, strict=True):
        E, E_bar = w @ h, w @ m
        dL = {
            "log": (h - m) / (1 + np.exp(E_bar - E)),
            "square": 2 * E * h - 2 * max(0, t - E_bar) * m,
            "hinge": (h - m) * (1 + E - E_bar >= 0),
            "square-exp": 2 * E * h - np.exp(-E_bar) * m,
        }[name]
        nabla = dL / n + 0.3 * (np.sign(w) if penalty == "l1" else 2 * w)
        w = w - nabla / np.linalg.norm(nabla)
    frel = FREL(name, penalty, 0.3, solver="paper", scale=None).fit(X, y)
    np.testing.assert_allclose(frel.weights_, w, rtol=1e-10)
    assert frel.n_iter_ == n
    assert np.isnan(frel.optimality_gap_)


@pytest.mark.parametrize("kind", ["log", "hinge"])
def test_theorem_1(kind):
    """Leaving a sample out of the loss moves w by at most phi / (n gamma), q samples by q times."""
    rng, share = np.random.default_rng(0), 0.0
    for _ in range(20):
        (Z, n, phi), gamma = random_rows(rng), 10 ** rng.uniform(-3, 0)
        left_out = [*([i] for i in range(n)), *(rng.choice(n, q, replace=False) for q in (2, 3, 5))]

        def minimizer(out, Z=Z, n=n, gamma=gamma):
            weight = np.full(n, 1 / n)  # the 1/n of the whole is kept (eq. 14)
            weight[out] = 0
            loss = Weighted(LOSSES[kind], weight)
            return exact(Z, loss, L2(gamma), tol=1e-7, max_iter=200).w

        whole = minimizer([])
        for out in left_out:
            moved = np.linalg.norm(whole - minimizer(out))
            share = max(share, moved / (len(out) * phi / (n * gamma)))
    assert 0.1 < share <= 1  # the bound holds, and is no idle one


def test_theorem_1_of_the_estimator():
    X, y = twonorm(20, 30)
    hits, misses, _ = literal(X, y)
    phi, gamma, n = np.linalg.norm(misses - hits, axis=1).max(), 0.5, len(y)
    settings = {"scale": None, "tol": 1e-10}
    whole = FREL(alpha=gamma, **settings).fit(X, y).weights_
    for i in range(n):
        # The mean over n - 1 samples with gamma n / (n - 1) has the minimizer of eq. 14.
        without = FREL(alpha=gamma * n / (n - 1), **settings)
        without.fit(X, y, sample_weight=np.arange(n) != i)
        assert np.linalg.norm(whole - without.weights_) <= phi / (n * gamma)


def test_theorem_3():
    """Leaving out a sample moves the ensemble by at most the share of subsets times the base."""
    X, y = twonorm(24, 30)
    rng, n, m, share = np.random.default_rng(0), 24, 60, 0.75
    size = int(share * n)
    subsets = [rng.permutation(n)[:size] for _ in range(m)]

    def fit(rows, out=None):
        alpha = 0.5 if out is None else 0.5 * size / (size - 1)
        weight = rows != (-1 if out is None else out)
        return FREL(alpha=alpha, scale=None).fit(X[rows], y[rows], sample_weight=weight).weights_

    members = [fit(rows) for rows in subsets]
    for i in range(5):
        moves = np.array(
            [
                fit(rows, i) - w if i in rows else 0 * w
                for rows, w in zip(subsets, members, strict=True)
            ]
        )
        base = np.linalg.norm(moves, axis=1).max()
        error = 3 * np.sqrt(share * (1 - share) / m)
        assert np.linalg.norm(moves.mean(axis=0)) <= (share + error) * base


def test_one_step_of_lofe_is_a_special_case():
    X, y = datasets.make_spiral(100, n_irrelevant=20, random_state=0, return_X_y=True)
    scaled, n, alpha = reference.range_scale(X), len(y), 0.3
    Z = reference.margins_at(scaled, y, np.ones(X.shape[1]), sigma=2.0)
    expected = reference.step(Z, alpha)
    frel = FREL("log", "l1", alpha / n, sigma=2.0, positive=True).fit(X, y)
    np.testing.assert_allclose(frel.weights_, expected, rtol=1e-5, atol=1e-6)
    assert frel.objective_ * n == pytest.approx(reference.loss(Z, expected, alpha))


@pytest.mark.parametrize(("k", "limit"), [(1, Relief()), (10, ReliefF(10))])
def test_a_strong_penalty_leads_to_relief(k, limit):
    X, y = datasets.make_clusters(90, n_irrelevant=50, random_state=0, return_X_y=True)
    w = FREL(alpha=1e6, n_neighbors=k, tol=1e-12).fit(X, y).weights_
    expected = limit.fit(X, y).weights_
    np.testing.assert_allclose(w / w.max(), expected / expected.max(), atol=1e-4)


def test_objects_are_taken_for_losses_and_penalties():
    X, y = twonorm(40, 20)
    by_name = FREL("square", "l1", 0.5, positive=True).fit(X, y)
    by_object = FREL(SquareSquare(), L1(0.5)).fit(X, y)
    np.testing.assert_array_equal(by_object.weights_, by_name.weights_)
    assert FREL(SquareSquare(1.0)).fit(X, y).objective_ != by_name.objective_


def test_sample_weights():
    X, y = twonorm(40, 20)
    plain = FREL(n_neighbors=3).fit(X, y)
    even = FREL(n_neighbors=3).fit(X, y, sample_weight=np.full(40, 7.0))
    np.testing.assert_allclose(even.weights_, plain.weights_, rtol=1e-9)
    uneven = FREL(n_neighbors=3).fit(X, y, sample_weight=np.arange(40))
    assert abs(uneven.weights_ - plain.weights_).max() > 1e-4
    lonely = np.r_[np.zeros(39), 1.0]
    with pytest.warns(UserWarning, match="single sample"), pytest.raises(ValueError, match="a hit"):
        FREL().fit(X, np.r_[y[:39], 2], sample_weight=lonely)
    with pytest.raises(ValueError, match=r"sample_weight|Negative"):
        FREL().fit(X, y, sample_weight=-lonely)


def test_row_and_feature_order_do_not_matter():
    X, y = twonorm(50, 60)
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(50), rng.permutation(80)
    w = FREL(n_neighbors=5).fit(X, y).weights_
    shuffled = FREL(n_neighbors=5).fit(X[np.ix_(rows, columns)], y[rows]).weights_
    np.testing.assert_allclose(shuffled, w[columns], rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "frel",
    [
        FREL(),
        FREL("hinge"),
        FREL("square", "l1", 0.1),
        FREL("square-exp", positive=True),
        FREL("log", "l1", 0.01, positive=True),
        FREL(solver="paper"),
    ],
    ids=repr,
)
def test_threads_change_no_bit(frel):
    X, y = twonorm(60, 1500)
    one, two = (frel.set_params(n_jobs=n).fit(X, y).weights_ for n in (1, 2))
    np.testing.assert_array_equal(one, two)


def test_what_cannot_be_done_is_said_before_the_data_are_read():
    for frel in (FREL("hinge", "l1"), FREL(solver="paper", positive=True)):
        with pytest.raises(ValueError, match="cannot do"):
            frel.fit(None, None)
    with pytest.raises(ValueError, match="loss must be one of 'log', 'square'"):
        FREL("l0").fit(FOUR, LABELS)
    with pytest.raises(ValueError, match="penalty must be one of 'l1', 'l2'"):
        FREL(penalty="l0").fit(FOUR, LABELS)


class Nameless:
    """An object with the attributes that are given to it."""

    def __init__(self, **attributes):
        vars(self).update(attributes)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"loss": Absolute()}, "cannot do loss='absolute' .* no derivative at its corner and is"),
        ({"loss": Nameless(reads="margins", smooth=True)}, "has no 'value' and no 'derivative'"),
        ({"loss": 3}, "loss of type int has no 'reads' and no 'smooth' and no 'value'"),
        ({"loss": SquaredHinge}, r"loss must be an object, not a class; use SquaredHinge\("),
        ({"penalty": L1}, r"penalty must be an object, not a class; use L1\("),
        ({"penalty": Nameless(prox=len)}, "penalty of type Nameless has no 'value'; what a pen"),
        ({"penalty": Nameless(value=len)}, "penalty='Nameless': the penalty has no 'prox'; add"),
    ],
)
def test_parts_that_cannot_be_used_are_refused_before_the_data_are_read(parts, said):
    with pytest.raises(ValueError, match=said):
        FREL(**parts).fit(None, None)


def test_a_loss_must_say_what_it_reads():
    loss = SquaredHinge()
    loss.reads = "margin"
    with pytest.raises(ValueError, match="reads of the loss must be one of 'margins', 'energies'"):
        FREL(loss).fit(None, None)


@pytest.mark.parametrize("method", ["value", "derivative"])
def test_a_loss_must_return_one_number_per_row(method):
    loss = SquaredHinge()
    setattr(loss, method, lambda margins: np.maximum(1 - margins, 0).sum())
    with pytest.raises(ValueError, match=rf"SquaredHinge.{method} must .* \(4,\); got shape \(\)"):
        FREL(loss).fit(FOUR, LABELS)


@pytest.mark.parametrize("loss", [SquaredHinge(), BentSquaredHinge()])
def test_a_loss_of_a_user(loss):
    X, y = twonorm(25, 10)
    hits, misses, _ = literal(X, y)
    frel = FREL(loss, alpha=0.1, scale=None).fit(X, y)
    mean_loss = Weighted(loss, np.full(25, 1 / 25))
    best = by_lbfgs(misses - hits, mean_loss, l2=0.1, positive=False)
    assert frel.converged_
    assert frel.objective_ == pytest.approx(best, rel=1e-6)
    assert frel.objective_ < FREL("hinge", alpha=0.1, scale=None).fit(X, y).objective_


def test_a_penalty_of_a_user():
    X, y = twonorm(25, 10)
    hits, misses, _ = literal(X, y)
    frel = FREL(penalty=ElasticNet(0.05, 0.02, positive=True), scale=None).fit(X, y)
    mean_loss = Weighted(LOSSES["log"], np.full(25, 1 / 25))
    best = by_lbfgs(misses - hits, mean_loss, l1=0.05, l2=0.02, positive=True)
    assert frel.converged_
    assert (frel.weights_ >= 0).all()
    assert frel.weights_.any()
    assert frel.objective_ == pytest.approx(best, rel=1e-6)
    assert clone(frel).fit(X, y).objective_ == frel.objective_


def test_a_penalty_that_is_too_strong_names_the_largest_useful_one():
    X, y = twonorm(40, 20)
    with pytest.warns(
        UserWarning, match=r"All weights are zero: alpha=9 .* below (\S+)\.$"
    ) as seen:
        FREL("log", "l1", 9.0).fit(X, y)
    largest = float(str(seen[0].message).split()[-1].rstrip("."))
    assert FREL("log", "l1", 0.98 * largest).fit(X, y).weights_.any()


def test_too_few_iterations_are_told():
    X, y = twonorm(40, 20)
    with pytest.warns(ConvergenceWarning, match="FREL did not converge in 1 iter.*max_iter"):
        frel = FREL(alpha=1e-6, max_iter=1).fit(X, y)
    assert not frel.converged_
    assert frel.optimality_gap_ > frel.tol


def test_as_the_base_of_backward_elimination():
    X, y = twonorm(80, 200)
    kept = BackwardElimination(FREL(n_neighbors=10), n_features=20).fit(X, y)
    assert np.sum(kept.get_support(indices=True) < 20) >= 14


@pytest.mark.full
@pytest.mark.parametrize(
    "frel",
    [
        FREL("log", "l1", 0.01),
        FREL("square"),
        FREL("square", "l1", 0.1),
        FREL("hinge"),
        FREL("square-exp"),
        FREL("square-exp", positive=True),
        FREL(solver="paper"),
        FREL(sigma=1.0),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore:All weights are zero", "ignore:No features were selected")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_checks_of_other_settings(frel):
    reason = "a repeated sample is its own nearest hit, a weighted one is not"
    kinds = ("dense", "sparse")
    failing = {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}
    check_estimator(frel, expected_failed_checks=failing, on_skip=None)


def test_weights_of_samples_that_are_all_zero_are_refused():
    X, y = datasets.make_xor(20, random_state=0, return_X_y=True)
    with pytest.raises(ValueError, match="at least one non-zero number"):
        FREL().fit(X, y, sample_weight=np.zeros(20))


def lmba_twonorm(n_samples=60, n_irrelevant=100):
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
    X, y = lmba_twonorm(40, 0)  # more rows than features: one minimizer
    H, M, theta = energies(X, y, 5)

    def objective(w):
        E, gap = H @ w, np.maximum(theta - M @ w, 0)
        return np.mean(E**2 + gap**2), 2 * (E @ H - gap @ M) / len(y)

    best = minimize(objective, np.zeros(20), jac=True, options={"gtol": 1e-10})
    lmba = Lmba(5, scale=None).fit(X, y)
    np.testing.assert_allclose(lmba.weights_, best.x, rtol=1e-4, atol=1e-5)
    assert lmba.objective_ == pytest.approx(best.fun, rel=1e-6)


def test_takes_the_shortest_of_many_minimizers():
    X, y = lmba_twonorm(20, 100)
    H, M, theta = energies(X, y, 5)
    w = Lmba(5, scale=None).fit(X, y).weights_
    np.testing.assert_allclose(H @ w, 0, atol=1e-4 * theta.max())
    assert (M @ w >= theta * (1 - 1e-4)).all()
    A = np.vstack([H, M])  # the shortest has no part that no row sees
    np.testing.assert_allclose(A.T @ np.linalg.pinv(A.T) @ w, w, atol=1e-6 * abs(w).max())


def test_is_the_limit_of_frel_when_alpha_vanishes():
    X, y = lmba_twonorm(30, 60)
    lmba = Lmba(5).fit(X, y).weights_
    frel = FREL("square", alpha=1e-6, n_neighbors=5).fit(X, y).weights_
    np.testing.assert_allclose(lmba, frel, atol=1e-3 * abs(frel).max())


def test_paper_is_algorithm_1_without_a_penalty():
    X, y = lmba_twonorm(30, 10)
    H, M, theta = energies(X, y, 3)
    w = np.ones(X.shape[1])
    for h, m, t in zip(H, M, theta, strict=True):
        nabla = 2 * (w @ h) * h - 2 * max(0, t - w @ m) * m
        w = w - nabla / np.linalg.norm(nabla)
    found = Lmba(3, solver="paper", scale=None).fit(X, y)
    np.testing.assert_allclose(found.weights_, w, rtol=1e-8)


def test_positive_weights():
    X, y = lmba_twonorm(40, 30)
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
    X, y = lmba_twonorm(20, 5)
    with pytest.warns(UserWarning, match="single sample"):
        weight = margin_sample_weights(X, np.r_[y[:19], 7])
    assert weight[19] == 0
    assert weight[:19].mean() == pytest.approx(1)
    np.testing.assert_array_equal(margin_sample_weights(np.ones((4, 3)), [0, 0, 1, 1]), 1)
    with pytest.raises(ValueError, match="NaN in row 0"):
        margin_sample_weights([[np.nan], [1], [2], [3]], [0, 0, 1, 1])


def test_an_outlier_gets_the_smallest_weight_and_moves_vr_lmba_less():
    X, y = lmba_twonorm(60, 30)
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
    X, y = lmba_twonorm(240, 80)
    found = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads, user_api="blas"):
            fitted = make().fit(X, y, sample_weight=margin_sample_weights(X, y))
            (statistic,) = make().opened(X, y).statistics([np.arange(240)], None)
        found.append((fitted.weights_, fitted.objective_, statistic.values))
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_steps_of_length_one_take_no_weights():
    X, y = lmba_twonorm(20, 5)
    for estimator in (Lmba(solver="paper"), Ensemble(Lmba(solver="paper"))):
        with pytest.raises(ValueError, match=r"^[^.]*sample_weight[^.]*; leave it out[^.]*\.$"):
            estimator.fit(X, y, sample_weight=np.arange(20.0))
    with pytest.raises(ValueError, match="so that class_weight has no effect; leave it out"):
        Lmba(solver="paper", class_weight="balanced").fit(X, y)
    Lmba(3, solver="paper").fit(X, y, groups=np.arange(20) // 2)
