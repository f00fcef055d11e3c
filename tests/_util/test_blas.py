import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from hitmiss._util.blas import one_blas_thread


def n_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_one_thread_inside_and_as_before_outside():
    with threadpool_limits(2, user_api="blas"):
        before = n_threads()
        with one_blas_thread(), one_blas_thread():
            assert n_threads() == {1}
        assert n_threads() == before
        assert one_blas_thread()(n_threads)() == {1}
        assert n_threads() == before
        with pytest.raises(ZeroDivisionError), one_blas_thread():
            _ = 1 / 0
        assert n_threads() == before
