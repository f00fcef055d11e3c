import numpy as np
import pytest

from hitmiss.losses import LOSSES, Hinge, Logistic, SquareExponential, SquareSquare, Weighted

EVERY_LOSS = {**LOSSES, "square, own margins": SquareSquare(np.array([1.0, 2.0, 0.5, 3.0]))}
EVERY_LOSS["weighted"] = Weighted(LOSSES["square"], np.linspace(0, 1, 8))
every_loss = pytest.mark.parametrize("name", EVERY_LOSS)
MARGINS = np.linspace(-6, 6, 25)


def pair_loss(loss, hits, misses):
    """Q(E, E'), one per sample, whichever rows the loss reads."""
    if loss.reads == "margins":
        return loss.value(misses - hits)
    return loss.value(np.concatenate([hits, misses])).reshape(2, -1).sum(axis=0)


def test_by_hand():
    hits, misses = np.array([1.0, 2.0]), np.array([3.0, 0.5])
    expected = {
        "log": [np.log1p(np.exp(-2)), np.log1p(np.exp(1.5))],
        "square": [1.0, 4.25],
        "hinge": [0, 2.5],
        "square-exp": [1 + np.exp(-3), 4 + np.exp(-0.5)],
    }
    for name, values in expected.items():
        np.testing.assert_allclose(pair_loss(LOSSES[name], hits, misses), values)


def test_logistic_by_hand():
    loss, m = Logistic(), np.log([1.0, 3.0, 1 / 3])
    np.testing.assert_allclose(loss.value(m), np.log([2, 4 / 3, 4]))
    np.testing.assert_allclose(loss.derivative(m), [-1 / 2, -1 / 4, -3 / 4])
    np.testing.assert_allclose(loss.curvature(m), [1 / 4, 3 / 16, 3 / 16])


def test_constants_of_the_losses():
    hits, misses = np.array([1.0, 2.0]), np.array([3.0, 0.5])
    np.testing.assert_allclose(pair_loss(Hinge(4.0), hits, misses), [2, 5.5])
    np.testing.assert_allclose(pair_loss(SquareSquare(4.0), hits, misses), [2, 16.25])
    own = SquareSquare(np.array([4.0, 0.0]))
    np.testing.assert_allclose(pair_loss(own, hits, misses), [2, 4])
    np.testing.assert_allclose(
        pair_loss(SquareExponential(2.0), hits, misses), [1 + 2 * np.exp(-3), 4 + 2 * np.exp(-0.5)]
    )


@every_loss
def test_derivative_and_curvature_against_differences(name):
    loss, h = EVERY_LOSS[name], 1e-5
    numbers = np.random.default_rng(0).normal(1, 2, 8)
    slope = (loss.value(numbers + h) - loss.value(numbers - h)) / (2 * h)
    np.testing.assert_allclose(loss.derivative(numbers), slope, rtol=1e-6, atol=1e-8)
    bend = (loss.derivative(numbers + h) - loss.derivative(numbers - h)) / (2 * h)
    np.testing.assert_allclose(loss.curvature(numbers), bend, rtol=1e-5, atol=1e-8)


@every_loss
def test_convex_and_finite(name):
    loss = EVERY_LOSS[name]
    for far in (1e3, -1e3):
        numbers = np.full(8, far)
        assert np.isfinite(loss.value(numbers)).all()
        assert np.isfinite(loss.derivative(numbers)).all()
        assert (loss.curvature(numbers) >= 0).all()


def test_hinge_takes_the_left_derivative_at_its_corner():
    np.testing.assert_array_equal(Hinge(2.0).derivative(np.array([1.9, 2.0, 2.1])), [-1, -1, 0])


def test_log_is_the_only_one_that_the_margin_alone_decides_smoothly():
    assert {n for n, loss in LOSSES.items() if loss.reads == "margins"} == {"log", "hinge"}
    assert {n for n, loss in LOSSES.items() if loss.smooth} == {"log", "square", "square-exp"}
    assert isinstance(LOSSES["log"], Logistic)
    assert [loss.name for loss in LOSSES.values()] == list(LOSSES)


def test_weighted_by_hand():
    loss = Weighted(LOSSES["hinge"], np.array([2.0, 0.5]))
    np.testing.assert_allclose(loss.value(np.array([0.0, -1.0])), [2, 1])
    np.testing.assert_allclose(loss.times(4).derivative(np.array([0.0, -1.0])), [-8, -2])


def test_logistic_of_extreme_margins_neither_overflow_nor_lose_precision():
    loss, m = Logistic(), np.array([-1e300, -800.0, 800.0, 1e300])
    np.testing.assert_array_equal(loss.value(m), [1e300, 800, 0, 0])
    np.testing.assert_array_equal(loss.derivative(m), [-1, -1, 0, 0])
    np.testing.assert_array_equal(loss.curvature(m), np.zeros(4))
    tiny = np.exp(-50)
    np.testing.assert_allclose(loss.value(np.array([50.0])), tiny, rtol=1e-12)
    np.testing.assert_allclose(loss.derivative(np.array([50.0])), -tiny, rtol=1e-12)
    np.testing.assert_allclose(loss.curvature(np.array([50.0, -50.0])), tiny, rtol=1e-12)


def test_logistic_is_convex_and_decreasing():
    value = Logistic().value(MARGINS)
    assert np.all(np.diff(value) < 0)
    assert np.all(np.diff(value, 2) > 0)
    assert np.all(Logistic().curvature(MARGINS) <= 0.25)
