import numpy as np
import pytest

from hitmiss import LOFE, Markers, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics, rough_moves
from hitmiss.lofe.noise import Noise, by_noise, first_alpha
from hitmiss.lofe.noise_level import exchanges_of, largest_of, noise_level
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.several_targets import several_targets
from hitmiss.lofe.starts import gradient
from hitmiss.targets.classes import Classes


def two_relevant(n_samples, n_features, seed):
    """Two relevant features, shifted by 2 and by 1, the others normal."""
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features)).astype(np.float32)
    y = np.arange(n_samples) % 2
    X[:, :2] += np.outer(y, [2, 1])
    return X, y


def noise_at(features, problem, w):
    """The noise with the exchanges that belong to the features."""
    return noise_level(features, problem, w, exchanges_of(features, problem.target))


def test_the_noise_at_zero_is_that_of_permuted_labels():
    X, y = two_relevant(40, 30, 0)
    features = InMemory(X.astype(float), Workers(1))
    found = noise_at(features, Problem(Classes(y), 2.0, 1.0), np.zeros(30))
    expected = []
    for order in exchanges_of(features, Classes(y)).orders:
        hit = y[order][:, None] == y[order]
        Q = np.where(hit, -1 / 19, 1 / 20)
        differences = np.abs(X[:, None] - X[None]).astype(float)
        expected.append(0.5 * np.einsum("ni,nij->j", Q, differences))
    assert found == pytest.approx(largest_of(30, np.array(expected)), rel=1e-5)
    assert found[0] == pytest.approx(np.max(expected, axis=1).mean(), rel=0.1)


def test_samples_that_differ_in_nothing_are_told_apart_by_their_class():
    rng = np.random.default_rng(0)
    X, y = rng.integers(2, size=(80, 2)).astype(float), np.arange(80) % 2
    X[:, 0] = np.where(rng.random(80) < 0.2, X[:, 0], y)
    rows = rng.permutation(80)
    plain, moved = LOFE().fit(X, y), LOFE().fit(X[rows], y[rows])
    assert moved.alpha_ == pytest.approx(plain.alpha_)


@pytest.mark.parametrize("n_features", [1, 2])
def test_of_very_few_features_noise_has_their_units(n_features):
    rng, y = np.random.default_rng(0), np.arange(60) % 2
    X = rng.normal(size=(60, n_features))
    X[:, 0] += 3 * y
    alpha = {unit: LOFE(scale=None).fit(unit * X, y).alpha_ for unit in (1.0, 1e-4)}
    assert 0 < alpha[1e-4] == pytest.approx(1e-4 * alpha[1.0], rel=0.3)


def test_what_the_largest_of_many_seldom_exceeds():
    rng = np.random.default_rng(0)
    largest = rng.exponential(size=(2000, 500)).max(axis=1)  # of 500 each, about log 500 + 0.577
    expected = Noise(np.log(500) + np.euler_gamma, 1.0)
    assert expected.largest == pytest.approx(largest.mean(), rel=0.02)
    assert (largest > expected.seldom).mean() == pytest.approx(heuristics.STEP_RATE, abs=0.02)


def test_the_order_of_the_samples_does_not_matter():
    X, y = two_relevant(60, 500, 0)
    plain, order = LOFE(tol=1e-3).fit(X, y), np.random.default_rng(1).permutation(60)
    moved = LOFE(tol=1e-3).fit(X[order], y[order])
    assert moved.alpha_ == pytest.approx(plain.alpha_, rel=1e-5)
    np.testing.assert_allclose(moved.weights_, plain.weights_, rtol=1e-3)


@pytest.mark.parametrize(("shape", "n"), [((10, 10), 32), ((100, 1000), 26), ((400, 5000), 4)])
def test_there_are_more_exchanges_where_they_take_no_time(shape, n):
    target = Classes(np.arange(shape[0]) % 2)
    assert len(exchanges_of(InMemory(np.zeros(shape), Workers(1)), target).orders) == n


@pytest.mark.parametrize("words", [False, True])
def test_exchanges_are_of_samples_and_not_of_places(words):
    rng = np.random.default_rng(0)
    X = rng.integers(3, size=(30, 40)) if words else rng.normal(size=(30, 40))
    rows, columns, y = rng.permutation(30), rng.permutation(40), np.arange(30) % 2
    orders, moved = (
        exchanges_of(InMemory(table.astype(float), Workers(1)), Classes(labels)).orders
        for table, labels in ((X, y), (X[np.ix_(rows, columns)], y[rows]))
    )
    for order, other in zip(orders, moved, strict=True):
        assert sorted(order) == list(range(30))
        # Whom a sample changes places with is the same.
        np.testing.assert_array_equal(rows[other], order[rows])


