"""The readings of what the FREL paper leaves open, and the methods of Fig. 1 under each."""

import itertools
from typing import NamedTuple

from reproduce.experiments.frel.methods import FREL_SETTINGS, NEIGHBORS, OTHER_NEIGHBORS
from reproduce.experiments.frel.subsampling import EQ22, SPEARMAN

NOGUEIRA = "Nogueira"  # the measure of the best features, which the paper does not have
N_METHODS = 7  # in Fig. 1
SOLVER_NAMES = {"paper": "Algorithm 1", "exact": "minimizer"}


class Reading(NamedTuple):
    """Solver of eq. 2, number of neighbors of FREL, and measure that compares rankings, if any."""

    solver: str
    k: int
    by: str | None = None

    def __str__(self):
        parts = [SOLVER_NAMES[self.solver], f"k = {self.k}", self.by]
        return ", ".join(part for part in parts if part)


def names_of_seven(reading):
    """Name in Fig. 1 -> key of the method, of the seven under one reading."""
    names = {f"En-{name}": name for name in ("Relief", "ReliefF", "Fisher")}
    names |= {f"En-{name}": f"{name}, {reading.solver}, k = {reading.k}" for name in FREL_SETTINGS}
    return names | {"VR-Lmba": f"VR-Lmba, {reading.solver}, k = {OTHER_NEIGHBORS}"}


CHOICES = itertools.product(SOLVER_NAMES, NEIGHBORS, (EQ22, SPEARMAN, NOGUEIRA))
READINGS = tuple(Reading(*choice) for choice in CHOICES)
BY_RANKS = tuple(reading for reading in READINGS if reading.by != NOGUEIRA)
WITHOUT_MEASURE = tuple(dict.fromkeys(reading._replace(by=None) for reading in READINGS))
LITERAL = READINGS[0]
