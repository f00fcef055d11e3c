"""The rules of peers that are written here."""

import numpy as np
import pytest

from benchmarks.truth import peers


def test_stabl_threshold_by_hand():
    real, artificial = np.array([0.9, 0.8, 0.5, 0.3]), np.array([0.4, 0.2, 0.1, 0.0])
    # Above 0.4 are three real ones and no artificial one: (1 + 0) / 3 is the least.
    assert peers.stabl_threshold(real, artificial) == pytest.approx(0.4)
    assert peers.stabl_threshold(np.zeros(3), np.array([0.9, 0.5, 0.1])) == pytest.approx(0.9)
    assert peers.stabl_threshold(np.array([0.2]), np.ones(3)) == 1


def test_stabl_finds_a_strong_feature(monkeypatch):
    monkeypatch.setattr(peers, "SUBSAMPLES", 10)
    X = np.random.default_rng(0).standard_normal((80, 12))
    levels = peers.stabl(X, (X[:, 4] > 0).astype(int), seed=0)
    assert levels[4] == 0
    assert set(levels) <= {0, np.inf}


def test_smallest_level_is_the_first_at_which_a_feature_is_selected():
    levels = peers.smallest_level(lambda q: np.array([q >= 0.07, q > 0.2, False]), 3)
    assert levels.tolist() == [0.07, 0.21, np.inf]


def test_half_of_the_samples_has_both_classes():
    y = np.array([1] + [0] * 9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        rows = peers.two_classes(rng, y)
        assert len(set(rows)) == 5
        assert y[rows].sum() == 1
