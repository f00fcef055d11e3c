"""Weights are those of another machine to 1e-6, and the same features have one."""

import inspect
import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import hitmiss
from hitmiss import FREL, LOFE, datasets
from tests.machines import cases
from tests.machines.record import WEIGHTS

OF_OTHER_TARGETS = {  # tests/test_common.py compares theirs between threads and storage
    hitmiss.LOFERegressor,
    hitmiss.LOFESurvival,
    hitmiss.RIRelief,
    hitmiss.RMultiSURF,
    hitmiss.RReliefF,
    hitmiss.RSURF,
}
AROUND_OTHERS = {hitmiss.FDRSelector, hitmiss.Markers}  # answers.json has a test by FDRSelector's


@cache
def recorded():
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return dict(file)


@cache
def data_sets():
    return cases.data_sets()


def test_every_estimator_of_classes_is_recorded_on_ten_data_sets():
    public = {getattr(hitmiss, name) for name in hitmiss.__all__}
    classes = {item for item in public if inspect.isclass(item) and issubclass(item, BaseEstimator)}
    tested = {type(make()) for make in cases.estimators().values()}
    assert classes - OF_OTHER_TARGETS - AROUND_OTHERS == tested
    assert tuple(data_sets()) == cases.NAMES
    assert list(recorded()) == [f"{name} on {data}" for name, data in cases.pairs()]


@pytest.mark.parametrize(("name", "data"), cases.pairs())
def test_the_weights_are_those_of_another_machine(name, data):
    index, expected = recorded()[f"{name} on {data}"]
    w = cases.weights(name, data_sets()[data])
    within = cases.LOOSER.get((name, data), cases.AGREED) * np.abs(expected).max()
    np.testing.assert_allclose(w[index.astype(int)], expected, rtol=0, atol=within)
    if name == "OnlineLOFE":  # whose zeros are exact
        np.testing.assert_array_equal(w[index.astype(int)] > 0, expected > 0)


IN_A_PROCESS = """
import json
from threadpoolctl import threadpool_info
from tests.machines import test_same_weights
cores = [b["architecture"] for b in threadpool_info() if b["internal_api"] == "openblas"]
print(json.dumps({"cores": cores, "weights": test_same_weights.weights()}))
"""


def weights():
    """Those of LOFE and FREL, on data of which all pairs go through matrix products."""
    X, y = datasets.make_twonorm(80, n_irrelevant=40, random_state=0, return_X_y=True)
    return [make.fit(X, y).weights_.tolist() for make in (LOFE(2.0, 0.1, n_jobs=1), FREL(n_jobs=1))]


def test_the_weights_are_those_of_another_core_type_of_openblas():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IN_A_PROCESS],
        env={**os.environ, "OPENBLAS_CORETYPE": "Nehalem"},  # whose code runs on every x86-64
        capture_output=True,
        text=True,
        check=True,
    )
    other = json.loads(done.stdout)
    assert set(other["cores"]) <= {"Nehalem"}
    for found, expected in zip(other["weights"], weights(), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * np.max(expected))
