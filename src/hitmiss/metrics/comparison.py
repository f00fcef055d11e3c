"""Comparison of selectors: selection, error by cross-validation, stability and time."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.feature_selection import SelectFdr, SelectKBest
from threadpoolctl import threadpool_limits

from hitmiss._util.any_estimator import given, some_of, taken
from hitmiss._util.progress import Progress
from hitmiss._util.ties import first_smallest
from hitmiss._util.workers import each_result
from hitmiss.metrics.anova import f_and_p
from hitmiss.metrics.any_selector import ranking_of, support_of
from hitmiss.metrics.checked import checked
from hitmiss.metrics.classifiers import commonest_class, nearest_neighbors
from hitmiss.metrics.curves import ErrorCurve, error_curve
from hitmiss.metrics.folds import Split, splits
from hitmiss.metrics.stability import nogueira_stability

# Numbers of features of the error curves: about six per factor of ten, evenly spaced on a
# logarithmic axis; their number, 14, bounds the time that a curve takes.
SIZES = np.array([1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200])
BASELINE_FDR = 0.05  # the conventional level of a test


class Comparison(NamedTuple):
    """Results of `compare_selectors` for one selector."""

    method: str
    fitted: Any
    selected: NDArray
    error: float
    curve: ErrorCurve
    stability: float
    seconds: float
    recovered: int | None
    standard_error: float = np.nan  # of `error`
    curve_standard_errors: NDArray | None = None  # of the errors of `curve`
    curve_stability: NDArray | None = None  # of lists of as many features as `curve` says


def f_test(max_features: int | None = None) -> SelectFdr | SelectKBest:
    """The usual baseline: a univariate ANOVA F-test of every feature.

    Parameters
    ----------
    max_features : int, default=None
        Number of features to select; None selects at a false discovery rate of 5 %.

    Returns
    -------
    estimator
        A selector of scikit-learn, with a score of 0 for constant features; means take the place
        of missing values.
    """
    if max_features is None:
        return _FilledFdr(f_and_p, alpha=BASELINE_FDR)
    return _FilledKBest(f_and_p, k=max_features)


def compare_selectors(
    selectors: Mapping[str, Any],
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_folds: int = 5,
    n_repeats: int = 1,
    relevant: Iterable[int] | None = None,
    classifier: Any = None,
    cv: Any = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    covariates: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
    verbose: bool = True,
) -> Iterator[Comparison]:
    """Compare selectors on the same data and the same folds.

    Parameters
    ----------
    selectors : mapping of str to estimator
        The selectors by name. Cloned. Any estimator will do that has `get_support`, `coef_`,
        `feature_importances_` or `scores_` after its fit, or a pipeline that ends in one; without
        `get_support` the features of more than mean importance are selected.
    X : array-like of shape (n_samples, n_features)
        Samples.
    y : array-like of shape (n_samples,)
        Class labels. As in `fit`, a name of a column of X may stand for these, for `groups` and
        the like.
    n_folds : int, default=5
        Number of stratified folds. The test samples of a fold are not used for its selection.
    n_repeats : int, default=1
        How often the samples are cut into folds; the more, the smaller the standard errors.
    relevant : iterable of int, default=None
        Indices of the features that are known to be relevant.
    classifier : classifier, default=None
        Fitted on the selected features; None is 3 nearest neighbors on features scaled to [0, 1].
    cv : splitter or iterable, default=None
        How to split instead, as in scikit-learn.
    groups : array-like of shape (n_samples,), default=None
        Samples of one group, such as cells of a donor, are together in a fold.
    strata, covariates, sample_weight : array-like, default=None
        Given, as `groups` are, to the selectors whose fit takes them; the others go without.
    n_jobs : int, default=None
        Number of processes, as in joblib. The result does not depend on it, only `seconds` does.
    random_state : int, default=0
        Seed of the folds.
    verbose : bool, default=True
        Whether to show the progress on standard error.

    Yields
    ------
    Comparison
        One per selector, as soon as it is known: `method`; the selector `fitted` on all data;
        `selected`, its features, best first; `error` of the classifier on the features selected
        in each fold; `curve`, its error against the number of features, averaged over the folds;
        `stability` of the selections of the folds (Nogueira); `seconds` of the fit on all data;
        the number of `relevant` features that are `recovered`; the `standard_error` of `error` and
        `curve_standard_errors`, over the repeats, or over the folds if there is one repeat; and
        `curve_stability`, that of lists of equal lengths, as many features as `curve` says.

    Examples
    --------
    >>> from hitmiss import LOFE, datasets
    >>> from hitmiss.metrics import compare_selectors, f_test
    >>> xor = datasets.make_xor(n_irrelevant=50, random_state=0)
    >>> both = {"lofe": LOFE(), "F-test": f_test()}
    >>> for found in compare_selectors(both, xor.data, xor.target, relevant=[0, 1], verbose=False):
    ...     print(found.method, found.recovered, found.error < 0.1)
    lofe 2 True
    F-test 0 False
    """
    beside = {"strata": strata, "covariates": covariates, "sample_weight": sample_weight}
    prepared = {
        name: checked(selector, X, y, groups=groups, **beside)
        for name, selector in selectors.items()
    }
    _, numbers, labels, values = next(iter(prepared.values()))
    data, samples = (numbers, labels), given(**values)
    how = {"n_folds": n_folds, "cv": cv, "groups": values["groups"]}
    folds = [
        split
        for k in range(n_repeats)
        for split in splits(*data, random_state=random_state + k, **how)
    ]
    model = classifier or nearest_neighbors(data[0])
    known = None if relevant is None else np.array(list(relevant), int)
    for name, (selector, *_) in prepared.items():
        own = taken(selector, samples)
        whole = delayed(_whole)(clone(selector), data, own)
        parts = [delayed(_fold)(clone(selector), model, data, split, own) for split in folds]
        progress = Progress() if verbose else None
        (fitted, seconds), *results = each_result([whole, *parts], n_jobs, progress, name)
        errors, curves, supports, rankings = (list(c) for c in zip(*results, strict=True))
        selected, _ = _best_first(fitted)
        curve = _mean_curve(curves)
        yield Comparison(
            method=name,
            fitted=fitted,
            selected=selected,
            error=float(np.mean(errors)),
            curve=curve,
            stability=_stability(np.array(supports)),
            seconds=seconds,
            recovered=None if known is None else int(np.isin(known, selected).sum()),
            standard_error=float(_standard_error(errors, n_repeats)),
            curve_standard_errors=_standard_error([c.errors for c in curves], n_repeats),
            curve_stability=_stability_of_lists(rankings, curve.n_features, data[0].shape[1]),
        )


def _whole(
    selector: Any, data: tuple[NDArray, NDArray], samples: dict[str, Any]
) -> tuple[Any, float]:
    """The selector fitted on all data, and the duration of the fit in seconds."""
    began = time.perf_counter()
    selector.fit(*data, **samples)
    return selector, time.perf_counter() - began


def _fold(
    selector: Any,
    model: Any,
    data: tuple[NDArray, NDArray],
    split: Split,
    samples: dict[str, Any],
) -> tuple[float, ErrorCurve, NDArray, NDArray]:
    """Error on the selected features, error curve, which are selected, and the best ones."""
    X, y = data
    train, test = ((X[rows], y[rows]) for rows in split)
    fitted = selector.fit(*train, **some_of(samples, split[0]))
    selected, ranking = _best_first(fitted)
    support = np.isin(np.arange(X.shape[1]), selected)
    sizes = SIZES[len(ranking) >= SIZES]
    with threadpool_limits(1):  # the fits are small: threads would mostly wait for each other
        curve = error_curve(ranking, train, test, classifier=model, n_features=sizes)
        if not len(selected):
            guessed = float(np.mean(test[1] != commonest_class(train[1])))
            return guessed, curve, support, ranking[: SIZES[-1]]
        own = error_curve(selected, train, test, classifier=model, n_features=[len(selected)])
    return own.best_error, curve, support, ranking[: SIZES[-1]]


def _best_first(fitted: Any) -> tuple[NDArray, NDArray]:
    """Selected features and all features, best first."""
    ranking = ranking_of(fitted)
    return ranking[support_of(fitted)[ranking]], ranking


def _mean_curve(curves: list[ErrorCurve]) -> ErrorCurve:
    errors = np.mean([curve.errors for curve in curves], axis=0)
    sizes = curves[0].n_features
    return ErrorCurve(sizes, errors, float(errors.min()), int(sizes[first_smallest(errors)]))


def _standard_error(errors: list[Any], n_repeats: int) -> Any:
    """Of the mean over repeats; of one repeat, of the mean over its folds."""
    values = np.asarray(errors, float)
    if n_repeats > 1:
        values = values.reshape(n_repeats, -1, *values.shape[1:]).mean(axis=1)
    return values.std(axis=0, ddof=1) / np.sqrt(len(values))


def _stability_of_lists(rankings: list[NDArray], sizes: NDArray, n_features: int) -> NDArray:
    """Nogueira's measure of the best features of the folds, for each number of them."""

    def supports(size: int) -> NDArray:
        return np.array([np.isin(np.arange(n_features), r[:size]) for r in rankings])

    return np.array([_stability(supports(size)) for size in sizes])


def _stability(supports: NDArray) -> float:
    """Nogueira's measure; NaN where it is undefined, if nothing or everything is selected."""
    return nogueira_stability(supports).stability if 0 < supports.sum() < supports.size else np.nan


class _Filled:
    """A selector whose fit sets missing values to the mean of their feature."""

    def fit(self, X: NDArray, y: NDArray) -> Any:
        gaps = np.isnan(X)
        if gaps.any():
            means = np.where(gaps, 0.0, X).sum(axis=0) / np.maximum((~gaps).sum(axis=0), 1)
            X = np.where(gaps, means, X)
        return super().fit(X, y)  # type: ignore[misc]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        return tags


class _FilledFdr(_Filled, SelectFdr):
    pass


class _FilledKBest(_Filled, SelectKBest):
    pass
