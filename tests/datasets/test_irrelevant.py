import tracemalloc

import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.datasets import load_iris
from sklearn.utils import Bunch

from hitmiss.datasets import add_irrelevant, make_spiral, make_xor

KINDS = ["normal", "uniform", "binary", "permuted"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_old_features_stay_first_and_unchanged(kind, dtype):
    X = np.random.default_rng(0).normal(size=(30, 4)).astype(dtype)
    before = X.copy()
    wide = add_irrelevant(X, 6, kind, random_state=0)
    assert wide.shape == (30, 10)
    assert wide.dtype == dtype
    np.testing.assert_array_equal(wide[:, :4], before)
    np.testing.assert_array_equal(X, before)
    assert not np.shares_memory(wide, X)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("kind", "law"), [("normal", "norm"), ("uniform", "uniform")])
def test_continuous_kinds_follow_their_law(kind, law, dtype):
    wide = add_irrelevant(np.zeros((100, 1)), 200, kind, dtype=dtype, random_state=0)
    assert kstest(wide[:, 1:].ravel(), law).pvalue > 0.01


def test_binary_is_a_fair_coin():
    coins = add_irrelevant(np.zeros((100, 1)), 200, "binary", random_state=0)[:, 1:]
    assert np.unique(coins).tolist() == [0.0, 1.0]
    assert abs(coins.mean() - 0.5) < 4 * 0.5 / np.sqrt(coins.size)


def test_permuted_columns_are_the_old_ones_shuffled():
    X = np.random.default_rng(0).normal(size=(50, 3))
    new = add_irrelevant(X, 7, "permuted", random_state=0)[:, 3:]
    for j in range(7):
        np.testing.assert_array_equal(np.sort(new[:, j]), np.sort(X[:, j % 3]))
        assert not np.array_equal(new[:, j], X[:, j % 3])
    assert not np.array_equal(new[:, 0], new[:, 3])  # each is shuffled for itself


def test_a_callable_draws_its_own_kind():
    def poisson(rng, shape, dtype):
        return rng.poisson(3.0, shape)

    wide = add_irrelevant(np.zeros((200, 1)), 100, poisson, random_state=0)
    assert wide[:, 1:].mean() == pytest.approx(3.0, abs=0.05)
    named = add_irrelevant(make_xor(8, random_state=0), 2, poisson, random_state=0)
    assert named.DESCR.endswith("With 2 irrelevant features (poisson).")


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_leave_no_seam(kind, monkeypatch):
    X = np.random.default_rng(0).normal(size=(23, 2))
    whole = add_irrelevant(X, 11, kind, random_state=0)
    monkeypatch.setattr("hitmiss.datasets.irrelevant._PIECE", 40)
    np.testing.assert_array_equal(add_irrelevant(X, 11, kind, random_state=0), whole)


@pytest.mark.parametrize("kind", KINDS)
def test_memory_is_that_of_the_result(kind):
    X = make_spiral(100).data
    tracemalloc.start()
    wide = add_irrelevant(X, 200_000, kind, dtype=np.float32, random_state=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Beyond the result only pieces exist: a million values, twice, as float64 at most.
    assert peak < wide.nbytes + 20e6


def test_bunch_in_bunch_out():
    small = make_xor(8, random_state=0)
    wide = add_irrelevant(small, 3, random_state=0)
    assert isinstance(wide, Bunch)
    assert wide.data.shape == (8, 5)
    assert wide.relevant.tolist() == [0, 1]
    assert wide.feature_names == ["x0", "x1", "irrelevant0", "irrelevant1", "irrelevant2"]
    np.testing.assert_array_equal(wide.target, small.target)
    assert small.data.shape == (8, 2)  # the old one is as it was
    assert len(small.feature_names) == 2


def test_bunch_of_scikit_learn_counts_as_all_relevant():
    wide = add_irrelevant(load_iris(), 2, random_state=0)
    assert wide.data.shape == (150, 6)
    assert wide.relevant.tolist() == [0, 1, 2, 3]
    assert wide.feature_names[0] == "sepal length (cm)"


def test_integers_and_lists_become_float64():
    assert add_irrelevant([[1, 2], [3, 4]], 1, random_state=0).dtype == np.float64


def test_none_to_add_is_a_copy():
    bunch = make_xor(8, random_state=0)
    same = add_irrelevant(bunch, 0)
    np.testing.assert_array_equal(same.data, bunch.data)
    assert same.DESCR == bunch.DESCR
    assert not np.shares_memory(same.data, bunch.data)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"X": np.zeros(3)}, "X must have two dimensions, samples and features; got 1"),
        ({"X": [["a", "b"]]}, "X must hold real numbers; got dtype <U1"),
        ({"X": np.zeros((2, 2), complex)}, "X must hold real numbers; got dtype compl"),
        ({"n": -1}, "n must be a whole number of at least 0; got -1"),
        ({"n": 2.0}, "n must be a whole number of at least 0; got 2.0"),
        ({"n": True}, "n must be a whole number of at least 0; got True"),
        ({"kind": "gauss"}, "kind must be one of normal, uniform, binary, permuted"),
        ({"kind": ["normal"]}, "kind must be one of normal, uniform, binary, permuted"),
        ({"dtype": "int8"}, "dtype must be float32 or float64; got 'int8'"),
        ({"X": np.zeros((2, 0)), "kind": "permuted"}, "at least one feature"),
    ],
)
def test_bad_input_gets_one_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        add_irrelevant(**{"X": np.zeros((2, 2)), "n": 1, **arguments})
