import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss.data.extremes import extremes_of, mean_differences

numbers = st.floats(-1e300, 1e300, allow_subnormal=False)


@given(arrays(float, (7, 3), elements=st.one_of(numbers, st.just(np.nan))))
def test_of_any_numbers(X):
    found = extremes_of(X)
    for j, x in enumerate(X.T):
        seen = x[~np.isnan(x)]
        assert found.n_missing[j] == 7 - len(seen)
        assert (found.lowest[j], found.highest[j]) == (
            (seen.min(), seen.max()) if len(seen) else (0, 0)
        )
        if len(seen) < 7:
            half = seen / 2
            pairs = np.abs(half[:, None] - half)[np.triu_indices(len(seen), 1)]
            scale = np.ptp(half) if len(seen) > 1 else 0.0
            expected = pairs.mean() / scale if scale > 1e-290 else found.mean_difference[j]
            assert found.mean_difference[j] == pytest.approx(expected, rel=1e-9, abs=1e-12)
            assert 0 <= found.mean_difference[j] <= 1
        else:
            assert np.isnan(found.mean_difference[j])


def test_whole_numbers_are_never_missing():
    found = extremes_of(np.array([[1, 5], [3, 2]]))
    assert found.n_missing.tolist() == [0, 0]
    assert found.highest.tolist() == [3, 5]


def test_infinity_is_found_beside_a_gap():
    found = extremes_of(np.array([[np.nan], [np.inf], [1.0]], np.float32))
    assert np.isinf(found.highest[0])


def test_mean_differences_by_hand():
    X = np.array([[0.0, 2.0, np.nan], [1.0, 2.0, 5.0], [4.0, 2.0, np.nan], [np.nan, 2.0, np.nan]])
    np.testing.assert_allclose(mean_differences(X), [8 / 3, 0, 0])
