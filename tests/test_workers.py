import threading
import time

import joblib
import pytest

from hitmiss.workers import Workers, n_threads

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

    with Workers(n_jobs) as workers:
        assert workers.map(slow_at_first, iter(range(20))) == [-item for item in range(20)]
        assert workers.map(slow_at_first, []) == []


def test_map_runs_several_items_at_once():
    barrier = threading.Barrier(3, timeout=30)  # opens only when three threads wait
    with Workers(3) as workers:
        workers.map(lambda _: barrier.wait(), range(3))
    assert not barrier.broken


def test_one_thread_or_one_item_runs_in_the_calling_thread():
    here = threading.current_thread()
    with Workers(1) as workers:
        assert set(workers.map(current_thread, range(5))) == {here}
    with Workers(4) as workers:
        assert workers.map(current_thread, [0]) == [here]


def test_each_goes_in_order_and_may_use_the_threads():
    seen = []
    with Workers(2) as workers:
        workers.each(lambda k: seen.append((k, workers.map(abs, [-k, k]))), range(4))
    assert seen == [(k, [k, k]) for k in range(4)]


@each_n_jobs
def test_an_error_reaches_the_caller(n_jobs):
    with Workers(n_jobs) as workers, pytest.raises(ZeroDivisionError):
        workers.map(lambda k: 1 / k, range(3))


@each_n_jobs
def test_nothing_new_begins_after_an_error(n_jobs):
    begun = []

    def fail(k):
        begun.append(k)
        time.sleep(0.01)
        raise ZeroDivisionError

    with Workers(n_jobs) as workers, pytest.raises(ZeroDivisionError):
        workers.map(fail, range(100))
    assert len(begun) < 10


def test_threads_end_with_the_context():
    barrier = threading.Barrier(3, timeout=30)
    with Workers(3) as workers:
        threads = set(workers.map(lambda _: (barrier.wait(), current_thread(_))[1], range(3)))
        threads.remove(threading.current_thread())
        assert len(threads) == 2
        assert all(thread.is_alive() for thread in threads)
    assert not any(thread.is_alive() for thread in threads)
    with pytest.raises(RuntimeError, match="shutdown"):
        workers.map(abs, range(9))


@each_n_jobs
def test_progress_is_told_of_labeled_work_only(n_jobs):
    tally = Tally()
    with Workers(n_jobs, tally) as workers:
        workers.map(abs, range(7))
        workers.each(abs, range(7))
        assert (tally.calls, tally.done) == ([], 0)
        workers.map(abs, range(7), "first")
        workers.each(abs, range(3), "second")
    assert tally.calls == [("first", 7), ("second", 3)]
    assert tally.done == 10


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
