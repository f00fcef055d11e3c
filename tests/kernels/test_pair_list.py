import numpy as np
import pytest

from hitmiss.kernels.pair_list import count_pairs, list_pairs, pair_sums, sizes_of_weights


def listed(S):
    first = np.empty(len(S) + 1, np.intp)
    count_pairs(S, first)
    partner, weight = np.full(first[-1], -1, np.intp), np.full(first[-1], np.nan)
    list_pairs(S, first, partner, weight)
    return first, partner, weight


def test_three_samples_by_hand():
    S = np.array([[9.0, 2, 0], [9, 9, -1], [9, 9, 9]])  # only what is right of the diagonal counts
    first, partner, weight = listed(S)
    assert first.tolist() == [0, 4, 8, 8]
    assert partner.tolist() == [1, 0, 0, 0, 2, 1, 1, 1]
    assert weight.tolist() == [2, 0, 0, 0, -1, 0, 0, 0]
    block, total = np.array([[0.0, 1], [3, 5], [4, 4]]), np.zeros(2)
    pair_sums(block, first, partner, weight, np.empty(2), total)
    assert total.tolist() == [2 * 3 - 1 * 1, 2 * 4 - 1 * 1]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.6, 1.0])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_against_numpy(share, dtype):
    rng = np.random.default_rng(0)
    block = rng.standard_normal((24, 70)).astype(dtype)  # more rows than samples: padded
    S = rng.standard_normal((22, 22)) * (rng.random((22, 22)) < share)
    first, partner, weight = listed(S)
    assert (first % 4 == 0).all()
    total = np.ones(70)
    pair_sums(block, first, partner, weight.astype(dtype), np.empty(70, dtype), total)
    A = np.abs(block[:22, None] - block[None, :22]).astype(float)
    expected = 1 + np.einsum("ni,nij->j", np.triu(S, 1), A)
    np.testing.assert_allclose(total, expected, rtol=1e-4 if dtype == np.float32 else 1e-12)


def test_weights_are_counted_by_their_power_of_two():
    S = np.array([[9.0, 2, -0.75], [9, 9, 3], [9, 9, 9]])
    total, count = np.zeros((2, 2049))
    sizes_of_weights(S, total, count)
    assert np.flatnonzero(count).tolist() == [1024, 1026]  # from 1/2 to 1, and from 2 to 4
    assert count[[1024, 1026]].tolist() == [1, 2]
    assert total[[1024, 1026]].tolist() == [0.75, 5]


def test_sizes_against_numpy():
    rng = np.random.default_rng(0)
    S = rng.standard_normal((30, 30)) * 2.0 ** rng.integers(-300, 300, (30, 30))
    S[3, 4], S[5, 6] = 0.0, 5e-324
    total, count = np.zeros((2, 2049))
    sizes_of_weights(S, total, count)
    upper = np.abs(S[np.triu_indices(30, 1)])
    place = np.maximum(np.frexp(upper[upper > 0])[1] + 1024, 0)
    np.testing.assert_array_equal(count, np.bincount(place, minlength=2049))
    np.testing.assert_allclose(total, np.bincount(place, upper[upper > 0], 2049))
