import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import Blocks
from hitmiss.data.subset import Subset

RNG = np.random.default_rng(0)
X = RNG.standard_normal((9, 3000))
INDEX = np.sort(RNG.choice(3000, 1300, replace=False))
SCALED = {"center": X.mean(axis=0), "factor": RNG.random(3000)}


@pytest.mark.parametrize("scaling", [{}, SCALED], ids=["raw", "scaled"])
def test_a_subset_answers_like_the_columns_themselves(scaling):
    workers = Workers(1)
    subset = Subset(Blocks(X, workers, **scaling), INDEX)
    columns = {name: values[INDEX] for name, values in scaling.items()}
    alone = Blocks(X[:, INDEX], workers, **columns)
    w, Q = RNG.random(1300) * (RNG.random(1300) < 0.7), RNG.standard_normal((9, 9))
    assert subset.n_features == 1300
    np.testing.assert_array_equal(subset.distances(w), alone.distances(w))
    np.testing.assert_array_equal(subset.pair_sums(Q), alone.pair_sums(Q))
    np.testing.assert_array_equal(subset.difference_sums([Q]), alone.difference_sums([Q]))
    np.testing.assert_array_equal(subset.margins(Q), alone.margins(Q))
    np.testing.assert_array_equal(subset.X, alone.X)
    few = np.array([3, 1200])
    np.testing.assert_array_equal(subset.columns(few).X, alone.columns(few).X)


def test_a_subset_of_a_subset():
    subset = Subset(Subset(Blocks(X, Workers(1), **SCALED), INDEX), np.array([5, 7, 900]))
    expected = Blocks(X[:, INDEX[[5, 7, 900]]], Workers(1)).distances(
        SCALED["factor"][INDEX[[5, 7, 900]]]
    )
    np.testing.assert_allclose(subset.distances(np.ones(3)), expected, rtol=1e-12)
