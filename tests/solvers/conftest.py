import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(scope="module", autouse=True)
def one_blas_thread():
    with threadpool_limits(1, user_api="blas"):
        yield
