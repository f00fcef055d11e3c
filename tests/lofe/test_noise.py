import numpy as np
import pytest

from hitmiss import LOFE, Markers, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.noise_level import largest_of, noise_level
from hitmiss.lofe.problem import Problem
from hitmiss.targets.classes import Classes


def two_relevant(n_samples, n_features, seed):
    """Two relevant features, shifted by 2 and by 1, the others normal."""
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features)).astype(np.float32)
    y = np.arange(n_samples) % 2
    X[:, :2] += np.outer(y, [2, 1])
    return X, y


def test_the_noise_at_zero_is_that_of_permuted_labels():
    X, y = two_relevant(40, 30, 0)
    features, rng = InMemory(X.astype(float), Workers(1)), np.random.default_rng(0)
    found = noise_level(features, Problem(Classes(y), 2.0, 1.0), np.zeros(30))
    largest = []
    for _ in range(heuristics.NOISE_DRAWS):
        order = rng.permutation(40)
        hit = y[order][:, None] == y[order]
        Q = np.where(hit, -1 / 19, 1 / 20)
        differences = np.abs(X[:, None] - X[None]).astype(float)
        largest.append(0.5 * np.einsum("ni,nij->j", Q, differences).max())
    np.testing.assert_allclose(found, largest, rtol=1e-5)


def test_of_many_features_every_exchange_is_of_some():
    X, y = two_relevant(20, heuristics.NOISE_FEATURES + 1, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    found = noise_level(features, problem, np.zeros(features.n_features))
    some = X[:, :: heuristics.NOISE_DRAWS]
    each = noise_level(InMemory(some, Workers(1)), problem, np.zeros(some.shape[1]))
    assert found.tolist() == [each.max()]


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
    least = noise_level(features, Problem(Classes(y), 2.0, 1.0), np.zeros(1000)).mean()
    above = LOFE(alpha=least, tol=1e-3).fit(X, y)
    assert model.alpha_ < 0.9 * least
    assert np.count_nonzero(model.weights_) > np.count_nonzero(above.weights_)
    assert not model.weights_[20:].any()


def test_the_penalty_stays_where_a_weaker_one_lets_nothing_in():
    X, y = datasets.make_xor(200, n_irrelevant=20, random_state=0, return_X_y=True)
    features = InMemory(X / np.ptp(X, axis=0), Workers(1))
    least = noise_level(features, Problem(Classes(y), 2.0, 1.0), np.zeros(22)).mean()
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


def test_the_largest_of_all_is_beyond_the_largest_of_some():
    values = np.array([0.0, 1.0, 2.0, 3.0])
    assert largest_of(4, values) == 3
    # The upper 0.5 / 8 of a normal distribution is at 1.534, the upper 0.5 / 4 at 1.150.
    assert largest_of(8, values) == pytest.approx(1.5 + 1.5 * 1.534 / 1.150, rel=1e-3)


def test_the_noise_of_many_samples_is_that_of_all_features_about(monkeypatch):
    monkeypatch.setattr(heuristics, "NOISE_ROWS", 400)
    X, y = two_relevant(400, 800, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    w = np.zeros(800)
    w[:2] = 3.0
    whole = noise_level(features, problem, w)
    monkeypatch.setattr(heuristics, "NOISE_WORK", 400**2 * 50)
    assert len(whole) == heuristics.NOISE_DRAWS
    assert noise_level(features, problem, w) == pytest.approx([whole.mean()], rel=0.25)


def test_the_noise_of_many_samples_with_gaps(monkeypatch):
    X, y = two_relevant(300, 100, 0)
    monkeypatch.setattr(heuristics, "NOISE_ROWS", 300)
    monkeypatch.setattr(heuristics, "NOISE_WORK", 300**2 * 50)
    whole = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    X[:, 2:][np.random.default_rng(1).random((len(X), 98)) < 0.1] = np.nan
    holed = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(holed.weights_).tolist() == [0, 1]
    assert holed.alpha_ == pytest.approx(whole.alpha_, rel=0.25)


def test_a_small_class_is_found_beside_a_large_one():
    rng, y = np.random.default_rng(0), np.arange(1600) % 50 == 0
    X = rng.normal(size=(1600, 60))
    X[y, :3] += 1.2
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1, 2]


def test_where_a_search_begins_with_some_samples_the_penalty_is_that_of_all():
    rng, y = np.random.default_rng(0), np.arange(1200) % 4
    X = rng.normal(size=(1200, 80)).astype(np.float32)
    for k in range(4):
        X[y == k, 3 * k : 3 * k + 3] += 2
    found = Markers(LOFE(alpha="auto")).fit(X, y)
    assert found.optimality_gap_ < 1e-3
    for k, weights in enumerate(found.class_weights_):
        assert set(range(3 * k, 3 * k + 3)) <= set(np.flatnonzero(weights)) <= set(range(12))


def test_what_only_a_weaker_penalty_leads_to_is_followed():
    X, y = datasets.make_spiral(
        200, n_irrelevant=2000, random_state=4, dtype=np.float32, return_X_y=True
    )
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert model.weights_[:2].min() > 0.5 * model.weights_.max()
