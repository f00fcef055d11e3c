import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit

from hitmiss._util.workers import Workers
from hitmiss.data.one_sample import Rows
from hitmiss.online import lofe
from hitmiss.online.lofe import (
    DualAveraging,
    Learner,
    PaperRule,
    exponential_means,
    learn,
    updated_alpha,
)
from tests import reference as ref

RNG = np.random.default_rng(0)
FINITE = st.floats(-1, 1, allow_subnormal=False)


def margins(n, n_features=5, seed=0):
    return np.random.default_rng(seed).uniform(-0.5, 1, (n, n_features))


def dual_averaging(Z, rate, *, forgetting=1.0, eta=10.0):
    """The formula of the class, with every sum formed anew in every step."""
    w, pulls = np.full(Z.shape[1], Z.shape[1] ** -0.5), []
    for k, z in enumerate(Z, 1):
        pulls.append(expit(-(w @ z)) * z)
        b = np.arange(1, k + 1) * forgetting ** np.arange(k - 1, -1, -1.0)
        G, Q = b @ pulls, b**2 @ np.square(pulls)
        w = eta * np.maximum(0, G - rate * b.sum()) / np.sqrt(Q)
    return w


@pytest.mark.parametrize("forgetting", [1.0, 0.9])
def test_dual_averaging_against_its_formula(forgetting):
    Z, rule = margins(30), DualAveraging(5, 1.0, forgetting)
    for z in Z:
        rule.add(z)
        rule.step(0.02)
    np.testing.assert_allclose(rule.w, dual_averaging(Z, 0.02, forgetting=forgetting), rtol=1e-9)


def test_the_paper_rule_against_its_formula():
    Z, rule, v = margins(30), PaperRule(5, 3.0, 1.0), np.ones(5)
    for k, z in enumerate(Z, 1):
        rule.add(z)
        rule.step(0.02)
        v = v - 3.0 / k * (0.02 - expit(-(v**2 @ z)) * z) * v
    np.testing.assert_allclose(rule.w, v**2, rtol=1e-10)


def test_a_step_by_hand():
    """One feature, z = 1 at w = 1: s = 1 / (1 + e) is the pull and the root of the squares."""
    rule = DualAveraging(1, 1.0, 1.0)
    rule.add(np.ones(1))
    rule.step(0.1)
    s = 1 / (1 + np.e)
    np.testing.assert_allclose(rule.w, 10 * (s - 0.1) / s)
    np.testing.assert_allclose(rule.pull(), s)
    rule.step(0.3)
    assert rule.w == 0


def test_the_more_features_the_smaller_the_steps():
    sizes = [DualAveraging(n, 1.0, 1.0).eta for n in (2, 100, 800, 100_000)]
    np.testing.assert_allclose(sizes, [10, 10, 5, 1])
    assert DualAveraging(800, 0.2, 1.0).eta == pytest.approx(1)


def test_dual_averaging_comes_to_the_minimum_of_the_loss():
    Z, rate = np.abs(margins(200, 3)) * [1, 1, -1], 0.05

    def loss(w):
        return np.logaddexp(0, -(Z @ w)).mean() + rate * w.sum()

    best = minimize(loss, np.ones(3), bounds=[(0, None)] * 3)
    rule = DualAveraging(3, 1.0, 1.0)
    for k in RNG.integers(0, 200, 4000):
        rule.add(Z[k])
        rule.step(rate)
    assert rule.w[2] == 0
    assert loss(rule.w) - best.fun < 0.02 * (loss(np.zeros(3)) - best.fun)


@pytest.mark.parametrize("make", [DualAveraging, PaperRule])
def test_rescaled_sums_are_those_of_the_rescaled_data(make):
    """While the weights are held; a weight is for a feature in its scale."""
    Z, ratio = margins(12), np.array([0.5, 1, 0.1, 1, 0.9])
    before, after = make(5, 1.0, 1.0), make(5, 1.0, 1.0)
    for z in Z:
        before.add(z)
        after.w = before.w / ratio
        after.add(z * ratio)
    after.w = before.w
    before.rescale(ratio)
    np.testing.assert_allclose(before.pull(), after.pull(), rtol=1e-12)
    before.step(0.01), after.step(0.01)
    if make is DualAveraging:
        np.testing.assert_allclose(before.w, after.w, rtol=1e-9)


def test_posterior_means_by_numerical_integration():
    """A product of likelihoods, each to second order about the weights it was seen under."""
    Z, rule, seen = margins(25, 3), DualAveraging(3, 1.0, 1.0), []
    for z in Z:
        s = expit(-(rule.w @ z))
        seen.append((rule.w, s * z, s * (1 - s) * z**2))
        rule.add(z)
        rule.step(0.05)
    b = np.arange(1, 26) / 25
    n, alpha = rule.weight, 2.0
    np.testing.assert_allclose(n, b.sum())

    def density(u, j):
        terms = [g[j] * (u - w[j]) - h[j] * (u - w[j]) ** 2 / 2 for w, g, h in seen]
        return np.exp(-alpha * u + b @ terms)

    for j, mean in enumerate(rule.posterior_means(alpha, n)):
        top = quad(lambda u, j=j: u * density(u, j), 0, 60, limit=200, points=[1, 5, 15])[0]
        total = quad(lambda u, j=j: density(u, j), 0, 60, limit=200, points=[1, 5, 15])[0]
        assert mean == pytest.approx(top / total, rel=1e-6)


