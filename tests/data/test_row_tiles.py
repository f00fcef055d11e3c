"""Many samples: the same answers from row tiles, without a matrix of all pairs."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from hitmiss import LOFE, LOFECV, datasets
from hitmiss._util.workers import Workers
from hitmiss.data import row_tiles as tiles
from hitmiss.data.in_memory import Blocks
from hitmiss.data.row_tiles import ManySamples, balanced_references
from hitmiss.estimators import local_learner
from hitmiss.lofe.newton import linearize
from hitmiss.lofe.path import Solver
from hitmiss.lofe.problem import Problem, evaluate


def random_blocks(n_samples, n_features, dtype="f8", seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_samples, n_features)).astype(dtype)
    y = rng.integers(0, 3, n_samples)
    w = np.where(rng.random(n_features) < 0.5, rng.random(n_features), 0.0)
    return Blocks(X, Workers(1)), y, w


def peak_of(work):
    """Most bytes that were in use at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@settings(max_examples=25, deadline=None)
@given(st.integers(6, 90), st.integers(1, 20), st.sampled_from([0.3, 2.0, 30.0]))
def test_every_number_is_that_of_the_matrix_of_pairs(n_samples, n_features, sigma):
    blocks, y, w = random_blocks(n_samples, n_features, seed=n_samples)
    many, problem = ManySamples(blocks), Problem(y, sigma, 0.7)
    one, other = evaluate(blocks, problem, w), evaluate(many, problem, w)
    for name in ("Z", "pull", "objective", "gradient"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(
        many.pulled_sums([(other.Q, other.pull)]),
        blocks.pulled_sums([(one.Q, one.pull)]),
        atol=1e-8,
    )
    squares = many.squared_sums(other.Q, one.pull)
    np.testing.assert_allclose(squares, blocks.squared_sums(one.Q, one.pull), atol=1e-8)
    for expected, found in zip(
        linearize(blocks, problem, w), linearize(many, problem, w), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)


def test_references_are_the_only_neighbors():
    blocks, y, w = random_blocks(60, 5)
    references = balanced_references(y, 24)
    Q = ManySamples(blocks, references).soft_neighbors(w, y, 1.0)
    D = blocks.distances(w)
    for n in range(60):
        row = np.zeros(60)
        found, (everything,) = Q.probabilities(np.array([n]))
        row[Q.references[everything]] = found[0]
        for members, sign in ((y == y[n], -1), (y != y[n], 1)):
            allowed = members & np.isin(np.arange(60), references) & (np.arange(60) != n)
            P = np.where(allowed, np.exp(-D[n]), 0)
            np.testing.assert_allclose(sign * row[members], (P / P.sum())[members], atol=1e-8)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 3), st.sampled_from([0.005, 0.1, 1.0]), st.booleans())
