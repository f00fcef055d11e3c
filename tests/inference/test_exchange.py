from collections import Counter
from math import comb, exp

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hitmiss.inference.exchange import Exchange


def drawn(exchange, n=50):
    return [exchange.draw(np.random.default_rng(seed)) for seed in range(n)]


def test_without_groups_it_is_a_permutation():
    for order in drawn(Exchange([0, 0, 1, 1, 1])):
        assert sorted(order) == [0, 1, 2, 3, 4]


def test_every_order_is_as_likely():
    y = np.array([0, 0, 1, 1])
    counts = Counter(tuple(y[order]) for order in drawn(Exchange(y), 3000))
    assert len(counts) == 6
    assert max(abs(n - 500) for n in counts.values()) < 100


def test_groups_of_one_label_exchange_it_whatever_their_size():
    y, groups = np.array([0, 0, 0, 1, 1, 0]), np.array([7, 7, 7, 8, 8, 9])
    exchange = Exchange(y, groups)
    assert round(exp(exchange.log_n_orders)) == 3
    seen = {tuple(y[order]) for order in drawn(exchange)}
    assert seen == {(0, 0, 0, 1, 1, 0), (1, 1, 1, 0, 0, 0), (0, 0, 0, 0, 0, 1)}


def test_groups_of_several_labels_go_to_groups_of_their_size():
    y = np.array([0, 1, 1, 1, 0, 0, 1])
    seen = {tuple(y[order]) for order in drawn(Exchange(y, [1, 1, 2, 2, 3, 3, 4]))}
    pairs = {(row[:2], row[2:4], row[4:6]) for row in seen}
    assert all(sorted(three) == [(0, 0), (0, 1), (1, 1)] for three in pairs)
    assert len(seen) == 6
    assert {row[6] for row in seen} == {1}


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=2, max_size=12),
    st.integers(0, 99),
)
def test_strata_keep_their_labels(samples, seed):
    strata, y = np.array(samples).T
    assume(any(len(np.unique(y[strata == s])) > 1 for s in np.unique(strata)))
    order = Exchange(y, strata=strata).draw(np.random.default_rng(seed))
    assert sorted(order) == list(range(len(y)))
    np.testing.assert_array_equal(strata[order], strata)


def test_the_number_of_orders():
    assert round(exp(Exchange([0] * 4 + [1] * 6).log_n_orders)) == comb(10, 4)
    strata = [0] * 4 + [1] * 6
    assert round(exp(Exchange([0, 1] * 5, strata=strata).log_n_orders)) == comb(4, 2) * comb(6, 3)


def test_few_orders_are_said():
    exchange = Exchange(["a", "b", "b"])
    with pytest.warns(UserWarning, match="in 3 ways only, so that no p-value is below 0.33"):
        exchange.warn_if_few(20)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": [0, 1], "groups": [1, 1]}, "No two groups can exchange"),
        ({"y": [0, 1], "strata": [1, 2]}, "No two groups can exchange"),
        (
            {"y": [0, 1, 1], "groups": [1, 1, 2], "strata": [1, 2, 2]},
            "1 of 2 groups lie in several strata",
        ),
        ({"y": [0, 1], "groups": [1]}, "groups has 1 value for 2 samples"),
        ({"y": [0, 1, 1], "groups": ["a", None, "b"]}, "groups holds no value in row 1"),
        ({"y": [0, 1, 1], "strata": [0.0, 0.0, np.nan]}, "strata holds no value in row 2"),
        ({"y": ["a", None, "b"]}, "y holds no value in row 1"),
        ({"y": [[0], [1]]}, "y must hold one value for each sample"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        Exchange(**arguments)
