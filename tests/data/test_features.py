"""The contract of `Features`: every question, asked of every implementation, against NumPy."""

import dask.array as da
import numpy as np
import pytest
from distributed import Client
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hitmiss._util.workers import Workers
from hitmiss.data import features as questions
from hitmiss.data.dask import Distributed
from hitmiss.data.features import (
    Features,
    PairList,
    WeightedTiles,
    grouped,
    main_pairs,
    weighted_rows,
)
from hitmiss.data.in_memory import InMemory, open_features
from hitmiss.data.scaling import Scaling
from hitmiss.data.sources import as_source
from hitmiss.data.stored import WINDOW_BYTES, Stored
from hitmiss.data.views import Observed, Reordered, Subset, View
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes
from tests.data.kinds import KINDS

N_FEATURES = 2300  # three blocks of features, the last one smaller
KEPT = np.arange(0, N_FEATURES, 3)
FEW = np.array([3, 4, 5, 300, 301])  # in a subset, with and without gaps


def open_dask(X, folder, request):
    client = Client(request.getfixturevalue("cluster"))
    request.addfinalizer(client.close)
    features = open_features(as_source(da.from_array(X, chunks=(len(X), 900))), Workers(1))
    assert isinstance(features, Distributed)
    return features


def open_stored(kind):
    def opened(X, folder, request):
        features = Stored(as_source(KINDS[kind](X, folder)), Workers(2))
        features._window = 1  # several windows
        return features

    return opened


WHOLES = {
    "in memory": lambda X, folder, request: InMemory(X, Workers(2)),
    "in memory, by columns": lambda X, *_: InMemory(np.asfortranarray(X), Workers(1)),
    **{kind: open_stored(kind) for kind in KINDS},
    "Dask": open_dask,
    "observed": lambda X, *_: Observed(InMemory(X, Workers(1), Scaling(gap=np.ones(N_FEATURES)))),
}
SUBSETS = [f"subset of {name}" for name in WHOLES]
IMPLEMENTATIONS = [*WHOLES, *SUBSETS, "subset of a subset", "reordered"]
MOVED = np.array([0, 4, 300, 1500, N_FEATURES - 1])  # features in the reordered samples
HOLES = np.array([0, 3, 300, 301, N_FEATURES - 2])  # with missing values: not in the second block
NOMINAL = np.array([4, 12, 300, 309])  # codes of levels; one of them with missing values


class Case:
    """Features, and the scaled values that they stand for."""

    def __init__(self, features, raw, scaling):
        self.features, self.raw = features, raw
        self.values = (raw.astype(float) - scaling.center) * scaling.factor
        d = np.minimum(np.abs(self.values[:, None] - self.values), scaling.cap)
        self.differences = np.where(np.isnan(d), scaling.gap, d)
        self.differences[np.diag_indices(len(raw))] = 0.0

    def distances(self, w):
        return self.differences @ w

    def margins(self, Q, some):
        return np.einsum("ni,nij->nj", Q, self.differences[:, :, some])


class ObservedCase(Case):
    """Features without the differences that have a missing value."""

    def __init__(self, features, raw, scaling):
        super().__init__(features, raw, scaling)
        self.known = ~np.isnan(self.values[:, None] + self.values)
        self.differences[~self.known] = 0.0

    def distances(self, w):
        seen = self.known @ w
        return super().distances(w) * w.sum() / np.where(seen > 0, seen, np.inf)

    def margins(self, Q, some):
        return self.means(np.maximum(Q, 0), some) - self.means(np.maximum(-Q, 0), some)

    def means(self, P, some):
        seen = np.einsum("ni,nij->nj", P, self.known[:, :, some])
        share = P.sum(axis=1)[:, None] / np.where(seen > 0, seen, np.inf)
        return super().margins(P, some) * share


@pytest.fixture(scope="module")
def raw():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((37, N_FEATURES)) * 5 + 3
    X *= np.random.default_rng(1).random(X.shape) < 0.7
    X[:, NOMINAL] = rng.integers(4, size=(37, len(NOMINAL)))
    for j in HOLES:
        X[rng.permutation(37)[:9], j] = np.nan
    return X.astype(np.float32)


