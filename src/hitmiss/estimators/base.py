"""The template of the methods: validate, open the data, weigh, rank."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from typing import Any, Self

from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from hitmiss._util.progress import Progress, announce, elapsed
from hitmiss._util.workers import Workers, one_blas_thread
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.data.sources import Source
from hitmiss.data.views import Observed
from hitmiss.estimators.per_sample import NOTHING, PerSample
from hitmiss.estimators.selector import Selector
from hitmiss.estimators.validation import Columns, all_or_nothing, forget, opened_columns
from hitmiss.inference.statistic import Statistic
from hitmiss.targets.classes import AnyTarget


class BaseSelector(Selector):
    """Base of the methods: a subclass implements `_weigh`."""

    # What a pair of samples takes for each feature, at least and at most, where it is known.
    _pair_nanoseconds: tuple[float, float] | None = None
    _uses_blas = True  # whether `_weigh` has products or factorizations of matrices

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Weigh the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples. Any memory layout; float32 is worked on as it is.
        y : array-like of shape (n_samples,)
            Class labels of any type.

        Returns
        -------
        self : object
            The fitted selector.
        """
        return self._fit(X, y, NOTHING)

    def _fit(self, X: ArrayLike, y: ArrayLike, samples: PerSample) -> Self:
        shown = bool(self.verbose)
        with all_or_nothing(self), self._blas(), elapsed(type(self).__name__, shown=shown):
            forget(self)
            data, target = self._validated(X, y, samples)
            workers = self._workers()
            if shown and self._pair_nanoseconds is not None:
                label = type(self).__name__
                announce(label, data.shape, self._pair_nanoseconds, workers.n_threads)
            self.weights_ = self._weigh(self._features(data, workers), target)
            return self._ranked()

    def shared_by_labels(
        self, X: ArrayLike, y: ArrayLike, orders: Sequence[NDArray], **samples: Any
    ) -> Any:
        """What the statistics of all labels share: for `hitmiss.inference.permutation_test`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        orders : sequence of ndarray of shape (n_samples,)
            Permutations to learn it from.
        **samples : array-like
            What `fit` takes of every sample, which stays in place.
        """
        return None

    def label_statistics(
        self, X: ArrayLike, y: ArrayLike, orders: Sequence[NDArray], shared: Any, **samples: Any
    ) -> Iterator[Statistic]:
        """The statistic of every feature under ``y[order]`` for each of the orders.

        What does not depend on the labels is found once. The selector itself is not fitted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Class labels.
        orders : sequence of ndarray of shape (n_samples,)
            Orders of the labels.
        shared : object
            As from `shared_by_labels`.
        **samples : array-like
            What `fit` takes of every sample, which stays in place.
        """
        model, features, target = self._opened(X, y, **samples)
        yield from model._statistics(
            features, (target.relabeled(order) for order in orders), shared
        )

    def _opened(
        self, X: ArrayLike, y: ArrayLike, **samples: Any
    ) -> tuple[Self, Features, AnyTarget]:
        """A clone that has seen the data, the features and the target."""
        model = clone(self)
        data, target = model._validated(X, y, PerSample(**samples))
        return model, model._features(data, model._workers()), target

    def _statistics(
        self, features: Features, targets: Iterable[AnyTarget], shared: Any
    ) -> Iterator[Statistic]:
        """The statistic under each of the targets: the weights."""
        for target in targets:
            with self._blas():
                weights = self._weigh(features, target)
            yield Statistic.of(weights)

    def _shared_by_targets(self, features: Features, targets: Iterable[AnyTarget]) -> Any:
        """The same as `shared_by_labels`, from targets of opened data."""
        return None

    def _weigh_each(self, features: Features, targets: Iterable[AnyTarget]) -> Iterator[Self]:
        """A copy with the weights under each of the targets: for `Markers`."""
        for target in targets:
            model = copy(self)
            model._set_target(target)
            model.weights_ = model._weigh(features, target)
            yield model._ranked()

    @abstractmethod
    def _weigh(self, features: Features, target: AnyTarget) -> NDArray:
        """Weights of the features, and whatever else the method learns as attributes."""

    def _blas(self) -> AbstractContextManager[None]:
        """Where `_weigh` runs; to set the BLAS threads takes as long as a tenth of a small fit."""
        return one_blas_thread() if self._uses_blas else nullcontext()

    def _workers(self) -> Workers:
        return Workers(self.n_jobs, Progress() if self.verbose else None)

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
