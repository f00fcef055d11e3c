import os
from pathlib import Path

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits

# No deadline: the first call of a kernel compiles it. Derandomized: a failure repeats.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")


def pytest_collection_modifyitems(items):
    """Tests that take longest begin first, so that no process waits for another at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def data_home():
    """The folder of real datasets, one .npz file each."""
    folder = os.environ.get("HITMISS_DATA")
    if not folder:
        pytest.skip("real data: HITMISS_DATA is not set to the folder that holds it")
    if not Path(folder).is_dir():
        pytest.skip(f"real data: HITMISS_DATA={folder} is not a folder")
    return Path(folder)


@pytest.fixture(scope="module", autouse=True)
def one_blas_thread():
    """Several test processes with several BLAS threads each would only wait for one another."""
    with threadpool_limits(1, user_api="blas"):
        yield
