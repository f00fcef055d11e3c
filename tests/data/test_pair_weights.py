import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss._util.workers import Workers
from hitmiss.data import pair_weights
from hitmiss.data.in_memory import InMemory
from hitmiss.data.pair_weights import (
    PairList,
    WeightedTiles,
    grouped,
    main_pairs,
    weighted_rows,
)
from hitmiss.data.views import Observed

VALUES = st.sampled_from([0.0, 0.0, 0.5, -1.0, 2.0])


@given(st.integers(1, 9).flatmap(lambda n: arrays(float, (n, n), elements=VALUES)))
def test_a_list_of_pairs_is_the_matrix(Q):
    first, partner, weight = PairList.of(Q)
    found = np.zeros_like(Q)
    for n in range(len(Q)):
        span = slice(first[n], first[n + 1])
        np.add.at(found[n], partner[span], weight[span])
    np.testing.assert_array_equal(found, np.triu(Q + Q.T, 1))
    assert not (first % 4).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_list_of_most_leaves_out_what_a_sum_does_not_show(dtype):
    rng = np.random.default_rng(0)
    S = np.triu(rng.standard_normal((40, 40)) * 10.0 ** rng.integers(-40, 1, (40, 40)), 1)
    first, _, weight = PairList.of_most(S, dtype)
    kept, every = np.abs(weight[weight != 0], dtype=float), np.abs(S[S != 0])
    assert first[-1] < len(every)
    lost = every.sum() - kept.sum(dtype=float)
    assert abs(lost) <= 2 * np.finfo(dtype).eps * every.sum()
    assert kept.min() >= np.sort(every)[-len(kept)] / (1 + np.finfo(dtype).eps)


def test_most_pairs_of_equal_weights_are_no_list():
    assert PairList.of_most(np.triu(np.ones((9, 9)), 1)) is None
    assert PairList.of_most(np.zeros((9, 9))).first[-1] == 0


def test_rows_are_weighted_in_the_form_that_they_have():
    Q, weight = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([2.0, 3.0])
    np.testing.assert_array_equal(weighted_rows(Q, weight), [[0, 2], [-3, 0]])
    tiles = object()
    assert weighted_rows(tiles, weight) == WeightedTiles(tiles, weight)


def test_groups_keep_the_order_and_take_only_matrices_together():
    A, B, C = (np.full((2, 2), k) for k in range(3))
    pairs, tiles = PairList.of(A), WeightedTiles(None, None)
    found = list(grouped([A, B, pairs, tiles, tiles, C]))
    assert [len(group) for group in found] == [2, 1, 1, 1, 1]
    assert found[0][0] is A
    assert found[0][1] is B
    assert found[1][0] is pairs
    assert found[4][0] is C


def test_tiles_are_made_only_when_they_are_asked_for():
    made = []

    def weights():
        for k in range(3):
            made.append(k)
            yield WeightedTiles(k, None)

    groups = grouped(weights())
    for k in range(3):
        assert next(groups) == [WeightedTiles(k, None)]
        assert made == list(range(k + 1))


def test_very_many_features_are_asked_of_the_pairs_that_count_alone(monkeypatch):
    rng = np.random.default_rng(0)
    X, Q = rng.random((30, 50)), rng.random((30, 30)) * 10.0 ** rng.integers(-40, 1, (30, 30))
    features = InMemory(X, Workers(1))
    assert main_pairs(features, Q) is Q
    monkeypatch.setattr(pair_weights, "LISTED_FROM", 50)
    pairs = main_pairs(features, Q)
    assert 0 < np.count_nonzero(pairs.weight) < 0.6 * 30 * 29 / 2
    np.testing.assert_allclose(features.sums([pairs]), features.sums([Q]), rtol=1e-12)
    assert main_pairs(features, np.ones((30, 30))).shape == (30, 30)
    assert main_pairs(Observed(features), Q) is Q
