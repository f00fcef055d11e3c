"""The NumPy reference against answers by hand, finite differences and known fixed points."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

from tests import reference as ref

pytestmark = pytest.mark.full  # tests of the reference that other tests compare with

# Four points on a line with one hit each, and a constant feature; k(d) = 2^-d.
LINE = np.array([[0.0, 7.0], [1.0, 7.0], [3.0, 7.0], [6.0, 7.0]])
LABELS = np.array([0, 0, 1, 1])
SIGMA = 1 / np.log(2)
SPIRAL = {"raw": np.array([7.463, 7.563]), "range": np.array([29.00, 28.58])}


def spiral(scale, n_irrelevant=0):
    t = np.linspace(0.5, 3 * np.pi, 230)
    A = np.sqrt(t)[:, None] * np.column_stack([np.cos(t), np.sin(t)])
    noise = np.random.default_rng(0).standard_normal((460, n_irrelevant))
    X = np.hstack([np.vstack([A, -A]), noise])
    return (ref.range_scale(X) if scale == "range" else X), np.repeat([0, 1], 230)


def xor(n_irrelevant):
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2, (200, 2))
    X = 2 * bits - 1 + 0.3 * rng.standard_normal((200, 2))
    X = np.hstack([X, rng.standard_normal((200, n_irrelevant))])
    return ref.range_scale(X), bits[:, 0] ^ bits[:, 1]


def margin_like(n, p, seed=0):
    return 0.1 + 0.5 * np.random.default_rng(seed).standard_normal((n, p))


def test_range_scale_by_hand():
    expected = np.column_stack([[0, 1 / 6, 1 / 2, 1], np.zeros(4)])
    np.testing.assert_allclose(ref.range_scale(LINE), expected)


def test_distances_by_hand():
    D = ref.distances(LINE, np.array([2.0, 5.0]))
    np.testing.assert_allclose(D, 2 * np.abs(LINE[:, :1] - LINE[:, 0]))
    np.testing.assert_array_equal(ref.distances(LINE, np.zeros(2)), np.zeros((4, 4)))


def test_probabilities_by_hand():
    P_hit, P_miss = ref.probabilities(ref.distances(LINE, np.ones(2)), LABELS, SIGMA)
    np.testing.assert_array_equal(P_hit, np.eye(4)[[1, 0, 3, 2]])
    near, far, half = 8 / 9, 1 / 9, 1 / 3
    expected = [[0, 0, near, far], [0, 0, near, far], [half, 1 - half, 0, 0], [half, 2 / 3, 0, 0]]
    np.testing.assert_allclose(P_miss, expected)


def test_probabilities_survive_distances_in_the_thousands():
    P_hit, P_miss = ref.probabilities(ref.distances(LINE, np.full(2, 1e4)), LABELS, 0.5)
    np.testing.assert_allclose(P_hit.sum(axis=1), 1)
    np.testing.assert_allclose(P_miss, np.eye(4)[[2, 2, 1, 1]])


def test_margin_vectors_by_hand():
    soft = ref.margins_at(LINE, LABELS, np.ones(2), SIGMA)
    np.testing.assert_allclose(soft, np.outer([7 / 3, 4 / 3, -2 / 3, 7 / 3], [1, 0]), atol=1e-15)
    uniform = ref.margins_at(LINE, LABELS, np.zeros(2), SIGMA)
    np.testing.assert_allclose(uniform, np.outer([3.5, 2.5, -0.5, 2.5], [1, 0]), atol=1e-15)


def test_misses_of_all_other_classes_are_pooled():
    D = ref.distances(LINE, np.ones(2))
    two, three = (ref.probabilities(D, np.array(y), SIGMA) for y in ([0, 0, 1, 1], [0, 0, 1, 2]))
    np.testing.assert_array_equal(three[1][:2], two[1][:2])
    np.testing.assert_allclose(three[1][2], np.array([2, 4, 0, 2]) / 8)  # distances 3, 2, 3


def test_a_sample_without_a_hit_is_left_out():
    y, w = np.array([0, 0, 1, 2]), np.ones(2)
    P_hit, P_miss = ref.probabilities(ref.distances(LINE, w), y, SIGMA)
    assert not P_hit[2:].any()
    np.testing.assert_allclose(P_miss.sum(axis=1), 1)
    expected = np.log1p(np.exp(-7 / 3)) + np.log1p(np.exp(-4 / 3)) + 0.5 * 2
    assert ref.objective(LINE, y, w, SIGMA, 0.5) == pytest.approx(expected, rel=1e-12)


def test_objective_and_gradient_by_hand():
    z, w = np.array([7 / 3, 4 / 3, -2 / 3, 7 / 3]), np.array([1.0, 0.0])
    expected = np.sum(np.log1p(np.exp(-z))) + 0.5
    assert ref.objective(LINE, LABELS, w, SIGMA, 0.5) == pytest.approx(expected, rel=1e-12)
    c = np.sum(z / (1 + np.exp(z)))
    np.testing.assert_allclose(ref.gradient(LINE, LABELS, w, SIGMA), [c, 0], atol=1e-15)
    assert ref.optimality_gap(LINE, LABELS, w, SIGMA, c) == pytest.approx(0, abs=1e-12)
    assert ref.optimality_gap(LINE, LABELS, w, SIGMA, 2 * c) == pytest.approx(0.5)
    assert ref.optimality_gap(LINE, LABELS, np.ones(2), SIGMA, c) == pytest.approx(1)


def test_gradients_against_finite_differences():
    Z, v = margin_like(30, 6), np.random.default_rng(1).uniform(0.2, 1.5, 6)
    eq7 = approx_fprime(v, lambda u: ref.loss(Z, u, 0.7))
    np.testing.assert_allclose(ref.loss_gradient(Z, v, 0.7), eq7, rtol=1e-5, atol=1e-5)
    eq9 = approx_fprime(v, lambda v: ref.loss(Z, v**2, 0.7))
    np.testing.assert_allclose(2 * ref.loss_gradient(Z, v**2, 0.7) * v, eq9, rtol=1e-5, atol=1e-5)


def test_step_by_hand():
    u = ref.step(np.ones((4, 1)), 1.0)  # 4 / (1 + e^u) = 1
    np.testing.assert_allclose(u, np.log(3), rtol=1e-9)
    np.testing.assert_array_equal(ref.step(np.ones((4, 1)), 2.0), [0.0])  # c(0) = N / 2
    np.testing.assert_array_equal(ref.step(-np.ones((4, 3)), 0.1), np.zeros(3))


@pytest.mark.parametrize("shape", [(20, 5), (40, 300), (200, 3000)])
@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_step_satisfies_the_optimality_conditions(shape, alpha):
    Z = margin_like(*shape)
    u = ref.step(Z, alpha)
    g = ref.loss_gradient(Z, u, alpha)
    assert np.all(u >= 0)
    assert 0 < np.count_nonzero(u) <= min(shape)
    assert np.max(np.abs(g[u > 0])) <= 1e-8 * alpha
    assert np.min(g) >= -1e-8 * alpha


def test_step_agrees_with_a_general_solver():
    Z = margin_like(40, 60)
    general = minimize(
        lambda u: (ref.loss(Z, u, 0.5), ref.loss_gradient(Z, u, 0.5)),
        np.ones(60),
        jac=True,
        bounds=[(0, None)] * 60,
        options={"ftol": 1e-15, "gtol": 1e-10, "maxiter": 5000},
    )
    np.testing.assert_allclose(ref.step(Z, 0.5), general.x, atol=1e-4)


def test_step_ignores_order_start_and_useless_features():
    Z = margin_like(40, 25)
    u = ref.step(Z, 0.5)
    order = np.random.default_rng(2).permutation(25)
    np.testing.assert_allclose(ref.step(Z[::-1, order], 0.5), u[order], atol=1e-8)
    np.testing.assert_allclose(ref.step(Z, 0.5, start=u + 0.1), u, atol=1e-8)
    useless = np.hstack([Z, np.zeros((40, 2)), -np.abs(Z)])
    np.testing.assert_allclose(ref.step(useless, 0.5)[:25], u, atol=1e-8)
    assert not ref.step(useless, 0.5)[25:].any()


def test_step_with_duplicate_features_has_the_same_loss():
    Z = margin_like(40, 10)
    twice = np.hstack([Z, Z])
    u = ref.step(twice, 0.5)
    np.testing.assert_allclose(u[:10] + u[10:], ref.step(Z, 0.5), atol=1e-8)


@pytest.mark.parametrize("scale", ["raw", "range"])
@pytest.mark.parametrize("w0", [1.0, 20.0])
def test_spiral_fixed_point(scale, w0):
    X, y = spiral(scale)
    w, n_iter, converged, iterates = ref.fixed_point(X, y, 2.0, 1.0, np.full(2, w0))
    assert converged
    assert len(iterates) == n_iter + 1
    np.testing.assert_allclose(w, SPIRAL[scale], rtol=3e-4)
    assert ref.optimality_gap(X, y, w, 2.0, 1.0) <= 1e-5
    assert ref.optimality_gap(X, y, 1.1 * w, 2.0, 1.0) > 1e-2


@pytest.mark.parametrize("scale", ["raw", "range"])
def test_irrelevant_features_do_not_change_the_answer(scale):
    X, y = spiral(scale, n_irrelevant=50)
    w, _, converged, _ = ref.fixed_point(X, y, 2.0, 1.0, np.full(52, 52**-0.5))
    assert converged
    np.testing.assert_array_equal(np.flatnonzero(w), [0, 1])
    np.testing.assert_allclose(w[:2], SPIRAL[scale], rtol=3e-4)
    assert ref.optimality_gap(X, y, w, 2.0, 1.0) <= 1e-5


def test_scaled_spiral_has_two_fixed_points_at_sigma_5():
    X, y = spiral("range")
    for w0, expected, value in [(1.0, [0, 6.004], 303.718), (30.0, [33.053, 36.309], 125.002)]:
        w, _, converged, _ = ref.fixed_point(X, y, 5.0, 1.0, np.full(2, w0))
        assert converged
        np.testing.assert_allclose(w, expected, atol=1e-3)
        assert ref.objective(X, y, w, 5.0, 1.0) == pytest.approx(value, abs=1e-2)
        assert ref.optimality_gap(X, y, w, 5.0, 1.0) <= 1e-5


def test_plain_iteration_converges_on_the_raw_spiral():
    last = ref.plain_iteration(*spiral("raw"), 2.0, 1.0, np.ones(2), 25)[-1]
    np.testing.assert_allclose(last, SPIRAL["raw"], rtol=3e-4)


def test_plain_iteration_cycles_on_the_scaled_spiral():
    # From (15.5, 38.2) it settles on the cycle itself; from ones it takes 100 iterations.
    iterates = ref.plain_iteration(*spiral("range"), 2.0, 1.0, [15.5, 38.2], 40)
    np.testing.assert_allclose(iterates[-3:-1], [[15.679, 38.158], [34.638, 19.349]], atol=0.02)
    np.testing.assert_allclose(iterates[-1], iterates[-3], atol=0.02)
    assert all(w[0] < 17 for w in iterates[0::2])
    assert all(w[0] > 33 for w in iterates[1::2])


@pytest.mark.parametrize("n_irrelevant", [0, 30])
def test_xor_from_ones_finds_the_pair(n_irrelevant):
    X, y = xor(n_irrelevant)
    w, _, converged, _ = ref.fixed_point(X, y, 2.0, 1.0, np.ones(2 + n_irrelevant))
    assert converged
    np.testing.assert_array_equal(np.flatnonzero(w), [0, 1])
    np.testing.assert_allclose(w[:2], [9.861, 8.617], atol=1e-3)
    assert ref.objective(X, y, w, 2.0, 1.0) == pytest.approx(26.70, abs=0.01)
    assert ref.optimality_gap(X, y, w, 2.0, 1.0) <= 1e-5


def test_xor_from_a_soft_start_ends_at_zero():
    X, y = xor(100)
    w, _, converged, _ = ref.fixed_point(X, y, 2.0, 1.0, np.full(102, 102**-0.5))
    assert converged
    np.testing.assert_array_equal(w, np.zeros(102))
    assert ref.objective(X, y, w, 2.0, 1.0) == pytest.approx(200 * np.log(2))
    assert ref.optimality_gap(X, y, w, 2.0, 1.0) == 0


def test_wide_kernel_converges_in_one_step():
    X, y = xor(10)
    w, n_iter, converged, _ = ref.fixed_point(X, y, 1e12, 0.1, np.ones(12))
    assert converged
    assert n_iter == 2
    np.testing.assert_allclose(w, ref.step(ref.margins_at(X, y, np.zeros(12), 1.0), 0.1), rtol=1e-6)


def test_class_distances_by_hand():
    w = np.ones(2)
    E = ref.class_distances(LINE, LABELS, LINE, w, SIGMA, leave_out=True)
    np.testing.assert_allclose(E, [[1, 10 / 3], [1, 7 / 3], [7 / 3, 3], [16 / 3, 3]])
    E = ref.class_distances(LINE, LABELS, np.array([[0.0, 7.0]]), w, SIGMA)
    np.testing.assert_allclose(E, [[1 / 3, 10 / 3]])  # itself with 2/3, its hit with 1/3
    alone = ref.class_distances(LINE, np.array([0, 0, 0, 1]), LINE, w, SIGMA, leave_out=True)
    assert alone[3, 1] == np.inf
    assert np.all(np.isfinite(alone[:3]))


def test_left_out_class_distances_differ_by_the_margin():
    X, y = spiral("range")
    w = SPIRAL["range"]
    E = ref.class_distances(X, y, X, w, 2.0, leave_out=True)
    margin = E[np.arange(460), 1 - y] - E[np.arange(460), y]
    np.testing.assert_allclose(margin, ref.margins_at(X, y, w, 2.0) @ w, atol=1e-10)


def test_paper_descent_reaches_the_optimum_of_eq_7():
    Z = margin_like(40, 15)
    v = ref.paper_descent(Z, np.ones(15), 0.5, max_iter=100_000, rel_tol=1e-15)
    u = ref.step(Z, 0.5)
    assert ref.loss(Z, v**2, 0.5) == pytest.approx(ref.loss(Z, u, 0.5), rel=1e-8)
    np.testing.assert_allclose(v**2, u, atol=1e-3)


def test_paper_algorithm_on_the_raw_spiral():
    w, n_iter, converged, iterates = ref.paper_algorithm(*spiral("raw"), 2.0, 1.0)
    assert converged
    assert len(iterates) == n_iter + 1
    np.testing.assert_array_equal(iterates[0], [1, 1])
    assert np.linalg.norm(iterates[-1] - iterates[-2]) < 0.01
    np.testing.assert_allclose(w, SPIRAL["raw"], rtol=1e-3)


def test_paper_algorithm_loses_a_relevant_feature_for_good():
    X, y = spiral("range", n_irrelevant=1000)
    w, n_iter, converged, iterates = ref.paper_algorithm(X, y, 2.0, 1.0, max_iter=3)
    assert (n_iter, converged) == (3, False)
    for before, after in pairwise(iterates):
        assert not np.any(after[before == 0])
        assert np.all(after[after > 0] >= 1e-8)
    assert np.count_nonzero(w[:2]) == 1
