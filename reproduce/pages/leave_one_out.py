"""Leave-one-out errors, from records of every sample left out."""

import numpy as np

from reproduce.harness.records import values


def errors(records, case, method):
    """Error in percent for every number of genes."""
    wrong = np.array([list(map(int, w)) for w in values(records, case, method, "wrong")])
    return 100 * wrong.mean(axis=0)
