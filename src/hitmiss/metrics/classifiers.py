"""Classifiers that the metrics use where the caller names none."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler

N_NEIGHBORS = 3  # as in Table 4 of the LOFE paper and in Fig. 1 of the FREL paper


def nearest_neighbors(X: NDArray | None = None) -> Pipeline:
    """3 nearest neighbors on features scaled to [0, 1]; what X misses is set to the median."""
    steps = [MinMaxScaler(), KNeighborsClassifier(N_NEIGHBORS)]
    if X is not None and X.dtype.kind == "f" and np.isnan(X).any():
        steps.insert(0, SimpleImputer(strategy="median", keep_empty_features=True))
    return make_pipeline(*steps)


def commonest_class(y: NDArray) -> Any:
    """The class that is predicted where no feature is selected; the first of equal ones."""
    classes, counts = np.unique(y, return_counts=True)
    return classes[counts.argmax()]
