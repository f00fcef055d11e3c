"""What both online selectors promise: precision, all or nothing, labels of one type."""

import pickle
from contextlib import suppress
from copy import deepcopy

import numpy as np
import pytest

from hitmiss import OnlineIRelief, OnlineLOFE, datasets, persistence
from tests.interrupts import lines

ONLINE = [
    lambda: OnlineLOFE(alpha=0.1, reservoir=40, n_jobs=1, random_state=0),
    lambda: OnlineIRelief(memory=40, n_jobs=1, random_state=0),
]
online = pytest.mark.parametrize("make", ONLINE, ids=["lofe", "irelief"])


def data(n_samples=120, n_irrelevant=8):
    return datasets.make_xor(n_samples, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


@online
@pytest.mark.parametrize("change", [lambda X: X + 1e8, lambda X: X * 1e60, lambda X: X - 1e300])
def test_a_wider_batch_widens_the_memory(make, change):
    X, y = data()
    first, then = X[:60].astype(np.float32), change(X[60:])
    mixed = make().partial_fit(first, y[:60]).partial_fit(then, y[60:])
    double = make().partial_fit(first.astype(float), y[:60]).partial_fit(then, y[60:])
    assert mixed._memory.X.dtype == np.float64
    assert np.isfinite(mixed.weights_).all()
    np.testing.assert_array_equal(mixed.weights_, double.weights_)


@online
def test_single_precision_stays_single_and_double_stays_double(make):
    X, y = data()
    for first, then in [(np.float32, np.float32), (np.float64, np.float32)]:
        fitted = make().partial_fit(X[:60].astype(first), y[:60])
        fitted.partial_fit(X[60:].astype(then), y[60:])
        assert fitted._memory.X.dtype == first


@online
def test_long_doubles_are_worked_on_as_doubles(make):
    X, y = data()
    for fit in ("fit", "partial_fit"):
        expected = getattr(make(), fit)(X, y).weights_
        np.testing.assert_array_equal(
            getattr(make(), fit)(X.astype(np.longdouble), y).weights_, expected
        )


def state(fitted):
    """Everything that a fitted estimator is, as bytes, in a form that does not share memory."""
    return {name: pickle.dumps(value) for name, value in vars(deepcopy(fitted)).items()}


@online
def test_an_interrupt_anywhere_leaves_all_or_nothing(make):
    X, y = data()
    fitted = make().partial_fit(X[:60], y[:60])
    before, batch = state(fitted), (X[60:66], y[60:66])
    with lines() as count:
        after = state(deepcopy(fitted).partial_fit(*batch))
    n_nothing = 0
    for at in np.linspace(0, count.n_seen - 1, 60).astype(int):
        tried = deepcopy(fitted)
        with suppress(KeyboardInterrupt), lines(at):  # the last lines are not always as many
            tried.partial_fit(*batch)
        tried._memory.commit()
        n_nothing += (found := state(tried)) == before
        assert found in (before, after)
        if found == before:
            assert state(tried.partial_fit(*batch)) == after
    assert n_nothing > 50


@online
def test_an_interrupted_first_batch_can_be_repeated(make):
    X, y = data()
    expected = state(make().partial_fit(X, y))
    tried = make()
    with pytest.raises(KeyboardInterrupt), lines(400):
        tried.partial_fit(X, y)
    assert not hasattr(tried, "_memory")
    assert state(tried.partial_fit(X, y)) == expected


@online
@pytest.mark.parametrize(
    ("first", "then", "sentence"),
    [
        (int, str, r"so far are numbers, and this y holds text"),
        (str, int, r"so far are text, and this y holds numbers"),
    ],
)
def test_labels_of_two_types_are_refused(make, first, then, sentence):
    X, y = data()
    fitted = make().partial_fit(X[:60], y[:60].astype(first))
    before = state(fitted)
    with pytest.raises(ValueError, match=sentence):
        fitted.partial_fit(X[60:], y[60:].astype(then))
    assert state(fitted) == before
    assert state(fitted.partial_fit(X[60:], y[60:].astype(first))) != before


@online
def test_a_saved_stream_goes_on_as_if_it_had_not_been_saved(make, tmp_path):
    X, y = data()
    fitted = make().partial_fit(X[:60], y[:60])
    persistence.save(fitted, tmp_path / "model.npz")
    again = persistence.load(tmp_path / "model.npz")
    one, other = (f.partial_fit(X[60:], y[60:]).weights_ for f in (fitted, again))
    np.testing.assert_array_equal(one, other)
