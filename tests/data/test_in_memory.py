import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import pdist, squareform

from hitmiss._util.workers import Workers
from hitmiss.data import sizes
from hitmiss.data.blockwise import working_dtype
from hitmiss.data.in_memory import InMemory
from hitmiss.data.scaling import Scaling, column_scaling
from hitmiss.data.sizes import BLOCK_BYTES, GROUP_BLOCKS, N_TILES
from tests import reference as ref

SERIAL = Workers(1)
LAYOUTS = {
    "C order": np.ascontiguousarray,
    "F order": np.asfortranarray,
    "every other": lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "inside another": lambda X: np.pad(X, 1)[1:-1, 1:-1],
}
DTYPES = ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">f8", ">i2"]
each_layout = pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
each_dtype = pytest.mark.parametrize("dtype", DTYPES)


def whole_numbers(n_samples, n_features, dtype="f8", seed=0):
    """Data whose distances are exact in every precision."""
    high = 2 if dtype == "bool" else 50
    return np.random.default_rng(seed).integers(0, high, (n_samples, n_features)).astype(dtype)


def random_matrix(n, seed=1):
    return np.random.default_rng(seed).standard_normal((n, n)) / n


def cityblock(X, w=None):
    return squareform(pdist(np.asarray(X, float), "cityblock", w=w))


def answers(features):
    """What the features say to each question; the weights have gaps."""
    w = np.arange(features.n_features) % 5 / 4
    Q = random_matrix(features.n_samples)
    few = features.columns(np.arange(0, features.n_features, 7))
    return [
        features.distances(w),
        features.margins(Q),
        features.sums([Q, Q**2, Q.T]),
        few.X,
    ]


def assert_identical(first, second):
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def test_distances_by_hand():
    X = np.array([[0.0, 0, 9], [1, 0, 7], [0, 3, 5]])
    D = InMemory(X, SERIAL).distances(np.array([2.0, 0.5, 0]))
    np.testing.assert_array_equal(D, [[0, 2, 1.5], [2, 0, 3.5], [1.5, 3.5, 0]])
    np.testing.assert_array_equal(InMemory(X, SERIAL).distances(np.zeros(3)), np.zeros((3, 3)))


def test_margins_and_sums_by_hand():
    X, Q = np.array([[0.0, 5], [1, 5], [3, 4]]), np.array([[0.0, -1, 1], [-1, 0, 1], [0, 0, 0]])
    features = InMemory(X, SERIAL)
    np.testing.assert_array_equal(features.margins(Q), [[2, 1], [1, 1], [0, 0]])
    np.testing.assert_array_equal(features.sums([Q, -2 * Q]), [[3, 2], [-6, -4]])


@each_layout
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_no_answer_depends_on_the_layout(layout, dtype):
    X = np.random.default_rng(0).standard_normal((13, 150)).astype(dtype)
    X.flags.writeable = False
    view = layout(X)
    np.testing.assert_array_equal(view, X)
    assert_identical(answers(InMemory(view, SERIAL)), answers(InMemory(X, SERIAL)))


def test_a_read_only_array_is_read_only():
    X = np.random.default_rng(0).standard_normal((13, 150))
    before = X.copy()
    X.flags.writeable = False
    features = InMemory(X, SERIAL, Scaling(center=X.min(axis=0), factor=np.full(150, 2.0)))
    D, Z, *_ = answers(features)
    np.testing.assert_array_equal(X, before)
    Q, w = random_matrix(13), np.arange(150) % 5 / 4
    np.testing.assert_allclose(D, 2 * cityblock(X, w), rtol=1e-12)
    np.testing.assert_allclose(
        Z, 2 * np.einsum("ni,nij->nj", Q, np.abs(X[:, None] - X)), atol=1e-12
    )


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_memmap_gives_the_same_answers(tmp_path, order):
    X = np.asarray(whole_numbers(9, 200, "f4"), order=order)
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert isinstance(mapped, np.memmap)
    assert mapped.flags[f"{order}_CONTIGUOUS"]
    found = answers(InMemory(mapped, SERIAL))
    assert_identical(found, answers(InMemory(X, SERIAL)))
    assert not any(isinstance(array, np.memmap) for array in found)


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_pass_copies_no_more_than_a_few_features(tmp_path, order, scaled):
    shape = (64, 100_000)
    X = np.memmap(tmp_path / "X", np.float32, "w+", shape=shape, order=order)
    center = factor = np.ones(shape[1], np.float32) if scaled else None
    w, Q = np.ones(shape[1], np.float32), random_matrix(64)

    def ask(question):
        features = InMemory(X, SERIAL, Scaling(center, factor))
        return features.distances(w) if question == "distances" else features.sums([Q])

    for question in ("distances", "sums"):
        ask(question)  # compile before measuring
        tracemalloc.start()
        try:
            ask(question)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < (GROUP_BLOCKS + 2) * BLOCK_BYTES / 2 < X.nbytes / 4


