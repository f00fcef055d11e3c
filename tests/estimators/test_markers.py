import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from hitmiss import (
    LOFE,
    FDRSelector,
    LOFERegressor,
    Markers,
    MultiSURFStar,
    ReliefF,
    RReliefF,
    TuRF,
)
from hitmiss.inference import permutation_test

TYPES = ["B", "NK", "T"]


def cells(n_features=40, seed=0):
    """Three types of 40, 30 and 20 cells; two features are high in each, one is low in T."""
    rng = np.random.default_rng(seed)
    y = np.repeat(TYPES, [40, 30, 20])
    X = rng.normal(size=(90, n_features))
    for k, name in enumerate(TYPES):
        X[y == name, 3 * k : 3 * k + 2] += 3
    X[y == "T", 9] -= 4
    return X, y


def test_four_samples_by_hand():
    """With all neighbors misses are 4 and 0.5 away on average, hits 1 and 1."""
    X = [[0.0, 0.0], [1.0, 1.0], [4.0, 0.0], [5.0, 1.0]]
    found = Markers(ReliefF(n_neighbors=2, scale=None)).fit(X, ["a", "a", "b", "b"])
    np.testing.assert_allclose(found.class_weights_, [[3.0, -0.5], [3.0, -0.5]])
    np.testing.assert_array_equal(found.direction_, [[-1, 0], [1, 0]])
    np.testing.assert_array_equal(found.class_rankings_, [[1, 0], [0, 1]])
    assert {name: index.tolist() for name, index in found.markers().items()} == {"a": [], "b": [0]}
    both = Markers(ReliefF(n_neighbors=2, scale=None), direction="both").fit(
        X, found.classes_[[0, 0, 1, 1]]
    )
    assert {name: index.tolist() for name, index in both.markers().items()} == {"a": [0], "b": [0]}


@pytest.mark.parametrize("base", [LOFE(), ReliefF(), LOFE(solver="paper"), MultiSURFStar()])
@pytest.mark.filterwarnings("ignore:LOFE did not converge")
def test_each_class_is_the_fit_against_the_rest_bit_for_bit(base):
    X, y = cells()
    found = Markers(base).fit(X, y)
    for c, name in enumerate(TYPES):
        np.testing.assert_array_equal(found.class_weights_[c], base.fit(X, y == name).weights_)


def test_high_features_come_first_and_low_ones_last():
    X, y = cells()
    found = Markers().fit(X, y)
    for c, name in enumerate(TYPES):
        assert set(found.class_rankings_[c, :2]) == {3 * c, 3 * c + 1}, name
    assert found.direction_[2, 9] == -1
    assert found.class_rankings_[2, -1] == 9
    assert 9 not in found.markers()["T"]
    assert 9 in Markers(direction="both").fit(X, y).markers()["T"]


def test_features_are_ranked_by_what_they_add_to_the_distance():
    X, y = cells()
    found = Markers().fit(X, y)
    scaled = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    for c, name in enumerate(TYPES):
        difference = scaled[y == name].mean(axis=0) - scaled[y != name].mean(axis=0)
        expected = found.class_weights_[c] * difference
        np.testing.assert_allclose(found.class_importances_[c] * found.direction_[c], expected)
        assert (np.diff(expected[found.class_rankings_[c]]) <= 0).all()


