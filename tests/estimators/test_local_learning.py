"""LOFE where samples are many: the same answers from row tiles, without a matrix of all pairs."""

import re
import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone

from hitmiss import LOFE, LOFECV, Markers, datasets
from hitmiss._util.progress import Progress
from hitmiss._util.workers import Workers
from hitmiss.data.features import Features
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators import local_learning
from hitmiss.estimators.validation import scaled_features
from hitmiss.lofe import coarse_to_fine, least_memory
from hitmiss.neighbors.pairs import AllPairs


def peak_of(work):
    """Most bytes that were in use at once."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


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
    one = LOFE(memory="25MB", n_jobs=1, alpha=1.0).fit(X, y)
    assert LOFE(memory="25MB", n_jobs=1, alpha=1.0)._matrices(700) == 0
    np.testing.assert_array_equal(
        LOFE(memory="25MB", n_jobs=2, alpha=1.0).fit(X, y).weights_, one.weights_
    )
    sparse = LOFE(memory="25MB", n_jobs=2, alpha=1.0).fit(scipy.sparse.csr_array(X), y)
    np.testing.assert_array_equal(sparse.weights_, one.weights_)


@pytest.mark.parametrize("alpha", [1.0, 60.0])
def test_beginning_with_some_samples_leads_to_the_same_answer(monkeypatch, alpha):
    X, y = datasets.make_clusters(700, n_irrelevant=10, random_state=0, return_X_y=True)
    expected = LOFE(alpha=alpha).fit(X, y)
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 100)
    found = LOFE(alpha=alpha, memory="25MB").fit(X, y)
    assert found.history_[0]["alpha"] == pytest.approx(alpha / 7, rel=0.1)
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)
    assert found.converged_
    assert found.init_ == found.history_[-1]["start"]


@pytest.mark.full
@pytest.mark.parametrize("seed", [1, 3])
def test_where_some_samples_mislead_the_starts_are_followed_with_all(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((240, 12))
    y = ((X[:, 0] > 0.5) ^ (X[:, 1] > 0.5)).astype(int)
    flipped = rng.random(240) < 0.15
    y[flipped] = 1 - y[flipped]
    lofe = LOFE(0.5, 2.0, memory="4MB", max_iter=60, n_jobs=1)
    expected = clone(lofe).fit(X, y).objective_
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 60)
    found = lofe.fit(X, y)
    assert found.converged_
    assert found.objective_ <= expected * (1 + 1e-6)


def test_a_start_that_is_given_is_followed_with_all_samples(monkeypatch):
    X, y = datasets.make_clusters(700, n_irrelevant=10, random_state=0, return_X_y=True)
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 100)
    w = LOFE(memory="25MB", alpha=1.0).fit(X, y).weights_
    again = LOFE(memory="25MB", init=w, alpha=1.0).fit(X, y)
    assert {row["alpha"] for row in again.history_} == {1.0}
    np.testing.assert_allclose(again.weights_, w, rtol=1e-4)


def test_too_little_memory_for_row_tiles_is_refused_in_a_sentence():
    X = scipy.sparse.random_array((2500, 4000), density=0.01, format="csc", random_state=0)
    y = np.arange(2500) % 2
    with pytest.raises(ValueError, match=r"memory=100MB is too little for 2,500 samples and 4,000"):
        LOFE(memory="100MB", alpha=1.0).fit(X, y)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:LOFE did not converge", "ignore:All weights are zero")
@pytest.mark.parametrize("shape", [(1200, 1500), (2000, 40)])
def test_what_row_tiles_take_is_not_more_than_they_say(shape, monkeypatch):
    n_samples, n_features = shape
    X, y = datasets.make_clusters(
        n_samples, n_irrelevant=n_features - 2, random_state=0, return_X_y=True
    )
    X = scipy.sparse.csc_array(X.astype(np.float32))
    limit = least_memory(*shape, 4)
    lofe = LOFE(memory="300MB", max_iter=3, n_jobs=1, alpha=1.0)
    # In row tiles, though there is room for pairs.
    monkeypatch.setattr(local_learning.LocalLearning, "matrices", lambda self, n_samples: 0)
    lofe.fit(X[:400, :10], y[:400])  # compile before measuring
    peak = peak_of(lambda: lofe.fit(X, y))
    assert peak < limit + 20e6  # and what does not grow with the data


def test_cross_validation_makes_no_matrix_of_very_many_samples(monkeypatch):
    X, y = datasets.make_clusters(150, n_irrelevant=5, random_state=0, return_X_y=True)
    cv = LOFECV(sigmas=2.0, alphas=[1.0], cv=2, n_jobs=1)
    expected = clone(cv).fit(X, y).weights_
    monkeypatch.setattr(local_learning, "MATRIX_SAMPLES", 100)
    monkeypatch.setattr(AllPairs, "soft", None)
    monkeypatch.setattr(AllPairs, "soft_from", None)
    with pytest.raises(TypeError):  # folds of 75 samples do have all pairs
        clone(cv).fit(X, y)
    monkeypatch.setattr(local_learning, "MATRIX_SAMPLES", 10)
    np.testing.assert_allclose(cv.fit(X, y).weights_, expected, rtol=1e-4)


@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_without_weights_the_commonest_class_is_predicted_whatever_the_references():
    X, y = datasets.make_clusters(60, random_state=0, return_X_y=True)
    y = (np.arange(60) >= 20).astype(int)
    assert (LOFE(alpha=1e6, max_references=20).fit(X, y).predict(X) == 1).all()


def test_what_some_samples_do_not_show_is_looked_for_in_all(monkeypatch):
    X, y = datasets.make_clusters(300, n_irrelevant=10, random_state=0, return_X_y=True)
    expected = LOFE(alpha=1.0).fit(X, y)
    blank = InMemory(np.zeros((20, 12)), Workers(1))
    monkeypatch.setattr(Features, "of_samples", lambda features, rows: blank)
    rows = lambda _, target, pairs: np.arange(20) if len(target) == 300 else None  # noqa: E731
    monkeypatch.setattr(coarse_to_fine, "fewer_samples", rows)
    found = LOFE(memory="5MB", alpha=1.0).fit(X, y)
    assert {row["start"] for row in found.history_ if row["alpha"] == 1} >= {"soft", "ones"}
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)
    monkeypatch.setattr(InMemory, "room", 0.0)
    cramped = LOFE(memory="5MB", alpha=1.0).fit(
        X, y
    )  # no room for the starts, so it begins at zero
    np.testing.assert_allclose(cramped.weights_, expected.weights_, rtol=1e-4)
    with pytest.warns(UserWarning, match="All weights are zero"):
        assert cramped.set_params(alpha=1e4).fit(X, y).converged_


@pytest.mark.filterwarnings("ignore:LOFE did not converge")
def test_no_matrix_of_pairs_exists():
    X, y = datasets.make_clusters(2000, n_irrelevant=6, random_state=0, return_X_y=True)
    lofe = LOFE(memory="20MB", max_iter=3, n_jobs=1, init="ones", alpha=1.0)
    X = X.astype(np.float32)
    lofe.fit(X[:500], y[:500])  # compile before measuring
    peak = peak_of(lambda: lofe.fit(X, y))
    assert peak < 4 * 2000**2  # the smallest matrix of pairs


def test_landmarks_find_the_features_and_predict():
    X, y = datasets.make_clusters(900, n_irrelevant=20, random_state=0, return_X_y=True)
    landmarks = LOFE(max_references=200, alpha=1.0).fit(X, y)
    assert landmarks.get_support(indices=True).tolist() == [0, 1]
    assert landmarks.score(X, y) > 0.9
    assert len(landmarks._samples) <= 200
    exact = LOFE(alpha=1.0).fit(X, y)
    np.testing.assert_allclose(landmarks.feature_importances_, exact.feature_importances_, atol=0.2)
    everything = LOFE(max_references=5000, alpha=1.0).fit(X, y)
    np.testing.assert_array_equal(everything.weights_, exact.weights_)


@pytest.mark.parametrize(("model", "n_fits"), [(LOFE(alpha=1.0), 1), (Markers(LOFE(alpha=1.0)), 3)])
def test_every_fit_ends_the_line_of_its_iterations(monkeypatch, model, n_fits):
    calls = []
    monkeypatch.setattr(Progress, "show", lambda self, label, share: calls.append("show"))
    monkeypatch.setattr(Progress, "done", lambda self: calls.append("done"))
    X, y = np.random.default_rng(0).normal(size=(45, 4)), np.repeat([0, 1, 2], 15)
    X[:, 0] += 3 * y
    model.set_params(verbose=True).fit(X, y)
    assert calls[0] == "show"
    assert calls[-1] == "done"
    assert calls.count("done") == n_fits


Y = np.arange(60) % 2


def counted(X):
    return local_learning.skewed_features(scaled_features(X, "range", Workers(1)))


def signal():
    """Feature 3 of 50 normal ones tells the classes apart."""
    X = np.random.default_rng(0).normal(size=(60, 50))
    X[:, 3] += 2.5 * Y
    return X


def said(X, **params):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        LOFE(**params).fit(X, Y)
    return " ".join(str(warning.message) for warning in caught)


def test_by_hand():
    even = np.arange(60.0)
    outlier, mark, constant = even.copy(), np.zeros(60), np.ones(60)
    outlier[7], mark[7] = 1e6, 1e6
    narrow, wide = even.copy(), even.copy()
    narrow[59], wide[59] = 300, 290  # over which the middle half is 29.5
    X = np.column_stack([even, outlier, mark, constant, narrow, wide])
    assert counted(X) == (2, 6)
    assert counted(X[:, 1:2].astype(np.float32)) == (1, 1)


def test_of_very_many_values_some_features_are_looked_at(monkeypatch):
    monkeypatch.setattr(local_learning, "SKEW_VALUES", 600)
    assert counted(np.exp(3 * signal())) == (10, 10)


@given(arrays(float, (7, 3), elements=st.floats(-1e300, 1e300)))
def test_any_numbers(X):
    n_skewed, n = counted(X)
    assert 0 <= n_skewed <= n == 3


def test_skewed_data_get_the_right_cure():
    X = np.exp(2 * signal())
    n_skewed = re.search(
        r"first try logarithms or ranks, since (\d+) of 50 features looked at are", said(X)
    )
    assert int(n_skewed[1]) > 25
    assert LOFE().fit(np.log(X), Y).get_support(indices=True).tolist() == [3]


def test_so_does_a_single_outlier():
    X = signal()
    X[5, 3] = 1e6
    assert "since 1 of 50 features looked at is skewed or has outliers" in said(X)
    ranks = X.argsort(axis=0).argsort(axis=0)
    assert LOFE().fit(ranks, Y).get_support(indices=True).tolist() == [3]


@pytest.mark.parametrize("params", [{"alpha": 1e3}, {"alpha": 1e6, "scale": None}])
def test_others_do_not(params):
    assert said(signal(), **params).startswith("All weights are zero: alpha=")
    assert "logarithms" not in said(signal(), **params)
