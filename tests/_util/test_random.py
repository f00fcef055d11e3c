import numpy as np
import pytest

from hitmiss._util.random import as_generator


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