def test_numbers_of_features_per_class_and_in_all():
    X, y = cells()
    each = Markers(n_features_per_class=2).fit(X, y)
    np.testing.assert_array_equal(each.get_support(indices=True), [0, 1, 3, 4, 6, 7])
    assert each.class_support_.sum(axis=1).tolist() == [2, 2, 2]
    best = Markers(max_features=3).fit(X, y)  # the best of every class
    assert best.class_support_.sum(axis=1).tolist() == [1, 1, 1]
    assert sorted(best.ranking_[:3] // 3) == [0, 1, 2]
    assert best.transform(X).shape == (90, 3)
    assert [len(index) for index in best.markers(5).values()] == [5, 5, 5]


def test_order_of_rows_and_features_does_not_matter():
    X, y = cells()
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(len(y)), rng.permutation(X.shape[1])
    markers = Markers(LOFE(alpha=1.0))  # alpha of "auto" depends on permutations of the rows
    one, other = clone(markers).fit(X, y), markers.fit(X[rows][:, columns], y[rows])
    np.testing.assert_allclose(other.class_weights_, one.class_weights_[:, columns], atol=1e-4)
    np.testing.assert_array_equal(other.direction_, one.direction_[:, columns])


@pytest.mark.full
@pytest.mark.parametrize("base", [ReliefF(), LOFE()])
def test_permutations_test_every_class(base):
    X, y = cells(12)
    X, y = X[::2], y[::2]
    found = Markers(base, n_permutations=9, random_state=0).fit(X, y)
    for c in range(3):
        significant = set(np.flatnonzero(found.class_q_values_[c] <= 0.1).tolist())
        assert significant & {3 * c, 3 * c + 1, 9}
        assert len(significant - {0, 1, 3, 4, 6, 7, 9}) <= 1
        assert (found.class_p_values_[c] <= found.class_q_values_[c]).all()
    assert found.p_value_ == found.class_p_value_[0] == 1 / 10
    assert (found.q_values_ <= 0.1).sum() >= 4
    again = permutation_test(Markers(base), X, y, n_permutations=9, random_state=0)
    np.testing.assert_array_equal(again.q_values, found.q_values_)


def test_noise_marks_nothing():
    X, y = np.random.default_rng(3).normal(size=(60, 30)), np.repeat(TYPES, 20)
    found = Markers(ReliefF(), n_permutations=19, random_state=0).fit(X, y)
    assert found.p_value_ > 0.05
    assert (found.class_q_values_ > 0.1).all()


@pytest.mark.parametrize(
    ("markers", "y", "message"),
    [
        (Markers(), ["a"] * 6, "y holds 1 class only"),
        (Markers(), ["a"] * 3 + ["b"] * 2 + ["c"], "Class 'c' has a single sample, which does not"),
        (Markers(FDRSelector()), ["a", "b"] * 3, "base must be a method of hitmiss that weighs"),
        (Markers(Markers()), ["a", "b"] * 3, "base must be a method of hitmiss that weighs"),
        (Markers(LOFERegressor()), ["a", "b"] * 3, "weighs features for classes"),
        (Markers(TuRF(RReliefF())), ["a", "b"] * 3, "weighs features for classes"),
        (Markers(direction="low"), ["a", "b"] * 3, "direction"),
        (Markers(n_features_per_class=9), ["a", "b"] * 3, "more than the 4 features"),
        (Markers(n_features_per_class=1, max_features=1), ["a", "b"] * 3, "give one"),
        (Markers(LOFE(checkpoint="x")), ["a", "b"] * 3, "Markers keeps no checkpoint"),
        (Markers(n_permutations=-1), ["a", "b"] * 3, "n_permutations must be"),
    ],
)
def test_bad_input_is_named(markers, y, message):
    X = np.random.default_rng(0).normal(size=(6, 4))
    with pytest.raises(ValueError, match=message):
        markers.fit(X, y)
    assert not hasattr(markers, "class_weights_")


def test_classes_without_a_marker_are_named():
    X, y = cells()
    with pytest.warns(UserWarning, match="No feature marks classes 'B', 'NK' and 'T'"):
        found = Markers(LOFE(alpha=1e4)).fit(X, y)
    assert not found.support_.any()


@given(st.lists(st.integers(0, 3), min_size=4, max_size=25), st.integers(1, 4))
@settings(max_examples=15, deadline=None)
@pytest.mark.filterwarnings("ignore:No feature marks")
def test_any_labels_give_an_answer_or_one_sentence(y, n):
    X = np.random.default_rng(len(y)).normal(size=(len(y), 4))
    if min(np.unique(y, return_counts=True)[1]) < 2 or len(set(y)) < 2:
        with pytest.raises(ValueError, match=r"^[^.]*\.$"):
            Markers(ReliefF(), n_features_per_class=n).fit(X, y)
        return
    found = Markers(ReliefF(), n_features_per_class=n).fit(X, y)
    assert found.class_support_.sum(axis=1).tolist() == [n] * len(set(y))
    assert np.sort(found.class_rankings_, axis=1).tolist() == [[0, 1, 2, 3]] * len(set(y))


def test_many_samples_begin_with_few_and_end_certified(monkeypatch):
    """With some samples first the answer is that of the plain fit, and its certificate holds."""
    monkeypatch.setattr("hitmiss.lofe.coarse_to_fine.BEGIN_WITH", 60)
    rng = np.random.default_rng(0)
    y = rng.permutation(np.repeat(np.arange(4), [150, 90, 40, 20]))
    X = rng.normal(size=(300, 60))
    for c in range(4):
        X[y == c, 5 * c : 5 * c + 3] += 2
    found = Markers(LOFE(alpha=1.0)).fit(X, y)
    assert found.converged_.all()
    assert found.optimality_gap_ == found.optimality_gaps_.max() < 1e-3
    assert not hasattr(Markers(ReliefF()).fit(X, y), "optimality_gap_")
    for c in range(4):
        assert set(range(5 * c, 5 * c + 3)) == set(found.class_rankings_[c, :3])
        expected = LOFE(alpha=1.0).fit(X, y == c).weights_
        np.testing.assert_allclose(found.class_weights_[c], expected, atol=1e-2 * expected.max())


def test_strata_weights_and_missing_values_reach_the_base():
    X, y = cells(12)
    batch, weight = np.arange(90) % 2, np.where(np.arange(90) % 5 == 0, 0.5, 1.0)
    X[3, 4] = np.nan
    found = Markers().fit(X, y, strata=batch, sample_weight=weight)
    for c, name in enumerate(TYPES):
        expected = LOFE().fit(X, y == name, strata=batch, sample_weight=weight)
        np.testing.assert_array_equal(found.class_weights_[c], expected.weights_)
