import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.datasets import make_xor
from hitmiss.lofe.heuristics import FARTHEST
from hitmiss.lofe.newton import linearize, newton
from hitmiss.lofe.problem import Problem
from hitmiss.targets.classes import Classes
from tests import reference as ref

SERIAL = Workers(1)
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
    w = newton(InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0), np.array(start))
    np.testing.assert_allclose(w, XOR, atol=1e-4)
    np.testing.assert_allclose(ref.gradient(X, y, w, 2.0), 1.0, rtol=1e-7)
    assert ref.optimality_gap(X, y, w, 2.0, 1.0) <= 1e-7


def test_halving_the_step_oscillates_on_xor():
    X, y = xor()
    iterates = [XOR + np.array([0.05, -0.05])]
    for _ in range(12):
        target = ref.step(ref.margins_at(X, y, iterates[-1], 2.0), 1.0)
        iterates.append((iterates[-1] + target) / 2)
    errors = np.array(iterates) - XOR
    assert np.linalg.norm(errors[-1]) > 10 * np.linalg.norm(errors[0])
    assert np.all(errors[1:, 0] * errors[:-1, 0] < 0)


def test_a_start_at_the_answer_is_returned():
    X, y = xor()
    features, problem = InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0)
    w = newton(features, problem, XOR)
    assert newton(features, problem, w) is w


@pytest.mark.parametrize(
    ("start", "alpha"), [([3.0, 3.0], 1.0), ([60.0, 60.0], 1.0), ([6.5, 0.01], 1.0), (XOR, 1e4)]
)
def test_none_when_nothing_is_near(start, alpha):
    X, y = xor()
    assert newton(InMemory(X, SERIAL), Problem(Classes(y), 2.0, alpha), np.array(start)) is None


def test_the_answer_is_near_the_start_and_positive():
    X, y = xor()
    features, problem = InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0)
    starts = np.random.default_rng(0).uniform(1, 20, (40, 2))
    found = [(start, newton(features, problem, start)) for start in starts]
    answers = [(start, w) for start, w in found if w is not None]
    assert 0 < len(answers) < len(starts)
    for start, w in answers:
        assert np.linalg.norm(w - start) <= FARTHEST * np.linalg.norm(start)
        assert w.min() > 0
        np.testing.assert_allclose(ref.gradient(X, y, w, 2.0), 1.0, rtol=1e-6)


def test_none_where_only_a_negative_weight_would_do():
    X, y, _ = random_data(2, [0, 1] * 10)
    root = np.array([1.0, -0.02])  # with a kernel so wide that distances do not matter
    c = ref.gradient(X, y, root, 1e9)
    X, root = X * [1, c[0] / c[1]], root * [1, c[1] / c[0]]  # now both gradients are c[0]
    np.testing.assert_allclose(ref.gradient(X, y, root, 1e9), c[0])
    assert newton(InMemory(X, SERIAL), Problem(Classes(y), 1e9, c[0]), np.abs(root)) is None


def test_none_for_a_feature_without_any_effect():
    X, y = xor()
    X = np.column_stack([X, np.ones(len(X))])
    assert newton(InMemory(X, SERIAL), Problem(Classes(y), 2.0, 1.0), np.append(XOR, 1.0)) is None
