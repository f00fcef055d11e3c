"""LOFE finds the known answer: among irrelevant features, from any start, by any active set."""

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.feature_selection import f_classif, mutual_info_classif

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import active_set, multistart
from hitmiss.lofe.active_set import Candidate, Search, certify, finer, lowest, solve, violators
from hitmiss.lofe.fixed_point import EXACT, Exact, fixed_point
from hitmiss.lofe.multistart import pruned
from hitmiss.lofe.problem import Problem
from hitmiss.targets.classes import Classes
from tests import reference as ref

SPIRAL = {None: [7.4626, 7.5627], "range": [29.0007, 28.5766]}
SIGMAS = {  # the range-scaled spiral's answer
    0.5: [28.3164, 26.6564],
    1.0: [27.9021, 26.5676],
    2.0: [29.0007, 28.5766],
    5.0: [0, 6.0042],
    10.0: [0, 5.1659],
    50.0: [0, 4.8084],
}


def spiral(n_irrelevant=0, seed=0, **params):
    return datasets.make_spiral(
        n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True, **params
    )


@pytest.mark.parametrize("scale", SPIRAL)
def test_the_spiral_without_irrelevant_features(scale):
    X, y = spiral()
    lofe = LOFE(scale=scale, alpha=1.0).fit(X, y)
    np.testing.assert_allclose(lofe.weights_, SPIRAL[scale], rtol=1e-4)
    S = X if scale is None else ref.range_scale(X)
    expected, _, converged, _ = ref.fixed_point(S, y, 2.0, 1.0, np.full(2, 20.0))
    assert converged
    np.testing.assert_allclose(lofe.weights_, expected, rtol=1e-4)


@pytest.mark.full
@pytest.mark.parametrize("scale", SPIRAL)
@pytest.mark.parametrize(
    ("n_irrelevant", "seeds"),
    [(50, range(5)), (500, range(5)), (5000, range(2)), (30_000, range(1))],
)
def test_irrelevant_features_do_not_change_the_answer(scale, n_irrelevant, seeds):
    weights = LOFE(scale=scale, alpha=1.0).fit(*spiral(dtype=np.float32)).weights_
    for seed in seeds:
        lofe = LOFE(scale=scale, alpha=1.0).fit(*spiral(n_irrelevant, seed, dtype=np.float32))
        np.testing.assert_array_equal(np.flatnonzero(lofe.weights_), [0, 1])
        np.testing.assert_allclose(lofe.weights_[:2], weights, rtol=1e-3)
        assert lofe.converged_
        assert lofe.optimality_gap_ <= 1e-3


@pytest.mark.parametrize("sigma", SIGMAS)
def test_every_start_leads_to_the_same_weights(sigma):
    X, y = spiral(500)
    rng = np.random.default_rng(0)
    random = [rng.uniform(0, size, X.shape[1]) for size in (0.1, 1.0, 10.0)]
    for init in ["soft", "ones", *random]:
        lofe = LOFE(sigma=sigma, init=init, alpha=1.0).fit(X, y)
        assert lofe.converged_
        assert lofe.optimality_gap_ <= 1e-3
        np.testing.assert_allclose(lofe.weights_[:2], SIGMAS[sigma], rtol=1e-3)
        assert not lofe.weights_[2:].any()


@pytest.mark.parametrize("sigma", [1.0, 2.0])
def test_where_the_plain_iteration_cycles(sigma):
    X, y = spiral()
    iterates = np.array(ref.plain_iteration(ref.range_scale(X), y, sigma, 1.0, [15.5, 38.2], 30))
    steps = np.linalg.norm(np.diff(iterates, axis=0), axis=1)
    assert steps[-10:].min() > 10  # it never settles, although there is a fixed point near 28
    np.testing.assert_allclose(
        LOFE(sigma=sigma, alpha=1.0).fit(X, y).weights_, SIGMAS[sigma], rtol=1e-3
    )


@pytest.mark.parametrize("sigma", [0.5, 5.0, 10.0, 50.0])
def test_where_the_plain_iteration_converges_it_is_to_our_answer(sigma):
    X, y = spiral()
    start = np.multiply(SIGMAS[sigma], [1.02, 0.98])
    last = ref.plain_iteration(ref.range_scale(X), y, sigma, 1.0, start, 30)[-1]
    np.testing.assert_allclose(last, SIGMAS[sigma], rtol=1e-3)