@each_dtype
def test_every_real_type_is_exact(dtype):
    X = whole_numbers(11, 70, dtype)
    features, Q = InMemory(X, SERIAL), random_matrix(11)
    np.testing.assert_array_equal(features.distances(np.ones(70)), cityblock(X))
    np.testing.assert_array_equal(features.columns(np.array([3, 1])).X, X[:, [3, 1]])
    expected = InMemory(X.astype(float), SERIAL)
    np.testing.assert_allclose(features.margins(Q), expected.margins(Q), atol=1e-4)
    sums = expected.sums([Q])
    np.testing.assert_allclose(features.sums([Q]), sums, atol=1e-3)
    assert features.margins(Q).dtype == features.dtype


@each_dtype
def test_scaling_works_for_every_real_type(dtype):
    X = whole_numbers(11, 70, dtype)
    w = np.linspace(0, 2, 70)
    work = working_dtype(X.dtype)
    center, factor = X.min(axis=0).astype(work), (1 / np.ptp(X.astype(work), axis=0)).astype(work)
    D = InMemory(X, SERIAL, Scaling(center, factor)).distances(w)
    np.testing.assert_allclose(D, ref.distances(ref.range_scale(X), w), rtol=1e-5)


@pytest.mark.parametrize("big", [np.int32(2**31 - 1), np.int64(2**53), np.float64(1e300)])
def test_numbers_that_float32_cannot_hold_are_kept(big):
    X = np.array([[big], [big - big // 2**20], [0]])
    expected = np.array([0, float(X[0, 0] - X[1, 0]), float(big)])
    np.testing.assert_array_equal(InMemory(X, SERIAL).distances(np.ones(1))[0], expected)


def test_working_dtype():
    small = ["bool", "i1", "u1", "i2", "u2", "f2", "f4", ">f4"]
    assert {working_dtype(np.dtype(name)) for name in small} == {np.dtype("f4")}
    large = ["i4", "u4", "i8", "u8", "f8", ">f8"]
    assert {working_dtype(np.dtype(name)) for name in large} == {np.dtype("f8")}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scaling_is_folded_into_every_answer(dtype):
    X = np.random.default_rng(0).standard_normal((14, 130)).astype(dtype) * 3 + 7
    center, factor = X.mean(axis=0), 1 / np.ptp(X, axis=0)
    folded = answers(InMemory(X, SERIAL, Scaling(center, factor)))
    copied = answers(InMemory((X - center) * factor, SERIAL))
    tol = 1e-5 if dtype == np.float32 else 1e-12
    for one, other in zip(folded, copied, strict=True):
        np.testing.assert_allclose(one, other, rtol=tol, atol=tol)


def test_a_constant_feature_with_factor_zero_adds_nothing():
    X = whole_numbers(10, 4)
    X[:, 2] = 1e300
    center, factor = np.array([0, 0, 1e300, 0]), np.array([1.0, 1, 0, 1])
    features, Q = InMemory(X, SERIAL, Scaling(center, factor)), random_matrix(10)
    np.testing.assert_array_equal(features.distances(np.ones(4)), cityblock(X[:, [0, 1, 3]]))
    assert features.margins(Q).any(axis=0).tolist() == [True, True, False, True]
    assert (features.sums([Q]) != 0).tolist() == [[True, True, False, True]]


@pytest.mark.parametrize("n_samples", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("n_features", [1, 63, 64, 65, 1023, 1024, 1025, 2049, 8192, 8193])
def test_block_boundaries(n_samples, n_features):
    X = whole_numbers(n_samples, n_features, "f4")
    features, S = InMemory(X, SERIAL), np.arange(n_samples**2).reshape(n_samples, n_samples) % 3.0
    assert features.block_size == 1024
    np.testing.assert_array_equal(features.distances(np.ones(n_features)), cityblock(X))
    expected = sum(
        S[n, i] * np.abs(X[n] - X[i]) for n in range(n_samples) for i in range(n_samples)
    )
    np.testing.assert_array_equal(features.sums([S])[0], expected)
    np.testing.assert_array_equal(features.margins(S).sum(axis=0), expected)


@pytest.mark.parametrize("n_samples", [257, 2050])
def test_features_of_many_samples_are_narrow(n_samples):
    X = whole_numbers(n_samples, 140, "f8")
    features = InMemory(X, SERIAL)
    assert features.block_size == (448 if n_samples == 257 else 64)
    w = np.zeros(140)
    w[[3, 70, 139]] = 1, 2, 0.5
    np.testing.assert_array_equal(
        features.distances(w), cityblock(X[:, [3, 70, 139]] * [1, 2, 0.5])
    )


@pytest.mark.parametrize("triangular", [True, False])
@pytest.mark.parametrize("n_samples", [1, 4, 30, 97, 500, 1001])
def test_tiles_cover_every_row_once(n_samples, triangular):
    features = InMemory(np.zeros((n_samples, 1)), SERIAL)
    tiles = features.row_ranges(triangular=triangular, work=10**9)
    rows = [n for start, stop in tiles for n in range(start, stop)]
    assert rows == list(range(features.n_padded))
    assert all(start % 4 == stop % 4 == 0 for start, stop in tiles)
    assert len(tiles) <= N_TILES
    assert features.row_ranges(triangular=triangular, work=0) == [(0, features.n_padded)]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("shape", [(30, 20_000), (121, 1500), (300, 70)])
def test_bit_identical_for_any_number_of_threads(shape, dtype):
    X = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    w, Q = np.random.default_rng(1).random(shape[1]), random_matrix(shape[0])

    def ask(n_jobs):
        workers = Workers(n_jobs)
        features = InMemory(X, workers)
        return [
            features.distances(w),
            features.margins(Q),
            features.sums([Q, Q.T, Q**2]),
        ]

    one, two, four = ask(1), ask(2), ask(4)
    assert_identical(one, two)
    assert_identical(one, four)
    np.testing.assert_allclose(one[0], cityblock(X, w), rtol=1e-5)


def test_sums_are_the_columns_of_the_margins():
    X = np.random.default_rng(0).standard_normal((50, 300))
    Q = random_matrix(50)
    features = InMemory(X, SERIAL)
    np.testing.assert_allclose(features.sums([Q])[0], features.margins(Q).sum(axis=0), atol=1e-12)


def test_columns_are_features_of_their_own():
    X = whole_numbers(7, 40, "f4")
    center, factor = np.full(40, 2, "f4"), np.full(40, 0.5, "f4")
    features = InMemory(X, SERIAL, Scaling(center, factor))
    index = np.array([39, 0, 7])
    columns = features.columns(index)
    np.testing.assert_array_equal(columns.X, (X[:, index] - 2) / 2)
    assert columns.columns(np.array([1]), dtype=float).X.dtype == np.float64
    np.testing.assert_array_equal(columns.columns(np.array([1])).X[:, 0], (X[:, 0] - 2) / 2)
    assert features.columns(np.array([], int)).X.shape == (7, 0)


def test_long_passes_are_announced():
    class Announcements(list):
        def begin(self, label, total):
            self.append((label, total))

        def advance(self):
            self.append("step")

    # 9 features of 1024 features in eight lanes; of 260 samples 9 features of 448 in two groups
    for n_samples, n_features, expected in [
        (4, 8192, []),
        (4, 8193, [("distances", 8), *["step"] * 8]),
        (260, 3584, []),
        (260, 3585, [("distances", 2), "step", "step"]),
    ]:
        heard = Announcements()
        X = np.zeros((n_samples, n_features))
        InMemory(X, Workers(1, heard)).distances(np.ones(n_features))
        assert heard == expected


@st.composite
def integer_data(draw):
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(st.tuples(st.integers(1, 14), st.integers(1, 70)))
    high = 1 if dtype.kind == "b" else 100
    X = draw(arrays(dtype.newbyteorder("="), shape, elements=st.integers(0, high).map(dtype.type)))
    return draw(st.sampled_from(list(LAYOUTS.values())))(X.astype(dtype))


@given(integer_data())
def test_distances_are_a_metric_and_those_of_scipy(X):
    D = InMemory(X, SERIAL).distances(np.ones(X.shape[1]))
    np.testing.assert_array_equal(D, cityblock(X))
    np.testing.assert_array_equal(D, D.T)
    assert not D.diagonal().any()
    assert np.all(D[:, :, None] + D[None] >= D[:, None])


@given(integer_data(), st.integers(-20, 20), st.sampled_from([0.25, 0.5, 2, 8]))
def test_distances_ignore_shifts_and_follow_scale(X, shift, scale):
    w = np.arange(X.shape[1]) % 3.0
    D = InMemory(X, SERIAL).distances(w)
    moved = scale * (X.astype(float) + shift)
    np.testing.assert_array_equal(InMemory(moved, SERIAL).distances(w), scale * D)
    np.testing.assert_array_equal(InMemory(X, SERIAL).distances(scale * w), scale * D)
    center, factor = np.full(X.shape[1], -shift), np.full(X.shape[1], scale)
    work = working_dtype(X.dtype)
    folded = InMemory(X, SERIAL, Scaling(center.astype(work), factor.astype(work)))
    np.testing.assert_array_equal(folded.distances(w), scale * D)


@given(integer_data(), st.randoms(use_true_random=False))
def test_distances_ignore_the_order_of_features(X, random):
    order = random.sample(range(X.shape[1]), X.shape[1])
    w = np.arange(X.shape[1]) % 4.0
    D = InMemory(X, SERIAL).distances(w)
    np.testing.assert_array_equal(InMemory(X[:, order], SERIAL).distances(w[order]), D)
    rows = random.sample(range(len(X)), len(X))
    np.testing.assert_array_equal(InMemory(X[rows], SERIAL).distances(w), D[np.ix_(rows, rows)])


def opened(X):
    features = InMemory(X, Workers(1))
    return features.scaled(column_scaling(features.extremes(), by_range=True))


def test_single_precision_keeps_small_differences_of_large_numbers():
    X = 1e8 + np.random.default_rng(0).random((9, 5))
    found = opened(X).in_single_precision()
    assert found.dtype == np.float32
    w = np.arange(5.0)
    np.testing.assert_allclose(found.distances(w), opened(X).distances(w), atol=1e-5)


def test_single_precision_keeps_what_is_missing():
    X = np.random.default_rng(0).random((9, 5))
    X[2, 1] = np.nan
    w = np.ones(5)
    found = opened(X).in_single_precision()
    np.testing.assert_allclose(found.distances(w), opened(X).distances(w), atol=1e-6)


def test_single_precision_leaves_the_rest_alone(monkeypatch):
    X = np.random.default_rng(0).random((9, 5))
    single, double = opened(X.astype(np.float32)), opened(X)
    assert single.in_single_precision() is single
    monkeypatch.setattr(sizes, "SINGLE_BYTES", 4 * X.size - 1)
    assert double.in_single_precision() is double
