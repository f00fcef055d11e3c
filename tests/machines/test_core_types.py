"""Weights do not depend on the kind of processor for which OpenBLAS computes."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from hitmiss import FREL, LOFE, datasets
from tests.bits import cases

OTHER = "Nehalem"  # the oldest kind: code for it runs on every x86-64 processor
IN_A_PROCESS = """
import json
from tests.bits import cases, test_core_types
found = {"cores": cases.blas_cores(), "kind": cases.machine_kind()}
print(json.dumps({**found, "weights": test_core_types.weights()}))
"""


def weights():
    """Those of LOFE and FREL, on data of which all pairs go through matrix products."""
    X, y = datasets.make_twonorm(80, n_irrelevant=40, random_state=0, return_X_y=True)
    return [make.fit(X, y).weights_.tolist() for make in (LOFE(2.0, 0.1, n_jobs=1), FREL(n_jobs=1))]


@pytest.fixture(scope="module")
def other():
    """What a process finds in which OpenBLAS computes for another kind of processor."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IN_A_PROCESS],
        env={**os.environ, "OPENBLAS_CORETYPE": OTHER},
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    if found["cores"] == cases.blas_cores():
        pytest.skip(f"OpenBLAS computes for {found['cores']} with and without OPENBLAS_CORETYPE")
    return found


def test_the_kind_of_machine_names_the_core_type(other):
    assert other["cores"] == [OTHER]
    assert OTHER in other["kind"].split()
    assert other["kind"] != cases.machine_kind()


def test_the_weights_are_those_of_another_core_type(other):
    for found, expected in zip(other["weights"], weights(), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * np.max(expected))
