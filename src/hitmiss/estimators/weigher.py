"""The weigher, the part of a selector that finds the weights, and the data opened for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from numpy.typing import NDArray

from hitmiss._util.workers import one_blas_thread
from hitmiss.data.features import Features
from hitmiss.inference.statistic import Statistic
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
