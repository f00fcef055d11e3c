import numpy as np
import pytest
from scipy.special import expit, softmax

from hitmiss.kernels.averaging import (
    active_pass,
    add_pull,
    averaged_weights,
    dense_block,
    drawn_pulls,
)

RNG = np.random.default_rng(0)
SIGMA, ETA, RATE, FORGETTING = 0.5, 2.0, 0.01, 0.99
N_DRAWS = 4


def test_add_pull():
    z, w, before, after = (
        RNG.standard_normal(9),
        RNG.random(9),
        RNG.random((4, 9)),
        np.empty((4, 9)),
    )
    keep, s = 0.7, 0.3
    add_pull(keep, s, z, w, before, after)
    pull, bend = s * z, s * (1 - s) * z**2
    expected = keep * before + [pull, pull + bend * w, bend, 0 * z]
    expected[3] = keep**2 * before[3] + pull**2
    np.testing.assert_allclose(after, expected, rtol=1e-14)


def test_averaged_weights():
    gradient, squares, w = RNG.standard_normal(9), RNG.random(9), np.full(9, 7.0)
    squares[2], gradient[:3] = 0, 1
    averaged_weights(10.0, 0.2, gradient, squares, w)
    with np.errstate(divide="ignore"):
        expected = 10 * np.maximum(0, gradient - 0.2) / np.sqrt(squares)
    np.testing.assert_allclose(w, np.where(squares > 0, expected, 0), rtol=1e-14)


@pytest.fixture
def data():
    """Seven neighbors of two classes, nine samples of which six are among them, five features."""
    rng = np.random.default_rng(0)
    S, T = rng.random((7, 5), np.float32), rng.random((9, 5), np.float32)
    T[:6] = S[:6]
    own = np.array([0, 1, 2, 3, 4, 5, -1, -1, -1])
    y = np.array([0, 1, 0, 1, 0, 1, 1])
    return T, np.array([0, 1, 0, 1, 0, 1, 1, 0, 1]), own, S, y


def neighbors(data, n, w):
    """Signed probabilities of the neighbors of sample n."""
    T, labels, own, S, y = data
    d = np.abs(T[n] - S) @ w / SIGMA
    d[own[n] if own[n] >= 0 else []] = np.inf
    hit = y == labels[n]
    return softmax(np.where(hit, -np.inf, -d)) - softmax(np.where(hit, -d, -np.inf))


def margin(data, n, q):
    return q @ np.abs(data[0][n].astype(float) - data[3])


def test_a_block_adds_pulls_under_the_same_weights(data):
    T, labels, own, S, y = data
    w, order, sums = np.array([1, 0, 2, 0, 3], np.float32), np.array([7, 2, 3]), np.ones((2, 5))
    assert dense_block(T, labels, own, order, S, y, SIGMA, w, sums) == 3
    z = np.array([margin(data, n, neighbors(data, n, w)) for n in order])
    pulls = expit(-(z @ w))[:, None] * z
    np.testing.assert_allclose(sums, [pulls.sum(axis=0), (pulls**2).sum(axis=0)], rtol=1e-5)


def active(data, order, u):
    """Weights, sums and the rest after a pass from fixed beginnings."""
    T, labels, own, S, y = data
    w, sums, weight = np.full(5, 0.5), np.full((4, 5), 0.1), np.array([2.0, 1.5])
    s, shrink = np.empty(len(order)), np.ones(len(order))
    drawn = np.zeros((len(order), 2 * N_DRAWS), np.intp)
    step = (ETA, RATE, FORGETTING)
    n_iter = active_pass(
        T, labels, own, order, S, y, SIGMA, step, 5, w, sums, weight, u, s, drawn, shrink
    )
    return n_iter, w, sums, weight, s, drawn, shrink


