"""Who replaces whom: the features that could take the place of a selected one."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitmiss._util.blas import one_blas_thread
from hitmiss._util.checks import check_count
from hitmiss.lofe import heuristics
from hitmiss.lofe.replacements import Selection, candidates
from hitmiss.lofe.subsets import Subsets
from hitmiss.metrics.few_features import (
    check_local_learner,
    check_reached,
    counted,
    names_at,
    selected_features,
)


class Substitutes(NamedTuple):
    """Results of `substitutes`."""

    features: NDArray
    names: NDArray
    without: NDArray
    candidates: NDArray
    candidate_names: NDArray
    rises: NDArray
    objective: float


@one_blas_thread()
def substitutes(
    lofe: Any, X: ArrayLike, y: ArrayLike, n: int = 5, *, verbose: bool = True
) -> Substitutes:
    """Which features could take the place of each selected one.

    With f(A) the objective of the fixed point on the features A alone, and S the selected ones,
    b in the place of a raises it by ``f(S without a, with b) - f(S)``. Near 0, b is as good as a,
    and which of them was selected says little; near the rise without any substitute,
    ``f(S without a) - f(S)``, b is of no use. All features are scaled, and sigma and alpha are, as
    in the fit; every fixed point is certified like that of a fit.

    Not every feature is tried. Two gradients, each from one pass over all features, say which
    would improve most on S without a: the gradient at the fixed point of these, and the one with
    the neighbors of the whole S, which also shows features that make sense only together. From
    each the ``2 n`` largest are tried, at least 10. Of 200 genes of five microarrays the five best
    were always among the 9 largest of the first; of XOR among the 4 largest of the second.

    Parameters
    ----------
    lofe : LOFE or LOFECV
        Fitted.
    X : array-like of shape (n_samples, n_features)
        The samples it was fitted on.
    y : array-like of shape (n_samples,)
        Their class labels.
    n : int, default=5
        Number of substitutes for each selected feature.
    verbose : bool, default=True
        Whether to show the progress on standard error, if it takes more than two seconds.

    Returns
    -------
    Substitutes
        `features`, the positions of the selected ones, best first; their `names`; `without`, the
        rise when each is left out; `candidates` of shape (n_selected, n), the substitutes of
        each, best first; their `candidate_names` and `rises`; and the `objective` ``f(S)``.

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
    >>> found = substitutes(LOFE().fit(X, y), X, y, n=2)
    >>> found.features, found.candidates[:, 0]
    >>> found.without.round(), found.rises[:, 0].round()
    """
    check_local_learner("substitutes", lofe)
    n = check_count("n", n)
    best = selected_features(lofe)
    if len(best) == lofe.n_features_in_:
        raise ValueError("Every feature is selected, so that none is left to take a place.")
    data, problem = lofe.reopened(X, y)
    index, place = np.unique(best, return_inverse=True)
    few = Subsets(data.columns(index), problem, tol=lofe.tol, max_iter=lofe.max_iter)
    whole = few.solve(np.arange(len(index)), [lofe.weights_[index]])
    without, weights = _left_out(few, whole.w, verbose=verbose)
    selection = Selection(index, whole.w, weights)
    size = max(heuristics.TRIED * n, heuristics.LEAST_TRIED)
    tried = candidates(data, problem, selection, size)
    pool = np.unique(np.concatenate([index, *tried]))
    many = Subsets(data.columns(pool), problem, tol=lofe.tol, max_iter=lofe.max_iter)
    found = [
        _best(many, pool, selection, k, tried[k], n)
        for k in counted(place.tolist(), "substitutes", verbose)
    ]
    check_reached(few, many)
    features = np.array([features for features, _ in found])
    return Substitutes(
        best,
        names_at(lofe, best),
        without[place] - whole.objective,
        features,
        names_at(lofe, features),
        np.array([objectives for _, objectives in found]) - whole.objective,
        whole.objective,
    )


def _left_out(few: Subsets, w: NDArray, *, verbose: bool) -> tuple[NDArray, NDArray]:
    """Objectives, and weights of the others, when each feature is left out in turn."""
    everything = np.arange(len(w))
    objectives = np.full(len(w), few.problem.null_objective)
    weights = np.zeros((len(w), len(w)))
    if len(w) == 1:
        return objectives, weights
    for k in counted(everything.tolist(), "left out", verbose):
        others = np.delete(everything, k)
        found = few.solve(others, [w[others]])
        objectives[k], weights[k, others] = found.objective, found.w
    return objectives, weights


def _best(
    many: Subsets, pool: NDArray, selection: Selection, k: int, tried: NDArray, n: int
) -> tuple[NDArray, NDArray]:
    """The n features that replace feature k best, and the objectives with them.

    All that are tried begin with the weights of the selection; the best ones then from all starts.

    Parameters
    ----------
    many : Subsets
        Of the features in the pool.
    pool : ndarray of int
        Positions of these, ascending.
    selection : Selection
        The selected features.
    k : int
        Which of them is replaced.
    tried : ndarray of int
        Positions of the candidates.
    n : int
        Number of features to return.
    """

    def exchanged(j: int) -> tuple[NDArray, NDArray]:
        """The features with j in the place of k, ascending in the pool, and their weights."""
        members = selection.index.copy()
        members[k] = j
        order = np.argsort(members)
        return np.searchsorted(pool, members[order]), selection.w[order]

    first = np.array([many.follow(*exchanged(j)).objective for j in tried])
    kept = tried[np.argsort(first, kind="stable")[:n]]
    objectives = np.array([many.solve(m, [w]).objective for m, w in map(exchanged, kept)])
    order = np.argsort(objectives, kind="stable")
    return kept[order], objectives[order]
