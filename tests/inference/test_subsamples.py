import numpy as np
import pandas as pd
import pytest

from hitmiss import LOFE, ReliefF, datasets
from hitmiss.inference import subsample_test
from hitmiss.inference.subsamples import (
    _false_of_stability,
    _halves,
    _judged,
    _q_values,
    shah_samworth,
)


def test_halves_are_complementary_and_stratified():
    labels = np.array(["a"] * 6 + ["b"] * 9)
    one, two = _halves(labels, np.random.default_rng(0))
    assert len(one) == len(two) == 7
    assert not set(one) & set(two)
    assert abs((labels[one] == "a").sum() - (labels[two] == "a").sum()) <= 1


def test_the_third_moment_of_pairs_that_agree():
    """Features selected at random with probability q / p from each half, B pairs, simulated."""
    p, q, B, rng = 40, 8.0, 5, np.random.default_rng(0)
    both = rng.random((4000, p, B, 2)).__lt__(q / p).all(axis=-1)
    expected = (both.mean(axis=2) ** 3).sum(axis=1).mean()
    np.testing.assert_allclose(_false_of_stability(q, p, B), expected, rtol=0.05)


def test_q_values_by_hand():
    # bound 0.06: at 0.5 it is 0.12 false of 1, at 0.2 it is 0.3 false of 3
    found = _q_values(np.array([0.2, 0.5, 0.0, 0.2]), 0.06)
    np.testing.assert_allclose(found, [0.1, 0.1, 1.0, 0.1])


def test_shah_and_samworth_by_hand():
    # theta = 0.01, q = 5: 0.05 times 1 / (2 (0.4 - 1 / 40)) and times 4 (0.1 + 1 / 40) / (1.05)
    found = shah_samworth(np.array([0.7, 0.9, 0.5, 0.3]), 5.0, 500, 20)
    np.testing.assert_allclose(found, [0.05 / 0.75, 0.05 * 0.5 / 1.05, np.inf, np.inf])


def test_features_that_every_half_selects():
    T = np.zeros((8, 100))
    T[:, 3] = 2.0
    T[np.arange(8), 10 + np.arange(8)] = 1.0  # one other feature in every half
    found = _judged(T, 4)
    assert np.flatnonzero(found.q_values <= 0.1).tolist() == [3]
    assert found.frequency[3] == 1


def test_nothing_selected_anywhere():
    found = _judged(np.zeros((6, 5)), 3)
    assert (found.q_values == 1).all()
    assert not found.statistic.any()


@pytest.mark.parametrize("method", [ReliefF(), LOFE()], ids=["ReliefF", "LOFE"])
def test_relevant_features_come_again_and_processes_change_no_bit(method):
    X, y = datasets.make_twonorm(120, n_irrelevant=50, random_state=0, return_X_y=True)
    one, two = (subsample_test(method, X, y, n_pairs=6, random_state=0, n_jobs=n) for n in (1, 2))
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first, second)
    selected = np.flatnonzero(one.q_values <= 0.2)
    assert len(selected) >= 2
    assert (selected < 20).all()


def test_the_name_of_a_column_stands_for_the_labels():
    X, y = datasets.make_twonorm(40, n_irrelevant=2, random_state=0, return_X_y=True)
    frame = pd.DataFrame(X).rename(columns=str).assign(kind=y)
    found, expected = (
        subsample_test(ReliefF(), *data, n_pairs=3, random_state=0)
        for data in ((frame, "kind"), (X, y))
    )
    np.testing.assert_array_equal(found.statistic, expected.statistic)
