"""BackwardElimination: drop the weakest features, weigh the rest again, repeat."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.any_estimator import PER_SAMPLE, takes
from hitmiss._util.checks import check_count, check_positive
from hitmiss.data.features import Features
from hitmiss.estimators.base import BaseSelector
from hitmiss.estimators.comparing import ComparingSelector
from hitmiss.estimators.delegated import AroundBase
from hitmiss.estimators.irelief import IRelief
from hitmiss.estimators.per_sample import ClassWeight
from hitmiss.estimators.selector import categories_at
from hitmiss.targets.classes import AnyTarget


class BackwardElimination(AroundBase, ComparingSelector):
    """Backward elimination around any selector of this package.

    Each round weighs the features that are left with `base`, anew and without the others, and
    drops a share of them, until `n_features` are left; a last round weighs these. Around `IRelief`
    this is I-RELIEF/BS.

    Parameters
    ----------
    base : selector, default=None
        What weighs the features; None is ``IRelief()``. Its `scale` is used; its `threshold`,
        `max_features`, `n_jobs` and `verbose` are not.
    n_features : int, default=30
        Number of features to keep; with no more than that in X, all are kept.
    step : float, default=0.5
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
    Y. Sun (2007). Iterative RELIEF for feature weighting: algorithms, theories, and applications.
    IEEE TPAMI 29(6), 1035-1051.

    Examples
    --------
    >>> from hitmiss import BackwardElimination, IRelief, datasets
    >>> ring = datasets.make_ringnorm(n_irrelevant=300, random_state=0)
    >>> select = BackwardElimination(IRelief(), n_features=20).fit(ring.data, ring.target)
    >>> select.n_iter_, select.get_support(indices=True).tolist() == ring.relevant.tolist()
    (5, True)
    """

    threshold = 0.0

    def __init__(
        self,
        base: BaseSelector | None = None,
        n_features: int = 30,
        step: float = 0.5,
        *,
        max_features: int | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ):
        self.base = base
        self.n_features = n_features
        self.step = step
        self.max_features = max_features
        self.n_jobs = n_jobs
        self.verbose = verbose

    @property
    def scale(self) -> str | None:
        """How the base scales the features."""
        return self._base().scale

    @property
    def class_weight(self) -> ClassWeight:
        """The weights of the classes that the base has."""
        found: ClassWeight = getattr(self._base(), "class_weight", None)
        return found

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what the fit of the base takes of every sample."""
        return tuple(name for name in PER_SAMPLE if takes(self._base(), name))

    @property
    def _pair_nanoseconds(self) -> tuple[float, float] | None:  # type: ignore[override]
        """From those of one fit to those of rounds that go on to the last feature."""
        known = self._base()._pair_nanoseconds
        return known and (known[0], known[1] / self.step)

    def _base(self) -> Any:
        return IRelief() if self.base is None else self.base

    def _check_parameters(self) -> None:
        base = self._base()
        if not isinstance(base, BaseSelector):
            raise ValueError(f"base must be a selector of hitmiss; got {base!r}.")
        base._check_parameters()
        super()._check_parameters()
        check_count("n_features", self.n_features)
        if check_positive("step", self.step) >= 1:
            raise ValueError(f"step must be a share in (0, 1); got {self.step!r}.")

    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        kept = np.arange(features.n_features)
        w = np.empty(features.n_features)
        self.rounds_ = np.zeros(features.n_features, int)
        dropped: list[NDArray] = []
        while True:
            self.base_ = self._round(features, kept, target)
            w[kept] = self.base_.weights_
            self.rounds_[kept] += 1
            best_first = kept[self.base_.ranking_]
            if len(kept) <= self.n_features:
                break
            n_kept = self._n_kept(len(kept))
            dropped.insert(0, best_first[n_kept:])
            kept = np.sort(best_first[:n_kept])
        self.n_iter_ = len(dropped) + 1
        self._order = np.concatenate([best_first, *dropped])
        return w

    def _round(self, features: Features, kept: NDArray, target: AnyTarget) -> Any:
        """The base, fitted on the features kept."""
        base = clone(self._base())
        if len(kept) < features.n_features:
            features = features.subset(kept)
        base.n_features_in_ = len(kept)
        base._set_target(target)
        base.n_missing_, base.categories_ = self.n_missing_[kept], categories_at(self, kept)
        base.weights_ = base._weigh(features, target)
        return base._ranked()

    def _n_kept(self, n: int) -> int:
        return max(int(self.n_features), n - max(1, int(self.step * n)))

    def _ranked(self) -> Self:
        last = self.rounds_ == self.n_iter_
        largest = self.weights_[last].max()
        relative = self.weights_ / (largest if largest > 0 else 1.0)
        self.feature_importances_ = np.where(last, relative, 0.0)
        return self

    @property
    def ranking_(self) -> NDArray:
        """All features, best first: those that stayed longer before those dropped earlier."""
        return self._order

    def _get_support_mask(self) -> NDArray:
        if self.max_features is not None:
            return super()._get_support_mask()
        check_is_fitted(self)
        return self.rounds_ == self.n_iter_