def test_what_a_tree_leaves_out_has_no_probability(n_features, sigma, halve):
    rng = np.random.default_rng(n_features)
    X, y = rng.random((3000, n_features)), rng.integers(0, 3, 3000)
    y[X[:, 0] < 0.5] = 0  # where classes 1 and 2 are far away
    references = np.arange(0, 3000, 2 if halve else 1)
    many = ManySamples(Blocks(X, Workers(1)), references)
    Q = many.soft_neighbors(np.ones(n_features), y, sigma)
    assert np.array_equal(np.sort(np.concatenate(Q.tiles)), np.arange(3000))
    assert np.array_equal(np.sort(Q.references), references)
    rows = Q.tiles[len(Q.tiles) // 2]
    found, near = Q.probabilities(rows)
    row = np.zeros((len(rows), 3000))
    row[:, np.concatenate([Q.references[place] for place in near])] = found[: len(rows)]
    D = np.abs(X[rows][:, None] - X).sum(axis=2)
    allowed = np.isin(np.arange(3000), references) & (np.arange(3000) != rows[:, None])
    for members, sign in ((y == y[rows][:, None], -1), (y != y[rows][:, None], 1)):
        shifted = np.where(members & allowed, D, np.inf)
        P = np.exp((shifted.min(axis=1, keepdims=True) - shifted) / sigma)
        P /= P.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(np.where(members, sign * row, 0), P, atol=1e-9)
    if sigma == 0.005 and n_features == 1:
        sizes = [Q.probabilities(tile)[0].shape[1] for tile in Q.tiles]
        assert min(sizes) < len(references)


@given(st.lists(st.integers(2, 40), min_size=2, max_size=5), st.integers(4, 120))
def test_references_are_balanced(counts, size):
    y = np.repeat(np.arange(len(counts)), counts)
    references = balanced_references(y, size)
    assert np.array_equal(np.unique(references), references)
    kept = np.bincount(y[references], minlength=len(counts))
    assert kept.min() >= 2
    assert len(references) <= max(size, 2 * len(counts))
    full = kept == counts
    assert np.ptp(kept[~full]) <= 1 if (~full).any() else len(references) == len(y)
    np.testing.assert_array_equal(balanced_references(y, size), references)


@pytest.mark.parametrize(("dtype", "alpha"), [("f4", 1.0), ("f8", 1.0), ("f8", "evidence")])
def test_a_fit_in_row_tiles_is_the_same_fit(dtype, alpha):
    X, y = datasets.make_clusters(90, n_irrelevant=10, random_state=0, return_X_y=True)
    X = X.astype(dtype)
    expected = LOFE(alpha=alpha).fit(X, y)
    tiled = LOFE(alpha=alpha, memory="1MB").fit(X, y)
    scale = expected.weights_.max()
    np.testing.assert_allclose(tiled.weights_, expected.weights_, atol=1e-4 * scale)
    np.testing.assert_array_equal(tiled.get_support(), expected.get_support())
    assert tiled.converged_
    assert tiled.loo_error_ == expected.loo_error_
    np.testing.assert_allclose(tiled.predict_proba(X), expected.predict_proba(X), atol=1e-3)


def test_threads_and_the_place_of_the_data_change_no_bit():
    X, y = datasets.make_clusters(700, n_irrelevant=10, random_state=0, return_X_y=True)
    one = LOFE(memory="25MB", n_jobs=1).fit(X, y)
    assert LOFE(memory="25MB", n_jobs=1)._matrices(700) == 0
    np.testing.assert_array_equal(LOFE(memory="25MB", n_jobs=2).fit(X, y).weights_, one.weights_)
    sparse = LOFE(memory="25MB", n_jobs=2).fit(scipy.sparse.csr_array(X), y)
    np.testing.assert_array_equal(sparse.weights_, one.weights_)


@given(st.lists(st.integers(1, 400), min_size=2, max_size=4), st.integers(0, 10))
def test_a_search_begins_with_some_of_very_many_samples(counts, seed):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    X = np.arange(2.0 * len(y), dtype=np.float32).reshape(-1, 2)
    half = np.full(2, 0.5, np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiles, "SOME", 50)
        found = ManySamples(Blocks(X, Workers(1), half, half)).thinned(y)
    if len(y) < 4 * 50:
        assert found is None
        return
    some, rows = found
    np.testing.assert_array_equal(some.X, (X[rows] - 0.5) * 0.5)
    share = np.bincount(y[rows], minlength=len(counts)) - 50 * np.array(counts) / len(y)
    assert ((share > -1) & (share <= 1 + 2 * len(counts))).all()
    assert (np.bincount(y[rows]) >= np.minimum(counts, 2)).all()


@pytest.mark.parametrize("alpha", [1.0, 60.0])
def test_beginning_with_some_samples_leads_to_the_same_answer(monkeypatch, alpha):
    X, y = datasets.make_clusters(700, n_irrelevant=10, random_state=0, return_X_y=True)
    expected = LOFE(alpha=alpha).fit(X, y)
    monkeypatch.setattr(tiles, "SOME", 100)
    found = LOFE(alpha=alpha, memory="25MB").fit(X, y)
    assert found.history_[0]["alpha"] == pytest.approx(alpha / 7, rel=0.1)
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)
    assert found.converged_
    assert found.init_ == found.history_[-1]["start"]


