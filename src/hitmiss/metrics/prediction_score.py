"""Cross-validated R² or concordance of selection and prediction together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold
from sklearn.neighbors import KNeighborsRegressor

from hitmiss._util.alignment import joined
from hitmiss._util.any_estimator import check_taken, given, some_of, taken
from hitmiss._util.concordance import concordance
from hitmiss._util.progress import ProgressLike, progress_for
from hitmiss._util.workers import each_result
from hitmiss.estimators.wrappers import with_numbers
from hitmiss.metrics.classifiers import N_NEIGHBORS, nearest_neighbors
from hitmiss.metrics.cross_validation import NAME
from hitmiss.metrics.folds import Split


class Score(NamedTuple):
    """Results of `cross_validated_score`."""

    score: float
    standard_error: float
    measure: str  # "R²" or "concordance"
    guessing: float  # the score of guessing


def cross_validated_score(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    n_folds: int = 5,
    *,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    covariates: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    verbose: bool | ProgressLike = True,
) -> Score:
    """R² of numbers, or concordance of times, on samples that were not used for the selection.

    For each fold, the estimator is fitted on all other folds and tested on that fold.

    Parameters
    ----------
    estimator : estimator
        A selector of numbers or of survival. One that does not predict is followed by 3 nearest
        neighbors on the selected features. Cloned.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,) or (n_samples, 2)
        Numbers, or events and times. As in `fit`, a name of a column of X may stand for numbers,
        for `groups` and the like.
    n_folds : int, default=5
        Number of folds.
    groups : array-like of shape (n_samples,), default=None
        Samples of one group are together in a fold. A selector whose fit takes groups is given
        them too.
    strata, covariates, sample_weight : array-like, default=None
        Given to the fit of the selector.
    n_jobs : int, default=None
        Number of processes, as in joblib. The result does not depend on it.
    random_state : int, default=0
        Seed of the folds.
    verbose : bool, default=True
        Whether to show the progress on standard error. An object with methods `begin` and
        `advance` receives it instead.

    Returns
    -------
    Score
        `score`, its `standard_error`, the `measure` and the score of `guessing`. R² compares all
        squared errors with those of the mean of the training samples, concordance is the mean over
        the folds.

    Examples
    --------
    >>> from hitmiss import LOFERegressor, datasets
    >>> from hitmiss.metrics import cross_validated_score
    >>> X, y = datasets.make_product(150, n_irrelevant=20, random_state=0, return_X_y=True)
    >>> found = cross_validated_score(LOFERegressor(), X, y, verbose=False)
    >>> found.measure, found.score > 0.5
    ('R²', True)
    """
    beside = {"strata": strata, "covariates": covariates, "sample_weight": sample_weight}
    X, y, values = joined(X, y, groups=groups, **beside)
    groups = values.pop("groups")
    estimator, data = with_numbers(estimator, X)
    data, answers = np.asarray(data), np.asarray(estimator._kind.checked(y))
    known = None if groups is None else np.asarray(groups)
    cv: Any = KFold(n_folds, shuffle=True, random_state=random_state)
    if known is not None:
        cv = GroupKFold(n_folds)
    folds = list(cv.split(data, answers, known))
    samples = given(**values)
    check_taken(estimator, samples)
    samples |= taken(estimator, given(groups=groups))
    calls = [delayed(_predicted)(estimator, data, answers, rows, samples) for rows in folds]
    found = list(each_result(calls, n_jobs, progress_for(verbose), NAME))
    scored = _concordances if answers.dtype.names else _r2
    return scored(answers, folds, found)


def _predicted(
    estimator: Any, X: NDArray, y: NDArray, rows: Split, samples: dict[str, Any]
) -> NDArray:
    """Predictions for the test samples after a fit on the training samples."""
    train, test = rows
    fitted = clone(estimator).fit(X[train], y[train], **some_of(samples, train))
    if hasattr(fitted, "predict"):
        return fitted.predict(X[test])
    selected = fitted.get_support(indices=True)
    if not len(selected):
        return np.full(len(test), y[train].mean())
    model = nearest_neighbors(X)
    model.steps[-1] = ("regressor", KNeighborsRegressor(N_NEIGHBORS))
    model.fit(X[np.ix_(train, selected)], y[train])
    return model.predict(X[np.ix_(test, selected)])


def _r2(y: NDArray, folds: list[Split], predicted: list[NDArray]) -> Score:
    """R² of all test samples, with the standard error of a ratio of means."""
    test = np.concatenate([test for _, test in folds])
    means = np.concatenate([np.full(len(test), y[train].mean()) for train, test in folds])
    wrong, spread = (y[test] - np.concatenate(predicted)) ** 2, (y[test] - means) ** 2
    ratio = wrong.mean() / spread.mean()
    error = np.std(wrong - ratio * spread) / np.sqrt(len(test)) / spread.mean()
    return Score(float(1 - ratio), float(error), "R²", 0.0)


def _concordances(y: NDArray, folds: list[Split], risks: list[NDArray]) -> Score:
    found = np.array(
        [
            concordance(y["time"][test], y["event"][test], risk)
            for (_, test), risk in zip(folds, risks, strict=True)
        ]
    )
    known = found[np.isfinite(found)]  # a fold without comparable pairs says nothing
    if len(known) < 2:
        raise ValueError("Too few events for a concordance in every fold; use fewer folds.")
    error = known.std(ddof=1) / np.sqrt(len(known))
    return Score(float(known.mean()), float(error), "concordance", 0.5)
