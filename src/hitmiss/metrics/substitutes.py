"""Substitutes: features that could take the place of a selected one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.checks import check_count
from hitmiss._util.ties import comparable
from hitmiss._util.workers import one_blas_thread
from hitmiss.inference.replaceability import Selection, Subsets, candidates
from hitmiss.lofe import Fit
from hitmiss.lofe.active_set import SAME_OBJECTIVE
from hitmiss.metrics.few_features import (
    check_local_learner,
    check_reached,
    names_at,
    selected_features,
    workers_of,
)

# Candidates from each gradient per substitute wanted: among 200 genes of five microarrays the five
# best had ranks up to 9 by the first gradient, those of XOR up to 4 by the second.
TRIED = 2
LEAST_TRIED = 10  # where few are wanted: beyond those ranks


class Substitutes(NamedTuple):
    """Results of `substitutes`."""

    features: NDArray
    names: NDArray
    without: NDArray
    candidates: list[NDArray]
    candidate_names: list[NDArray]
    rises: list[NDArray]
    objective: float


@one_blas_thread()
def substitutes(
    lofe: Any, X: ArrayLike, y: ArrayLike, n: int = 5, *, verbose: bool = True
) -> Substitutes:
    """Find the features that could take the place of each selected one.

    With f(A) the objective of the fixed point on the features A alone, and S the selected ones,
    b in the place of a raises it by ``f(S without a, with b) - f(S)``. Near 0, b is as good as a,
    and which of the two was selected says little. The rise when a is left out and nothing takes
    its place is the most that can be: b is of no use if it raises the objective as much, and is
    not listed then. All features are scaled, and sigma and alpha are, as in the fit; every fixed
    point is certified like that of a fit. A rise may be a little below 0, because a fixed point
    has the lowest objective with the neighbors that it leads to, and not of all weights.

    Not every feature is tried. Two gradients, each from a pass over all features, say which would
    improve on S without a: that at the fixed point of these, and that with the neighbors of the
    whole S, which also shows features that make sense only together. From each the ``2 n`` largest
    above alpha are tried, and at least 10. On 200 genes of each of five microarrays the five best
    of all were always among the 9 largest of the first gradient; on XOR data with noisy copies of
    the two features they were among the 4 largest of the second.

    Parameters
    ----------
    lofe : LOFE or LOFECV
        Fitted.
    X : array-like of shape (n_samples, n_features)
        The samples it was fitted on.
    y : array-like of shape (n_samples,)
        Their class labels.
    n : int, default=5
        Largest number of substitutes for each selected feature.
    verbose : bool, default=True
        Whether to show the progress on standard error, if it takes more than two seconds.

    Returns
    -------
    Substitutes
        `features`, the positions of the selected ones, best first; their `names`; `without`, the
        rise when each is left out; `candidates`, for each the positions of its substitutes, best
        first, perhaps none; their `candidate_names` and `rises`; and the `objective` ``f(S)``.

    See Also
    --------
    synergy : Which features work together.

    Examples
    --------
    A noisy copy takes the place of the first feature, and nothing that of the second:

    >>> import numpy as np
    >>> from hitmiss import LOFE, datasets
    >>> from hitmiss.metrics import substitutes
    >>> X, y = datasets.make_xor(n_irrelevant=8, random_state=0, return_X_y=True)
    >>> noise = np.random.default_rng(0).normal(size=len(X))
    >>> X = np.column_stack([X, X[:, 0] + 0.1 * noise])
    >>> found = substitutes(LOFE(alpha=1.0).fit(X, y), X, y)
    >>> for name, others in zip(found.names, found.candidate_names):
    ...     print(name, others.tolist())
    x1 []
    x0 ['x10']
    >>> found.without.round(1), found.rises[1].round(1)
    (array([113.7, 113.7]), array([0.3]))
    """
    check_local_learner("substitutes", lofe)
    n = check_count("n", n)
    best = selected_features(lofe)
    if len(best) == lofe.n_features_in_:
        raise ValueError("Every feature is selected, so there are no substitutes.")
    data, problem = lofe.reopened(X, y)
    index, place = np.unique(best, return_inverse=True)
    workers = workers_of(lofe, verbose=verbose)
    settings = {"tol": lofe.tol, "max_iter": lofe.max_iter}
    few = Subsets(data.columns(index), problem, workers, **settings)
    whole = few.solve(np.arange(len(index)), [lofe.weights_[index]])
    without, weights = _left_out(few, whole)
    selection = Selection(index, whole.w, weights)
    tried = candidates(data, problem, selection, max(TRIED * n, LEAST_TRIED))
    pool = np.unique(np.concatenate([index, *tried]))
    many = Subsets(data.columns(pool), problem, workers, **settings)
    objectives = _exchanged(many, pool, selection, tried)
    orders = [_best(objectives[k], without[k], n) for k in place]
    found = [tried[k][order] for k, order in zip(place, orders, strict=True)]
    rises = [objectives[k][order] for k, order in zip(place, orders, strict=True)]
    return Substitutes(
        best,
        names_at(lofe, best),
        without[place] - whole.objective,
        found,
        [names_at(lofe, some) for some in found],
        [some - whole.objective for some in rises],
        whole.objective,
    )


def _left_out(few: Subsets, whole: Fit) -> tuple[NDArray, NDArray]:
    """Objectives, and weights of the others, when each feature is left out in turn."""
    n = len(whole.w)
    objectives, weights = np.full(n, few.problem.null_objective), np.zeros((n, n))
    others = [np.delete(np.arange(n), k) for k in range(n)] if n > 1 else []
    found = few.each(lambda index: few.solve(index, [whole.w[index]]), others, "left out")
    check_reached([whole, *found])
    for k, (index, fit) in enumerate(zip(others, found, strict=True)):
        objectives[k], weights[k, index] = fit.objective, fit.w
    return objectives, weights


def _exchanged(
    many: Subsets, pool: NDArray, selection: Selection, tried: list[NDArray]
) -> list[NDArray]:
    """Objectives with each candidate in the place of a feature, and at first with its weight.

    Parameters
    ----------
    many : Subsets
        Of the selected features and all candidates.
    pool : ndarray of int
        Positions of these, ascending.
    selection : Selection
        The selected features.
    tried : list of ndarray
        Positions of the candidates, for each selected feature.
    """

    def follow(exchange: tuple[int, int]) -> Fit:
        k, j = exchange
        members = selection.chosen.copy()
        members[k] = j
        order = np.argsort(members)
        return many.follow(np.searchsorted(pool, members[order]), selection.w[order])

    exchanges = [(k, j) for k, some in enumerate(tried) for j in some.tolist()]
    found = many.each(follow, exchanges, "substitutes")
    check_reached(found)
    objectives = np.array([fit.objective for fit in found])
    return np.split(objectives, np.cumsum([len(some) for some in tried])[:-1])


def _best(objectives: NDArray, without: float, n: int) -> NDArray:
    """The n candidates with the lowest objectives, among those better than none."""
    order = np.argsort(comparable(objectives), kind="stable")[:n]
    return order[objectives[order] < without * (1 - SAME_OBJECTIVE)]
