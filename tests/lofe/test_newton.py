import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_xor
from hitmiss.lofe.newton import FARTHEST, linearize, moments, root
from hitmiss.lofe.problem import Problem
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes
from tests import reference as ref

SERIAL = Workers(1)
BOTH_KINDS = pytest.mark.parametrize("pairs", [AllPairs(), RowTiles()], ids=["matrix", "tiles"])
XOR = np.array([6.53893, 6.78223])  # the fixed point of the data below at sigma = 2, alpha = 1


def xor():
    X, y = make_xor(100, noise=0.3, random_state=0, return_X_y=True)
    return ref.range_scale(X), y


def random_data(n_features, labels, seed=0):
    rng = np.random.default_rng(seed)
    y = np.asarray(labels)
    X = rng.standard_normal((len(y), n_features)) + 0.3 * y[:, None]
    return X, y, rng.uniform(0.1, 1.0, n_features)


def numeric_jacobian(function, w, h=1e-5):
    steps = h * np.eye(len(w))
    return np.column_stack([(function(w + s) - function(w - s)) / (2 * h) for s in steps])


@pytest.mark.parametrize("n_features", [1, 2, 5, 9])
@pytest.mark.parametrize("labels", [[0, 1] * 8, [0, 1, 2] * 5, [0, 1, 1] * 4 + [2]])
@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_jacobian_against_finite_differences(n_features, labels, sigma):
    X, y, w = random_data(n_features, labels)
    features, problem = InMemory(X, SERIAL), Problem(Classes(y), sigma, 0.7)
    numeric = numeric_jacobian(lambda u: ref.gradient(X, y, u, sigma), w)
    here = linearize(features, problem, w)
    np.testing.assert_allclose(here.jacobian, numeric, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        here.excess, ref.gradient(X, y, w, sigma) - 0.7, rtol=1e-7, atol=1e-8
    )
    assert here.size == np.abs(here.excess).max()


@pytest.mark.parametrize("start", [[7.0, 7.0], [8.0, 5.0], [9.0, 9.0], XOR])
def test_xor_is_solved_where_halving_the_step_oscillates(start):
    X, y = xor()
    w = root(InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0), np.array(start), 0.0).w
    np.testing.assert_allclose(w, XOR, atol=1e-4)
    np.testing.assert_allclose(ref.gradient(X, y, w, 2.0), 1.0, rtol=1e-7)
    assert ref.optimality_gap(X, y, w, 2.0, 1.0) <= 1e-7


def test_a_start_at_the_answer_is_returned():
    X, y = xor()
    features, problem = InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0)
    w = root(features, problem, XOR, 0.0).w
    again = root(features, problem, w, 0.0)
    assert again.w is w
    assert (again.distance, again.n_steps) == (0.0, 1)


@pytest.mark.parametrize(
    ("start", "alpha"), [([3.0, 3.0], 1.0), ([60.0, 60.0], 1.0), ([6.5, 0.01], 1.0), (XOR, 1e4)]
)
def test_none_when_nothing_is_near(start, alpha):
    X, y = xor()
    assert root(InMemory(X, SERIAL), Problem(Classes(y), 2.0, alpha), np.array(start), 0.0) is None


def test_the_answer_is_near_the_start_and_positive():
    X, y = xor()
    features, problem = InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0)
    starts = np.random.default_rng(0).uniform(1, 20, (40, 2))
    found = [(start, root(features, problem, start, 0.0)) for start in starts]
    answers = [(start, end.w) for start, end in found if end is not None]
    assert 0 < len(answers) < len(starts)
    for start, w in answers:
        assert np.linalg.norm(w - start) <= FARTHEST * np.linalg.norm(start)
        assert w.min() > 0
        np.testing.assert_allclose(ref.gradient(X, y, w, 2.0), 1.0, rtol=1e-6)


def test_none_where_only_a_negative_weight_would_do():
    X, y, _ = random_data(2, [0, 1] * 10)
    end = np.array([1.0, -0.02])  # with a kernel so wide that distances do not matter
    c = ref.gradient(X, y, end, 1e9)
    X, end = X * [1, c[0] / c[1]], end * [1, c[1] / c[0]]  # now both gradients are c[0]
    np.testing.assert_allclose(ref.gradient(X, y, end, 1e9), c[0])
    assert root(InMemory(X, SERIAL), Problem(Classes(y), 1e9, c[0]), np.abs(end), 0.0) is None