@pytest.mark.parametrize("seed", [1, 3])
def test_where_some_samples_mislead_the_starts_are_followed_with_all(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((240, 12))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    flipped = rng.random(240) < 0.15
    y[flipped] = 1 - y[flipped]
    lofe = LOFE(0.5, 2.0, memory="4MB", max_iter=60, n_jobs=1)
    expected = clone(lofe).fit(X, y).objective_
    monkeypatch.setattr(tiles, "SOME", 60)
    found = lofe.fit(X, y)
    assert found.converged_
    assert found.objective_ <= expected * (1 + 1e-6)


def test_a_start_that_is_given_is_followed_with_all_samples(monkeypatch):
    X, y = datasets.make_clusters(700, n_irrelevant=10, random_state=0, return_X_y=True)
    monkeypatch.setattr(tiles, "SOME", 100)
    w = LOFE(memory="25MB").fit(X, y).weights_
    again = LOFE(memory="25MB", init=w).fit(X, y)
    assert {row["alpha"] for row in again.history_} == {1.0}
    np.testing.assert_allclose(again.weights_, w, rtol=1e-4)


def test_very_many_classes_are_not_thinned(monkeypatch):
    monkeypatch.setattr(tiles, "SOME", 20)
    y = np.repeat(np.arange(40), 3)
    assert ManySamples(Blocks(np.zeros((120, 2)), Workers(1))).thinned(y) is None


def test_an_alpha_that_is_too_strong_is_told_on_the_scale_of_all_samples(monkeypatch):
    X, y = datasets.make_clusters(700, n_irrelevant=10, random_state=0, return_X_y=True)
    blocks, starts = Blocks(X, Workers(1)), [1.0]
    options = {"explore": False, "tol": 1e-5, "max_iter": 50, "record": lambda **row: None}
    expected = Solver(blocks, y, starts, **options).solve(2.0, 30.0).largest_alpha
    monkeypatch.setattr(tiles, "SOME", 100)
    found = Solver(ManySamples(blocks), y, starts, **options).solve(2.0, 30.0).largest_alpha
    assert found == pytest.approx(expected, rel=0.3)


def test_too_little_memory_for_row_tiles_is_refused_in_a_sentence():
    X = scipy.sparse.random_array((2500, 4000), density=0.01, format="csc", rng=0)
    y = np.arange(2500) % 2
    with pytest.raises(ValueError, match=r"memory=100MB is too little for 2,500 samples and 4,000"):
        LOFE(memory="100MB").fit(X, y)


@pytest.mark.filterwarnings("ignore:LOFE did not converge", "ignore:All weights are zero")
@pytest.mark.parametrize("shape", [(1200, 1500), (3000, 40)])
def test_what_row_tiles_take_is_not_more_than_they_say(shape):
    n_samples, n_features = shape
    X, y = datasets.make_clusters(
        n_samples, n_irrelevant=n_features - 2, random_state=0, return_X_y=True
    )
    X = scipy.sparse.csc_array(X.astype(np.float32))
    ceiling = tiles.least_memory(*shape, 4)
    lofe = LOFE(memory="300MB", max_iter=3, n_jobs=1)
    lofe._matrices = lambda n_samples: 0  # in row tiles, though there is room for pairs
    lofe.fit(X[:400, :10], y[:400])  # compile before measuring
    peak = peak_of(lambda: lofe.fit(X, y))
    assert peak < ceiling + 20e6  # and what does not grow with the data


def test_cross_validation_makes_no_matrix_of_very_many_samples(monkeypatch):
    X, y = datasets.make_clusters(150, n_irrelevant=5, random_state=0, return_X_y=True)
    cv = LOFECV(sigmas=2.0, alphas=[1.0], cv=2, n_jobs=1)
    expected = clone(cv).fit(X, y).weights_
    monkeypatch.setattr(local_learner, "MANY", 100)
    monkeypatch.setattr(Blocks, "soft_neighbors", None)  # of all pairs
    monkeypatch.setattr(Blocks, "starting_neighbors", None)
    with pytest.raises(TypeError):  # folds of 75 samples do have all pairs
        clone(cv).fit(X, y)
    monkeypatch.setattr(local_learner, "MANY", 10)
    np.testing.assert_allclose(cv.fit(X, y).weights_, expected, rtol=1e-4)


@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_without_weights_the_commonest_class_is_predicted_whatever_the_references():
    X, y = datasets.make_clusters(60, random_state=0, return_X_y=True)
    y = (np.arange(60) >= 20).astype(int)
    assert (LOFE(alpha=1e6, max_references=20).fit(X, y).predict(X) == 1).all()


def test_what_some_samples_do_not_show_is_looked_for_in_all(monkeypatch):
    X, y = datasets.make_clusters(300, n_irrelevant=10, random_state=0, return_X_y=True)
    expected = LOFE().fit(X, y)
    blank = ManySamples(Blocks(np.zeros((20, 12)), Workers(1)))
    monkeypatch.setattr(ManySamples, "thinned", lambda self, y: (blank, np.arange(20)))
    blank.thinned = lambda y: None
    found = LOFE(memory="5MB").fit(X, y)
    assert {row["start"] for row in found.history_ if row["alpha"] == 1} >= {"soft", "ones"}
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)
    monkeypatch.setattr(ManySamples, "fits", lambda self, n_bytes: False)
    cramped = LOFE(memory="5MB").fit(X, y)  # no room for the starts, so it begins at zero
    np.testing.assert_allclose(cramped.weights_, expected.weights_, rtol=1e-4)
    with pytest.warns(UserWarning, match="All weights are zero"):
        assert cramped.set_params(alpha=1e4).fit(X, y).converged_


@pytest.mark.filterwarnings("ignore:LOFE did not converge")
def test_no_matrix_of_pairs_exists():
    X, y = datasets.make_clusters(2000, n_irrelevant=6, random_state=0, return_X_y=True)
    lofe = LOFE(memory="20MB", max_iter=3, n_jobs=1, init="ones")
    X = X.astype(np.float32)
    lofe.fit(X[:500], y[:500])  # compile before measuring
    peak = peak_of(lambda: lofe.fit(X, y))
    assert peak < 4 * 2000**2  # the smallest matrix of pairs


def test_landmarks_find_the_features_and_predict():
    X, y = datasets.make_clusters(900, n_irrelevant=20, random_state=0, return_X_y=True)
    landmarks = LOFE(max_references=200).fit(X, y)
    assert landmarks.get_support(indices=True).tolist() == [0, 1]
    assert landmarks.score(X, y) > 0.9
    assert len(landmarks._samples) <= 200
    exact = LOFE().fit(X, y)
    np.testing.assert_allclose(landmarks.feature_importances_, exact.feature_importances_, atol=0.2)
    everything = LOFE(max_references=5000).fit(X, y)
    np.testing.assert_array_equal(everything.weights_, exact.weights_)
