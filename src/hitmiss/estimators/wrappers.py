"""BackwardElimination, TuRF and Ensemble, and what all estimators around another one share."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from joblib import delayed
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.any_estimator import (
    ImportanceGetter,
    feature_weights,
    top_or_above,
)
from hitmiss._util.checks import check_choice, check_count, check_positive
from hitmiss._util.progress import Progress
from hitmiss._util.random import RandomStateLike, as_generator, random_subset, subset_size
from hitmiss._util.workers import each_result
from hitmiss.data.categories import as_numbers
from hitmiss.data.features import Features
from hitmiss.estimators.frel import FREL
from hitmiss.estimators.irelief import IRelief
from hitmiss.estimators.relief import ReliefF
from hitmiss.estimators.selector import AroundBase, Selector, Weighed, weighs, with_nominal
from hitmiss.estimators.target_kinds import (
    ClassWeight,
    PerSample,
    samples_of,
)
from hitmiss.targets.target import Target


def with_numbers(estimator: Any, X: Any) -> tuple[Any, Any]:
    """X with words as codes, and a clone of the estimator that knows which features these are.

    Parameters
    ----------
    estimator : estimator
        Any; one that knows nothing of nominal features is returned as it is, with X as it is.
    X : array-like or data frame
        Samples.
    """
    if not hasattr(estimator, "categorical"):
        return estimator, X
    data, categories = as_numbers(X, estimator.categorical)
    if not categories:
        return estimator, data
    return with_nominal(estimator, sorted(categories)), data


def allows_nan(estimator: Any) -> bool:
    """Whether the estimator takes missing values."""
    return bool(get_tags(estimator).input_tags.allow_nan)


@dataclass(eq=False, repr=False)
class BackwardElimination(AroundBase):
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

    base: Selector | None = None
    n_features: int = 30
    step: float = 0.5

    threshold = 0.0

    @property
    def scale(self) -> str | None:
        """Scaling of the features, as in the base."""
        return self._base().scale

    @property
    def class_weight(self) -> ClassWeight:
        """The weights of the classes that the base has."""
        found: ClassWeight = getattr(self._base(), "class_weight", None)
        return found

    @property
    def _pair_nanoseconds(self) -> tuple[float, float] | None:  # type: ignore[override]
        """From those of one fit to those of rounds that go on to the last feature."""
        known = self._base()._pair_nanoseconds
        return known and (known[0], known[1] / self.step)

    def _base(self) -> Any:
        return IRelief() if self.base is None else self.base

    def _check_parameters(self) -> None:
        base = self._base()
        if not weighs(base):
            raise ValueError(f"base must be a selector of hitmiss; got {base!r}.")
        base._check_parameters()
        super()._check_parameters()
        check_count("n_features", self.n_features)
        if check_positive("step", self.step) >= 1:
            raise ValueError(f"step must be a share in (0, 1); got {self.step!r}.")

    def _weigh(self, features: Features, target: Target) -> Weighed:
        kept = np.arange(features.n_features)
        w, rounds = np.empty(len(kept)), np.zeros(len(kept), int)
        dropped: list[NDArray] = []
        while True:
            base = self._round(features, kept, target)
            w[kept] = base.weights_
            rounds[kept] += 1
            best_first = kept[base.ranking_]
            n = len(kept)
            if n <= self.n_features:
                break
            n_kept = max(int(self.n_features), n - max(1, int(self.step * n)))
            dropped.insert(0, best_first[n_kept:])
            kept = np.sort(best_first[:n_kept])
        order = np.concatenate([best_first, *dropped])
        learned = {"base_": base, "rounds_": rounds, "n_iter_": len(dropped) + 1, "_order": order}
        return Weighed(w, learned)

    def _round(self, features: Features, kept: NDArray, target: Target) -> Any:
        """The base, fitted on the features kept."""
        base = clone(self._base())._see(self, kept)
        vars(base).update(base._kind.names(target))
        if len(kept) < features.n_features:
            features = features.subset(kept)
        return base._take(base._weigher().weigh(features, target))

    def _take(self, found: Weighed) -> Self:
        super()._take(found)
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


@dataclass(eq=False, repr=False)
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

    base: Selector | None = None
    n_features: int = 10
    step: float = 0.1

    def _base(self) -> Any:
        return ReliefF() if self.base is None else self.base


@dataclass(eq=False, repr=False)
class Ensemble(AroundBase):
    r"""Average of one selector over random subsets of the samples.

    .. math:: w = \frac 1m \sum_{t=1}^m w_{D(r_t)}

    where the subsets :math:`D(r_t)` are drawn without replacement. What hangs on a few samples
    averages out: if leaving out one sample moves the weights of the base by at most
    :math:`\beta`, it moves those of the ensemble by at most `max_samples` times :math:`\beta` in
    expectation (Theorem 3).

    Parameters
    ----------
    base : estimator, default=None
        A selector of this library, or any estimator with `feature_importances_` or `coef_`. None
        is ``FREL(n_neighbors=10)``. Cloned for every subset; a `random_state` is set anew.
    n_estimators : int, default=20
        Number m of subsets.
    max_samples : float or int, default=0.9
        Size of a subset: a share of the samples, rounded up, or a number.
    aggregate : {"weights", "ranks"}, default="weights"
        What is averaged. With "ranks" the weight of a feature is 1 if it is first in every member
        and 0 if it is last in every member.
    stratify : bool, default=False
        Whether every subset has the classes in the same shares as the whole, or small and large
        numbers if the base explains numbers. With small classes a subset could otherwise lack one.
    importance_getter : str or callable, default="auto"
        Where the weights of a fitted base are: "auto" takes `weights_`, `feature_importances_` or
        the absolute `coef_`; else the path of an attribute, or a function of the fitted base.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    n_jobs : int, default=None
        Number of processes, as in joblib; None means one. The result does not depend on it.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the subsets.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Average of the members.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    selection_frequency_ : ndarray of shape (n_features,)
        Share of the members that select the feature, by `threshold` or `max_features`.
    weights_std_ : ndarray of shape (n_features,)
        Standard deviation of the feature's weight (or rank weight) between members.
    member_weights_ : ndarray of shape (n_estimators, n_features)
        Weights of every member, before ranks are taken.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    Y. Li, J. Si, G. Zhou, S. Huang, S. Chen (2015). FREL: a stable feature selection algorithm.
    IEEE TNNLS 26(7), 1388-1402, Algorithm 2, eq. 10, Theorem 3; ranks as in its section IV-B.

    Examples
    --------
    >>> from hitmiss import Ensemble, ReliefF, datasets
    >>> X, y = datasets.make_twonorm(60, n_irrelevant=500, random_state=0, return_X_y=True)
    >>> ensemble = Ensemble(ReliefF(), max_features=10, random_state=0).fit(X, y)
    >>> ensemble.selection_frequency_[ensemble.ranking_[:3]]
    array([1., 1., 1.])
    """

    base: Any = None
    n_estimators: int = 20
    max_samples: float = 0.9
    _: KW_ONLY
    aggregate: str = "weights"
    stratify: bool = False
    importance_getter: ImportanceGetter = "auto"
    threshold: float = 0.01
    random_state: RandomStateLike = None

    scale = "range"  # only for the check of the data; the base has a scaling of its own

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_estimators", self.n_estimators)
        check_choice("aggregate", self.aggregate, ("weights", "ranks"))
        if not hasattr(self._base(), "fit"):
            raise ValueError(f"base must be an estimator with a method fit; got {self.base!r}.")

    def _base(self) -> Any:
        return FREL(n_neighbors=10) if self.base is None else self.base

    def _weigh(self, features: Features, target: Target) -> Weighed:
        weights = np.array(self._members(features.raw_values(), target))
        shown = _rank_weights(weights) if self.aggregate == "ranks" else weights
        selected = [top_or_above(w, self.threshold, self.max_features) for w in shown]
        learned = {
            "member_weights_": weights,
            "weights_std_": shown.std(axis=0),
            "selection_frequency_": np.mean(selected, axis=0),
        }
        return Weighed(shown.mean(axis=0), learned)

    def _members(self, X: NDArray, target: Target) -> list[NDArray]:
        """Weights of every member. Subsets and seeds are drawn before any member is fitted."""
        base, rng = self._base(), as_generator(self.random_state)
        if self.categorical is not None:
            base = with_nominal(base, self._nominal())
        size = subset_size("max_samples", self.max_samples, len(target))
        kinds = target.alone.kinds if self.stratify else None
        answers, samples = target.answers, samples_of(target)
        calls = [
            delayed(_member_weights)(
                _seeded(base, rng),
                X,
                answers,
                random_subset(len(target), size, rng, kinds),
                self.importance_getter,
                samples,
            )
            for _ in range(self.n_estimators)
        ]
        progress = Progress() if self.verbose else None
        return list(each_result(calls, self.n_jobs, progress, "members"))


def _seeded(base: Any, rng: np.random.Generator) -> Any:
    """A clone of the base with a seed of its own, if it takes one."""
    member = clone(base)
    seed = int(rng.integers(2**31))
    names = [name for name in member.get_params() if name.split("__")[-1] == "random_state"]
    return member.set_params(**dict.fromkeys(names, seed))


def _member_weights(
    member: Any,
    X: NDArray,
    y: NDArray,
    rows: NDArray,
    getter: ImportanceGetter,
    samples: PerSample,
) -> NDArray:
    return feature_weights(member.fit(X[rows], y[rows], **samples.of(rows).given()), getter)


def _rank_weights(W: NDArray) -> NDArray:
    """Ranks within each row, from 1 for the largest to 0 for the smallest; equal ones share."""
    return (rankdata(W, axis=1) - 1) / max(W.shape[1] - 1, 1)
