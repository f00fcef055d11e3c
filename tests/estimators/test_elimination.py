"""BackwardElimination and TuRF."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import hitmiss
from hitmiss import BackwardElimination, FisherScore, IRelief, ReliefF, TuRF, datasets
from tests import relief_reference as relief

BASES = [
    *("Relief", "ReliefF", "SURF", "SURFStar", "MultiSURF", "MultiSURFStar", "IRelief"),
    *("OnlineIRelief", "Simba", "FisherScore", "KolmogorovSmirnov"),
]


def by_hand(base, X, y, n_features, step):
    """Fit, drop, fit again on what is left, with public calls only."""
    kept, dropped = np.arange(X.shape[1]), []
    while True:
        order = kept[base.fit(X[:, kept], y).ranking_]
        if len(kept) <= n_features:
            return np.concatenate([order, *dropped]), base.weights_
        n_kept = max(n_features, len(kept) - max(1, int(step * len(kept))))
        dropped.insert(0, order[n_kept:])
        kept = np.sort(order[:n_kept])


@pytest.mark.parametrize(("step", "n_features"), [(0.5, 3), (0.1, 7), (0.01, 28)])
def test_it_is_what_it_says(step, n_features):
    X, y = relief.gaussian_classes(50, n_features=30)
    found = BackwardElimination(ReliefF(5), n_features, step).fit(X, y)
    ranking, weights = by_hand(ReliefF(5), X, y, n_features, step)
    np.testing.assert_array_equal(found.ranking_, ranking)
    np.testing.assert_array_equal(found.get_support(indices=True), np.sort(ranking[:n_features]))
    np.testing.assert_allclose(found.weights_[found.get_support()], weights, rtol=1e-12)
    np.testing.assert_array_equal(found.base_.weights_, found.weights_[found.get_support()])


@pytest.mark.parametrize("base", BASES)
def test_any_selector_can_be_the_base(base):
    X, y = datasets.make_xor(n_irrelevant=30, random_state=0, return_X_y=True)
    base = getattr(hitmiss, base)()
    quick = {"random_state": 0, "n_restarts": 1, "n_passes": 1, "sigma": 5.0}
    base.set_params(**{name: quick[name] for name in quick.keys() & base.get_params().keys()})
    found = BackwardElimination(base, n_features=6).fit(X, y)
    ranking, weights = by_hand(base, X, y, 6, 0.5)
    np.testing.assert_array_equal(found.ranking_, ranking)
    np.testing.assert_allclose(found.weights_[found.get_support()], weights, rtol=1e-6)


def test_the_rounds_of_ten_features():
    X, y = relief.gaussian_classes(40, n_features=10)
    found = BackwardElimination(ReliefF(), n_features=2).fit(X, y)
    assert sorted(found.rounds_.tolist()) == [1] * 5 + [2] * 2 + [3] + [4] * 2  # 10, 5, 3, 2
    assert found.n_iter_ == 4
    np.testing.assert_array_equal(found.rounds_[found.ranking_], -np.sort(-found.rounds_))
    np.testing.assert_array_equal(found.feature_importances_ != 0, found.get_support())
    assert found.feature_importances_.max() == 1


def test_no_more_features_than_wanted_are_all_kept():
    X, y = relief.gaussian_classes(40)
    found = BackwardElimination().fit(X, y)
    assert found.get_support().all()
    np.testing.assert_allclose(found.weights_, IRelief().fit(X, y).weights_)


def test_irelief_finds_the_ring_among_thousands():
    """I-RELIEF/BS, its default base."""
    ring = datasets.make_ringnorm(200, n_irrelevant=2000, dtype=np.float32, random_state=0)
    once = IRelief(max_features=20).fit(ring.data, ring.target).get_support(indices=True)
    found = BackwardElimination(n_features=20).fit(ring.data, ring.target)
    hits = len(set(found.get_support(indices=True)) & set(ring.relevant))
    assert hits >= len(set(once) & set(ring.relevant))
    assert hits >= 17


def test_turf_recovers_an_interaction_that_relieff_loses():
    once, tuned = [], []
    for seed in range(6):
        xor = datasets.make_xor(60, n_irrelevant=500, random_state=seed)
        once.append(set(ReliefF().fit(xor.data, xor.target).ranking_[:2]) == {0, 1})
        tuned.append(set(TuRF(n_features=2).fit(xor.data, xor.target).ranking_[:2]) == {0, 1})
    assert sum(once) <= 2
    assert sum(tuned) >= 5


def test_turf_is_backward_elimination_around_relieff():
    X, y = relief.gaussian_classes(40, n_features=30)
    turf = TuRF(n_features=4).fit(X, y)
    other = BackwardElimination(ReliefF(), n_features=4, step=0.1).fit(X, y)
    np.testing.assert_array_equal(turf.weights_, other.weights_)
    np.testing.assert_array_equal(turf.ranking_, other.ranking_)


def test_max_features_cuts_the_ranking_anywhere():
    X, y = relief.gaussian_classes(40, n_features=12)
    for k in (1, 3, 9):
        found = TuRF(n_features=3, max_features=k).fit(X, y)
        np.testing.assert_array_equal(found.get_support(indices=True), np.sort(found.ranking_[:k]))


def test_the_base_scales_and_stays_as_it_is():
    X, y = relief.gaussian_classes(40, n_features=12)
    X = X * np.geomspace(1, 1e4, 12)
    base = ReliefF(scale=None)
    found = BackwardElimination(base, n_features=3).fit(X, y)
    assert found.scale is None
    assert not hasattr(base, "weights_")
    ranking, _ = by_hand(ReliefF(scale=None), X, y, 3, 0.5)
    np.testing.assert_array_equal(found.ranking_, ranking)


@pytest.mark.parametrize("step", [0, 1, -0.5, 2, "half"])
def test_step_must_be_a_share(step):
    with pytest.raises(ValueError, match="step must be a"):
        TuRF(step=step).fit(np.eye(6), [0, 1] * 3)


@pytest.mark.parametrize("base", [LogisticRegression(), "ReliefF", ReliefF])
def test_the_base_must_be_a_selector_of_ours(base):
    with pytest.raises(ValueError, match="base must be a selector of hitmiss"):
        TuRF(base).fit(np.eye(6), [0, 1] * 3)


def test_the_parameters_of_the_base_are_checked():
    with pytest.raises(ValueError, match="n_neighbors must be"):
        TuRF(ReliefF(0)).fit(np.eye(6), [0, 1] * 3)


def test_the_estimated_time_is_that_of_one_round_to_that_of_all():
    least, most = ReliefF()._pair_nanoseconds
    assert BackwardElimination(ReliefF(), step=0.5)._pair_nanoseconds == (least, 2 * most)
    assert BackwardElimination(FisherScore())._pair_nanoseconds is None