def test_a_pass_moves_the_weights_with_every_sample(data):
    order = np.array([4, 8, 0, 1])
    n_iter, w, sums, weight, s, *_ = active(data, order, np.empty((0, 2)))
    v, total, count = np.full(5, 0.5), np.full((4, 5), 0.1), np.array([2.0, 1.5])
    for k, n in enumerate(order):
        z = margin(data, n, neighbors(data, n, v))
        p = expit(-(v @ z))
        assert s[k] == pytest.approx(p, rel=1e-5)
        keep = FORGETTING * (1 - 1 / (6 + k))
        count = np.array([keep, keep**2]) * count + 1
        bend = p * (1 - p) * z**2
        new = np.array([p * z, p * z + bend * v, bend, (p * z) ** 2])
        total = np.array([keep, keep, keep, keep**2])[:, None] * total + new
        v = ETA * np.maximum(0, total[0] - RATE * count[0]) / np.sqrt(total[3])
    assert n_iter == 9
    np.testing.assert_allclose(weight, count)
    np.testing.assert_allclose(sums, total, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(w, v, rtol=1e-4)


def test_a_sample_without_a_hit_teaches_nothing(data):
    alone = (*data[:4], np.array([0, 1, 1, 1, 1, 1, 1]))
    n_iter, w, _, weight, s, *_ = active(alone, np.array([0]), np.empty((0, 2)))
    assert (n_iter, s[0], weight.tolist()) == (5, 0.0, [2.0, 1.5])
    assert w.tolist() == [0.5] * 5


def test_neighbors_are_drawn_evenly_with_their_probabilities(data):
    u = np.array([[0.3, 0.8]])
    *_, drawn, shrink = active(data, np.array([6]), u)
    q = neighbors(data, 6, np.full(5, 0.5))
    places = [np.cumsum(np.maximum(sign * q, 0)) for sign in (1, -1)]
    expected = [
        np.searchsorted(p, (np.arange(N_DRAWS) + start) / N_DRAWS, side="right")
        for p, start in zip(places, u[0], strict=True)
    ]
    assert drawn[0].tolist() == np.concatenate(expected).tolist()
    shares = np.bincount(drawn[0], minlength=7) / N_DRAWS
    assert shrink[0] == pytest.approx((q @ q) / (shares @ shares))


def test_drawn_neighbors_give_the_margin_on_average(data):
    order, steps = np.array([6]), (np.arange(400) + 0.5) / 400
    T, _, _, S, _ = data
    found, sums = [], np.empty((3, 5))
    for u in steps:
        *_, s, drawn, shrink = active(data, order, np.array([[u, u]]))
        drawn_pulls(T, order, S, s, drawn, shrink, 0, 5, sums)
        found.append(sums[0] / s[0])
    exact = margin(data, 6, neighbors(data, 6, np.full(5, 0.5)))
    np.testing.assert_allclose(np.mean(found, axis=0), exact, atol=2e-3)


def test_sums_of_drawn_neighbors(data):
    T, _, _, S, _ = data
    order, s, shrink = np.array([8, 3, 1]), np.array([0.25, 0.0, 0.5]), np.array([0.5, 1.0, 0.2])
    drawn = np.array([[0, 1, 2, 2], [0, 0, 0, 0], [3, 5, 0, 6]])
    sums = np.full((3, 5), 7.0)
    for part in ((0, 2), (2, 4)):
        drawn_pulls(T, order, S, s, drawn, shrink, *part, sums)
    expected = np.zeros((3, 5))
    for k in (0, 2):
        far = np.abs(T[order[k]].astype(float) - S[drawn[k]])
        z = far[:2].mean(axis=0) - far[2:].mean(axis=0)
        bend = shrink[k] * s[k] * (1 - s[k]) * z**2
        expected += [s[k] * z, bend, shrink[k] * (s[k] * z) ** 2]
    np.testing.assert_allclose(sums[:, :4], expected[:, :4], rtol=1e-5, atol=1e-7)
    assert (sums[:, 4] == 7).all()