def some_scaling(X, index, rng):
    """Random numbers but for what is missing and nominal among the features at `index`."""
    center, factor = rng.random((2, len(index))).astype(np.float32)
    gap, cap = np.full(len(index), np.nan), np.full(len(index), np.inf)
    gap[np.isnan(X).any(axis=0)] = 0.7
    nominal = np.isin(index, NOMINAL)
    factor[nominal], cap[nominal] = 2.0, 1.0
    return Scaling(center, factor, gap, cap)


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
def case(request, raw, tmp_path_factory):
    rng, (_, _, whole) = np.random.default_rng(2), request.param.rpartition("subset of ")
    whole = "in memory" if whole in ("a subset", "reordered") else whole
    features = WHOLES[whole](raw, tmp_path_factory.mktemp("data"), request)
    X, index = raw, np.arange(N_FEATURES)
    if request.param.startswith("subset"):
        features, X, index = features.subset(KEPT), X[:, KEPT], KEPT
    if request.param == "subset of a subset":
        features, X = features.subset(np.arange(0, len(KEPT), 2)), X[:, ::2]
        index = index[::2]
    if request.param == "reordered":
        order, X = rng.permutation(len(X)), X.copy()
        X[:, MOVED] = X[order][:, MOVED]
        features = Reordered(features, MOVED, order)
    scaling = some_scaling(X, index, rng)
    kind = ObservedCase if "observed" in request.param else Case
    return kind(features.scaled(scaling), X, scaling)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def pair_weights(case):
    """The same weights as a matrix and in tiles, if these are taken, with weights of the rows."""
    n = case.features.n_samples
    target, w = Classes(np.arange(n) % 2), np.zeros(case.features.n_features)
    w[:5] = 0.3
    forms = [AllPairs()] if case.features.needs_matrix else [AllPairs(), RowTiles()]
    return [form.soft(case.features, w, target, 2.0) for form in forms], np.linspace(-1, 2, n)


def test_the_questions_are_six():
    assert Features.__abstractmethods__ == {
        *("extremes", "distances", "sums", "margins", "columns", "digest")
    }


def test_shape_and_type(case):
    features = case.features
    assert (features.n_samples, features.n_features) == case.raw.shape
    assert features.dtype == np.float32
    while isinstance(features, View):
        assert features.room == features.whole.room
        features = features.whole
    rooms = {InMemory: np.inf, Distributed: 0.0, Stored: pytest.approx(WINDOW_BYTES, rel=0.1)}
    assert features.room == rooms[type(features)]
    assert case.features.is_in_memory == isinstance(case.features, InMemory)
    assert case.features.needs_matrix == isinstance(case, ObservedCase)


def test_extremes_are_those_of_the_raw_values(case):
    found = case.features.extremes()
    np.testing.assert_array_equal(found.lowest, np.nanmin(case.raw, axis=0))
    np.testing.assert_array_equal(found.highest, np.nanmax(case.raw, axis=0))
    np.testing.assert_array_equal(found.n_missing, np.isnan(case.raw).sum(axis=0))
    holes = np.flatnonzero(found.n_missing)
    assert len(holes) >= 2
    x = case.raw[:, holes].astype(float)
    d = np.abs(x[:, None] - x)[np.triu_indices(len(x), 1)]
    expected = np.nanmean(d, axis=0) / (found.highest - found.lowest)[holes]
    np.testing.assert_allclose(found.mean_difference[holes], expected, rtol=1e-6)
    assert np.isnan(np.delete(found.mean_difference, holes)).all()


