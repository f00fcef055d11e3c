"""Other starts find what uniform weights hide; paths follow fixed points down and up."""

import warnings

import numpy as np
import pytest

from benchmarks.starts import problem
from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import multistart
from hitmiss.lofe.active_set import Search
from hitmiss.lofe.multistart import FURTHER_STARTS, STARTS, FixedPoints, prune, spread
from hitmiss.lofe.problem import Problem
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes
from tests import reference as ref


def quadrants(seed, n_features=1_002):
    """The class is the sign of the product of two features, without a gap between the classes."""
    X = np.random.default_rng(seed).standard_normal((200, 1_002)).astype(np.float32)
    return X[:, :n_features], (X[:, 0] > 0) ^ (X[:, 1] > 0)


def fixed_points(X, y, starts=(1.0,), pairs=None, **how):
    how = {"tol": 1e-5, "max_iter": 100, "record": lambda **row: None} | how
    problem = Problem(Classes(np.asarray(y, int)), 2.0, 1.0, pairs=pairs)
    return FixedPoints(InMemory(X, Workers(1)), problem, starts, **how)


def test_pruning_keeps_the_pair_in_its_first_round():
    """By the twin, from distances of all pairs."""
    X, y = quadrants(1)
    S = ref.range_scale(X)
    D = np.abs(S[:, None] - S[None]).sum(axis=2)
    deviation = D[~np.eye(200, dtype=bool)].std()
    assert spread(InMemory(S, Workers(1))) == pytest.approx(deviation, rel=1e-6)
    Z = ref.margins_at(S, y.astype(int), np.full(1_002, multistart.LOCAL / deviation), 1.0)
    order = np.argsort(-Z.sum(axis=0))
    assert set(order[:751]) >= {0, 1}


def test_samples_that_are_all_the_same_have_no_spread():
    assert spread(InMemory(np.ones((5, 3)), Workers(1))) == 1


def pruned_by_the_twin(X, y, share):
    """Features left, and the uniform weight at which they are local, from all pairs every time."""
    left = np.arange(X.shape[1])
    while len(left) > multistart.LEFT:
        D = np.abs(X[:, None, left] - X[None, :, left]).sum(axis=2)
        w = np.full(len(left), multistart.LOCAL / D[np.triu_indices(len(D), 1)].std())
        score = ref.margins_at(X[:, left], y, w, 1.0).sum(axis=0)
        n_left = max(int(share * len(left)), multistart.LEFT)
        left = np.sort(left[np.argsort(-score)[:n_left]])
    D = np.abs(X[:, None, left] - X[None, :, left]).sum(axis=2)
    return left.tolist(), 2.0 * multistart.LOCAL / D[np.triu_indices(len(D), 1)].std()


@pytest.mark.parametrize("share", [0.3, 0.75])
@pytest.mark.parametrize("kind", ["pairs", "unit", "tiles"])
def test_pruning_leaves_the_features_of_the_twin_however_pairs_are_looked_at(kind, share):
    """In single precision distances of features that go may be subtracted from those of all."""
    X, y = quadrants(1, n_features=200)
    S = ref.range_scale(X).astype(np.float32)
    unit = AllPairs(InMemory(S, Workers(1)).distances(np.ones(200)))
    pairs = {"pairs": AllPairs(), "unit": unit, "tiles": RowTiles()}[kind]
    search = fixed_points(S, y, pairs=pairs).search(2.0, 1.0)
    left, weight = prune(search, np.arange(200), share)
    expected, local = pruned_by_the_twin(S.astype(float), y.astype(int), share)
    assert left.tolist() == expected
    assert weight == pytest.approx(local, rel=1e-5)
    assert {0, 1} <= set(left)


@pytest.mark.parametrize("seed", [1, 2, 4])
def test_pruning_finds_a_pair_that_no_other_start_finds(seed, monkeypatch):
    X, y = quadrants(seed)
    lofe = LOFE(alpha=1.0).fit(X, y)
    np.testing.assert_array_equal(np.flatnonzero(lofe.weights_), [0, 1])
    assert (lofe.init_, lofe.converged_) == ("pruned", True)
    monkeypatch.setattr(multistart, "PRUNINGS", ())
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # for some: no weights
        assert not LOFE(alpha=1.0).fit(X, y).weights_[:2].any()


def test_pruning_is_the_same_from_disk_and_from_a_checkpoint(tmp_path):
    X, y = quadrants(1)
    np.save(tmp_path / "X.npy", X)
    stored = np.load(tmp_path / "X.npy", mmap_mode="r")
    weights = LOFE(alpha=1.0).fit(X, y).weights_
    for _ in range(2):  # the second time from the checkpoint
        lofe = LOFE(memory="100MB", checkpoint=tmp_path / "state", alpha=1.0).fit(stored, y)
        np.testing.assert_array_equal(lofe.weights_, weights)


