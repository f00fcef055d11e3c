import numpy as np
import pytest

from hitmiss import LOFE, OnlineLOFE, datasets
from hitmiss.online.sparse import (
    QUIET_PASSES,
    UNTUNED_PASSES,
    relative_change,
    some_of_each,
)


def fitted(X, y, **options):
    return OnlineLOFE(passes="sparse", random_state=0, **options).fit(X, y)


def spiral(n_irrelevant, seed=0):
    return datasets.make_spiral(n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True)


@pytest.mark.parametrize(("n_irrelevant", "seed"), [(100, 0), (1000, 0), (1000, 1), (5000, 2)])
def test_the_pair_of_the_spiral_is_found(n_irrelevant, seed):
    found = fitted(*spiral(n_irrelevant, seed))
    assert found.get_support(indices=True).tolist() == [0, 1]
    assert found.weights_[2:].max() < 0.01 * found.weights_[:2].min()


def test_with_passes_enough_the_weights_are_those_of_the_batch():
    X, y = datasets.make_waveform(300, n_irrelevant=500, random_state=0, return_X_y=True)
    found = fitted(X, y, alpha=1.0, n_passes=200, tol=1e-12)
    batch = LOFE(alpha=1.0, order="weight").fit(X, y).weights_
    assert np.linalg.norm(found.weights_ - batch) < 0.05 * np.linalg.norm(batch)


def test_alpha_comes_near_that_of_passes_over_all_features():
    X, y = datasets.make_twonorm(300, n_irrelevant=980, random_state=0, return_X_y=True)
    sparse, full = fitted(X, y, tol=1e-12), OnlineLOFE(random_state=0).fit(X, y)
    assert sparse.alpha_ == pytest.approx(full.alpha_, rel=0.25)
    assert set(sparse.ranking_[:10]) <= set(range(20))


def test_passes_stop_when_the_weights_hardly_change():
    X, y = spiral(100)
    early, never = fitted(X, y), fitted(X, y, tol=1e-12)
    assert never.n_iter_ == 20 * len(y)
    assert early.n_iter_ < never.n_iter_
    least = 1 + UNTUNED_PASSES + QUIET_PASSES  # and the dense one
    assert fitted(X, y, tol=1e9).n_iter_ == least * len(y)


def test_bits_do_not_depend_on_the_number_of_threads():
    X, y = datasets.make_twonorm(120, n_irrelevant=3000, random_state=0, return_X_y=True)
    one, three = (fitted(X, y, n_passes=6, n_jobs=n) for n in (1, 3))
    assert one.weights_.tobytes() == three.weights_.tobytes()
    assert one.scores_.tobytes() == three.scores_.tobytes()


def test_units_of_the_features_do_not_matter():
    X, y = spiral(30)
    X = np.round(64 * X)  # sums of scaled values are then exact
    scaled = fitted(X * 2.0 ** np.arange(32), y)
    np.testing.assert_allclose(scaled.weights_, fitted(X, y).weights_)


def test_more_samples_than_the_memory_holds_and_a_stream_afterwards():
    X, y = datasets.make_twonorm(300, n_irrelevant=80, random_state=0, return_X_y=True)
    found = fitted(X, y, reservoir=100, n_passes=8, tol=1e-12)
    assert set(found.ranking_[:10]) <= set(range(20))
    found.partial_fit(X[:50], y[:50])
    assert found.n_iter_ == 8 * 300 + 50


@pytest.mark.filterwarnings("ignore:Class 3 has a single sample")
def test_classes_of_few_samples_and_constant_features():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 40)), np.repeat([0, 1, 2], 20)
    X[:, 0] += 3 * y
    X[:, 1] = 5
    found = fitted(np.vstack([X, X[:1] + 9]), np.append(y, 3))
    assert found.ranking_[0] == 0
    assert found.weights_[1] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"passes": "some"}, "passes"),
        ({"passes": "sparse", "tol": -1.0}, "tol"),
        ({"passes": "sparse", "step": "paper"}, 'needs step="adagrad"'),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        OnlineLOFE(**options).fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])


def test_neighbors_of_a_pass_are_balanced():
    y = np.repeat([0, 1, 2], [50, 30, 1])
    chosen = some_of_each(y, 30, np.random.default_rng(0))
    assert np.bincount(y[chosen]).tolist() == [10, 10, 1]
    assert (np.diff(chosen) > 0).all()


@pytest.mark.filterwarnings("ignore:All weights are zero")
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_weights_that_all_become_zero_are_an_infinite_change():
    rng, y = np.random.default_rng(0), np.arange(120) % 2
    X = rng.normal(size=(120, 30))
    X[:, :2] += 1.5 * y[:, None]
    fitted(X, y, forgetting=0.5)  # after some passes no feature has a weight
    assert relative_change(np.ones(3), np.zeros(3)) == np.inf
    assert relative_change(np.zeros(3), np.zeros(3)) == 0.0
    assert relative_change(np.array([3.0, 0.0]), np.array([3.0, 4.0])) == pytest.approx(0.8)
