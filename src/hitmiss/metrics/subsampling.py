"""Stability of one selector, measured on random subsamples of the data."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hitmiss._util.any_estimator import (
    ImportanceGetter,
    check_taken,
    feature_weights,
    given,
    some_of,
    taken,
    top_or_above,
)
from hitmiss._util.progress import ProgressLike, progress_for
from hitmiss._util.random import RandomStateLike, as_generator, random_subset, subset_size
from hitmiss._util.workers import each_result
from hitmiss.metrics.checked import checked
from hitmiss.metrics.classifiers import nearest_neighbors
from hitmiss.metrics.folds import splits
from hitmiss.metrics.stability import (
    SelectionStability,
    jaccard_stability,
    kuncheva_stability,
    nogueira_stability,
    ranking_stability,
    stability_accuracy_tradeoff,
)

# Share of the largest weight above which a feature counts as selected, where the estimator does not
# select itself: the default threshold of the selectors of this library.
THRESHOLD = 0.01


class StabilityReport(NamedTuple):
    """Results of `stability_report`."""

    ranking: float
    kuncheva: float
    jaccard: float
    nogueira: SelectionStability
    accuracy: float
    tradeoff: float
    weights: NDArray
    supports: NDArray


def stability_report(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    n_subsamples: int = 10,
    fraction: float = 0.9,
    *,
    n_features: int | None = None,
    classifier: Any = None,
    importance_getter: ImportanceGetter = "auto",
    stratify: bool = False,
    cv: Any = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    covariates: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
    random_state: RandomStateLike = None,
    verbose: bool | ProgressLike = True,
    interruptible: bool = False,
) -> StabilityReport:
    """Fit a selector on random subsamples and measure the similarity of the results.

    Parameters
    ----------
    estimator : estimator
        A selector, or an estimator with `feature_importances_` or `coef_`. Cloned.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels. As in `fit`, a name of a column of X may stand for these, for `groups` and
        the like.
    n_subsamples : int, default=10
        Number of subsamples.
    fraction : float, default=0.9
        Share of the rows in a subsample, drawn without replacement.
    n_features : int, default=None
        Number of top features that count as selected; None takes those that the estimator selects.
    classifier : classifier, default=None
        Fitted on the selected features of a subsample and tested on the rows outside it. None is
        3 nearest neighbors on features scaled to [0, 1].
    importance_getter : str or callable, default="auto"
        How to get the weights; see `Ensemble`.
    stratify : bool, default=False
        Whether every subsample has the class shares of the whole.
    cv : splitter or iterable, default=None
        Whose training samples are the subsamples instead, as in scikit-learn.
    groups : array-like of shape (n_samples,), default=None
        Subsamples are a share of the groups, such as donors. A selector whose fit takes groups is
        given them too.
    strata, covariates, sample_weight : array-like, default=None
        Given to the fit of the selector.
    n_jobs : int, default=None
        Number of processes, as in joblib. The result does not depend on it.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the subsamples.
    verbose : bool, default=True
        Whether to show the progress on standard error. An object with methods `begin` and
        `advance` receives it instead.
    interruptible : bool, default=False
        Whether Ctrl-C after at least two subsamples returns a report on those that are done.

    Returns
    -------
    StabilityReport
        `ranking` (Spearman), `kuncheva` (NaN unless all selections have one size, for which it is
        defined; `nogueira` takes any), `jaccard`,
        `nogueira` with its confidence interval, `accuracy`, `tradeoff` (harmonic mean of ranking
        stability and accuracy), and the `weights` and `supports` of every subsample.

    Examples
    --------
    >>> from hitmiss import ReliefF, datasets
    >>> from hitmiss.metrics import stability_report
    >>> X, y = datasets.make_twonorm(100, n_irrelevant=200, random_state=0, return_X_y=True)
    >>> report = stability_report(ReliefF(), X, y, n_features=20, random_state=0, verbose=False)
    >>> round(report.ranking, 2), round(report.nogueira.stability, 2), round(report.accuracy, 2)
    (0.82, 0.89, 0.94)
    """
    beside = {"strata": strata, "covariates": covariates, "sample_weight": sample_weight}
    estimator, data, labels, known = checked(estimator, X, y, groups=groups, **beside)
    groups = known.pop("groups")
    rng = as_generator(random_state)
    selection = n_features, importance_getter
    samples = given(**known)
    check_taken(estimator, samples)
    samples |= taken(estimator, given(groups=groups))
    if cv is not None:
        how = {"n_folds": 0, "random_state": 0, "cv": cv, "groups": groups}
        subsamples = [train for train, _ in splits(data, labels, **how)]
    elif groups is not None:
        subsamples = [_some_groups(groups, fraction, rng) for _ in range(n_subsamples)]
    else:
        size = subset_size("fraction", float(fraction), len(labels))
        classes = np.unique(labels, return_inverse=True)[1] if stratify else None
        subsamples = [random_subset(len(labels), size, rng, classes) for _ in range(n_subsamples)]
    calls = [
        delayed(_one_subsample)(
            clone(estimator),
            _classifier(classifier, data),
            (data, labels),
            rows,
            selection,
            some_of(samples, rows),
        )
        for rows in subsamples
    ]
    results = []
    try:
        for result in each_result(calls, n_jobs, progress_for(verbose), "subsamples"):
            results.append(result)
    except KeyboardInterrupt:
        if not interruptible or len(results) < 2:
            raise
    weights, supports, right = (list(column) for column in zip(*results, strict=True))
    return _report(np.array(weights), np.array(supports), np.concatenate(right))


def _some_groups(groups: ArrayLike, fraction: float, rng: np.random.Generator) -> NDArray:
    """The samples of a share of the groups."""
    codes = np.unique(np.asarray(groups), return_inverse=True)[1]
    n_groups = int(codes.max()) + 1
    size = subset_size("fraction", float(fraction), n_groups)
    return np.flatnonzero(np.isin(codes, random_subset(n_groups, size, rng)))


def _classifier(classifier: Any, X: NDArray) -> Any:
    if classifier is None:
        return nearest_neighbors(X)
    return clone(classifier)


def _one_subsample(
    estimator: Any,
    classifier: Any,
    data: tuple[NDArray, NDArray],
    rows: NDArray,
    selection: tuple[int | None, ImportanceGetter],
    samples: dict[str, Any],
) -> tuple[NDArray, NDArray, NDArray]:
    """Weights, selected features, and which rows outside the subsample are classified correctly."""
    (X, y), (n_features, getter) = data, selection
    estimator.fit(X[rows], y[rows], **samples)
    weights = feature_weights(estimator, getter)
    if n_features is None and hasattr(estimator, "get_support"):
        support = estimator.get_support()
    else:
        support = top_or_above(weights, THRESHOLD, n_features)
    outside = np.setdiff1d(np.arange(len(y)), rows)
    if not len(outside) or not support.any():
        return weights, support, np.zeros(len(outside), bool)
    classifier.fit(X[np.ix_(rows, support)], y[rows])
    return weights, support, classifier.predict(X[np.ix_(outside, support)]) == y[outside]


def _report(weights: NDArray, supports: NDArray, right: NDArray) -> StabilityReport:
    sizes = supports.sum(axis=1)
    one_size = (sizes == sizes[0]).all() and 0 < sizes[0] < supports.shape[1]
    defined = 0 < sizes.sum() < supports.size
    unknown = SelectionStability(np.nan, np.nan, np.nan, np.nan)
    ranking = ranking_stability(weights)
    accuracy = float(right.mean()) if len(right) else np.nan
    return StabilityReport(
        ranking=ranking,
        kuncheva=kuncheva_stability(supports) if one_size else np.nan,
        jaccard=jaccard_stability(supports),
        nogueira=nogueira_stability(supports) if defined else unknown,
        accuracy=accuracy,
        tradeoff=stability_accuracy_tradeoff(ranking, accuracy),
        weights=weights,
        supports=supports,
    )
