"""Classifiers that the metrics use where the caller names none."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler

N_NEIGHBORS = 3  # as in Table 4 of the LOFE paper and in Fig. 1 of the FREL paper


def nearest_neighbors() -> Pipeline:
    """3 nearest neighbors on features scaled to [0, 1]."""
    return make_pipeline(MinMaxScaler(), KNeighborsClassifier(N_NEIGHBORS))


def commonest_class(y: NDArray) -> Any:
    """The class that is predicted where no feature is selected; the first of equal ones."""
    classes, counts = np.unique(y, return_counts=True)
    return classes[counts.argmax()]
