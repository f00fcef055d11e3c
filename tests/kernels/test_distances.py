import numpy as np
import pytest

from hitmiss.kernels.difference import NUMBERS
from hitmiss.kernels.distances import (
    add_pair_distances,
    cross_distances,
    mirror_upper,
    pack,
    pack_some,
)
from tests.kernels.packing import differences, packed

RTOL = {np.float32: 1e-5, np.float64: 1e-13}
each_dtype = pytest.mark.parametrize("dtype", RTOL)
each_size = pytest.mark.parametrize(
    ("n_samples", "n_features"), [(1, 1), (2, 3), (3, 17), (4, 64), (5, 65), (13, 130), (33, 7)]
)


@each_dtype
@each_size
def test_add_pair_distances(n_samples, n_features, dtype):
    block = packed(n_samples, n_features, dtype)
    D = np.zeros((len(block), len(block)))
    add_pair_distances(block, *NUMBERS, 0, len(block), dtype(1), D)
    expected = differences(block, block).sum(axis=2)
    np.testing.assert_allclose(np.triu(D), np.triu(expected), rtol=RTOL[dtype])


@each_dtype
def test_add_pair_distances_adds_to_what_is_there(dtype):
    block = packed(6, 5, dtype)
    once, thrice = np.zeros((8, 8)), np.full((8, 8), 0.5)
    add_pair_distances(block, *NUMBERS, 0, 8, dtype(1), once)
    for _ in range(3):
        add_pair_distances(block, *NUMBERS, 0, 8, dtype(1), thrice)
    np.testing.assert_allclose(np.triu(thrice), np.triu(0.5 + 3 * once), rtol=1e-14)


@each_dtype
def test_row_tiles_of_pair_distances_change_no_bit(dtype):
    block = packed(23, 70, dtype)
    whole, tiled = np.zeros((24, 24)), np.zeros((24, 24))
    add_pair_distances(block, *NUMBERS, 0, 24, dtype(1), whole)
    for tile in [(12, 24), (0, 4), (4, 12)]:
        add_pair_distances(block, *NUMBERS, *tile, dtype(1), tiled)
    np.testing.assert_array_equal(tiled, whole)


def test_a_row_tile_of_pair_distances_leaves_other_rows_alone():
    D = np.full((16, 16), -1.0)
    add_pair_distances(packed(16, 3, float), *NUMBERS, 4, 8, 1.0, D)
    assert np.all(D[:4] == -1)
    assert np.all(D[8:] == -1)
    assert np.all(D[4:8, :4] == -1)
    assert np.all(D[4:8, 8:] > -1)


@each_dtype
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_pair_distances_hide_no_bad_value(bad, dtype):
    block = packed(8, 9, dtype)
    block[5, 3] = bad
    D = np.zeros((8, 8))
    add_pair_distances(block, *NUMBERS, 0, 8, dtype(1), D)
    np.testing.assert_array_equal(D[:5, 5], np.full(5, bad))
    assert np.isfinite(np.triu(np.delete(np.delete(D, 5, 0), 5, 1))).all()


@pytest.mark.parametrize("size", [1, 2, 7])
def test_mirror_upper(size):
    D = np.random.default_rng(0).standard_normal((size, size))
    upper = np.triu(D, 1)
    mirror_upper(D)
    np.testing.assert_array_equal(D, upper + upper.T)


@each_dtype
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 2), (7, 4, 33)])
def test_cross_distances(shape, dtype):
    n, m, n_features = shape
    A, B = packed(n, n_features, dtype)[:n], packed(m, n_features, dtype, seed=1)[:m]
    D = np.full((n, m), np.nan)
    cross_distances(A, B, *NUMBERS, D)
    np.testing.assert_allclose(D, differences(A, B).sum(axis=2), rtol=RTOL[dtype])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("view", [lambda X: X, lambda X: X[::2], lambda X: X[:, 2:]])
def test_pack(view, dtype):
    rng = np.random.default_rng(0)
    X = view(rng.standard_normal((10, 40)).astype(dtype))
    center, factor = rng.standard_normal((2, 7)).astype(dtype)
    block = np.full((len(X) + 3, 7), np.nan, dtype)
    pack(X, 5, center, factor, block)
    np.testing.assert_array_equal(block[: len(X)], (X[:, 5:12] - center) * factor)
    assert not block[len(X) :].any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("view", [lambda X: X, lambda X: X[::2], lambda X: X[:, 2:]])
def test_pack_some(view, dtype):
    rng = np.random.default_rng(0)
    X, index = view(rng.standard_normal((10, 40)).astype(dtype)), np.array([0, 3, 4, 30])
    center, factor = rng.standard_normal((2, 4)).astype(dtype)
    block = np.full((len(X) + 2, 4), np.nan, dtype)
    pack_some(X, index, center, factor, block)
    np.testing.assert_array_equal(block[: len(X)], (X[:, index] - center) * factor)
    assert not block[len(X) :].any()
