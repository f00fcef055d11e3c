import numpy as np

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.fixed_point import next_move
from hitmiss.lofe.newton import linearize, newton
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.lofe.pulling_rows import PullingRows, SomeRows, jacobian_of, strongest
from hitmiss.targets.classes import Classes


def setting(n_samples=60, n_features=3):
    rng = np.random.default_rng(0)
    y = (np.arange(n_samples) % 4 == 0).astype(int)
    X = rng.uniform(size=(n_samples, n_features))
    X[y == 1, 0] += 0.7
    X[y == 1, 1] += 0.7
    problem = Problem(Classes(y), 0.5, 1.0)
    return InMemory(X, Workers(1)), problem, np.array([2.0, 1.5, 0.3][:n_features])


def test_margins_of_some_samples_are_those_of_all():
    features, problem, w = setting()
    rows = np.array([1, 4, 30])
    some = features.margins(SomeRows(features, problem, w, rows))[rows]
    np.testing.assert_allclose(some, evaluate(features, problem, w).Z[rows], atol=1e-7)


def test_derivatives_of_all_samples_are_those_of_newton():
    features, problem, w = setting()
    pull, every = evaluate(features, problem, w).pull, np.arange(60)
    expected = linearize(features, problem, w).jacobian
    np.testing.assert_allclose(
        jacobian_of(features, problem, w, pull, every), expected, rtol=1e-3, atol=1e-3
    )


def test_a_move_is_that_of_all_samples_where_it_begins_and_ends():
    features, problem, w = setting()
    expected, rows = next_move(features, problem, w, w), PullingRows(tol=1e-5)
    np.testing.assert_allclose(rows.move(features, problem, w, w).u, expected.u, rtol=1e-5)
    fixed = expected.u
    for _ in range(200):
        fixed = fixed + 0.3 * (rows.move(features, problem, fixed, fixed).u - fixed)
    end = next_move(features, problem, fixed, fixed)
    np.testing.assert_allclose(end.u, fixed, rtol=1e-4)


def test_newton_ends_where_that_of_all_samples_ends():
    features, problem, w = setting(n_features=2)
    rows = PullingRows(tol=1e-5)
    for _ in range(40):
        w = w + 0.3 * (rows.move(features, problem, w, w).u - w)
    near = w * 1.02
    rows = PullingRows(tol=1e-5)
    rows.move(features, problem, near, near)
    expected = newton(features, problem, near)
    np.testing.assert_allclose(rows.newton(features, problem, near), expected, rtol=1e-3)


def test_the_strongest_samples_have_the_share():
    pull = np.array([0.5, 0.0, 0.1, 0.4])
    assert strongest(pull, 1.0).tolist() == [0, 2, 3]
    assert strongest(pull, 0.4).tolist() == [0]
    assert strongest(np.zeros(3), 0.98).tolist() == [0]
