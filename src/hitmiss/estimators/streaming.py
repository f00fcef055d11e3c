"""The base of the online selectors: partial_fit, late classes, ranges, a memory."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from hitmiss._util.alignment import aligned
from hitmiss._util.progress import Progress
from hitmiss._util.random import as_generator
from hitmiss._util.workers import Workers, one_blas_thread
from hitmiss.data.blockwise import working_dtype
from hitmiss.data.features import Features
from hitmiss.data.scaling import range_factor
from hitmiss.estimators.selector import Selector, Weighed
from hitmiss.estimators.validation import all_or_nothing, check_kind
from hitmiss.online.reservoir import Reservoir
from hitmiss.online.sample_margin import Sample
from hitmiss.targets.target import Target


class StreamSelector(Selector):
    """Base of the selectors that learn from one sample at a time.

    A subclass implements `_begin` and `_advance`, and calls `_reset` in its `_learn_all`.
    """

    fit_takes = ()
    classes_: NDArray

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:  # type: ignore[override]
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
        return super().fit(X, y)

    def _weigh(self, features: Features, target: Target) -> Weighed:
        model = copy(self)  # which learns; the weigher of a fit changes nothing
        model.classes_ = target.classes.labels
        known = vars(model).copy()
        w = model._learn_all(features, target)
        learned = {k: value for k, value in vars(model).items() if value is not known.get(k)}
        return Weighed(w, learned)

    @abstractmethod
    def _learn_all(self, features: Features, target: Target) -> NDArray:
        """Weights learned from all samples, and whatever else the method learns as attributes."""

    @abstractmethod
    def _begin(self, n_features: int) -> None:
        """Forget everything learned."""

    @abstractmethod
    def _advance(self, samples: list[Sample], workers: Workers) -> None:
        """Learn from samples that are in the memory already, and set `weights_`."""

    def _partial_fit(
        self, X: ArrayLike, y: ArrayLike, capacity: int, classes: ArrayLike | None = None
    ) -> Self:
        """Check a batch, and only then learn from it: from all of it, or not at all."""
        with all_or_nothing(self, self._restorer()), one_blas_thread():
            self._check_parameters()
            X, y, _ = aligned(X, y)
            check_kind(X)
            fresh = not hasattr(self, "_memory")
            data, labels = validate_data(
                self, X, y, dtype="numeric", ensure_all_finite=False, reset=fresh
            )
            check_classification_targets(labels)
            self._check_width(data.shape[1])
            workers = Workers(self.n_jobs, Progress() if self.verbose else None)
            self._features(data, workers)  # refuses what is not finite
            if fresh:
                self._reset(data.shape[1], capacity)
            codes = self._coded(labels, classes)
            self._widen(data)
            self._advance(self._stored(data, codes), workers)
            self._take(Weighed(self.weights_))
        self._memory.commit()
        return self

    def _restorer(self) -> Callable[[], None]:
        """Return a function that undoes what `partial_fit` changes in place."""
        memory, history = getattr(self, "_memory", None), getattr(self, "history_", [])
        restore, n_rows = None if memory is None else memory.restorer(), len(history)

        def undo() -> None:
            del history[n_rows:]
            if restore is not None:
                restore()

        return undo

    def _reset(self, n_features: int, capacity: int) -> None:
        self._lowest, self._highest = np.full(n_features, np.inf), np.full(n_features, -np.inf)
        rng, forgetting = as_generator(self.random_state), float(getattr(self, "forgetting", 1.0))
        self._memory = Reservoir(capacity, rng, forgetting)
        self._codes: dict[Any, int] = {}
        self._fixed = False
        self._begin(n_features)

    def _coded(self, labels: NDArray, classes: ArrayLike | None = None) -> list[int]:
        """The number of each label; without fixed classes, a new one for a label not seen yet."""
        if classes is not None:
            self._fix(np.unique(np.asarray(classes)))
        self._check_kind_of_labels(labels)
        known = dict(self._codes)
        codes = [known.setdefault(label, len(known)) for label in labels.tolist()]
        if self._fixed and len(known) > len(self._codes):
            strange = next(label for label in labels.tolist() if label not in self._codes)
            raise ValueError(
                f"y holds {strange!r}, which is not among the classes given to partial_fit."
            )
        seen = [labels] if not self._codes else [self.classes_, labels]
        self.classes_, self._codes = np.unique(np.concatenate(seen)), known
        return codes

    def _check_kind_of_labels(self, labels: NDArray) -> None:
        """An error if text comes after numbers, or numbers after text: no order has both."""
        was_text = any(isinstance(label, str) for label in self._codes)
        is_text = any(isinstance(label, str) for label in labels.tolist())
        if self._codes and was_text != is_text:
            kinds = ("numbers", "text") if is_text else ("text", "numbers")
            raise ValueError(
                f"The classes so far are {kinds[0]}, and this y holds {kinds[1]}; give the labels "
                "of all batches the same type."
            )

    def _fix(self, classes: NDArray) -> None:
        """Allow no other classes from now on."""
        if self._codes and not np.array_equal(classes, self.classes_):
            raise ValueError(
                "classes differs from the classes of earlier calls; give it in the first call, "
                "or leave it out."
            )
        if not self._codes:
            self._codes = {label: code for code, label in enumerate(classes.tolist())}
        self.classes_, self._fixed = classes, True

    def _widen(self, X: NDArray) -> None:
        """The range of each feature, with the new samples, and what it is multiplied by."""
        self._lowest = np.minimum(self._lowest, X.min(axis=0).astype(float))
        self._highest = np.maximum(self._highest, X.max(axis=0).astype(float))
        self._unit = range_factor(self._lowest, self._highest)  # 0 for constants
        if self.scale is None:
            self._unit = np.where(self._highest > self._lowest, 1.0, 0.0)

    def _stored(self, X: NDArray, codes: list[int]) -> list[Sample]:
        """The samples, put into the memory, each with its place there if it has one."""
        X, first = X.astype(working_dtype(X.dtype), copy=False), self._memory.n_seen
        for x, code in zip(X, codes, strict=True):
            self._memory.add(x, code)
        place = {n: k for k, n in enumerate(self._memory.ids.tolist())}
        return [(x, codes[n], place.get(first + n, -1)) for n, x in enumerate(X)]
