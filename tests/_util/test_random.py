import numpy as np
import pytest

from hitmiss import Ensemble, Relief, ReliefF
from hitmiss._util.random import as_generator, random_subset, subset_size, with_fixed_seeds


def numbers(random_state):
    return as_generator(random_state).random(5).tolist()


def test_an_integer_gives_the_same_numbers_every_time():
    assert numbers(3) == numbers(3) == numbers(np.int64(3))
    assert numbers(3) != numbers(4)


def test_none_gives_different_numbers():
    assert numbers(None) != numbers(None)


def test_a_generator_is_used_itself():
    rng = np.random.default_rng(0)
    assert as_generator(rng) is rng


def test_a_random_state_seeds_and_moves_on():
    state = np.random.RandomState(0)
    first, second = numbers(state), numbers(state)
    assert first != second
    assert numbers(np.random.RandomState(0)) == first


@pytest.mark.parametrize("bad", [-1, 1.5, "seed", [1]])
def test_anything_else_is_refused_in_one_sentence(bad):
    with pytest.raises(ValueError, match="random_state must be a non-negative integer, a NumPy"):
        as_generator(bad)


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_seeds_in_the_place_of_generators(make):
    outside, inside = make(1), make(2)
    given = Ensemble(Relief(9, random_state=inside), random_state=outside)
    found, again = with_fixed_seeds(given), with_fixed_seeds(given)
    states = found.random_state, found.base.random_state
    assert states == (again.random_state, again.base.random_state)
    assert all(isinstance(state, int) for state in states)
    assert (given.random_state, given.base.random_state) == (outside, inside)


def test_without_a_generator_the_estimator_stays():
    for given in (ReliefF(), Relief(9, random_state=0), Relief(9)):
        assert with_fixed_seeds(given) is given


def test_subsets():
    assert [subset_size("s", s, 72) for s in (0.9, 1.0, 0.5, 10)] == [65, 72, 36, 10]
    assert subset_size("s", 0.9, 70) == 63
    rng = np.random.default_rng(0)
    rows = random_subset(50, 20, rng)
    assert len(set(rows)) == 20
    classes = np.repeat([0, 1, 2], [30, 14, 6])
    for _ in range(20):
        counts = np.bincount(classes[random_subset(50, 25, rng, classes)], minlength=3)
        np.testing.assert_array_equal(counts, [15, 7, 3])
    thirds = [random_subset(9, 4, rng, np.repeat([0, 1, 2], 3)) for _ in range(300)]
    extra = np.mean([np.bincount(rows // 3, minlength=3) for rows in thirds], axis=0)
    np.testing.assert_allclose(extra, 4 / 3, atol=0.1)  # the one left over goes to any class
