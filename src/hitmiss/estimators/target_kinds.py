"""The target of a fit: y by its kind, with weights of the samples and which may be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import compute_class_weight

from hitmiss._util.alignment import check_labels, check_length, distinct_codes
from hitmiss._util.checks import check_positive
from hitmiss._util.errors import warn
from hitmiss.targets.classes import Classes, encode_labels
from hitmiss.targets.comparable import Comparable, Compared
from hitmiss.targets.numbers import Numbers, check_varied, checked_numbers
from hitmiss.targets.target import Target


class ForClasses:
    """Class labels of any type."""

    explains = "classes"
    explained = "the classes"  # in words, for warnings

    def check(self) -> None:
        """Check the parameters."""

    def checked(self, y: Any) -> Any:
        """Return y, checked and converted for scikit-learn's own checks."""
        check_labels(y)
        return y

    def target(self, y: Any) -> Target:
        """The target of a checked y."""
        return encode_labels(y)

    def names(self, target: Target) -> dict[str, Any]:
        """Fitted attributes that name what is explained."""
        return {"classes_": target.classes.labels}


@dataclass
class ForNumbers(ForClasses):
    """Numbers, alike by their ranks as far as `tau` reaches."""

    tau: float = 1.0

    explains = "numbers"
    explained = "y"

    def check(self) -> None:
        """Check the parameters."""
        check_positive("tau", self.tau)

    def checked(self, y: Any) -> Any:
        """Return y, checked and converted for scikit-learn's own checks."""
        return y if y is None or np.asarray(y).ndim == 0 else checked_numbers(y)

    def target(self, y: Any) -> Target:
        """The target of a checked y."""
        check_varied(y)
        target = Numbers(np.asarray(y, float), float(self.tau))
        if not target.has_hit.any():
            raise ValueError("No two samples are alike in y; give more samples.")
        return target

    def names(self, target: Target) -> dict[str, Any]:
        """Nothing: there are no classes to name."""
        return {}


class ForDifferences(ForNumbers):
    """Numbers, alike by their differences over the range: the target of RReliefF."""

    def target(self, y: Any) -> Target:
        """The target of a checked y."""
        check_varied(y)
        values = np.asarray(y, float)
        low, high = values.min(), values.max()
        halves = values / 2 - low / 2, high / 2 - low / 2  # whose difference cannot overflow
        return Numbers(values, 1.0, ranks=halves[0] / halves[1])


class ForMarkers(ForClasses):
    """Class labels of which each has two samples."""

    def target(self, y: Any) -> Classes:
        """The target of a checked y."""
        labels, counts = np.unique(np.asarray(y), return_counts=True)
        if len(labels) > 1 and counts.max() > 1 and counts.min() < 2:
            alone = labels[counts == 1].tolist()[0]
            raise ValueError(
                f"Class {alone!r} has a single sample, which does not show what marks it; leave it "
                "out or put it into another class."
            )
        return encode_labels(y)


ClassWeight = Mapping[Any, float] | str | None


class PerSample(NamedTuple):
    """Arguments of `fit` with a value per sample."""

    sample_weight: ArrayLike | None = None
    groups: ArrayLike | None = None
    strata: ArrayLike | None = None
    covariates: ArrayLike | None = None

    def of(self, rows: NDArray) -> PerSample:
        """Values of some samples."""
        return PerSample(*(None if value is None else np.asarray(value)[rows] for value in self))

    def given(self) -> dict[str, Any]:
        """By name, without what was not given."""
        return {
            name: value for name, value in zip(self._fields, self, strict=True) if value is not None
        }


NOTHING = PerSample()


def with_samples(target: Target, samples: PerSample, class_weight: ClassWeight = None) -> Target:
    """The target with weights of its samples, of which not all may be compared.

    Parameters
    ----------
    target : Classes or PairTarget
        What is to be explained.
    samples : PerSample
        What is given of every sample.
    class_weight : mapping, "balanced" or None
        Factors of the weights, by class.

    Returns
    -------
    Classes or PairTarget
        The same target if nothing was given that says anything.
    """
    if class_weight is None and not samples.given():
        return target
    if samples.sample_weight is not None or class_weight is not None:
        target = target.weighted(
            _weights(samples.sample_weight, len(target)), _by_class(class_weight, target)
        )
    comparable = _comparable(samples, len(target))
    if comparable is not None:
        had_margin = target.has_hit
        target = Compared(target, comparable)
        _check_margins(target, comparable, had_margin, samples)
    weights = target.weights
    if weights is not None and not weights[target.has_hit].any():
        raise ValueError(
            "sample_weight is zero for every sample that has a hit and a miss; give at least one "
            "of them a weight."
        )
    return target


def samples_of(target: Target) -> PerSample:
    """Return what was given per sample, as far as it says anything; groups and strata as codes."""
    weight, found = target.given_weights, target.comparable
    if found is None:
        return PerSample(weight)
    return PerSample(weight, found.groups, found.strata, found.covariates)