def test_the_scaled_spiral_has_several_answers_at_sigma_5_and_other_starts_lead_lower():
    X, y = spiral(100)
    given = np.append([33.0, 36.0], np.zeros(100))
    found = {
        name: LOFE(sigma=5.0, init=init, alpha=1.0).fit(X, y)
        for name, init in (("soft", "soft"), ("ones", "ones"), ("auto", "auto"), ("given", given))
    }
    assert all(lofe.converged_ and lofe.optimality_gap_ <= 1e-3 for lofe in found.values())
    objective = {name: lofe.objective_ for name, lofe in found.items()}
    assert objective["soft"] == pytest.approx(objective["ones"])
    assert objective["ones"] == pytest.approx(303.718, abs=0.01)
    assert objective["auto"] < 290
    assert objective["given"] == pytest.approx(125.002, abs=0.01)
    np.testing.assert_allclose(found["given"].weights_[:2], [33.053, 36.309], rtol=1e-3)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:LOFE did not converge")
@pytest.mark.parametrize(("n_irrelevant", "seed"), [(100, 0), (100, 1), (150, 0)])
def test_the_lowest_of_several_answers_on_raw_data(n_irrelevant, seed):
    X, y = spiral(n_irrelevant, seed, n_samples=200)
    starts = [
        LOFE(sigma=0.5, scale=None, init=init, alpha=1.0).fit(X, y) for init in ("soft", "ones")
    ]
    objectives = sorted(lofe.objective_ for lofe in starts)
    assert objectives[1] > 2 * objectives[0]
    lofe = LOFE(sigma=0.5, scale=None, alpha=1.0).fit(X, y)
    assert lofe.converged_
    assert lofe.objective_ <= objectives[0] * (1 + 1e-6)


@pytest.mark.full
@pytest.mark.parametrize("sigma", [0.5, 2.0])
@pytest.mark.parametrize("n_irrelevant", [2, 10, 100, 300])
def test_xor_among_irrelevant_features(n_irrelevant, sigma):
    for seed in range(8 if sigma == 2 else 2):
        X, y = datasets.make_xor(n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True)
        lofe = LOFE(sigma=sigma, alpha=1.0).fit(X, y)
        assert lofe.converged_
        assert set(np.argsort(-lofe.weights_)[:2]) == {0, 1}
        assert set(lofe.ranking_[:2]) == {0, 1}
        assert lofe.weights_[:2].min() > 1
        if not lofe.weights_[2:].any():
            alone = LOFE(sigma=sigma, alpha=1.0).fit(X[:, :2], y).weights_
            np.testing.assert_allclose(lofe.weights_[:2], alone, rtol=1e-2)


@pytest.mark.full
@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_parity_of_three_bits_among_irrelevant_features(sigma):
    for seed in range(10 if sigma == 2 else 3):
        X, y = datasets.make_parity(n_irrelevant=10, random_state=seed, return_X_y=True)
        lofe = LOFE(sigma=sigma, alpha=1.0).fit(X, y)
        assert lofe.converged_
        assert set(lofe.ranking_[:3]) == {0, 1, 2}
        assert lofe.weights_[:3].min() > 1


@pytest.mark.full
@pytest.mark.parametrize(("n_bits", "sigma"), [(2, 2.0), (3, 0.5)])
def test_features_one_by_one_rank_interactions_at_chance(n_bits, sigma):
    """Mean rank of the relevant features, from 0 to 1; 1/2 is chance."""
    methods = {
        "F-test": lambda X, y: f_classif(X, y)[0],
        "mutual information": lambda X, y: mutual_info_classif(X, y, random_state=0),
        "LOFE": lambda X, y: LOFE(sigma=sigma, alpha=1.0).fit(X, y).weights_,
    }
    ranks = {name: [] for name in methods}
    for seed in range(5):
        X, y = datasets.make_parity(
            n_bits=n_bits, n_irrelevant=20, random_state=seed, return_X_y=True
        )
        for name, method in methods.items():
            rank = rankdata(-method(X, y), method="average")[:n_bits]
            ranks[name].append((rank.mean() - (n_bits + 1) / 2) / 20)
    assert np.mean(ranks["LOFE"]) == 0
    assert np.mean(ranks["F-test"]) > 0.35
    assert np.mean(ranks["mutual information"]) > 0.35


