"""The contract of every selector: validate, open, weigh, rank, select, transform."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, clone, is_regressor
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hitmiss._util.alignment import joined, named_columns, without_named
from hitmiss._util.any_estimator import PER_SAMPLE, takes
from hitmiss._util.checks import as_bytes, check_choice, check_count, check_positive
from hitmiss._util.errors import warn
from hitmiss._util.progress import Progress, announce, elapsed
from hitmiss._util.ties import ZERO, comparable
from hitmiss._util.workers import Workers, n_threads, one_blas_thread
from hitmiss.data import sizes
from hitmiss.data.categories import Categories, as_numbers, unmasked
from hitmiss.data.features import Features
from hitmiss.data.sources import Source
from hitmiss.data.views import Observed
from hitmiss.estimators.target_kinds import NOTHING, ForClasses, ForNumbers, PerSample, with_samples
from hitmiss.estimators.validation import (
    Columns,
    all_or_nothing,
    check_kind,
    checked_pair,
    forget,
    opened_columns,
    read_features,
    source_of,
    stand_in,
)
from hitmiss.inference.permutation import Statistic
from hitmiss.targets.target import Target


@dataclass(frozen=True)
class Weighed:
    """Weights of the features, and the other fitted attributes by name."""

    weights: NDArray
    learned: dict[str, Any] = field(default_factory=dict)

    @property
    def scores(self) -> NDArray:
        """Numbers that rank features of equal weight."""
        found: NDArray = self.learned.get("scores_", self.weights)
        return found


class Weigher(ABC):
    """Finds the weights of features for a target; made from the parameters of a selector.

    A subclass implements `weigh`. One that can do better for many targets of the same features,
    such as permuted labels or every class against the rest, overrides the others.
    """

    uses_blas = True  # whether `weigh` has products or factorizations of matrices
    refines = False  # whether there are statistics beside features that are known

    @abstractmethod
    def weigh(self, features: Features, target: Target) -> Weighed:
        """Weights for one target."""

    def weigh_each(self, features: Features, targets: Iterable[Target]) -> Iterator[Weighed]:
        """Weights for each of the targets: for `Markers`."""
        for target in targets:
            yield self.weigh(features, target)

    def shared(self, features: Features, targets: Iterable[Target]) -> Any:
        """Return what the statistics of all labels share, learned from some permuted ones."""
        return None

    def statistics(
        self, features: Features, targets: Iterable[Target], shared: Any
    ) -> Iterator[Statistic]:
        """Statistics for permutation tests, by default the weights, for each of the targets."""
        for target in targets:
            with self.blas():
                found = self.weigh(features, target)
            yield Statistic.of(found.weights)

    def refined(
        self,
        features: Features,
        target: Target,
        orders: Sequence[NDArray],
        shared: Any,
        known: NDArray,
    ) -> Iterator[NDArray]:
        """The statistics if known features keep their labels: noise beside signal."""
        raise NotImplementedError

    def blas(self) -> AbstractContextManager[None]:
        """Context of `weigh`; to set the BLAS threads takes as long as a tenth of a small fit."""
        return one_blas_thread() if self.uses_blas else nullcontext()


class Single(Weigher):
    """The weigher of a selector that has a method `_weigh` and nothing to share."""

    def __init__(self, weigh: Callable[[Features, Target], Weighed]):
        self._weigh = weigh

    def weigh(self, features: Features, target: Target) -> Weighed:
        """Weights for one target."""
        return self._weigh(features, target)


class Opened(NamedTuple):
    """Data that were validated and opened once, and what weighs their features.

    What does not depend on the labels serves for all of their orders, as `hitmiss.inference` asks.
    """

    features: Features
    target: Target
    weigher: Weigher

    def shared(self, orders: Iterable[NDArray]) -> Any:
        """Return what the statistics of all orders share, learned from some of them."""
        return self.weigher.shared(self.features, self._relabeled(orders))

    def statistics(self, orders: Iterable[NDArray], shared: Any) -> Iterator[Statistic]:
        """The statistic of every feature under each order of the labels."""
        return self.weigher.statistics(self.features, self._relabeled(orders), shared)

    @property
    def refines(self) -> bool:
        """Whether there are statistics beside features that are known."""
        return self.weigher.refines

    def refined(self, orders: Sequence[NDArray], shared: Any, known: NDArray) -> Iterator[NDArray]:
        """The statistics if features that are known keep their labels."""
        return self.weigher.refined(self.features, self.target, orders, shared, known)

    def _relabeled(self, orders: Iterable[NDArray]) -> Iterator[Target]:
        return (self.target.relabeled(order) for order in orders)


NO_FEATURES: Any = None  # are nominal


@dataclass(eq=False, repr=False, kw_only=True)
class Selector(SelectorMixin, BaseEstimator):
    """Base of all selectors: a subclass has parameters, a `_weigher` and a `_kind` of target.

    A method that has nothing to share among many targets may implement `_weigh` instead.

    Weights may be negative: they rank, and are never selected by `threshold`.
    """

    max_features: int | None = None
    n_jobs: int | None = None
    verbose: bool = False

    missing, categorical = "error", NO_FEATURES  # where the estimator has no such parameters
    _missing_rules: ClassVar[tuple[str, ...]] = ("mean-difference", "error")  # for `missing`
    _out_of_core = False  # whether data may stay on disk, under the limit `memory`
    # What a pair of samples takes for each feature, at least and at most, where it is known.
    _pair_nanoseconds: ClassVar[tuple[float, float] | None] = None

    @property
    def _kind(self) -> ForClasses:
        """The kind of target: what y is, and what becomes of it."""
        return ForClasses()

    def _weigher(self) -> Weigher:
        """The weigher, of an estimator that has seen the data."""
        return Single(self._weigh)

    @property
    def explains(self) -> str:
        """Kind of y: "classes", "numbers" or "survival"."""
        return self._kind.explains

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what `fit` takes of every sample."""
        return PER_SAMPLE

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        covariates: ArrayLike | None = None,
    ) -> Self:
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Any memory layout; float32 is worked on as it is.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), default=None
            What a sample counts for in the loss or the average. A sample of weight zero is still
            the hit or the miss of others.
        groups : array-like of shape (n_samples,), default=None
            Samples of one group, such as cells of a donor, are no neighbors of each other.
        strata : array-like of shape (n_samples,), default=None
            Neighbors come from the same stratum, such as a batch or a site.
        covariates : array-like of shape (n_samples,) or (n_samples, n_covariates), default=None
            Numbers such as the age: neighbors count the less the more they differ in these, by
            ``exp(-sum_k |c_nk - c_ik| / h_k)`` with h_k the standard deviation.

        Returns
        -------
        self : object
            The fitted selector.
        """
        samples = PerSample(sample_weight, groups, strata, covariates)
        for name in samples.given():
            if name not in self.fit_takes:
                raise ValueError(self._refusal(name))
        with all_or_nothing(self):
            forget(self)
            with elapsed(type(self).__name__) if self.verbose else nullcontext():
                # 1. Validate X, y and what else is given, and encode them.
                data, target = self._validated(X, y, samples)
                # 2. Open the data: one object that gives features, wherever they are.
                if self.verbose:
                    self._announce(data.shape)
                opened = self._open(data, target)
                # 3. Weigh the features.
                with opened.weigher.blas():
                    found = opened.weigher.weigh(opened.features, target)
                # 4. Set the fitted attributes.
                return self._take(found)

    def transform(self, X: ArrayLike) -> Any:
        """Reduce X to the selected features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Of data that are not in memory only the selected features are read.

        Returns
        -------
        X_r : ndarray, sparse matrix or data frame of shape (n_samples, n_selected_features)
            The samples with only the selected features; sparse if X is a sparse matrix.
        """
        X = without_named(self, X)
        source = None if issparse(X) else source_of(self, X)
        if source is None:
            return super().transform(unmasked(X))
        selected = self.get_support(indices=True)
        if not len(selected):
            warn("No features were selected; lower threshold, or set max_features.")
        return read_features(self, source, selected)

    @available_if(lambda self: weighs(self))
    def opened(self, X: ArrayLike, y: ArrayLike, **samples: Any) -> Opened:
        """Validate and open data once, for many fits to them: for `hitmiss.inference`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels, or what else the estimator explains.
        **samples : array-like
            What `fit` takes of every sample.
        """
        model = clone(self)
        return model._open(*model._validated(X, y, PerSample(**samples)))

    def _announce(self, shape: tuple[int, ...]) -> None:
        """Say how long a fit to data of this shape takes, if that may be long."""
        if self._pair_nanoseconds is not None:
            announce(type(self).__name__, shape, self._pair_nanoseconds, n_threads(self.n_jobs))

    def _take(self, found: Weighed) -> Self:
        """Set the fitted attributes."""
        self.weights_ = found.weights
        self.__dict__.update(found.learned)
        largest = self.weights_.max()
        self.feature_importances_ = self.weights_ / (largest if largest > 0 else 1.0)
        return self

    def _refusal(self, name: str) -> str:
        """Why `fit` does not take what is given by this name, and what to do."""
        if hasattr(self, "base"):
            return (
                f"The base of {type(self).__name__} takes no {name}; leave it out, or use another "
                "base."
            )
        return (
            f"{type(self).__name__} looks at one hit and one miss, which {name} cannot weigh; give "
            "strata instead, or use a method of several neighbors."
        )

    def _validated(
        self, X: ArrayLike, y: ArrayLike, samples: PerSample = NOTHING
    ) -> tuple[NDArray | Source, Target]:
        """X as an array, or as what reads it, and the target."""
        self._check_parameters()
        given = samples.given()
        names = named_columns(X, y, **given)
        if names:
            self.named_columns_ = names
        X, y, beside = joined(X, y, **given)
        check_kind(X)
        y = self._kind.checked(y)
        source = source_of(self, X)
        numbers, categories = as_numbers(X if source is None else source, self.categorical)
        data, labels = checked_pair(self, numbers if source is None else stand_in(source), y)
        if source is not None and source.names is not None:
            self.feature_names_in_ = source.names
        if self.categorical is not None:
            self.categories_: Categories = categories
        weight = getattr(self, "class_weight", None)
        target = with_samples(self._kind.target(labels), PerSample(**beside), weight)
        self.__dict__.update(self._kind.names(target))
        self._check_width(data.shape[1])
        return data if source is None else source, target

    def _see(self, other: Any, index: NDArray | None = None) -> Self:
        """Take over what another estimator has seen of the data, or of the features at `index`."""
        n_features, categories = other.n_features_in_, getattr(other, "categories_", {})
        if index is not None:
            n_features, categories = len(index), categories_at(other, index)
        self.n_features_in_ = n_features
        if hasattr(other, "categories_"):
            self.categories_ = categories
        if hasattr(other, "n_missing_"):
            self.n_missing_ = other.n_missing_ if index is None else other.n_missing_[index]
        return self

    def _open(self, data: NDArray | Source, target: Target) -> Opened:
        """Open data that have been validated."""
        workers = Workers(self.n_jobs, Progress() if self.verbose else None)
        return Opened(self._features(data, workers), target, self._weigher())

    def _features(self, data: NDArray | Source, workers: Workers) -> Features:
        names = getattr(self, "feature_names_in_", None)
        matrices = self._matrices(data.shape[0])
        columns = Columns(self.scale, self.missing, self._nominal())
        features, self.n_missing_ = opened_columns(
            data, columns, workers, names, self._memory_limit(), matrices
        )
        pairwise = self.missing == "pairwise" and self.n_missing_.any()
        return Observed(features) if pairwise else features

    def _matrices(self, n_samples: int) -> int:
        """Numbers per pair of samples that a fit holds."""
        return sizes.MATRICES

    def _nominal(self) -> NDArray | None:
        """The nominal features, if there are any."""
        found: Categories = getattr(self, "categories_", {})
        return np.array(sorted(found), np.intp) if found else None

    def _memory_limit(self) -> int | None:
        limited = self._out_of_core and self.memory is not None
        return as_bytes("memory", self.memory) if limited else None

    def _scores(self) -> NDArray:
        """Numbers that rank features of equal weight."""
        return getattr(self, "scores_", self.weights_)

    @property
    def ranking_(self) -> NDArray:
        """All features, best first."""
        return best_first(self.weights_, self._scores())

    def _check_parameters(self) -> None:
        self._kind.check()
        check_choice("scale", self.scale, ("range", None))
        check_choice("missing", self.missing, self._missing_rules)
        if self.threshold != 0:
            check_positive("threshold", self.threshold)
        if self.max_features is not None:
            check_count("max_features", self.max_features)
        self._memory_limit()

    def _check_width(self, n_features: int) -> None:
        if self.max_features is not None and self.max_features > n_features:
            raise ValueError(
                f"max_features={self.max_features} is more than the {n_features} features of X."
            )

    def _get_support_mask(self) -> NDArray:
        check_is_fitted(self)
        if self.max_features is None:
            return self.feature_importances_ > self.threshold + ZERO
        mask = np.zeros(len(self.weights_), bool)
        mask[self.ranking_[: self.max_features]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = self._out_of_core
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


class AroundBase(Selector):
    """A selector around another estimator, which decides what y is; a subclass has `_base`."""

    @abstractmethod
    def _base(self) -> Any:
        """The estimator inside."""

    @property
    def _kind(self) -> ForClasses:
        base = self._base()
        if isinstance(base, Selector):
            return base._kind
        numbers = hasattr(base, "__sklearn_tags__") and is_regressor(base)
        return ForNumbers() if numbers else ForClasses()

    @property
    def fit_takes(self) -> tuple[str, ...]:
        """Names of what the fit of the base takes of every sample."""
        return tuple(name for name in PER_SAMPLE if takes(self._base(), name))

    @property
    def missing(self) -> str:  # type: ignore[override]
        """Treatment of missing values, as in the base."""
        return getattr(self._base(), "missing", "error")

    @property
    def categorical(self) -> Any:
        """Nominal features, as in the base."""
        return getattr(self._base(), "categorical", None)

    @property
    def _missing_rules(self) -> tuple[str, ...]:  # type: ignore[override]
        found: tuple[str, ...] = getattr(self._base(), "_missing_rules", Selector._missing_rules)
        return found


class OutOfCoreAsBase(AroundBase):
    """An `AroundBase` for data that may stay on disk, if they may for the base."""

    @property
    def _out_of_core(self) -> bool:  # type: ignore[override]
        return getattr(self._base(), "_out_of_core", False)

    @property
    def memory(self) -> int | str | None:
        """The limit on memory of the base."""
        return getattr(self._base(), "memory", None)


def with_nominal(estimator: Any, index: NDArray | list[int] | None) -> Any:
    """A clone that takes the features at `index` for nominal, wherever it has such a parameter.

    For data whose words are codes already.

    Parameters
    ----------
    estimator : estimator
        Not changed.
    index : ndarray of int or None
        The nominal features; None for none.
    """
    member = clone(estimator)
    names = [name for name in member.get_params() if name.split("__")[-1] == "categorical"]
    return member.set_params(**dict.fromkeys(names, index))


def weighs(estimator: Any) -> bool:
    """Whether the estimator is a selector of this library that weighs features itself."""
    if not isinstance(estimator, Selector):
        return False
    return hasattr(estimator, "_weigh") or type(estimator)._weigher is not Selector._weigher


def categories_at(selector: Any, index: NDArray) -> Categories:
    """Levels of the nominal features among those at `index`, by their place there."""
    found: Categories = getattr(selector, "categories_", {})
    return {k: found[j] for k, j in enumerate(index.tolist()) if j in found}


def best_first(weights: NDArray, scores: NDArray) -> NDArray:
    """Features by weight, those of equal weight by score, then in the order of X."""
    weights = comparable(weights)
    order = np.argsort(-weights)  # quick, but of equal weights any may come first
    ordered = weights[order]
    if (ordered[1:] == ordered[:-1]).any():
        return np.lexsort((-comparable(scores), -weights))
    return order