def test_of_many_features_every_exchange_is_of_some():
    X, y = two_relevant(40, 4 * heuristics.NOISE_FEATURES, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    found = noise_at(features, problem, np.zeros(features.n_features))
    rng = np.random.default_rng(1)
    each = [largest_gradient(X, y[rng.permutation(40)]) for _ in range(10)]
    assert found[0] == pytest.approx(np.mean(each), rel=0.2)


def largest_gradient(X, y):
    """Of features at w = 0, divided by nothing."""
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    w = np.zeros(features.n_features)
    return gradient(features, problem.neighbors(features, w), problem.first_pull).max()


@pytest.mark.parametrize("n_samples", [100, 300])
def test_hardly_an_irrelevant_feature_has_a_weight(n_samples):
    n_irrelevant = 0
    for seed in range(3):
        model = LOFE(alpha="auto", tol=1e-3).fit(*two_relevant(n_samples, 800, seed))
        assert model.weights_[0] > 0
        n_irrelevant += np.count_nonzero(model.weights_[2:])
    assert n_irrelevant <= 3


@pytest.mark.parametrize(
    ("make", "n_relevant"), [(datasets.make_xor, 2), (datasets.make_parity, 3)]
)
def test_interactions_are_found_and_nothing_else(make, n_relevant):
    X, y = make(200, n_irrelevant=40, random_state=0, return_X_y=True)
    model = LOFE(alpha="auto").fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == list(range(n_relevant))
    assert model.converged_


def test_what_explains_most_samples_lets_others_in():
    rng, y = np.random.default_rng(0), np.arange(80) % 4
    X = rng.normal(size=(80, 1000))
    for k in range(4):
        X[y == k, 5 * k : 5 * k + 5] += 2  # five features mark each class
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    features = InMemory(X / np.ptp(X, axis=0), Workers(1))
    least = noise_at(features, Problem(Classes(y), 2.0, 1.0), np.zeros(1000))[0]
    above = LOFE(alpha=least, tol=1e-3).fit(X, y)
    assert model.alpha_ < 0.9 * least
    assert np.count_nonzero(model.weights_) > np.count_nonzero(above.weights_)
    assert not model.weights_[20:].any()


@pytest.mark.parametrize("seed", [8, 22])
def test_a_feature_hardly_above_the_noise_does_not_come_in(seed):
    X, y = datasets.make_xor(n_irrelevant=100, random_state=seed, return_X_y=True)
    X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    assert np.flatnonzero(LOFE().fit(X, y).weights_).tolist() == [0, 1]


def test_the_penalty_stays_where_a_weaker_one_lets_nothing_in():
    X, y = datasets.make_xor(200, n_irrelevant=20, random_state=0, return_X_y=True)
    features = InMemory(X / np.ptp(X, axis=0), Workers(1))
    least = noise_at(features, Problem(Classes(y), 2.0, 1.0), np.zeros(22))[0]
    assert LOFE(alpha="auto").fit(X, y).alpha_ == pytest.approx(least, rel=1e-3)


def test_noise_alone_gives_no_weights_and_a_warning_that_says_so():
    X, y = np.random.default_rng(0).normal(size=(200, 1000)), np.arange(200) % 2
    with pytest.warns(UserWarning, match="no feature does better than noise can"):
        model = LOFE(alpha="auto").fit(X, y)
    assert not model.weights_.any()


def test_the_strength_does_not_depend_on_how_pairs_are_looked_at():
    X, y = two_relevant(120, 50, 0)
    plain, tiled = (LOFE(alpha="auto", max_references=k).fit(X, y) for k in (None, 100))
    assert tiled.alpha_ == pytest.approx(plain.alpha_, rel=0.02)


def test_the_largest_of_some_lead_to_the_largest_of_all(monkeypatch):
    monkeypatch.setattr(heuristics, "NOISE_FEWEST_TAIL", 2)
    values = np.array([[0.0, 3.0, 1.0, 6.0]])  # two of four are 2 and 5 above the third
    expected = 1.0 + 3.5 * (np.log(2 * 8 / 4) + np.euler_gamma)
    assert largest_of(8, values) == pytest.approx((expected, 3.5))


@pytest.mark.parametrize("skewed", [False, True])
def test_what_the_largest_of_some_lead_to_is_seldom_far_off(skewed):
    rng = np.random.default_rng(0)
    draws = rng.chisquare(3, (20, 50_000)) if skewed else rng.normal(size=(20, 50_000))
    found = [largest_of(50_000, draw[:4000])[0] for draw in draws]
    np.testing.assert_allclose(found, draws.max(axis=1).mean(), rtol=0.4)
    assert np.mean(found) == pytest.approx(draws.max(axis=1).mean(), rel=0.15)


def test_the_noise_of_many_samples_is_that_of_all_features_about(monkeypatch):
    monkeypatch.setattr(heuristics, "NOISE_ROWS", 400)
    X, y = two_relevant(400, 800, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    w = np.zeros(800)
    w[:2] = 3.0
    whole = noise_at(features, problem, w)
    monkeypatch.setattr(heuristics, "NOISE_WORK", 400**2 * 50)
    assert noise_at(features, problem, w)[0] == pytest.approx(whole[0], rel=0.25)


def test_the_noise_of_many_samples_is_found_without_a_matrix_in_double_precision(monkeypatch):
    X, y = two_relevant(400, 300, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    w = np.r_[3.0, 2.0, np.zeros(298)]
    monkeypatch.setattr(heuristics, "NOISE_WORK", 400**2 * 50)
    monkeypatch.setattr(heuristics, "NOISE_ROWS", 400)
    with monkeypatch.context() as exactly:
        exactly.setattr(rough_moves, "is_rough", lambda *_: False)
        exact = noise_at(features, problem, w)
    monkeypatch.setattr(Problem, "neighbors", None)
    np.testing.assert_allclose(noise_at(features, problem, w), exact, rtol=1e-4)


def test_the_noise_of_many_samples_with_gaps(monkeypatch):
    X, y = two_relevant(300, 100, 0)
    monkeypatch.setattr(heuristics, "NOISE_ROWS", 300)
    monkeypatch.setattr(heuristics, "NOISE_WORK", 300**2 * 50)
    whole = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    X[:, 2:][np.random.default_rng(1).random((len(X), 98)) < 0.1] = np.nan
    holed = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(holed.weights_).tolist() == [0, 1]
    assert holed.alpha_ == pytest.approx(whole.alpha_, rel=0.25)


def test_a_small_class_is_found_beside_a_large_one(monkeypatch):
    monkeypatch.setattr(heuristics, "NOISE_ROWS", 500)
    monkeypatch.setattr(heuristics, "NOISE_SAMPLES", 200)  # 800 are to it as 1,600 to 400
    rng, y = np.random.default_rng(0), np.arange(800) % 25 == 0
    X = rng.normal(size=(800, 60))
    X[y, :3] += 1.2
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("n_of_class", "times"), [(400, 2**0.75), (20, 1.0)])
def test_many_samples_begin_above_the_noise_unless_a_class_is_small(n_of_class, times):
    X, y = np.random.default_rng(0).random((800, 6)), (np.arange(800) < n_of_class).astype(int)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 1.0, 1.0)
    points = FixedPoints(
        features, problem, [1.0], explore=False, tol=1e-3, max_iter=1, record=lambda **_: None
    )
    least = noise_at(features, problem, np.zeros(6))[0]
    assert first_alpha(points) == pytest.approx(times * least)


def test_where_a_search_begins_with_some_samples_the_penalty_is_that_of_all():
    rng, y = np.random.default_rng(0), np.arange(1200) % 4
    X = rng.normal(size=(1200, 80)).astype(np.float32)
    for k in range(4):
        X[y == k, 3 * k : 3 * k + 3] += 2
    found = Markers(LOFE(alpha="auto")).fit(X, y)
    assert found.optimality_gap_ < 1e-3
    for k, weights in enumerate(found.class_weights_):
        assert set(range(3 * k, 3 * k + 3)) <= set(np.flatnonzero(weights)) <= set(range(12))


def test_from_some_samples_it_ends_above_the_noise_of_its_own_fit():
    rng, y = np.random.default_rng(0), np.arange(1200) % 4
    X = rng.normal(size=(1200, 80)).astype(np.float32)
    X[y == 0, :6] += 1
    features, target = InMemory(X / np.ptp(X, axis=0), Workers(1)), Classes((y == 0).astype(int))
    how = several_targets(features, target, lambda: features.distances(np.ones(80)))
    problem = Problem(target, 2.0, 1.0, pairs=how.pop("pairs"))
    points = FixedPoints(
        features,
        problem,
        [1.0],
        explore=True,
        tol=1e-5,
        max_iter=100,
        record=lambda **row: None,
        **how,
    )
    found = by_noise(points, 2.0)
    assert found.converged
    assert found.gap < 1e-3
    noise = noise_level(features, problem, found.w, points.exchanges)[0]
    assert found.alpha >= heuristics.NOISE_MARGIN / (1 + heuristics.NOISE_CLOSE) * noise * 0.999
    assert set(range(6)) <= set(np.flatnonzero(found.w))


def test_what_only_a_weaker_penalty_leads_to_is_followed():
    X, y = datasets.make_spiral(
        240, n_irrelevant=6000, random_state=1, dtype=np.float32, return_X_y=True
    )
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1]
