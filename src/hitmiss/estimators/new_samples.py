"""Features of new samples that are not in memory, checked against those of the fit."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array, validate_data

from hitmiss._util.errors import warn
from hitmiss.data.sources import Source
from hitmiss.estimators.validation import not_finite, stand_in

SHOWN = 5  # names in an error


def read_features(estimator: Any, source: Source, index: NDArray) -> NDArray:
    """The features at `index` of new samples, checked as scikit-learn checks arrays and frames.

    Parameters
    ----------
    estimator : object
        Fitted.
    source : Source
        The new samples.
    index : ndarray of int
        Features, ascending. Only these are read, and only in these NaN and infinity are found.

    Returns
    -------
    ndarray of shape (n_samples, n_index)
    """
    _check_features(estimator, source)
    X = check_array(source.read(index), dtype=None, ensure_all_finite=False, ensure_min_features=0)
    fine = np.isfinite(X) if estimator.missing == "error" else ~np.isinf(X)
    bad = np.flatnonzero(~fine.all(axis=0))
    if len(bad):
        names = getattr(estimator, "feature_names_in_", None)
        how_many = f"{len(bad)} of the {len(index)} features in use"
        x = (
            X[:, bad[0]]
            if estimator.missing == "error"
            else np.nan_to_num(X[:, bad[0]], nan=0.0, posinf=np.inf, neginf=-np.inf)
        )
        raise ValueError(not_finite(x, index[bad[0]], names, how_many))
    return X


def _check_features(estimator: Any, source: Source) -> None:
    """Check the names of the features as scikit-learn checks those of a data frame."""
    known, names = getattr(estimator, "feature_names_in_", None), source.names
    if known is None or names is None:
        if names is not None:
            warn(
                f"X has feature names, but {type(estimator).__name__} was fitted without feature "
                "names"
            )
        validate_data(estimator, stand_in(source), ensure_all_finite=False, reset=False)
    elif not np.array_equal(known, names):
        raise ValueError(_difference(known, names))


def _difference(known: NDArray, names: NDArray) -> str:
    lists = {
        "Feature names unseen at fit time:": sorted(set(names) - set(known)),
        "Feature names seen at fit time, yet now missing:": sorted(set(known) - set(names)),
    }
    lines = ["The feature names should match those that were passed during fit."]
    for title, some in lists.items():
        if some:
            lines += [title, *(f"- {name}" for name in some[:SHOWN])]
            lines += ["- ..."] * (len(some) > SHOWN)
    if not any(lists.values()):
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"
