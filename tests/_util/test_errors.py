"""Warnings point at the line that the user wrote."""

import inspect
import warnings

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from hitmiss import FREL, LOFE, LOFECV, IRelief, OnlineLOFE, ReliefF, datasets
from hitmiss.metrics import stability_report

X, Y = datasets.make_twonorm(40, random_state=0, return_X_y=True)
ALONE = np.r_[9, Y[1:]]

CALLS = {
    "no weight": lambda: LOFE(alpha=1e6).fit(X, Y),
    "no convergence": lambda: LOFE(max_iter=1).fit(X, Y),
    "a class of one": lambda: ReliefF().fit(X, ALONE),
    "energies": lambda: FREL("log", "l1", 9.0).fit(X, Y),
    "iterations": lambda: IRelief(max_iter=1).fit(X, Y),
    "stream": lambda: OnlineLOFE(alpha=1e6, random_state=0).fit(X, Y),
    "folds": lambda: LOFECV(2.0, [1e6], cv=2).fit(X, Y),
    "pipeline": lambda: make_pipeline(LOFE(alpha=1e6)).fit(X, Y),
    "scikit-learn": lambda: cross_val_score(LOFE(alpha=1e6), X, Y, cv=2),
    "metrics": lambda: stability_report(LOFE(alpha=1e6), X, Y, 2, random_state=0, verbose=False),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_place_is_that_of_the_call(name):
    call = CALLS[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert caught
    lines = {inspect.getsourcelines(call)[1]}
    assert {warning.filename for warning in caught} == {__file__}
    assert {warning.lineno for warning in caught} == lines
