"""Views of features; `missing="pairwise"` against scikit-rebate, whose rule it is."""

import numpy as np
import pytest
import scipy.sparse
import skrebate

import hitmiss
from hitmiss._util.workers import Workers
from hitmiss.data.features import PairList, pair_form
from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import UNSCALED, Scaling
from hitmiss.data.sources import as_source
from hitmiss.data.stored import Stored
from hitmiss.data.views import Observed, Subset
from tests import relief_reference as relief

RNG = np.random.default_rng(0)
X = RNG.standard_normal((9, 3000))
INDEX = np.sort(RNG.choice(3000, 1300, replace=False))
SCALED = Scaling(X.mean(axis=0), RNG.random(3000))


@pytest.mark.parametrize("scaling", [UNSCALED, SCALED], ids=["raw", "scaled"])
def test_a_subset_answers_like_the_columns_themselves_to_the_bit(scaling):
    workers = Workers(1)
    subset = Subset(InMemory(X, workers, scaling), INDEX)
    alone = InMemory(X[:, INDEX], workers, scaling.at(INDEX))
    w, Q = RNG.random(1300) * (RNG.random(1300) < 0.7), RNG.standard_normal((9, 9))
    for ask in (
        lambda features: features.distances(w),
        lambda features: features.sums([Q, Q.T]),
        lambda features: features.sums([PairList.of(Q)]),
        lambda features: features.margins(Q),
        lambda features: features.columns(np.array([3, 1200])).X,
        lambda features: features.raw_values(),
        lambda features: features.raw_values(np.array([3, 1200])),
    ):
        np.testing.assert_array_equal(ask(subset), ask(alone))
    assert subset.digest() == alone.digest()


def test_a_subset_of_a_subset():
    index = INDEX[[5, 7, 900]]
    subset = Subset(Subset(InMemory(X, Workers(1), SCALED), INDEX), np.array([5, 7, 900]))
    expected = InMemory(X[:, index], Workers(1)).distances(SCALED.factor[index])
    np.testing.assert_allclose(subset.distances(np.ones(3)), expected, rtol=1e-12)


def test_values_that_are_not_in_memory_are_refused():
    with pytest.raises(TypeError, match="does not hold its values in memory"):
        Stored(as_source(scipy.sparse.csr_array(np.eye(3))), Workers(1)).raw_values()


FOUR = np.array([[0.0, 0.0], [1.0, np.nan], [8.0, 4.0], [np.nan, 3.0]])


def holed(X, share=0.1, seed=1):
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < share] = np.nan
    return X


def four():
    return Observed(InMemory(FOUR, Workers(1), Scaling(gap=np.array([7.0, 7.0]))))


def test_distances_are_divided_by_what_is_observed():
    # Both features: 12. One of two: 1, 3, 7 and 1, times two. None: as far as any.
    D = four().distances(np.ones(2))
    expected = [[0, 2, 12, 6], [2, 0, 14, 14], [12, 14, 0, 2], [6, 14, 2, 0]]
    np.testing.assert_array_equal(D, expected)


def test_margins_are_means_over_what_is_observed():
    Q = np.array([[0, -1, 0.5, 0.5], [-1, 0, 0.5, 0.5], [0.5, 0.5, 0, -1], [0.5, 0.5, -1, 0]])
    # The first sample: hits 1 and unknown, misses 8 (or unknown) and (4 + 3) / 2.
    expected = [[7, 3.5], [6, 0], [7.5, 3], [0, 2]]
    np.testing.assert_array_equal(four().margins(Q), expected)
    np.testing.assert_array_equal(four().sums([Q]), [np.sum(expected, axis=0)])
    np.testing.assert_array_equal(four().margins(Q, np.array([1])), np.array(expected)[:, 1:])
    assert pair_form(four(), Q) is Q
    few = four().subset(np.array([1]))
    np.testing.assert_array_equal(few.margins(Q), np.array(expected)[:, 1:])


@pytest.mark.parametrize("sizes", [(1, 1), (1, 3)])
@pytest.mark.parametrize("name", ["ReliefF", "MultiSURF"])
def test_scores_of_numbers_with_gaps_are_those_of_scikit_rebate(name, sizes):
    X, y = relief.gaussian_classes(60, sizes=sizes)
    X, k = holed(X), {"n_neighbors": 10} if name == "ReliefF" else {}
    peer = getattr(skrebate, name)(categorical_features=[], **k).fit(X.copy(), y)
    ours = getattr(hitmiss, name)(missing="pairwise", **k).fit(X, y)
    np.testing.assert_allclose(ours.weights_, peer.feature_importances_, rtol=1e-6, atol=1e-9)


def words(seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(4, size=(60, 30)).astype(float), np.arange(60) % 2


@pytest.mark.parametrize("share", [0.0, 0.1])
@pytest.mark.parametrize("name", ["ReliefF", "MultiSURF"])
def test_scores_of_levels_are_those_of_scikit_rebate(name, share):
    X, y = words()
    X = holed(X, share)
    k = {"n_neighbors": 10} if name == "ReliefF" else {}
    peer = getattr(skrebate, name)(categorical_features=list(range(30)), **k).fit(X.copy(), y)
    ours = getattr(hitmiss, name)(missing="pairwise", categorical=np.arange(30), **k).fit(X, y)
    if name == "ReliefF":  # levels make ties, which scikit-rebate breaks by its sort
        assert np.corrcoef(ours.weights_, peer.feature_importances_)[0, 1] > 0.9
    else:
        np.testing.assert_allclose(ours.weights_, peer.feature_importances_, rtol=1e-6, atol=1e-9)


def test_in_mixed_tables_scikit_rebate_scores_numbers_by_a_ramp():
    X, y = words()
    X[:, 15:] = relief.gaussian_classes(60, sizes=(1, 1))[0][:, :1] + np.random.default_rng(
        3
    ).normal(size=(60, 15))
    X = holed(X)
    peer = skrebate.MultiSURF(categorical_features=list(range(15))).fit(X.copy(), y)
    ours = hitmiss.MultiSURF(missing="pairwise", categorical=np.arange(15)).fit(X, y)
    levels, numbers = slice(0, 15), slice(15, None)
    found = peer.feature_importances_
    np.testing.assert_allclose(ours.weights_[levels], found[levels], rtol=1e-6, atol=1e-9)
    assert not np.allclose(ours.weights_[numbers], found[numbers], rtol=0.01)
