"""Kinds of targets: what y may be, how it is checked, and the target that is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hitmiss._util.alignment import check_labels
from hitmiss._util.checks import check_positive
from hitmiss.targets.classes import Classes, encode_labels
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
