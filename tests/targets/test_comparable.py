import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.targets.classes import Classes
from hitmiss.targets.comparable import Comparable, Compared, count, joint
from tests.targets.pair_targets import Given, shares

EVERY = np.arange(4)


def test_groups_strata_and_covariates_by_hand():
    found = Comparable(groups=np.array([0, 0, 1, 2])).between(EVERY, EVERY[:2])
    np.testing.assert_array_equal(found, [[0, 0], [0, 0], [1, 1], [1, 1]])
    found = Comparable(strata=np.array([0, 0, 1, 1])).between(EVERY[:1], EVERY)
    np.testing.assert_array_equal(found, [[1, 1, 0, 0]])
    ages = np.array([[0.0, 1], [0, 2], [2, 1], [0, 1]])
    found = Comparable(covariates=ages).between(EVERY[:1], EVERY)
    np.testing.assert_allclose(found, [[1, np.exp(-1), np.exp(-2), 1]])


@given(st.data())
def test_counting_finds_who_has_a_margin(data):
    codes = st.lists(st.integers(0, 2), min_size=7, max_size=7).map(np.array)
    y, groups, strata = (data.draw(codes) for _ in range(3))
    for given_ones in (
        {"groups": groups},
        {"strata": strata},
        {"groups": groups, "strata": strata},
    ):
        target = Compared(Classes(y), Comparable(**given_ones))
        hit, miss = shares(target)
        expected = (hit > 0).any(axis=1) & (miss > 0).any(axis=1)
        np.testing.assert_array_equal(target.has_hit, expected)


def test_another_order_of_labels_leaves_comparability_and_weights_in_place():
    weights, order = np.array([1.0, 2, 3, 4]), np.array([3, 2, 1, 0])
    classes = Classes(
        np.array([0, 0, 0, 1]), sample_weight=weights, class_weight=np.array([1.0, 10])
    )
    target = Compared(classes, Comparable(strata=np.array([0, 1, 1, 1])))
    other = target.relabeled(order)
    assert other.classes.codes.tolist() == [1, 0, 0, 0]
    assert other.weights.tolist() == [10, 2, 3, 4]  # the class took its weight along
    np.testing.assert_array_equal(
        other.comparability(EVERY, EVERY), target.comparability(EVERY, EVERY)
    )
    assert target.alone.given_weights is weights
    assert target.compared_like(other.alone).digest() == other.digest()
    assert classes.compared_like(other) is other
    some = target.of(np.array([3, 1]))
    assert some.weights.tolist() == [40, 2]
    assert some.comparability(EVERY[:1], EVERY[:2]).tolist() == [[1, 1]]


def test_a_target_with_a_comparability_of_its_own_keeps_it():
    target = Compared(
        Given(np.full((4, 4), 0.5), np.full((4, 4), 0.25)),
        Comparable(strata=np.array([0, 0, 1, 1])),
    )
    np.testing.assert_array_equal(target.comparability(EVERY[:1], EVERY), [[0.25, 0.25, 0, 0]])
    assert target.has_hit.all()
    with pytest.raises(TypeError, match="no target of classes"):
        _ = target.classes


def test_kinds_are_classes_within_strata():
    target = Compared(Classes(np.array([0, 1, 0, 1])), Comparable(strata=np.array([0, 0, 1, 1])))
    assert len(np.unique(target.kinds)) == 4
    donors = Compared(Classes(np.array([0, 1, 0, 1])), Comparable(groups=np.array([0, 0, 1, 1])))
    assert donors.kinds.tolist() == [0, 1, 0, 1]


def test_digests_tell_targets_apart():
    y = Classes(np.array([0, 1, 0, 1]))
    codes = np.array([0, 0, 1, 1])
    made = [
        y,
        y.weighted(np.ones(4)),
        *(Compared(y, Comparable(**{name: codes})) for name in ("groups", "strata")),
    ]
    assert len({target.digest() for target in made}) == 4


def test_joint_codes_and_counts():
    assert joint(np.array([0, 1, 0]), np.array([2, 2, 2])).tolist() == [0, 1, 0]
    assert count(np.array([0, 1, 0])).tolist() == [2, 1, 2]
