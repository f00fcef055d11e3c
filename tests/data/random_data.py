"""Noise of two classes, for tests that look at reading and memory only."""

import numpy as np


def random_data(n_samples, n_features, seed=0):
    X = np.random.default_rng(seed).standard_normal((n_samples, n_features), np.float32)
    return X, np.arange(n_samples) % 2
