import numpy as np
import pytest

from hitmiss.online.reservoir import Reservoir


def filled(labels, capacity, seed=0):
    reservoir = Reservoir(capacity, np.random.default_rng(seed))
    for n, label in enumerate(labels):
        reservoir.add(np.array([float(n), 2.0 * n]), label)
    return reservoir


def test_everything_is_kept_while_there_is_room():
    reservoir = filled([0, 1, 0, 2], capacity=50)
    assert reservoir.X.tolist() == [[0, 0], [1, 2], [2, 4], [3, 6]]
    assert reservoir.y.tolist() == [0, 1, 0, 2]
    assert reservoir.ids.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("capacity", [1, 17, 30])
def test_it_never_holds_more_than_its_capacity(capacity):
    reservoir = filled(np.random.default_rng(0).integers(0, 3, 400), capacity)
    assert len(reservoir.X) == len(reservoir.y) == len(reservoir.ids) == capacity
    assert reservoir.n_seen == 400
    np.testing.assert_array_equal(reservoir.X[:, 1], 2.0 * reservoir.ids)  # rows belong together


def test_a_rare_class_and_a_late_class_get_their_share():
    labels = np.zeros(1000, int)
    labels[:900:50] = 1  # 18 of them
    labels[900::2] = 2  # none before
    counts = np.bincount(filled(labels, 60).y)
    assert counts.tolist() == [21, 18, 21]


def test_every_sample_of_a_class_is_equally_likely_to_stay():
    kept = np.concatenate([filled(np.zeros(60, int), 20, seed).ids for seed in range(300)])
    counts = np.bincount(kept, minlength=60)
    assert counts.sum() == 300 * 20
    assert np.abs(counts - 100).max() < 4.5 * np.sqrt(100 * 2 / 3)  # binomial(300, 1/3)


def test_a_memory_that_forgets_holds_recent_samples():
    reservoir = Reservoir(20, np.random.default_rng(0), forgetting=0.95)
    for n in range(1000):
        reservoir.add(np.array([float(n)]), 0)
    assert len(reservoir.ids) == 20
    assert np.median(reservoir.ids) > 950


def test_the_seed_decides():
    labels = np.arange(100) % 2
    np.testing.assert_array_equal(filled(labels, 10, 3).ids, filled(labels, 10, 3).ids)
    assert set(filled(labels, 10, 3).ids) != set(filled(labels, 10, 4).ids)
