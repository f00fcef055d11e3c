"""The order of the features that mark a class, and how much higher they are there."""

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.ties import comparable
from hitmiss.data import sizes
from hitmiss.data.features import Features
from hitmiss.targets.classes import Classes


def mean_differences(features: Features, target: Classes) -> NDArray:
    """Mean of each feature, scaled, in each class minus its mean over all other samples.

    Parameters
    ----------
    features : Features
        The data, read some features at a time; missing values are left out.
    target : Classes
        The class of every sample.

    Returns
    -------
    ndarray of shape (n_classes, n_features)
    """
    member = (target.codes == np.arange(len(target.counts))[:, None]).astype(float)
    found = np.empty((len(member), features.n_features))
    for start in range(0, features.n_features, sizes.TILE_COLUMNS):
        part = np.arange(start, min(start + sizes.TILE_COLUMNS, features.n_features))
        X = features.columns(part).X.astype(float)
        known = np.isfinite(X)  # a missing value is NaN
        first = np.take_along_axis(X, known.argmax(axis=0)[None], axis=0)
        sums = member @ np.where(known, X - first, 0.0)  # of a constant all are exactly 0
        counts = member @ known
        rest, others = sums.sum(axis=0) - sums, counts.sum(axis=0) - counts
        difference = sums / np.maximum(counts, 1) - rest / np.maximum(others, 1)
        found[:, part] = np.where((counts > 0) & (others > 0), difference, 0.0)
    return found


# What importances should be was measured by the error of 3 nearest neighbors with the best 1, 3
# and 5 genes of each type, base LOFE(alpha="auto", order="both"): on 2,000 cells of Zeisel et al.
# weight times difference of the means has .134, .070 and .059, weight times mean margin .133,
# .070 and .055, mean margin .141, .064 and .059, the weight alone .140, .074 and .059; on 700
# cells of pbmc68k .281, .230 and .234; .296, .241 and .229; .253, .250 and .231; .349, .259 and
# .249. A standard error is .005 to .008 and .017: only the weight alone is worse. Choosing genes
# of all classes together by the error of the training cells does worse on new ones (.169, .076
# and .064 on Zeisel).


def class_order(importances: NDArray, scores: NDArray, sign: NDArray) -> NDArray:
    """Features by importance times sign, then by score: the strongest of sign -1 are last.

    Parameters
    ----------
    importances : ndarray of shape (n_features,)
        At least 0.
    scores : ndarray of shape (n_features,)
        What ranks features of equal importance.
    sign : ndarray of shape (n_features,)
        1, 0 or -1.

    Examples
    --------
    >>> w = np.array([0.0, 3.0, 0.0, 2.0, 5.0])
    >>> class_order(w, np.array([0.2, 1.0, 0.9, 1.0, 1.0]), np.array([1, 1, 1, 1, -1]))
    array([1, 3, 2, 0, 4])
    """
    strength = comparable(sign * importances)
    score, scores = comparable(sign * np.maximum(scores, 0.0)), comparable(scores)
    return np.lexsort((-scores, -score, -strength))


def places_in(rankings: NDArray) -> NDArray:
    """The place, from 0, of every feature in every ranking.

    Examples
    --------
    >>> places_in(np.array([[2, 0, 1]]))
    array([[1, 2, 0]])
    """
    places = np.empty_like(rankings)
    np.put_along_axis(places, rankings, np.arange(rankings.shape[1])[None], axis=1)
    return places
