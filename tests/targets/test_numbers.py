import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss.targets.comparable import Comparable, Compared
from hitmiss.targets.numbers import Numbers, check_varied, checked_numbers, numbers_of, tenths

EVERY = np.arange(4)


def test_four_numbers_by_hand():
    target = Numbers(np.array([30.0, -1.0, 7.0, 7.0]), 0.25)
    np.testing.assert_allclose(target.ranks, [1, 0.25, 0.625, 0.625])  # ties share 2.5 / 4
    far = np.array([0.75, 0.375, 0.375])
    np.testing.assert_allclose(target.likeness(EVERY[:1], EVERY[1:])[0], np.exp(-far / 0.25))
    assert target.likeness(EVERY[2:3], EVERY[3:]) == 1
    hit, miss = target.shares(EVERY, EVERY)
    assert (np.diag(hit) == 0).all()
    np.testing.assert_allclose(hit + miss, 1 - np.eye(4))


@given(arrays(float, 12, elements=st.integers(-1000, 1000)))
def test_only_the_order_counts(y):
    np.testing.assert_array_equal(Numbers(y, 0.2).ranks, Numbers(y**3 + 5, 0.2).ranks)


def test_two_values_are_two_classes():
    target = Numbers(np.array([5.0, 2.0, 2.0, 5.0]), 0.1)
    assert not target.overlaps
    np.testing.assert_array_equal(target.likeness(EVERY[:1], EVERY)[0], [1, 0, 0, 1])
    assert not target.of(EVERY[:3]).overlaps
    assert Numbers(np.array([5.0, 2.0, 2.0, 6.0])).overlaps


def test_some_of_them_and_in_another_order():
    target = Numbers(np.array([1.0, 2, 3, 4]), sample_weight=np.array([1.0, 2, 3, 4]))
    some = target.of(np.array([0, 3]))  # as far apart as among all
    np.testing.assert_allclose(some.likeness(EVERY[:1], EVERY[1:2]), np.exp(-7.5))
    assert some.weights.tolist() == [1, 4]
    moved = target.relabeled(np.array([3, 2, 1, 0]))
    assert moved.values.tolist() == [4, 3, 2, 1]
    assert moved.weights.tolist() == [1, 2, 3, 4]
    assert moved.digest() != target.digest()


def test_every_tenth_is_a_kind():
    np.testing.assert_array_equal(Numbers(np.arange(50.0)).kinds, np.arange(50) // 5)
    np.testing.assert_array_equal(tenths(np.array([0.1, 1.0, 0.1])), [0, 1, 0])


def test_the_numbers_of_a_target_with_strata():
    target = Numbers(np.arange(4.0))
    assert numbers_of(Compared(target, Comparable(strata=np.array([0, 0, 1, 1])))) is target


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, float("nan"), 3], "contains NaN in row 1;"),
        ([float("nan"), 1, None, 2], "2 rows (0, 2)"),
        ([1, float("inf")], "contains infinity in row 1;"),
        (["a", "b"], "y must hold numbers, and it holds 'a'"),
    ],
)
def test_what_is_no_number_is_named(y, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        checked_numbers(y)


def test_constant_numbers_are_an_error():
    with pytest.raises(ValueError, match="y is 3 for all samples"):
        check_varied(np.full(4, 3.0))