def test_another_scaling_reaches_every_answer(case):
    features, (center, factor, gap, cap) = case.features, case.features.scaling
    larger = features.scaled(Scaling(center, 10 * factor, 10 * gap, 10 * cap))
    w = np.ones(features.n_features)
    np.testing.assert_allclose(larger.distances(w), 10 * features.distances(w), rtol=1e-5)
    close(larger.columns(FEW).X, 10 * case.values[:, FEW])
    np.testing.assert_array_equal(larger.extremes()[:2], features.extremes()[:2])
    np.testing.assert_array_equal(features.scaling.factor, factor)  # which has not changed
    shifted = features.scaled(Scaling(center, None))
    close(shifted.columns(FEW).X, case.raw[:, FEW] - center[FEW])


@pytest.mark.parametrize("gaps", [False, True])
def test_distances(case, gaps):
    w = np.arange(case.features.n_features) % 3 / 2.0 if gaps else np.ones(case.raw.shape[1])
    found = case.features.distances(w)
    np.testing.assert_allclose(found, case.distances(w), rtol=1e-5, atol=1e-3)
    assert not case.features.distances(0 * w).any()


@pytest.mark.parametrize("index", [None, FEW, slice(5, 350)], ids=["all", "few", "slice"])
def test_sums_of_every_form_of_weights(case, index):
    (matrix, *tiles), weight = pair_weights(case)
    some = slice(None) if index is None else index
    S = weight[:, None] * matrix
    nearest = np.where(np.abs(matrix) > 0.05, matrix, 0.0)
    expected = [
        case.margins(T, some).sum(axis=0) for T in (S, S.T, nearest, S)[: 2 + 2 * len(tiles)]
    ]
    weights = [
        S,
        S.T,
        *(w for Q in tiles for w in (PairList.of(nearest), WeightedTiles(Q, weight))),
    ]
    found = case.features.sums(iter(weights), index)
    assert found.dtype == float
    close(found, expected)


@pytest.mark.parametrize("index", [None, FEW, slice(5, 350)], ids=["all", "few", "slice"])
def test_margins(case, index):
    (matrix, *tiles), _ = pair_weights(case)
    some = slice(None) if index is None else index
    Z = case.margins(matrix, some)
    holes = np.isnan(case.values[:, some])
    assert holes.any() or index is not None
    for Q in (matrix, *tiles):
        found = case.features.margins(Q, index)
        assert not found[holes].any()  # exactly: a gap is no evidence
        assert found.dtype == np.float32
        close(found, Z)


def test_columns_in_any_order(case):
    index = FEW[::-1]
    columns = case.features.columns(index)
    assert isinstance(columns, InMemory)
    close(columns.X, case.values[:, index])
    close(columns.distances(np.ones(5)), case.differences[:, :, index].sum(axis=2))
    assert case.features.columns(index, dtype=float).X.dtype == np.float64
    assert case.features.columns(index[:0]).X.shape == (len(case.raw), 0)


def test_a_digest_is_of_the_scaled_values(case):
    features = case.features
    assert features.digest() == features.digest()
    assert features.digest(FEW) != features.digest()
    for name in ("factor", "cap") if features.needs_matrix else ("factor", "gap", "cap"):
        changed = getattr(features.scaling, name).copy()
        changed[-2 if name == "factor" else np.flatnonzero(np.isfinite(changed))[0]] += 1
        assert features.scaled(features.scaling._replace(**{name: changed})).digest() != (
            features.digest()
        )
    whole = features.whole if isinstance(features, Subset) else features
    if not isinstance(whole, Distributed | Reordered):  # whose digests depend on their parts
        alone = InMemory(case.raw, Workers(1), features.scaling)
        assert features.digest() == alone.digest()


def test_some_samples(case):
    rows = np.array([0, 5, 6, 20])
    w = np.arange(case.features.n_features) % 3 / 2.0
    some = case.features.of_samples(rows)
    close(some.columns(FEW).X, case.values[np.ix_(rows, FEW)])
    assert (some.n_samples, some.n_features) == (4, case.features.n_features)
    np.testing.assert_allclose(
        some.distances(w), case.distances(w)[np.ix_(rows, rows)], rtol=1e-5, atol=1e-3
    )


