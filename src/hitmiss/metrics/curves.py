"""Test error against the number of features."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import check_array

FEW = 20  # every number of features up to here, since one more of few may change the error much
GROWTH = 1.1  # factor between numbers beyond: a curve over 10,000 features then takes 88 fits


class ErrorCurve(NamedTuple):
    """Errors for growing numbers of features, and the smallest error."""

    n_features: NDArray
    errors: NDArray
    best_error: float
    best_n_features: int


def error_curve(
    ranking: ArrayLike,
    train: tuple[ArrayLike, ArrayLike],
    test: tuple[ArrayLike, ArrayLike],
    *,
    classifier: Any = None,
    n_features: ArrayLike | None = None,
) -> ErrorCurve:
    """Test error of a classifier on the k best features, for growing k.

    Parameters
    ----------
    ranking : array-like of shape (n_ranked,)
        Features, best first, such as the `ranking_` of a selector fitted on `train`.
    train, test : tuple of (X, y)
        Samples to fit the classifier on, and to test it on.
    classifier : classifier, default=None
        Cloned for each k; None is scikit-learn's ``KNeighborsClassifier(3)``.
    n_features : array-like of int, default=None
        The numbers k; None is 1, 2, ... up to 20 and then about 10 % more each time, up to all.

    Returns
    -------
    ErrorCurve
        `n_features`, `errors` for each, `best_error`, and `best_n_features`, the smallest k
        that attains it.

    Examples
    --------
    >>> from hitmiss import ReliefF, datasets
    >>> from hitmiss.metrics import error_curve
    >>> train = datasets.make_ringnorm(n_irrelevant=100, random_state=0, return_X_y=True)
    >>> test = datasets.make_ringnorm(n_irrelevant=100, random_state=1, return_X_y=True)
    >>> ranking = ReliefF().fit(*train).ranking_
    >>> curve = error_curve(ranking, train, test, n_features=[1, 5, 10, 20, 120])
    >>> curve.best_n_features, bool(curve.best_error < curve.errors[-1])
    (5, True)
    """
    order = np.asarray(ranking)
    sizes = _default_sizes(len(order)) if n_features is None else np.asarray(n_features, int)
    if len(sizes) == 0 or sizes.min() < 1 or sizes.max() > len(order):
        raise ValueError(f"n_features must hold numbers from 1 to {len(order)}.")
    model = KNeighborsClassifier(3) if classifier is None else classifier
    X_train, X_test = (check_array(X, ensure_all_finite=False) for X, _ in (train, test))
    errors = np.array(
        [
            _error(model, (X_train[:, order[:k]], train[1]), (X_test[:, order[:k]], test[1]))
            for k in sizes
        ]
    )
    best = errors.min()
    return ErrorCurve(sizes, errors, float(best), int(sizes[errors == best].min()))


def _error(model: Any, train: tuple[Any, Any], test: tuple[Any, Any]) -> float:
    predicted = clone(model).fit(*train).predict(test[0])
    return float(np.mean(predicted != np.asarray(test[1])))


def _default_sizes(n: int) -> NDArray:
    sizes = list(range(1, min(n, FEW) + 1))
    while sizes[-1] < n:
        sizes.append(min(n, int(GROWTH * sizes[-1])))
    return np.array(sizes)
