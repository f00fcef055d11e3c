import numpy as np
import pytest

from hitmiss.targets import target as module
from tests.targets.pair_targets import Given, random_target, shares


def test_no_sample_is_its_own_neighbor():
    hit, miss = Given(np.full((3, 3), 0.25)).shares(np.array([0, 2]), np.array([0, 1, 2]))
    np.testing.assert_array_equal(hit, [[0, 0.25, 0.25], [0.25, 0.25, 0]])
    np.testing.assert_array_equal(miss, 3 * hit)


def test_a_sample_needs_a_hit_and_a_miss_that_may_be_compared():
    S = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1.0]])
    C = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1.0]])
    target = Given(S, C, np.array([2.0, 3, 4, 5]))
    assert target.has_hit.tolist() == [True, False, False, False]
    assert target.n_with_hit == 1
    assert target.total == 2.0


def test_shares_are_the_same_whether_they_are_kept_or_not(monkeypatch):
    expected = shares(random_target(20))
    for kept in (20, 19):
        monkeypatch.setattr(module, "KEPT_SAMPLES", kept)
        found = random_target(20).shares_of(slice(3, 9))
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other[3:9], rtol=1e-15)


def test_a_target_of_pairs_need_not_have_classes():
    with pytest.raises(TypeError, match="Given is no target of classes"):
        _ = Given(np.eye(2)).classes
    assert Given(np.eye(2)).miss_classes.tolist() == [0, 0]
