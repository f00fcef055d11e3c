"""Parameters of the SVM and of LOFE, by cross-validation on the training data."""

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.svm import SVC

from hitmiss import LOFECV
from reproduce.experiments.steps.splits import folds

LOFE_GRID = {
    "sigmas": [0.5, 1.0, 2.0, 5.0, 10.0],
    "alphas": [5.0, 3.0, 2.0, 1.4, 1.0, 0.7, 0.5, 0.3],
}
LOFE_FOLDS = 10
SVM_GRID = {"C": [0.1, 1, 10, 100, 1000], "gamma": (2.0 ** np.arange(-10, 3, 2)).tolist()}
SVM_FOLDS = 10


def tuned_svm(X, y, run, plan):
    """C and gamma of an SVM with an RBF kernel, by cross-validation; of ties the smallest."""
    distances = euclidean_distances(np.asarray(X, float), squared=True)
    scores = [
        [fold_scores(np.exp(-gamma * distances), y, rows) for gamma in SVM_GRID["gamma"]]
        for rows in folds(2 if plan.quick else SVM_FOLDS, run).split(X, y)
    ]
    mean = np.mean(scores, axis=0).T  # a row per C
    best = np.unravel_index(mean.argmax(), mean.shape)
    return {name: grid[k] for (name, grid), k in zip(SVM_GRID.items(), best, strict=True)}


def fold_scores(kernel, y, rows):
    """Accuracy on the test rows of a kernel matrix, for each C."""
    train, test = rows
    fit, predict = kernel[np.ix_(train, train)], kernel[np.ix_(test, train)]
    return [
        SVC(C=C, kernel="precomputed").fit(fit, y[train]).score(predict, y[test])
        for C in SVM_GRID["C"]
    ]


def tuned_lofe(X, y, run, plan):
    """Sigma and alpha of LOFE, by cross-validation of its own rule.

    Returns
    -------
    best, strongest : dict
        The pair of best mean score; and the strongest penalty within one standard error of it.
    """
    search = LOFECV(**LOFE_GRID, cv=folds(2 if plan.quick else LOFE_FOLDS, run), n_jobs=1)
    search.fit(X, y)
    found = search.cv_results_
    n_folds = sum(name.startswith("split") for name in found)
    error = found["std_test_score"] / np.sqrt(n_folds - 1)
    mean, best = found["mean_test_score"], int(found["mean_test_score"].argmax())
    near = (found["sigma"] == found["sigma"][best]) & (mean >= mean[best] - error[best])
    return tuple(
        {name: float(found[name][k]) for name in ("sigma", "alpha")}
        for k in (best, int(np.flatnonzero(near)[0]))
    )
