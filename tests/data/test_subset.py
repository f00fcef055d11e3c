import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import PairList
from hitmiss.data.raw import raw_values
from hitmiss.data.scaling import UNSCALED, Scaling
from hitmiss.data.subset import Subset

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
        lambda features: features.squares(Q, w[:9]),
        lambda features: features.columns(np.array([3, 1200])).X,
        raw_values,
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
        raw_values(object())
