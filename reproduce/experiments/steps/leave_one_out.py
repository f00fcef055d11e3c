"""Folds of a microarray with one sample left out."""

import numpy as np

from reproduce.experiments.steps.splits import Split, dataset, ranged


def fold(name, sample, n_genes):
    """One sample against all others; genes from 0 to 1, missing values at the training mean.

    Parameters
    ----------
    name : str
        The dataset.
    sample : int
        The one left out.
    n_genes : int or None
        Only so many of the first genes; None for all.
    """
    X, y = dataset(name)
    X = np.asarray(X[:, :n_genes], float)
    rest = np.arange(len(y)) != sample
    known = np.isfinite(X[rest])
    center = np.where(known, X[rest], 0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    X = np.where(np.isfinite(X), X, center).astype(np.float32)
    return ranged(Split(X[rest], y[rest], X[~rest], y[~rest], X.shape[1]))
