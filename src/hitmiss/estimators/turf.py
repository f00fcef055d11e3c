"""TuRF: backward elimination around a RELIEF method."""

from typing import Any

from hitmiss.estimators.base import BaseSelector
from hitmiss.estimators.elimination import BackwardElimination
from hitmiss.estimators.relieff import ReliefF


class TuRF(BackwardElimination):
    """Tuned ReliefF: RELIEF again and again, without the features that came out worst.

    The distances of a RELIEF method get truer with every round, as irrelevant features leave
    them. This is `BackwardElimination` in small steps.

    Parameters
    ----------
    base : selector, default=None
        What weighs the features; None is ``ReliefF()``. Its `scale` is used; its `threshold`,
        `max_features`, `n_jobs` and `verbose` are not.
    n_features : int, default=10
        Number of features to keep; with no more than that in X, all are kept.
    step : float, default=0.1
        Share of the remaining features to drop in a round, in (0, 1); at least one is dropped.
    max_features : int, default=None
        Number of features to select, from the top of `ranking_`; None selects those that are
        left in the last round.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features_in_,)
        Weight of each feature in the last round that it was part of.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Weights divided by the largest of the last round; 0 for dropped features.
    ranking_ : ndarray of shape (n_features_in_,)
        All features, best first: those dropped later before those dropped earlier, within a
        round as `base` ranks them.
    rounds_ : ndarray of shape (n_features_in_,)
        Number of rounds that each feature was part of.
    n_iter_ : int
        Number of rounds.
    base_ : selector
        The base as fitted in the last round, on the features kept, in the order of X.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    J. H. Moore, B. C. White (2007). Tuning ReliefF for genome-wide genetic analysis. EvoBIO,
    166-175. There a round drops a share of all features, here of those that remain, as in
    scikit-rebate and fast-select.

    Examples
    --------
    >>> from hitmiss import MultiSURF, TuRF, datasets
    >>> xor = datasets.make_xor(n_irrelevant=100, random_state=0)
    >>> turf = TuRF(MultiSURF(), n_features=2).fit(xor.data, xor.target)
    >>> turf.get_support(indices=True)
    array([0, 1])
    """

    def __init__(
        self,
        base: BaseSelector | None = None,
        n_features: int = 10,
        step: float = 0.1,
        *,
        max_features: int | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ):
        super().__init__(
            base, n_features, step, max_features=max_features, n_jobs=n_jobs, verbose=verbose
        )

    def _base(self) -> Any:
        return ReliefF() if self.base is None else self.base
