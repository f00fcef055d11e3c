"""What estimators around another one hand on to it: what y is, the treatment of its columns."""

from abc import abstractmethod
from typing import Any

from numpy.typing import NDArray
from sklearn.base import clone, is_regressor
from sklearn.utils import get_tags

from hitmiss.data.categories import as_numbers
from hitmiss.estimators.regressor import LikenessMixin
from hitmiss.estimators.selector import Selector
from hitmiss.estimators.validation import works_out_of_core
from hitmiss.targets.classes import AnyTarget


class AroundBase(Selector):
    """A selector around another estimator, which decides what y is; a subclass has `_base`."""

    @abstractmethod
    def _base(self) -> Any:
        """The estimator inside."""

    @property
    def explains(self) -> str:  # type: ignore[override]
        """What y is: as the base has it."""
        return self._knowing_y().explains

    @property
    def missing(self) -> str:  # type: ignore[override]
        """What becomes of missing values: as the base has it."""
        return getattr(self._base(), "missing", "error")

    @property
    def categorical(self) -> Any:
        """The nominal features: as the base has it."""
        return getattr(self._base(), "categorical", None)

    def _rules_of_missing(self) -> tuple[str, ...]:
        return self._knowing_y()._rules_of_missing()

    def _checked_y(self, y: Any) -> Any:
        return self._knowing_y()._checked_y(y)

    def _target_of(self, y: Any) -> AnyTarget:
        return self._knowing_y()._target_of(y)

    def _set_target(self, target: AnyTarget) -> None:
        if self.explains == "classes":
            super()._set_target(target)

    def _knowing_y(self) -> Selector:
        """The base if it is a selector of ours, else one for what y is to it."""
        base = self._base()
        if isinstance(base, Selector):
            return base
        numbers = hasattr(base, "__sklearn_tags__") and is_regressor(base)
        return _OfNumbers() if numbers else Selector()


class OutOfCoreAsBase(AroundBase):
    """The same for data that may stay where they are, if they may for the base."""

    @property
    def _out_of_core(self) -> bool:
        return works_out_of_core(self._base())

    @property
    def memory(self) -> int | str | None:
        """The limit on memory of the base."""
        return getattr(self._base(), "memory", None)


class _OfNumbers(LikenessMixin, Selector):
    """What knows that y are numbers; how far they are alike is up to those who ask."""

    tau = 1.0


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
