"""Selectors fitted on features in random order, so that ties favor none of them."""

from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone


class Shuffled(NamedTuple):
    """A selector fitted on reordered features; its results refer to the original order."""

    selector: BaseEstimator
    order: np.ndarray

    @property
    def ranking(self):
        """Features, best first."""
        return self.order[self.selector.ranking_]

    @property
    def weights(self):
        """Weight of every feature."""
        weights = np.empty(len(self.order))
        weights[self.order] = self.selector.weights_
        return weights

    @property
    def selected(self):
        """Features that the selector keeps, in their order."""
        return np.sort(self.order[self.selector.get_support()])

    def score(self, X, y):
        """Accuracy of the selector's own rule."""
        return self.selector.score(X[:, self.order], y)


def shuffled(selector, split, rng):
    """A clone of the selector, fitted on training data with the features in random order.

    Returns
    -------
    Shuffled
        Its ranking and weights are in the order of the split.
    """
    order = rng.permutation(split.X_train.shape[1])
    return Shuffled(clone(selector).fit(split.X_train[:, order], split.y_train), order)
