import threading

import numpy as np
import pytest

from hitmiss._util import workers
from hitmiss._util.workers import Workers
from hitmiss.data import blockwise
from hitmiss.data.aligned import Scratch, page_aligned
from hitmiss.data.in_memory import InMemory

SINGLE, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


@pytest.mark.parametrize("shape", [(0,), (1,), (3, 5), (4, 1000), (512,), (2, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_an_array_begins_where_a_page_does(shape, dtype):
    array = page_aligned(shape, dtype)
    assert (array.shape, array.dtype) == (shape, dtype)
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert array.nbytes < 2048 or array.ctypes.data % 4096 == 0


def test_two_arrays_share_no_memory():
    one, two = page_aligned((8, 100), float), page_aligned((8, 100), float)
    one[:], two[:] = 1, 2
    assert (one == 1).all()


def test_features_that_are_one_block_are_packed_once():
    X = np.random.default_rng(0).random((6, 9))
    some = InMemory(X, Workers(1)).columns(np.array([0, 2, 5]))
    block, gap, cap = some.pack(slice(0, 3))
    assert gap is cap is None
    assert block is some.pack(slice(0, 3))[0]
    np.testing.assert_array_equal(block[:6], X[:, [0, 2, 5]])
    np.testing.assert_array_equal(block[6:], 0)
    np.testing.assert_array_equal(some.pack(slice(0, 3), np.full(3, 2.0))[0], 2 * block)
    np.testing.assert_array_equal(some.pack(slice(1, 3))[0][:6], X[:, [2, 5]])


def test_scratch_is_used_again_by_the_same_thread_only():
    scratch, others = Scratch(), []
    one = scratch.array("block", (100, 30), SINGLE)
    one[:] = 1
    again = scratch.array("block", (50, 30), DOUBLE)
    assert np.shares_memory(one, again)
    assert not np.shares_memory(one, scratch.array("sums", (9,), SINGLE))
    thread = threading.Thread(target=lambda: others.append(scratch.array("block", (9,), DOUBLE)))
    thread.start()
    thread.join()
    assert not np.shares_memory(one, others[0])


def test_scratch_keeps_nothing_large():
    scratch = Scratch()
    large = scratch.array("block", (3000, 1000), DOUBLE)
    assert not np.shares_memory(large, scratch.array("block", (3000, 1000), DOUBLE))


def test_scratch_that_has_grown_forgets_the_smaller_memory():
    scratch = Scratch()
    small = scratch.array("block", (10, 600), SINGLE)
    assert scratch.array("block", (10, 600), SINGLE) is small
    large = scratch.array("block", (100, 600), SINGLE)
    assert np.shares_memory(scratch.array("block", (10, 600), SINGLE), large)
    for k in range(300):
        scratch.array("sums", (k + 1,), SINGLE)
    assert len(scratch._views) <= 100


def test_what_is_taken_is_had_again_only_after_it_is_given_back():
    scratch = Scratch()
    one = scratch.take("lanes", (4, 600), DOUBLE)
    two = scratch.take("lanes", (4, 600), DOUBLE)
    assert not np.shares_memory(one, two)
    scratch.give("lanes", two)
    assert scratch.take("lanes", (4, 600), DOUBLE) is two
    scratch.give("lanes", two)
    assert scratch.take("lanes", (4, 600), SINGLE).dtype == SINGLE


@pytest.mark.parametrize("question", ["distances", "margins"])
def test_a_call_that_was_interrupted_writes_no_more_into_the_memory_of_the_next(
    monkeypatch, question
):
    X = np.random.default_rng(0).random((64, 4000)).astype(np.float32)
    kernel = {"distances": "add_pair_distances", "margins": "margin_vectors"}[question]
    given = np.ones(4000) if question == "distances" else np.ones((64, 64))
    expected = getattr(InMemory(X, Workers(1)), question)(given)
    begun, go_on, late = threading.Event(), threading.Event(), threading.Event()
    caller, plain = threading.current_thread(), getattr(blockwise, kernel)

    def held_up(*arguments):
        if threading.current_thread() is caller:
            begun.wait(5)
            return
        begun.set()
        go_on.wait(5)
        plain(*arguments)
        late.set()

    def let_go(*arguments):
        plain(*arguments)
        go_on.set()
        late.wait(5)

    def interrupted(futures):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(blockwise, kernel, held_up)
        patch.setattr(workers, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            getattr(InMemory(X[::-1].copy(), Workers(2)), question)(given)
    monkeypatch.setattr(blockwise, kernel, let_go)
    np.testing.assert_array_equal(getattr(InMemory(X, Workers(1)), question)(given), expected)
    assert late.is_set()