def test_exponential_means_and_where_they_do_not_hold():
    means = exponential_means(np.array([2.0, 0.5, 0.0, -1.0]), np.array([7.0, 7, 3, 4]))
    np.testing.assert_array_equal(means, [0.5, 2, 3, 4])
    assert updated_alpha(means, 1.0) == 4 / 9.5


@pytest.mark.parametrize("means", [[], [0.0], [np.inf]])
def test_alpha_stays_where_nothing_is_known(means):
    assert updated_alpha(np.array(means), 3.0) == 3


def test_alpha_goes_down_at_once_and_up_with_caution():
    for start, share in ((50.0, 1.0), (1e-3, 0.1)):
        learner = Learner(DualAveraging(5, 1.0, 1.0), start, tuned=True)
        learner.rule.add(margins(1)[0])
        learner.rule.n_iter = 1000
        target = updated_alpha(learner.rule.posterior_means(start, 20), start)
        learner._tune(20)
        np.testing.assert_allclose(learner.alpha, start * (target / start) ** share)


def test_alpha_stays_small_while_the_rule_warms_up():
    learner = Learner(DualAveraging(5, 1.0, 1.0), 0.9, tuned=True)
    for _ in range(400):
        learner.learn(np.full(5, -0.5), 20)
    path = np.array(learner.path)
    early = path[:, 0] <= 15 * 20
    assert path[early, 1].max() == 1
    assert path[~early, 1].max() > 1


def test_a_fixed_alpha_stays():
    learner = Learner(DualAveraging(5, 1.0, 1.0), 0.7, tuned=False)
    for z in margins(40):
        learner.learn(z, 40)
    assert learner.alpha == 0.7
    assert {alpha for _, alpha in learner.path} == {0.7}


def test_the_path_is_bounded_and_evenly_spread(monkeypatch):
    monkeypatch.setattr(lofe, "PATH_POINTS", 8)
    learner = Learner(DualAveraging(2, 1.0, 1.0), 1.0, tuned=True)
    for z in margins(1000, 2):
        learner.learn(z, 100)
        assert len(learner.path) <= 8
    steps = [k for k, _ in learner.path]
    assert len(set(np.diff(steps))) == 1
    assert steps[0] == 0
    assert steps[-1] > 750


def test_a_copy_learns_alone():
    learner = Learner(DualAveraging(3, 1.0, 1.0), 1.0, tuned=True)
    learner.learn(margins(1, 3)[0], 10)
    w, alpha, path = learner.rule.w.copy(), learner.alpha, list(learner.path)
    twin = learner.copy()
    for z in margins(30, 3, seed=1):
        twin.learn(z, 10)
    assert not np.array_equal(twin.rule.w, w)
    assert (learner.alpha, learner.path, learner.rule.n_iter) == (alpha, path, 1)
    np.testing.assert_array_equal(learner.rule.w, w)


def test_learning_from_samples_is_learning_from_their_margins():
    X, y = RNG.random((20, 4)), np.arange(20) % 2
    factor = np.array([1, 2, 0.5, 1])
    fast, slow = (Learner(DualAveraging(4, 1.0, 1.0), 1.0, tuned=True) for _ in range(2))
    workers = Workers(1)
    learn(
        fast,
        Rows(X, workers),
        y,
        [(X[n], int(y[n]), n) for n in range(20)],
        20,
        factor=factor,
        sigma=0.5,
    )
    for n in range(20):
        A = np.abs(X - X[n]) * factor
        P_hit, P_miss = ref.probabilities(ref.distances(X * factor, slow.rule.w), y, 0.5)
        slow.learn((P_miss[n] - P_hit[n]) @ A, 20)
    np.testing.assert_allclose(fast.rule.w, slow.rule.w, rtol=1e-5)
    assert fast.alpha == pytest.approx(slow.alpha, rel=1e-5)


@given(
    Z=arrays(float, st.tuples(st.integers(1, 12), st.just(3)), elements=FINITE),
    alpha=st.floats(1e-6, 1e6),
    step=st.sampled_from([DualAveraging, PaperRule]),
    forgetting=st.sampled_from([1.0, 0.5]),
)
def test_any_margins_give_finite_weights_and_a_positive_alpha(Z, alpha, step, forgetting):
    learner = Learner(step(3, 1.0, forgetting), alpha, tuned=True)
    for z in Z:
        learner.learn(z, 10)
        assert np.isfinite(learner.rule.w).all()
        assert (learner.rule.w >= 0).all()
        assert 0 < learner.alpha < np.inf
        assert 0 <= learner.n_improper(10) <= 3
