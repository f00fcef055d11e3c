"""What is given of every sample besides X and y, and which of it an estimator's fit takes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import has_fit_parameter

PER_SAMPLE = ("sample_weight", "groups", "strata", "covariates")


def given(**values: Any) -> dict[str, Any]:
    """Those that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def takes(estimator: Any, name: str) -> bool:
    """Whether the fit of an estimator takes what is given by this name.

    An estimator around another has an attribute `fit_takes`, since it hands on what that takes.
    """
    if hasattr(estimator, "fit_takes"):
        return name in estimator.fit_takes
    return has_fit_parameter(estimator, name)


def taken(estimator: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """What the fit of an estimator takes of all that is given."""
    return {name: value for name, value in values.items() if takes(estimator, name)}


def some_of(values: Mapping[str, Any], rows: NDArray) -> dict[str, Any]:
    """The same of some samples."""
    return {name: np.asarray(value)[rows] for name, value in values.items()}


def check_taken(estimator: Any, values: Mapping[str, Any]) -> None:
    """An error that names what the fit of an estimator does not take."""
    for name in values:
        if not takes(estimator, name):
            raise ValueError(
                f"The fit of {type(estimator).__name__} takes no {name}; leave it out, or use a "
                "selector that takes it."
            )