def random_problem(seed):
    """Two or four classes, five relevant features among 200 to 3,000."""
    rng = np.random.default_rng(seed)
    n_classes, n_features = [2, 4][seed % 2], int(rng.integers(200, 3001))
    y = np.arange(80) % n_classes
    X = rng.standard_normal((80, n_features))
    X[:, :5] += rng.standard_normal((n_classes, 5))[y]
    return X, y


# Pair-elements up to which everything is active, features of the active set, candidates beside the
# non-zeros, and non-zeros with which convergence begins.
SETS = {"default": None, "small": (0, 128, 16, 32), "tiny": (0, 32, 8, 8)}


@pytest.fixture(params=SETS)
def sets(request, monkeypatch):
    if SETS[request.param]:
        everything, active, narrow, few = SETS[request.param]
        monkeypatch.setattr(active_set, "EVERYTHING", everything)
        monkeypatch.setattr(active_set, "ACTIVE", active)
        monkeypatch.setattr(multistart, "ACTIVE", active)
        monkeypatch.setattr(active_set, "NARROW", narrow)
        monkeypatch.setattr(Search.nearest, "__defaults__", (narrow,))
        monkeypatch.setattr(Exact, "few", few)


@pytest.mark.parametrize("start", ["soft", "ones"])
def test_the_active_set_changes_nothing(start, sets):
    for seed in range(8):
        X, y = random_problem(seed)
        w = np.full(X.shape[1], X.shape[1] ** -0.5 if start == "soft" else 1.0)
        features, problem = InMemory(ref.range_scale(X), Workers(1)), Problem(Classes(y), 2.0, 1.0)
        plain = fixed_point(features, problem, w, tol=1e-6, max_iter=1000)
        assert plain.converged
        lofe = LOFE(init=start, alpha=1.0).fit(X, y)
        assert lofe.converged_
        scale = np.linalg.norm(plain.point.w)
        assert np.linalg.norm(lofe.weights_ - plain.point.w) <= 1e-3 * scale


@pytest.mark.parametrize("seed", range(4))
def test_the_active_set_against_the_reference(seed, sets):
    X, y = random_problem(seed)
    X = X[:, :200]
    w, _, converged, _ = ref.fixed_point(
        ref.range_scale(X), y, 2.0, 1.0, np.full(200, 200**-0.5), tol=1e-5
    )
    assert converged
    lofe = LOFE(init="soft", alpha=1.0).fit(X, y)
    assert np.linalg.norm(lofe.weights_ - w) <= 1e-3 * np.linalg.norm(w)


def test_the_active_set_on_the_spiral(sets):
    lofe = LOFE(alpha=1.0).fit(*spiral(2000, dtype=np.float32))
    np.testing.assert_array_equal(np.flatnonzero(lofe.weights_), [0, 1])
    np.testing.assert_allclose(lofe.weights_[:2], SPIRAL["range"], rtol=1e-3)


@pytest.mark.full
def test_the_ranking_goes_on_beyond_the_support():
    n_relevant, n_nonzero = [], []
    for seed in range(5):
        X, y = datasets.make_twonorm(120, n_irrelevant=5000, random_state=seed, return_X_y=True)
        lofe = LOFE(alpha=2.0, tol=1e-3).fit(X, y)
        assert lofe.converged_
        n_relevant.append(np.sum(lofe.ranking_[:20] < 20))
        n_nonzero.append(np.count_nonzero(lofe.weights_))
    assert np.mean(n_relevant) >= 16
    assert np.mean(n_nonzero) < 10


@pytest.mark.parametrize(("n_irrelevant", "given"), [(0, False), (100, False), (500, True)])
def test_a_narrow_kernel_on_raw_data_ends_at_the_lowest_objective(n_irrelevant, given):
    """From uniform weights 500 irrelevant features lead to dense weights."""
    X, y = spiral(n_irrelevant, dtype=np.float32)
    init = np.append([7.0, 7.0], np.zeros(n_irrelevant)) if given else "auto"
    lofe = LOFE(sigma=0.5, scale=None, init=init, alpha=1.0).fit(X, y)
    assert lofe.converged_
    assert np.flatnonzero(lofe.weights_).tolist() == [0, 1]
    np.testing.assert_allclose(lofe.weights_[:2], [7.62395, 7.60115], rtol=1e-3)
    assert lofe.init_ == ("given" if given else "soft")


