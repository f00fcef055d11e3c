import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from hitmiss._util.blas import one_blas_thread
from tests.interrupts import lines


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


def test_the_last_of_several_threads_restores_what_the_first_one_found():
    """One leaves while the other goes on, which must not get the threads back before its time."""
    entered, left, seen = threading.Event(), threading.Event(), []

    def long():
        with one_blas_thread():
            entered.set()
            left.wait(10)
            seen.append(n_threads())

    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor() as pool:
        before = n_threads()
        with one_blas_thread():
            other = pool.submit(long)
            entered.wait(10)
        seen.append(n_threads())
        left.set()
        other.result()
        assert seen == [{1}, {1}]
        assert n_threads() == before


def test_sixteen_threads_in_any_order():
    def stay(_):
        with one_blas_thread():
            return n_threads()

    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor(16) as pool:
        before = n_threads()
        assert list(pool.map(stay, range(200))) == [{1}] * 200
        assert n_threads() == before


def use():
    with one_blas_thread():
        return n_threads()


@pytest.mark.full
def test_an_interrupt_at_any_line_leaves_neither_a_lock_nor_a_limit():
    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor(1) as pool:
        before = n_threads()
        use()
        with lines() as count:
            use()
        for at in range(count.n_seen):
            with suppress(KeyboardInterrupt), lines(at):
                use()
            assert use() == {1}
            assert n_threads() == before
        assert pool.submit(use).result(20) == {1}
        assert n_threads() == before
