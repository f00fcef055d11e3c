"""Cross-validated error of selection and classification together, and the error of guessing."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone, is_classifier

from hitmiss._util.any_estimator import check_taken, given, some_of, taken
from hitmiss._util.progress import ProgressLike, progress_for
from hitmiss._util.workers import each_result
from hitmiss.metrics.checked import checked
from hitmiss.metrics.classifiers import commonest_class, nearest_neighbors
from hitmiss.metrics.folds import Split, splits

NAME = "cross-validation"  # of the progress


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
    cv: Any = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    covariates: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
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
        Class labels. As in `fit`, a name of a column of X may stand for these, for `groups` and
        the like.
    n_folds : int, default=5
        Number of stratified folds.
    classifier : classifier, default=None
        Fitted on the selected features; where none is selected, the commonest class is predicted.
        None is the estimator itself if it is a classifier, else 3 nearest neighbors on features
        scaled to [0, 1].
    cv : splitter or iterable, default=None
        How to split instead, as in scikit-learn.
    groups : array-like of shape (n_samples,), default=None
        Samples of one group, such as cells of a donor, are together in a fold. A selector whose fit
        takes groups is given them too.
    strata, covariates : array-like, default=None
        Given to the fit of the selector.
    sample_weight : array-like of shape (n_samples,), default=None
        Given to the fit of the selector; test samples count by it too.
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
        Share of the test samples that are misclassified.

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
    beside = {"strata": strata, "covariates": covariates, "sample_weight": sample_weight}
    estimator, data, labels, known = checked(estimator, X, y, groups=groups, **beside)
    groups = known.pop("groups")
    how = {"n_folds": n_folds, "random_state": random_state, "cv": cv, "groups": groups}
    folds = splits(data, labels, **how)
    samples = given(**known)
    check_taken(estimator, samples)
    samples |= taken(estimator, given(groups=groups))
    if classifier is None and not is_classifier(estimator):
        classifier = nearest_neighbors(data)
    calls = [delayed(_wrong)(estimator, classifier, data, labels, rows, samples) for rows in folds]
    wrong = np.concatenate(list(each_result(calls, n_jobs, progress_for(verbose), NAME)))
    tested = np.concatenate([test for _, test in folds])
    if sample_weight is None:
        return int(wrong.sum()) / len(wrong)
    return float(np.average(wrong, weights=np.asarray(known["sample_weight"], float)[tested]))


def _wrong(
    estimator: Any, classifier: Any, X: NDArray, y: NDArray, rows: Split, samples: dict[str, Any]
) -> NDArray:
    """Mask of the test samples that a fit on the training samples misclassifies."""
    train, test = rows
    fitted = clone(estimator).fit(X[train], y[train], **some_of(samples, train))
    if classifier is None:
        return fitted.predict(X[test]) != y[test]
    selected = fitted.get_support(indices=True)
    if not len(selected):
        return commonest_class(y[train]) != y[test]
    model = clone(classifier).fit(X[np.ix_(train, selected)], y[train])
    return model.predict(X[np.ix_(test, selected)]) != y[test]