def test_many_weights_converge():
    X, y = datasets.make_twonorm(200, n_irrelevant=5000, random_state=0, return_X_y=True)
    lofe = LOFE(alpha=0.05).fit(X, y)
    assert lofe.converged_
    assert np.count_nonzero(lofe.weights_) > 32
    assert lofe.objective_ < 10


def test_violators_are_zeros_whose_gradient_is_clearly_above_alpha():
    w, c = np.array([0.0, 0, 0, 2]), np.array([2.0, 2 * (1 + 1.1e-4), 1.9, 3])
    assert violators(w, c, 2.0).tolist() == [1]


def test_the_tolerance_is_the_one_wanted_and_then_finer():
    assert finer(1e-2, 1e-5) == 1e-5
    assert finer(1e-5, 1e-5) == pytest.approx(1e-6)


def candidate(objective, k=0):
    return Candidate(k, np.arange(1), np.zeros(1), objective=objective)


def test_of_objectives_that_agree_the_earliest_start_counts():
    some = [candidate(7.0), candidate(5.0 * (1 + 0.9e-6), 1), candidate(5.0, 2)]
    assert lowest(some).start == 1
    assert lowest([some[0], some[2]]).start == 2


class Scripted(Search):
    """From every start it leads to the objectives it is told, of which the last is certified."""

    def __init__(self, scripts):
        self.scripts, self.checked, self.max_iter = {k: [*v] for k, v in scripts.items()}, [], 100

    def converge(self, candidate, problem=None):
        candidate.objective = self.scripts[candidate.start].pop(0)
        candidate.converged = not self.scripts[candidate.start]

    def check(self, candidate, problem=None):
        self.checked.append(candidate.start)
        candidate.certified = candidate.converged

    def answer(self, candidate, largest_alpha):
        return candidate.start, candidate.objective


def certified(scripts):
    search = Scripted(scripts)
    candidates = [candidate(np.inf, k) for k in scripts]
    for one in candidates:
        search.converge(one)
    return certify(search, candidates, 1.0), search.checked


def test_a_start_is_abandoned_once_another_is_certified_below_it():
    assert certified({0: [5.0], 1: [7.0, 1.0]}) == ((0, 5.0), [0])
    assert certified({0: [5.0, 9.0], 1: [7.0, 6.0]}) == ((1, 6.0), [0, 1, 1])


def test_further_starts_are_asked_with_all_candidates_so_far():
    X, y = datasets.make_clusters(60, n_irrelevant=10, random_state=0, return_X_y=True)
    asked = []

    def more(search, candidates, first):
        asked.append(len(candidates))
        return [search.candidate(9, 0.5, first[0])]

    features, problem = InMemory(ref.range_scale(X), Workers(1)), Problem(Classes(y), 2.0, 1.0)
    search = Search(features, problem, EXACT, 1e-5, 100, lambda **row: None)
    first = EXACT.first_gradients(features, problem, [1.0])
    found = solve(search, [1.0], first, (more, more))
    assert asked == [1, 2]
    assert found.converged
    assert found.largest_alpha == first.max()


@pytest.mark.parametrize(("alpha", "explains"), [(1.0, True), (1e3, False)])
def test_starts_for_what_nothing_explains_are_left_out_where_something_does(alpha, explains):
    X, y = datasets.make_clusters(60, n_irrelevant=10, random_state=0, return_X_y=True)
    features, problem = InMemory(ref.range_scale(X), Workers(1)), Problem(Classes(y), 2.0, alpha)
    search = Search(features, problem, EXACT, 1e-5, 100, lambda **row: None)
    first = EXACT.first_gradients(features, problem, [1.0])
    candidate = search.candidate(0, 1.0, first[0])
    search.converge(candidate)
    assert search.explains(candidate) == explains
    assert (pruned(search, [candidate], first) == []) == explains
