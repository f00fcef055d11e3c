import importlib.util

import numpy as np
import pytest
from sklearn.feature_selection import f_classif

from hitmiss import datasets
from hitmiss._util.errors import MissingExtraError
from hitmiss.metrics import peer
from hitmiss.metrics.peers import MRMR, PEERS, f_scores


def data():
    return datasets.make_twonorm(100, n_irrelevant=40, random_state=0, return_X_y=True)


@pytest.mark.parametrize("name", [name for name in PEERS if name != "boruta"])
def test_every_peer_ranks_all_features_and_finds_relevant_ones(name):
    X, y = data()
    found = peer(name, max_features=5, seed=1).fit(X, y)
    assert sorted(found.ranking_) == list(range(60))
    assert found.get_support().sum() == 5
    assert (found.ranking_[:5] < 20).sum() >= 3


def test_minimum_redundancy_passes_over_a_copy():
    rng, y = np.random.default_rng(0), np.arange(200) % 2
    strong, weak = rng.normal(size=200) + 2 * y, rng.normal(size=200) + y
    X = np.column_stack([strong, strong + 0.01 * rng.normal(size=200), weak])
    assert set(np.argsort(-f_scores(X, y))[:2]) == {0, 1}
    # The weak one is correlated with the copy by their classes alone.
    assert MRMR().fit(X, y).ranking_.tolist()[0] in (0, 1)
    by_hand = f_scores(X, y) / np.abs(np.corrcoef(X.T))[MRMR().fit(X, y).ranking_[0]]
    by_hand[MRMR().fit(X, y).ranking_[0]] = 0
    assert MRMR().fit(X, y).ranking_[1] == by_hand.argmax()


def test_f_of_a_constant_feature_is_zero():
    X, y = data()
    X[:, 3] = 1.0
    found = f_scores(X, y)
    assert found[3] == 0
    np.testing.assert_allclose(found[:3], f_classif(X[:, :3], y)[0])


@pytest.mark.skipif(importlib.util.find_spec("boruta") is not None, reason="boruta is installed")
def test_a_package_that_is_missing_is_named():
    with pytest.raises(MissingExtraError, match=r'boruta is needed .* "hitmiss\[compare\]"'):
        peer("boruta")


def test_an_unknown_peer_is_named():
    with pytest.raises(ValueError, match="There is no peer 'florest'"):
        peer("florest")
