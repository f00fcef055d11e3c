"""The methods that the FREL paper compares, with the settings that it prints."""

import itertools
from typing import Any, NamedTuple

import numpy as np

from hitmiss import FREL, FisherScore, Lmba, Relief, ReliefF, margin_sample_weights

SOLVERS = ("exact", "paper")  # the minimizer of eq. 2, or one literal pass of Algorithm 1
NEIGHBORS = (1, 10)  # of FREL: one in the paper; ten as ReliefF has
OTHER_NEIGHBORS = 10  # of ReliefF, as printed, and of Lmba, for which the paper prints no number
FREL_SETTINGS = {  # loss, penalty and gamma
    "Log+L1": ("log", "l1", 0.01),
    "Log+L2": ("log", "l2", 1.0),
    "Square+L2": ("square", "l2", 0.1),
}
GAMMAS = (0.01, 0.1, 1.0, 10.0, 100.0)
PLAIN = {"scale": None, "n_jobs": 1}  # features are scaled beforehand; one core is enough
SCALINGS = {
    "raw": lambda X: X,
    "[0, 1]": lambda X: divided(X - X.min(axis=0), np.ptp(X, axis=0)),
    "z-scored": lambda X: divided(X - X.mean(axis=0), X.std(axis=0)),
}


def divided(X, by):
    """X with every feature divided by a number; by 1 where that is 0."""
    return X / np.where(by > 0, by, 1.0)


class Method(NamedTuple):
    """A weighter, and whether weights of the samples reduce its variance."""

    estimator: Any
    reduce_variance: bool = False

    def weigh(self, X, y):
        """Weights of the features."""
        weight = {}
        if self.reduce_variance:
            weight["sample_weight"] = margin_sample_weights(X, y, **PLAIN)
        return self.estimator.fit(X, y, **weight).weights_


def methods(solvers=SOLVERS, neighbors=NEIGHBORS):
    """(name, solver, neighbors) -> method; None where it leaves no choice."""
    found = {
        ("Relief", None, None): Method(Relief(**PLAIN)),
        ("ReliefF", None, None): Method(ReliefF(OTHER_NEIGHBORS, **PLAIN)),
        ("Fisher", None, None): Method(FisherScore(n_jobs=1)),
    }
    for name, solver, k in itertools.product(FREL_SETTINGS, solvers, neighbors):
        frel = FREL(*FREL_SETTINGS[name], n_neighbors=k, solver=solver, **PLAIN)
        found[name, solver, k] = Method(frel)
    for solver in solvers:
        lmba = Lmba(n_neighbors=OTHER_NEIGHBORS, solver=solver, **PLAIN)
        found["Lmba", solver, OTHER_NEIGHBORS] = Method(lmba)
        # Steps of length one are the same for any weights of the samples, and take none.
        found["VR-Lmba", solver, OTHER_NEIGHBORS] = Method(lmba, reduce_variance=solver == "exact")
    return found
