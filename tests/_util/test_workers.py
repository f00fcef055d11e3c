import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import joblib
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from hitmiss._util.workers import Workers, n_cores, n_threads, one_blas_thread
from tests.interrupts import lines

each_n_jobs = pytest.mark.parametrize("n_jobs", [1, 2, 4])


class Tally:
    """Stands in for a progress bar and remembers what it is told."""

    def __init__(self):
        self.calls, self.done = [], 0

    def begin(self, label, total):
        self.calls.append((label, total))

    def advance(self):
        self.done += 1


def current_thread(_):
    return threading.current_thread()


@each_n_jobs
def test_map_keeps_the_order(n_jobs):
    def slow_at_first(item):
        time.sleep(0.02 if item == 0 else 0)
        return -item

    workers = Workers(n_jobs)
    assert workers.map(slow_at_first, iter(range(20))) == [-item for item in range(20)]
    assert workers.map(slow_at_first, []) == []


def test_map_runs_several_items_at_once():
    barrier = threading.Barrier(3, timeout=30)  # opens only when three threads wait
    workers = Workers(3)
    workers.map(lambda _: barrier.wait(), range(3))
    assert not barrier.broken


def test_one_thread_or_one_item_runs_in_the_calling_thread():
    here = threading.current_thread()
    workers = Workers(1)
    assert set(workers.map(current_thread, range(5))) == {here}
    workers = Workers(4)
    assert workers.map(current_thread, [0]) == [here]


def test_work_on_watched_items_goes_in_order_and_may_use_the_threads():
    workers = Workers(2, Tally())
    seen = [(k, workers.map(abs, [-k, k])) for k in workers.watched(range(4), "items")]
    assert seen == [(k, [k, k]) for k in range(4)]


@each_n_jobs
def test_an_error_reaches_the_caller(n_jobs):
    workers = Workers(n_jobs)
    with pytest.raises(ZeroDivisionError):
        workers.map(lambda k: 1 / k, range(3))


@each_n_jobs
def test_nothing_new_begins_after_an_error(n_jobs):
    begun = []

    def fail(k):
        begun.append(k)
        time.sleep(0.01)
        raise ZeroDivisionError

    workers = Workers(n_jobs)
    with pytest.raises(ZeroDivisionError):
        workers.map(fail, range(100))
    assert len(begun) < 10


def test_threads_are_kept_for_the_next_fit():
    def threads_of(workers):
        barrier = threading.Barrier(3, timeout=30)
        return set(workers.map(lambda _: (barrier.wait(), current_thread(_))[1], range(3)))

    first = threads_of(Workers(3))
    assert len(first) == 3
    assert threads_of(Workers(3)) == first


def test_a_map_inside_a_map_needs_no_free_thread():
    workers = Workers(2)
    found = workers.map(lambda k: sum(workers.map(lambda i: i * k, range(50))), range(20))
    assert found == [1225 * k for k in range(20)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_threads_work_after_a_fork():
    code = """
import os
from hitmiss._util.workers import Workers
assert Workers(2).map(abs, range(9)) == list(range(9))
child = os.fork()
if child == 0:
    os._exit(int(Workers(2).map(abs, range(9)) != list(range(9))))
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@each_n_jobs
def test_progress_is_told_of_labeled_work_only(n_jobs):
    tally = Tally()
    workers = Workers(n_jobs, tally)
    workers.map(abs, range(7))
    assert list(workers.watched(range(7), "")) == list(range(7))
    assert (tally.calls, tally.done) == ([], 0)
    workers.map(abs, range(7), "first")
    assert list(workers.watched(range(3), "second")) == [0, 1, 2]
    assert tally.calls == [("first", 7), ("second", 3)]
    assert tally.done == 10


# Where the tests are told how many threads there are, they cannot ask the machine.
counts_cores = pytest.mark.skipif(
    "HITMISS_TEST_THREADS" in os.environ, reason="the number of threads is given to the tests"
)


@counts_cores
def test_number_of_threads():
    assert n_threads(3) == Workers(3).n_threads == 3
    assert n_threads(-1) == n_threads(None) == joblib.cpu_count()
    with pytest.raises(ValueError, match="n_jobs"):
        n_threads(0)


def test_none_means_one_thread_inside_another_parallel_loop():
    nested = joblib.Parallel(n_jobs=2, backend="threading")(
        joblib.delayed(lambda: (n_threads(None), n_threads(2)))() for _ in range(4)
    )
    assert nested == [(1, 2)] * 4


@counts_cores
def test_the_number_of_cores_follows_what_joblib_is_told(monkeypatch):
    assert n_cores() == joblib.cpu_count()
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    assert n_cores() == n_threads(None) == 1


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_one_thread_inside_and_as_before_outside():
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with one_blas_thread(), one_blas_thread():
            assert blas_threads() == {1}
        assert blas_threads() == before
        assert one_blas_thread()(blas_threads)() == {1}
        assert blas_threads() == before
        with pytest.raises(ZeroDivisionError), one_blas_thread():
            _ = 1 / 0
        assert blas_threads() == before


def test_the_last_of_several_threads_restores_what_the_first_one_found():
    """One leaves while the other goes on, which must not get the threads back before its time."""
    entered, left, seen = threading.Event(), threading.Event(), []

    def long():
        with one_blas_thread():
            entered.set()
            left.wait(10)
            seen.append(blas_threads())

    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor() as pool:
        before = blas_threads()
        with one_blas_thread():
            other = pool.submit(long)
            entered.wait(10)
        seen.append(blas_threads())
        left.set()
        other.result()
        assert seen == [{1}, {1}]
        assert blas_threads() == before


def test_sixteen_threads_in_any_order():
    def stay(_):
        with one_blas_thread():
            return blas_threads()

    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor(16) as pool:
        before = blas_threads()
        assert list(pool.map(stay, range(200))) == [{1}] * 200
        assert blas_threads() == before


def use():
    with one_blas_thread():
        return blas_threads()


@pytest.mark.full
def test_an_interrupt_at_any_line_leaves_neither_a_lock_nor_a_limit():
    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor(1) as pool:
        before = blas_threads()
        use()
        with lines() as count:
            use()
        for at in range(count.n_seen):
            with suppress(KeyboardInterrupt), lines(at):
                use()
            assert use() == {1}
            assert blas_threads() == before
        assert pool.submit(use).result(20) == {1}
        assert blas_threads() == before
