"""Ensemble: one selector on many random subsets of the samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import clone

from hitmiss._util.any_estimator import (
    PER_SAMPLE,
    ImportanceGetter,
    feature_weights,
    takes,
    top_or_above,
)
from hitmiss._util.checks import check_choice, check_count
from hitmiss._util.progress import Progress
from hitmiss._util.random import RandomStateLike, as_generator, random_subset, subset_size
from hitmiss._util.workers import each_result
from hitmiss.data.features import Features
from hitmiss.estimators.comparing import ComparingSelector
from hitmiss.estimators.delegated import AroundBase, with_nominal
from hitmiss.estimators.frel import FREL
from hitmiss.estimators.per_sample import PerSample, samples_of
from hitmiss.targets.classes import AnyTarget


class Ensemble(AroundBase, ComparingSelector):
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

    scale = "range"  # only for the check of the data; the base has a scaling of its own

    def __init__(
        self,
        base: Any = None,
        n_estimators: int = 20,
        max_samples: float = 0.9,
        *,
        aggregate: str = "weights",
        stratify: bool = False,
        importance_getter: ImportanceGetter = "auto",
        threshold: float = 0.01,
        max_features: int | None = None,
        n_jobs: int | None = None,
        random_state: RandomStateLike = None,
        verbose: bool = False,
    ):
        self.base = base
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.aggregate = aggregate
        self.stratify = stratify
        self.importance_getter = importance_getter
        self.threshold = threshold
        self.max_features = max_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_count("n_estimators", self.n_estimators)
        check_choice("aggregate", self.aggregate, ("weights", "ranks"))
        if not hasattr(self._base(), "fit"):
            raise ValueError(f"base must be an estimator with a method fit; got {self.base!r}.")

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what the fit of the base takes of every sample."""
        return tuple(name for name in PER_SAMPLE if takes(self._base(), name))

    def _base(self) -> Any:
        return FREL(n_neighbors=10) if self.base is None else self.base

    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        self.member_weights_ = np.array(self._members(features.raw_values(), target))
        shown = self.member_weights_
        if self.aggregate == "ranks":
            shown = _rank_weights(shown)
        self.weights_std_ = shown.std(axis=0)
        self.selection_frequency_ = np.mean([self._selected(w) for w in shown], axis=0)
        return shown.mean(axis=0)

    def _members(self, X: NDArray, target: AnyTarget) -> list[NDArray]:
        """Weights of every member. Subsets and seeds are drawn before any member is fitted."""
        rng, nominal = as_generator(self.random_state), self._nominal()
        base = self._base() if self.categorical is None else with_nominal(self._base(), nominal)
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

    def _selected(self, weights: NDArray) -> NDArray:
        return top_or_above(weights, self.threshold, self.max_features)


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
