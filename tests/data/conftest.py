from contextlib import suppress

import numpy as np
import pytest
from distributed import Client, LocalCluster

from hitmiss import datasets

LIMIT = 60  # seconds after which something counts as hanging


@pytest.fixture(scope="module")
def data():
    """Twenty features that tell two classes apart, among thousands."""
    return datasets.make_twonorm(
        40, n_irrelevant=3080, random_state=0, dtype=np.float32, return_X_y=True
    )


@pytest.fixture(scope="session")
def cluster():
    """Two processes, or as many as a test scales it to."""
    options = {"threads_per_worker": 1, "processes": True, "memory_limit": None}
    told_twice = KeyError  # of distributed, at the end: a worker that a test killed has gone before
    with (
        suppress(told_twice),
        LocalCluster(n_workers=2, dashboard_address=":0", **options) as cluster,
    ):
        yield cluster


@pytest.fixture
def client(cluster):
    """The current client while the test runs."""
    with Client(cluster) as client:
        yield client


@pytest.fixture
def sized(cluster, client):
    """A function that gives the cluster a number of workers."""

    def size(n_workers):
        cluster.scale(n_workers)
        client.wait_for_workers(n_workers, timeout=LIMIT)

    return size