def test_raw_values_and_single_precision(case):
    features = whole = case.features
    assert features.in_single_precision() is features  # which it has already
    while isinstance(whole, Subset | Observed):
        whole = whole.whole
    if not isinstance(whole, InMemory):
        with pytest.raises(TypeError, match="does not hold its values in memory"):
            features.raw_values()
        return
    np.testing.assert_array_equal(features.raw_values(), case.raw)
    np.testing.assert_array_equal(features.raw_values(FEW), case.raw[:, FEW])


VALUES = st.sampled_from([0.0, 0.0, 0.5, -1.0, 2.0])


@given(st.integers(1, 9).flatmap(lambda n: arrays(float, (n, n), elements=VALUES)))
def test_a_list_of_pairs_is_the_matrix(Q):
    first, partner, weight = PairList.of(Q)
    found = np.zeros_like(Q)
    for n in range(len(Q)):
        span = slice(first[n], first[n + 1])
        np.add.at(found[n], partner[span], weight[span])
    np.testing.assert_array_equal(found, np.triu(Q + Q.T, 1))
    assert not (first % 4).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_list_of_most_leaves_out_what_a_sum_does_not_show(dtype):
    rng = np.random.default_rng(0)
    S = np.triu(rng.standard_normal((40, 40)) * 10.0 ** rng.integers(-40, 1, (40, 40)), 1)
    first, _, weight = PairList.of_most(S, dtype)
    kept, every = np.abs(weight[weight != 0], dtype=float), np.abs(S[S != 0])
    assert first[-1] < len(every)
    lost = every.sum() - kept.sum(dtype=float)
    assert abs(lost) <= 2 * np.finfo(dtype).eps * every.sum()
    assert kept.min() >= np.sort(every)[-len(kept)] / (1 + np.finfo(dtype).eps)


def test_most_pairs_of_equal_weights_are_no_list():
    assert PairList.of_most(np.triu(np.ones((9, 9)), 1)) is None
    assert PairList.of_most(np.zeros((9, 9))).first[-1] == 0


def test_rows_are_weighted_in_the_form_that_they_have():
    Q, weight = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.array([2.0, 3.0])
    np.testing.assert_array_equal(weighted_rows(Q, weight), [[0, 2], [-3, 0]])
    tiles = object()
    assert weighted_rows(tiles, weight) == WeightedTiles(tiles, weight)


def test_groups_keep_the_order_and_take_only_matrices_together():
    A, B, C = (np.full((2, 2), k) for k in range(3))
    pairs, tiles = PairList.of(A), WeightedTiles(None, None)
    found = list(grouped([A, B, pairs, tiles, tiles, C]))
    assert [len(group) for group in found] == [2, 1, 1, 1, 1]
    assert found[0][0] is A
    assert found[0][1] is B
    assert found[1][0] is pairs
    assert found[4][0] is C


def test_tiles_are_made_only_when_they_are_asked_for():
    made = []

    def weights():
        for k in range(3):
            made.append(k)
            yield WeightedTiles(k, None)

    groups = grouped(weights())
    for k in range(3):
        assert next(groups) == [WeightedTiles(k, None)]
        assert made == list(range(k + 1))


def test_very_many_features_are_asked_of_the_pairs_that_count_alone(monkeypatch):
    rng = np.random.default_rng(0)
    X, Q = rng.random((30, 50)), rng.random((30, 30)) * 10.0 ** rng.integers(-40, 1, (30, 30))
    features = InMemory(X, Workers(1))
    assert main_pairs(features, Q) is Q
    monkeypatch.setattr(questions, "LISTED_FROM", 50)
    pairs = main_pairs(features, Q)
    assert 0 < np.count_nonzero(pairs.weight) < 0.6 * 30 * 29 / 2
    np.testing.assert_allclose(features.sums([pairs]), features.sums([Q]), rtol=1e-12)
    assert main_pairs(features, np.ones((30, 30))).shape == (30, 30)
    assert main_pairs(Observed(features), Q) is Q