def _comparable(samples: PerSample, n_samples: int) -> Comparable | None:
    """Pairs of samples that may be compared; None for all."""
    groups, strata = (
        None if values is None else distinct_codes(name, values, n_samples)
        for name, values in (("groups", samples.groups), ("strata", samples.strata))
    )
    covariates = _covariates(samples.covariates, n_samples)
    if groups is not None and groups.max() == n_samples - 1:  # every sample its own group
        groups = None
    if strata is not None and strata.max() == 0:
        strata = None
    if groups is None and strata is None and covariates is None:
        return None
    return Comparable(groups, strata, covariates)


def _covariates(values: ArrayLike | None, n_samples: int) -> NDArray | None:
    """Covariates in units of their standard deviations, without constant ones."""
    if values is None:
        return None
    try:
        C = np.asarray(values, float)
    except (TypeError, ValueError) as error:
        raise ValueError("covariates must be numbers; give categories as strata.") from error
    check_length("covariates", C, n_samples)
    C = C.reshape(n_samples, -1)
    if not np.isfinite(C).all():
        row, column = np.argwhere(~np.isfinite(C))[0]
        raise ValueError(
            f"covariates holds {C[row, column]} in row {row}, column {column}; leave such samples "
            "out, or fill in a value."
        )
    width = C.std(axis=0)
    varied = np.ptp(C, axis=0) > 0
    return C[:, varied] / width[varied] if varied.any() else None


def _weights(values: ArrayLike | None, n_samples: int) -> NDArray | None:
    """Weights of the samples, at least 0 and not all 0."""
    if values is None:
        return None
    weights = np.asarray(values, float)
    if weights.ndim == 0:
        weights = np.full(n_samples, float(weights))
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")  # as scikit-learn says it
    check_length("sample_weight", weights, n_samples)
    if not np.isfinite(weights).all():
        row = int((~np.isfinite(weights)).argmax())
        raise ValueError(f"sample_weight holds {weights[row]} in row {row}; give finite numbers.")
    if (weights < 0).any():
        row = int((weights < 0).argmax())
        raise ValueError(
            f"Negative values in data passed to `sample_weight`: {weights[row]:g} in row {row}; "
            "a weight of 0 leaves a sample out of the loss."
        )
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weights


def _by_class(class_weight: ClassWeight, target: Target) -> NDArray | None:
    if class_weight is None:
        return None
    classes = target.classes
    if not isinstance(class_weight, Mapping) and class_weight != "balanced":
        raise ValueError(
            "class_weight must be None, 'balanced' or a dictionary of weights by class; got "
            f"{class_weight!r}."
        )
    how = dict(class_weight) if isinstance(class_weight, Mapping) else class_weight
    found = compute_class_weight(how, classes=classes.labels, y=classes.labels[classes.codes])
    if not (np.isfinite(found) & (found >= 0)).all() or not found.any():
        raise ValueError("class_weight must hold finite weights of at least 0, one of them above.")
    return np.asarray(found, float)


def _check_margins(
    target: Compared, comparable: Comparable, had_margin: NDArray, samples: PerSample
) -> None:
    """Say who is left without a hit or a miss; an error if this is everybody."""
    lost = had_margin & ~target.has_hit
    if not lost.any():
        return
    if lost.sum() == had_margin.sum():
        raise ValueError(
            "No sample has a hit and a miss that may be compared with it: a class needs samples of "
            "several groups, and a stratum two classes; leave out groups or strata."
        )
    reason = ""
    if target.alone.codes is not None:
        classes = target.classes
        reason = _class_of_one_group(classes, comparable, samples)
        reason = reason or _stratum_of_one_class(classes, comparable, samples)
    have, are = ("has", "is") if lost.sum() == 1 else ("have", "are")
    warn(
        f"{reason}{lost.sum()} of {len(lost)} samples {have} no hit or no miss that may be "
        f"compared, and {are} left out of the loss."
    )


def _class_of_one_group(classes: Classes, comparable: Comparable, samples: PerSample) -> str:
    if comparable.groups is None:
        return ""
    for code, label in enumerate(classes.labels.tolist()):
        members = np.flatnonzero(classes.codes == code)
        if len(members) > 1 and len(np.unique(comparable.groups[members])) == 1:
            group = np.asarray(samples.groups)[members[0]]
            return f"All samples of class {label!r} are of the group {str(group)!r}; "
    return ""


def _stratum_of_one_class(classes: Classes, comparable: Comparable, samples: PerSample) -> str:
    if comparable.strata is None:
        return ""
    for code in range(comparable.strata.max() + 1):
        members = np.flatnonzero(comparable.strata == code)
        if len(np.unique(classes.codes[members])) == 1:
            stratum = np.asarray(samples.strata)[members[0]]
            return f"Stratum {str(stratum)!r} holds one class only; "
    return ""