def test_pruning_needs_neighbors_that_weights_change():
    X, y = quadrants(1, n_features=40)
    points = fixed_points(X, y)
    search, first = points.search(np.inf, 1.0), points.first_gradients(np.inf)
    assert multistart.pruned(search, [search.candidate(0, 1.0, first[0])], first) == []


@pytest.fixture
def begun(monkeypatch):
    """The sets of features of which pruning is to leave a few, and does not."""
    tried = []

    def begin(search, some, share, first):
        tried.append(some)
        return search.candidate(0, 0.0, some)

    monkeypatch.setattr(multistart, "_begun", begin)
    return tried


def test_a_part_with_its_partner_shows_a_feature_that_all_features_hide(begun, monkeypatch):
    X, y = datasets.make_xor(200, n_irrelevant=5_000, random_state=2, return_X_y=True)
    points = fixed_points(ref.range_scale(X).astype(np.float32), y)
    monkeypatch.setattr(multistart, "PART_BEST", (4,))
    search, first = points.search(2.0, 1.0), points.first_gradients(2.0)
    multistart.from_parts(search, [search.candidate(0, 1.0, first[0])], first)
    assert set(begun[0]) >= {0, 1}


@pytest.mark.parametrize("n_features", [100, 6000])
def test_parts_are_for_many_features_and_a_matrix_of_pairs(begun, n_features, monkeypatch):
    X, y = np.random.default_rng(0).random((12, n_features)), np.arange(12) % 2
    monkeypatch.setattr(Search, "explains", lambda *_: False)
    for pairs, sigma in ((None, 2.0), (RowTiles(), 2.0), (None, np.inf)):
        search = fixed_points(X, y, pairs=pairs).search(sigma, 1.0)
        first = np.zeros((1, n_features))
        multistart.from_parts(search, [search.candidate(0, 1.0, first[0])], first)
    assert [len(some) for some in begun] == ([128, 512, 1024] if n_features == 6000 else [])


def of_small(small, X, n_init):
    """The fixed point of a problem of the benchmark."""
    starts, codes = [X.shape[1] ** -0.5, 1.0], np.unique(small.y, return_inverse=True)[1]
    points = fixed_points(ref.range_scale(X), codes, starts, more_starts=STARTS, n_init=n_init)
    return points.solve(small.sigma, small.alpha)


def test_restarts_lead_lower_and_are_always_the_same():
    small = problem(0, 16)
    plain, some, again, more = (of_small(small, small.X, n) for n in (0, 8, 8, 16))
    assert more.objective <= some.objective < 0.9 * plain.objective
    np.testing.assert_array_equal(some.w, again.w)
    assert some.converged
    assert some.start == 2 + FURTHER_STARTS.index("restart")


def test_a_start_from_a_stronger_penalty_converges_where_the_uniform_ones_cycle():
    X, y = datasets.make_spiral(n_irrelevant=500, random_state=0, dtype="f4", return_X_y=True)
    raw = fixed_points(X, y, [X.shape[1] ** -0.5, 1.0], more_starts=[multistart.sparse])
    found = raw.solve(0.5, 1.0)
    assert found.converged
    assert found.start == 2 + FURTHER_STARTS.index("sparse")
    np.testing.assert_array_equal(np.flatnonzero(found.w), [0, 1])


def test_a_start_from_a_stronger_penalty_is_for_what_has_not_converged():
    points = fixed_points(*quadrants(1, n_features=40))
    search, first = points.search(2.0, 1.0), points.first_gradients(2.0)
    candidate = search.candidate(0, 1.0, first[0])
    candidate.objective, candidate.converged = 0.0, True
    assert multistart.sparse(search, [candidate], first) == []


@pytest.mark.full
@pytest.mark.parametrize(
    ("seed", "k"), [(14, 267), (17, 16), (3, 121), (6, 231), (13, 197), (19, 14)]
)
def test_irrelevant_features_do_not_lead_to_a_higher_fixed_point_with_restarts(seed, k):
    """Without restarts the objective is 0.7 to 10 % higher with them, but in one."""
    small = problem(seed, k)
    assert small.sigma == 0.316
    alone = of_small(small, small.X, 0)
    together = of_small(small, np.hstack([small.X, small.noise]), 32)
    assert alone.converged
    assert together.converged
    assert together.objective <= alone.objective * (1 + 1e-3)


def test_restarts_with_a_kernel_so_wide_that_distances_do_not_matter():
    X, y = datasets.make_xor(60, n_irrelevant=3, random_state=0, return_X_y=True)
    plain, more = (fixed_points(ref.range_scale(X), y, n_init=n).solve(np.inf, 0.1) for n in (0, 4))
    np.testing.assert_allclose(more.w, plain.w, atol=1e-5)
    assert more.converged