def test_none_for_a_feature_without_any_effect():
    X, y = xor()
    X = np.column_stack([X, np.ones(len(X))])
    start, problem = np.append(XOR, 1.0), Problem(Classes(y), 2.0, 1.0)
    assert root(InMemory(X, SERIAL), problem, start, 0.0) is None


@BOTH_KINDS
@pytest.mark.parametrize("tol", [1e-2, 1e-5])
def test_all_that_is_known_at_the_fixed_point(pairs, tol):
    X, y = xor()
    problem = Problem(Classes(y), 2.0, 1.0, pairs=pairs)
    found = root(InMemory(X, SERIAL), problem, np.array([7.0, 7.0]), tol)
    error = np.linalg.norm(found.w - XOR)
    assert error <= 2 * tol * np.linalg.norm(XOR)
    assert error == pytest.approx(found.distance, rel=0.5, abs=1e-5)
    margins = ref.margins_at(X, y, found.w, 2.0) @ found.w
    np.testing.assert_allclose(found.pull, 1 / (1 + np.exp(margins)), rtol=1e-6)
    np.testing.assert_allclose(found.gradient, ref.gradient(X, y, found.w, 2.0), rtol=1e-6)
    expected = np.log1p(np.exp(-margins)).sum() + found.w.sum()
    assert found.objective == pytest.approx(expected, rel=1e-7)


def test_a_looser_tolerance_takes_fewer_steps():
    X, y = xor()
    problem = Problem(Classes(y), 2.0, 1.0, pairs=RowTiles())
    features, w = InMemory(X, SERIAL), np.array([7.0, 7.0])
    steps = [root(features, problem, w, tol).n_steps for tol in (0.1, 1e-6)]
    assert steps[0] < steps[1]


def by_definition(X, Q):
    """Expected misses and hits of |x_n - x_i|, and second moments under Q."""
    d = np.abs(X[:, None] - X)
    miss, hit = (np.einsum("ni,nij->nj", np.maximum(S, 0), d) for S in (Q, -Q))
    return miss, hit, np.einsum("ni,nij,nik->njk", Q, d, d)


def test_moments_by_hand():
    X, Q = np.array([[0.0, 5], [1, 5], [3, 4]]), np.array([[0, -1, 0.5], [0, 0, 0], [0, 0, 0]])
    ((_, miss, hit, second),) = moments(InMemory(X, SERIAL), Q)
    np.testing.assert_array_equal(miss[0], [1.5, 0.5])
    np.testing.assert_array_equal(hit[0], [1, 0])
    np.testing.assert_array_equal(second[0], [[3.5, 1.5], [1.5, 0.5]])
    assert not any(moment[1:].any() for moment in (miss, hit, second))


@pytest.mark.parametrize("n_jobs", [1, 3])
@BOTH_KINDS
def test_moments_against_numpy(pairs, n_jobs):
    rng = np.random.default_rng(0)
    X, target = rng.standard_normal((150, 3)), Classes(np.arange(150) % 3)
    features, w = InMemory(X, Workers(n_jobs)), np.array([1.0, 0.5, 2.0])
    expected = by_definition(X, AllPairs().soft(features, w, target, 0.7))
    found = [np.empty_like(moment) for moment in expected]
    for rows, *some in moments(features, pairs.soft(features, w, target, 0.7)):
        for moment, part in zip(found, some, strict=True):
            moment[rows] = part
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-8)


def test_bit_identical_for_any_number_of_threads():
    X = np.random.default_rng(0).standard_normal((300, 20))
    Q = np.random.default_rng(1).standard_normal((300, 300)) / 300
    ((_, *one),) = moments(InMemory(X, SERIAL), Q)
    ((_, *four),) = moments(InMemory(X, Workers(4)), Q)
    for first, second in zip(one, four, strict=True):
        np.testing.assert_array_equal(first, second)


def test_a_neighbor_may_be_a_hit_and_a_miss_at_once():
    rng = np.random.default_rng(0)
    X, (M, H) = rng.standard_normal((20, 3)), rng.random((2, 20, 20))
    d = np.abs(X[:, None] - X)
    ((_, miss, hit, second),) = moments(InMemory(X, SERIAL), M - H, -H)
    np.testing.assert_allclose(miss, np.einsum("ni,nij->nj", M, d))
    np.testing.assert_allclose(hit, np.einsum("ni,nij->nj", H, d))
    np.testing.assert_allclose(second, np.einsum("ni,nij,nik->njk", M - H, d, d), atol=1e-12)
