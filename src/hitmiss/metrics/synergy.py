"""Synergy: what two features explain together beyond what each explains alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.errors import warn
from hitmiss._util.workers import one_blas_thread
from hitmiss.inference.replaceability import Subsets
from hitmiss.metrics.few_features import (
    check_local_learner,
    check_reached,
    names_at,
    positions,
    selected_features,
    workers_of,
)

MOST = 20  # features by default: 190 pairs take seconds, and a matrix of more is hard to read


class Synergy(NamedTuple):
    """Results of `synergy`."""

    features: NDArray
    names: NDArray
    matrix: NDArray
    null_objective: float


@one_blas_thread()
def synergy(
    lofe: Any,
    X: ArrayLike,
    y: ArrayLike,
    features: ArrayLike | None = None,
    *,
    verbose: bool = True,
) -> Synergy:
    """Measure which features work together, and which are redundant.

    With f(A) the objective of the fixed point on the features A alone, two features have the
    synergy ``f(a) + f(b) - f(ab) - f(empty)``: above 0 they explain more together than apart,
    below 0 they are partly redundant. All features are scaled, and sigma and alpha are, as in the
    fit; every fixed point is certified like that of a fit.

    The numbers describe these samples. They are in units of the objective, in which
    ``n_samples * log(2)`` is all there is to explain; differences of a few units may be chance.

    Parameters
    ----------
    lofe : LOFE or LOFECV
        Fitted.
    X : array-like of shape (n_samples, n_features)
        The samples it was fitted on.
    y : array-like of shape (n_samples,)
        Their class labels.
    features : array-like of str or int, default=None
        Names or positions of the features to compare. None takes the selected ones, best first,
        but at most 20.
    verbose : bool, default=True
        Whether to show the progress on standard error, if it takes more than two seconds.

    Returns
    -------
    Synergy
        `features`, their positions; their `names`; the `matrix` of shape (n, n) with the synergy
        of every two features, and on the diagonal what each explains alone,
        ``f(empty) - f(a)``; and `null_objective`, which is ``f(empty)``.

    See Also
    --------
    substitutes : Which features could take the place of a selected one.

    Examples
    --------
    Two features that only together tell the classes apart:

    >>> from hitmiss import LOFE, datasets
    >>> from hitmiss.metrics import synergy
    >>> X, y = datasets.make_xor(n_irrelevant=8, random_state=0, return_X_y=True)
    >>> found = synergy(LOFE(alpha=1.0).fit(X, y), X, y)
    >>> found.features
    array([1, 0])
    >>> found.matrix.round()
    array([[  0., 114.],
           [114.,   0.]])
    >>> round(found.null_objective)
    139
    """
    check_local_learner("synergy", lofe)
    index = _best_selected(lofe) if features is None else positions(features, lofe)
    data, problem = lofe.reopened(X, y)
    ascending, place = np.unique(index, return_inverse=True)
    workers = workers_of(lofe, verbose=verbose)
    subsets = Subsets(
        data.columns(ascending), problem, workers, tol=lofe.tol, max_iter=lofe.max_iter
    )
    matrix = _matrix(subsets)[np.ix_(place, place)]
    return Synergy(index, names_at(lofe, index), matrix, problem.null_objective)


def _best_selected(lofe: Any) -> NDArray:
    found = selected_features(lofe)
    if len(found) > MOST:
        warn(
            f"Of {len(found)} selected features the {MOST} best are compared; name others, or "
            "more, by the parameter features."
        )
    return found[:MOST]


def _matrix(subsets: Subsets) -> NDArray:
    """Gain of every feature alone, and of every pair beyond that."""
    n = subsets.features.n_features
    sets = [*combinations(range(n), 1), *combinations(range(n), 2)]
    found = subsets.each(subsets.solve, map(np.array, sets), "synergy")
    check_reached(found)
    matrix = np.zeros((n, n))
    for some, fit in zip(sets, found, strict=True):
        # In terms of what is explained, f(empty) - f(A), the synergy is that of ab less a less b.
        explained = subsets.problem.null_objective - fit.objective
        known = matrix[some, some].sum() if len(some) == 2 else 0.0
        matrix[some[0], some[-1]] = matrix[some[-1], some[0]] = explained - known
    return matrix