def test_restarts_where_all_samples_are_the_same():
    found = fixed_points(np.ones((8, 3)), np.arange(8) % 2, n_init=3).solve(2.0, 1.0)
    assert not found.w.any()


def test_what_only_a_weaker_penalty_leads_to_is_followed():
    X, y = datasets.make_spiral(
        240, n_irrelevant=6000, random_state=1, dtype=np.float32, return_X_y=True
    )
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1]


def test_a_path_agrees_with_single_fits(waveform):
    X, y = waveform
    alphas = [8.0, 4.0, 2.0, 1.0]
    path = LOFE(alpha=1.0).path(X, y, alphas)
    np.testing.assert_array_equal(path.alphas, alphas)
    for alpha, w, objective in zip(alphas, path.weights, path.objectives, strict=True):
        single = LOFE(alpha=alpha).fit(X, y)
        assert objective <= single.objective_ * (1 + 1e-6)
        if objective >= single.objective_ * (1 - 1e-6):
            np.testing.assert_allclose(w, single.weights_, atol=1e-3 * max(w.max(), 1e-12))
    assert path.converged.all()
    assert (path.optimality_gaps <= 1e-3).all()


def test_a_path_begins_where_every_weight_is_zero(waveform):
    path = LOFE(alpha=1.0).path(*waveform, 6)
    assert len(path.alphas) == 6
    assert (np.diff(path.alphas) < 0).all()
    assert not path.weights[0].any()
    assert path.weights[1:].any(axis=1).all()


def test_a_path_finds_interactions_on_its_way():
    X, y = datasets.make_xor(200, n_irrelevant=60, random_state=0, return_X_y=True)
    path = LOFE(alpha=1.0).path(X, y, [30.0, 10.0, 3.0, 1.0])
    assert np.flatnonzero(path.weights[-1]).tolist() == [0, 1]


def test_a_path_fits_nothing_and_needs_sensible_strengths(waveform):
    model = LOFE(alpha=2.0)
    model.path(*waveform, [5.0])
    assert not hasattr(model, "weights_")
    assert model.alpha == 2.0
    for wrong in ([], [0.0, 1.0], [np.nan], [[1.0]], 0):
        with pytest.raises((ValueError, TypeError), match="alphas"):
            model.path(*waveform, wrong)


def test_a_weaker_penalty_is_followed_only_where_it_lets_more_features_in():
    X, y = datasets.make_twonorm(80, n_irrelevant=60, random_state=0, return_X_y=True)
    points = fixed_points(ref.range_scale(X), y)
    strong = points.solve(2.0, 3.0)
    assert points.grown(2.0, 3.0, strong) is None
    more, expected = points.grown(2.0, 1.0, strong), points.follow(2.0, 1.0, strong)
    assert np.count_nonzero(more.w) > np.count_nonzero(strong.w) > 0
    np.testing.assert_array_equal(more.w, expected.w)
    assert more.converged


def test_from_zero_weights_the_starts_are_followed_again():
    X, y = datasets.make_twonorm(80, n_irrelevant=60, random_state=0, return_X_y=True)
    points = fixed_points(ref.range_scale(X), y)
    nothing = points.solve(2.0, 1.1 * points.largest_alpha(2.0))
    assert not nothing.w.any()
    blind = nothing._replace(gradient=np.zeros(len(nothing.w)))  # no weight leaves zero there
    np.testing.assert_array_equal(points.follow(2.0, 1.0, blind).w, points.solve(2.0, 1.0).w)


def test_the_fixed_point_zero_is_that_of_a_strong_penalty():
    X, y = datasets.make_twonorm(80, n_irrelevant=60, random_state=0, return_X_y=True)
    points = fixed_points(ref.range_scale(X), y)
    largest = points.largest_alpha(2.0)
    found, expected = points.zero(2.0, 2 * largest, largest), points.solve(2.0, 2 * largest)
    np.testing.assert_array_equal(found.w, expected.w)
    np.testing.assert_allclose(found.gradient, expected.gradient, rtol=1e-6)
    assert found.objective == pytest.approx(expected.objective)
    assert (found.gap, found.converged, found.largest_alpha) == (0, True, expected.largest_alpha)


@pytest.mark.parametrize("room", [np.inf, 1e3, 0.0])
def test_samples_are_copied_only_where_there_is_room(room):
    X, y = datasets.make_xor(60, n_irrelevant=3, random_state=0, return_X_y=True)
    points = fixed_points(X, y)
    points.features.room = room
    assert points.fits == (room == np.inf)
    assert points.samples_fit == (room != 1e3)  # of a cluster it is 0
