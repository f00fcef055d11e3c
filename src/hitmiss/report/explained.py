"""The target in a report: classes, numbers, or times until an event."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn.utils import column_or_1d

from hitmiss.metrics import Score
from hitmiss.plotting._rounding import LARGEST_DRAWN, ROUNDING
from hitmiss.report.feature_columns import Column, class_columns, correlation_column
from hitmiss.report.figure_data import margin_data
from hitmiss.report.fitted import Fitted, Names, class_names
from hitmiss.report.json_values import number_text, rounded_within
from hitmiss.report.panel_data import half_data, strip_data
from hitmiss.report.quality import judged, judged_score
from hitmiss.targets.numbers import checked_numbers
from hitmiss.targets.survival import Survival, checked_survival, kaplan_meier

N_GROUPS = 3  # of numbers or times, low to high: more colors are hard to tell apart
DIGITS = range(4, 18)  # of the ends of a third: four, or more where names would be the same
ALONE = "A feature that matters only together with others may have 0."


class Explained(ABC):
    """The target of a fit as a report shows it, with the samples.

    Figures color the samples by groups, and the table of features has columns of its own.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    codes : ndarray of shape (n_samples,)
        Group of each sample as an integer from 0.
    groups : list of str
        Names of the groups.
    """

    by: str  # what the groups are made of
    measure: str  # of a prediction
    notes: tuple[str, ...] = ()  # on the columns

    def __init__(self, X: Any, codes: NDArray, groups: list[str]):
        self.X, self.codes, self.groups = X, codes, groups

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Facts about the target."""

    @abstractmethod
    def columns(self, rows: NDArray) -> list[Column]:
        """Columns on the features at the positions `rows` that depend on the target."""

    @abstractmethod
    def figures(self, estimator: Any, fitted: Fitted, names: Names) -> dict[str, Any]:
        """Data of the figures that only this target has."""

    @abstractmethod
    def judged(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Cross-validated result, compared with guessing."""


class ShownClasses(Explained):
    """Classes, which are the groups."""

    by, measure = "class", "error"

    def __init__(self, X: Any, y: ArrayLike, nominal: list[int]):
        labels, codes = np.unique(np.asarray(y), return_inverse=True)
        super().__init__(X, codes, class_names(labels))
        self.nominal = nominal

    def facts(self) -> dict[str, Any]:
        """The size of every class."""
        sizes = zip(self.groups, np.bincount(self.codes).tolist(), strict=True)
        return {"classes": [{"label": name, "n_samples": n} for name, n in sizes]}

    def columns(self, rows: NDArray) -> list[Column]:
        """Class in which each feature is highest, and its mean in every class."""
        return class_columns((self.X, self.codes), self.groups, self.nominal, rows)

    def figures(self, estimator: Any, fitted: Fitted, names: Names) -> dict[str, Any]:
        """The margins of the samples, of a method that has them."""
        return {"margins": margin_data(estimator, fitted, (self.X, self.codes), names)}

    def judged(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """The error beside that of guessing."""
        error, n_folds = _fields(found, ("error", "n_folds"))
        return judged(error, n_folds, self.codes)


class Ordered(Explained):
    """A target from low to high, in thirds.

    Parameters
    ----------
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    scale : ndarray of shape (n_samples,)
        What orders them.
    nominal : list of int
        Positions of the features that have no order.
    """

    def __init__(self, X: Any, scale: NDArray, nominal: list[int]):
        shares = (rankdata(scale) - 0.5) / len(scale)
        thirds, codes = np.unique((N_GROUPS * shares).astype(int), return_inverse=True)
        members = [codes == i for i in range(len(thirds))]
        super().__init__(X, codes, class_names(self.named(thirds.tolist(), members)))
        self.scale, self.nominal = scale, nominal

    @abstractmethod
    def named(self, thirds: list[int], members: list[NDArray]) -> list[str]:
        """The names of the thirds, which have these members."""

    def columns(self, rows: NDArray) -> list[Column]:
        """The rank correlation of each feature with the target."""
        return [correlation_column(self.X, self.scale, self.nominal, rows)]

    def judged(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """The score beside that of guessing."""
        *score, n_folds = _fields(found, (*Score._fields, "n_folds"))
        return judged_score(Score(*score), n_folds)

    def _drawn(self, fitted: Fitted) -> NDArray:
        """The selected features that have an order, best first."""
        return fitted.selected[~np.isin(fitted.selected, self.nominal)]

    def _told(self, panels: dict[str, Any] | None, fitted: Fitted) -> dict[str, Any] | None:
        """Panels, with the number of selected features left out because they have no order."""
        n_nominal = int(np.isin(fitted.selected, self.nominal).sum())
        return None if panels is None else {**panels, "n_nominal": n_nominal}


class ShownNumbers(Ordered):
    """Numbers."""

    by, measure = "y", "R²"
    notes = (f"The rank correlation is above 0 if y rises with the feature. {ALONE}",)

    def __init__(self, X: Any, y: ArrayLike, nominal: list[int]):
        self.values = checked_numbers(y)
        super().__init__(X, self.values, nominal)

    def named(self, thirds: list[int], members: list[NDArray]) -> list[str]:
        """Names from the smallest number to the largest, with enough digits to differ."""
        own = [self.values[member] for member in members]
        ends = [(y.min(), y.max()) for y in own]
        for digits in DIGITS:
            names = [_from_to(rounded_within(pair, self.values, digits)) for pair in ends]
            if len(set(names)) == len(names):
                break
        return names

    def facts(self) -> dict[str, Any]:
        """The extent of the numbers."""
        y = self.values
        unit = 1.0 if np.abs(y).max() <= LARGEST_DRAWN else 2.0  # the sum of two would overflow
        ends = (y.min(), unit * np.median(y / unit), y.max())
        low, middle, high = rounded_within(ends, y, 5)
        about = {"Smallest y": low, "Median of y": middle, "Largest y": high}
        return {"classes": [], "about": about}

    def figures(self, estimator: Any, fitted: Fitted, names: Names) -> dict[str, Any]:
        """The best features against the numbers."""
        found = strip_data(self.X, self.values, self._drawn(fitted), names.features)
        return {"strips": self._told(found, fitted)}


class ShownTimes(Ordered):
    """Times until an event, ordered by when it is expected."""

    by, measure = "expected time", "concordance"
    notes = (f"The rank correlation is below 0 if high values mean an early event. {ALONE}",)

    def __init__(self, X: Any, y: ArrayLike, nominal: list[int]):
        known = checked_survival(y)
        self.time, self.event = known["time"], known["event"]
        super().__init__(X, Survival(self.time, self.event).expected_ranks, nominal)

    def named(self, thirds: list[int], members: list[NDArray]) -> list[str]:
        """Names in words, because the time of a censored sample is unknown."""
        return [("early", "middle", "late")[third] for third in thirds]

    def facts(self) -> dict[str, Any]:
        """Number of events, and the time by which half of all samples have had theirs."""
        # A share of exactly one half is a product of fractions, and rounding may leave it above.
        half = kaplan_meier(self.time, self.event) <= 0.5 * (1 + ROUNDING)
        n = int(self.event.sum())
        about: dict[str, Any] = {"Events": n, "Censored": len(self.event) - n}
        if half.any():
            about["Median time"] = rounded_within([self.time[half].min()], self.time, 5)[0]
        return {"classes": [], "about": about}

    def figures(self, estimator: Any, fitted: Fitted, names: Names) -> dict[str, Any]:
        """Survival of samples in the lower and in the upper half of the best features."""
        times = (self.time, self.event)
        found = half_data(self.X, times, self._drawn(fitted), names.features)
        return {"halves": self._told(found, fitted)}


def _fields(found: Mapping[str, Any], names: tuple[str, ...]) -> list[Any]:
    """Values of what cross-validation has found, or an error that names those that are missing."""
    if missing := [repr(name) for name in names if name not in found]:
        *others, last = missing
        listed = f"{', '.join(others)} and {last}" if others else last
        raise ValueError(f"cross_validation must hold {listed} as well; see summarize.")
    return [found[name] for name in names]


def _from_to(ends: list[float | None]) -> str:
    return " to ".join(number_text(end) for end in ends if end is not None)


SHOWN: dict[str, Callable[[Any, ArrayLike, list[int]], Explained]] = {
    "classes": ShownClasses,
    "numbers": ShownNumbers,
    "survival": ShownTimes,
}


def explained_by(estimator: Any, X: Any, y: ArrayLike) -> Explained:
    """The target of a fit as a report shows it.

    Parameters
    ----------
    estimator : object
        Fitted; what does not say what it explains is taken to explain classes.
    X : array, data frame or sparse matrix of shape (n_samples, n_features)
        Samples.
    y : array-like
        What the estimator was fitted on.

    Examples
    --------
    >>> from hitmiss import RReliefF
    >>> X = [[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 0.0], [5.0, 1.0], [6.0, 1.0]]
    >>> y = [1.0, 5.0, 9.0, 14.0, 18.0, 22.0]
    >>> found = explained_by(RReliefF().fit(X, y), np.array(X), y)
    >>> found.groups
    ['1 to 5', '9 to 14', '18 to 22']
    >>> found.columns(np.array([0])).pop().values
    array([1.])
    """
    nominal = sorted(getattr(estimator, "categories_", {}))
    explains = getattr(estimator, "explains", "classes")
    return SHOWN[explains](X, y if explains == "survival" else column_or_1d(y), nominal)
