"""Cross-validated error of selection and classification together, and the error of guessing."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone, is_classifier
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_X_y

from hitmiss._util.parallel import each_result
from hitmiss._util.progress import ProgressLike, progress_for
from hitmiss.metrics.classifiers import commonest_class, nearest_neighbors


def guessing_error(y: ArrayLike) -> float:
    """Error of always guessing the commonest class.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Class labels.

    Returns
    -------
    float

    Examples
    --------
    >>> from hitmiss.metrics import guessing_error
    >>> guessing_error(["ill", "well", "well", "well"])
    0.25
    """
    counts = np.unique(np.asarray(y), return_counts=True)[1]
    return float((counts.sum() - counts.max()) / counts.sum())


def cross_validated_error(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    n_folds: int = 5,
    *,
    classifier: Any = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    verbose: bool | ProgressLike = True,
) -> float:
    """Error on samples that were not used for the selection.

    For each fold, the estimator is fitted on all other folds, including the choice of its own
    parameters, and tested on that fold.

    Parameters
    ----------
    estimator : estimator
        A selector. Cloned.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels.
    n_folds : int, default=5
        Number of stratified folds.
    classifier : classifier, default=None
        Fitted on the selected features; where none is selected, the commonest class is predicted.
        None is the estimator itself if it is a classifier, else 3 nearest neighbors on features
        scaled to [0, 1].
    n_jobs : int, default=None
        Number of processes, as in joblib. The result does not depend on it.
    random_state : int, default=0
        Seed of the folds.
    verbose : bool, default=True
        Whether to show the progress on standard error. An object with methods `begin` and
        `advance` receives it instead.

    Returns
    -------
    float
        Share of all samples that are misclassified.

    Examples
    --------
    Among 2,000 features of noise some separate the classes by chance, and fail on new samples:

    >>> import numpy as np
    >>> from hitmiss import LOFE
    >>> from hitmiss.metrics import cross_validated_error, guessing_error
    >>> X, y = np.random.default_rng(1).normal(size=(60, 2000)), np.arange(60) % 2
    >>> lofe = LOFE(alpha=1.0)
    >>> print(f"{lofe.fit(X, y).loo_error_:.2f} {guessing_error(y):.2f}")
    0.18 0.50
    >>> print(f"{cross_validated_error(lofe, X, y, verbose=False):.2f}")
    0.52
    """
    data, labels = check_X_y(X, y, dtype="numeric")
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=random_state).split(data, labels)
    if classifier is None and not is_classifier(estimator):
        classifier = nearest_neighbors()
    calls = [delayed(_n_wrong)(estimator, classifier, data, labels, *rows) for rows in folds]
    progress = progress_for(verbose)
    return sum(each_result(calls, n_jobs, progress, "cross-validation")) / len(labels)


def _n_wrong(
    estimator: Any, classifier: Any, X: NDArray, y: NDArray, train: NDArray, test: NDArray
) -> int:
    """Number of test samples misclassified after a fit on the training samples."""
    fitted = clone(estimator).fit(X[train], y[train])
    if classifier is None:
        return int(np.sum(fitted.predict(X[test]) != y[test]))
    selected = fitted.get_support(indices=True)
    if not len(selected):
        return int(np.sum(commonest_class(y[train]) != y[test]))
    model = clone(classifier).fit(X[np.ix_(train, selected)], y[train])
    return int(np.sum(model.predict(X[np.ix_(test, selected)]) != y[test]))
