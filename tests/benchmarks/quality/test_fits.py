import numpy as np

from benchmarks.quality import fits


def test_irrelevant_features_are_counted_and_too_many_are_told():
    few, many = fits.irrelevant(60, 1), fits.irrelevant(60, 1, alpha=0.2)
    assert (few["met"], many["met"]) == (True, False)
    assert few["note"].startswith("0.0, and 1.0 of 2 relevant")


def test_an_interaction_that_is_not_found_is_told(monkeypatch):
    assert fits.interaction("XOR + 100", 1)["note"] == "in 1, and no other in 1"

    def noise(n_samples, **_):
        return np.random.default_rng(0).normal(size=(n_samples, 4)), np.arange(n_samples) % 2

    monkeypatch.setitem(fits.INTERACTIONS, "noise", (noise, 40, 2, 2))
    assert fits.interaction("noise", 1)["met"] is False
