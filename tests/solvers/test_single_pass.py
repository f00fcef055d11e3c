import numpy as np
import pytest

from hitmiss.losses import LOSSES, Weighted
from hitmiss.penalties import L1, L2
from hitmiss.solvers.single_pass import single_pass


@pytest.mark.parametrize("kind", [L1, L2])
@pytest.mark.parametrize("name", LOSSES)
def test_single_pass_is_algorithm_1(name, kind):
    """Fifteen lines of the paper: w = 1, then one unit step against each sample's gradient."""
    rng, n, d = np.random.default_rng(1), 10, 7
    hits, misses, penalty = rng.random((n, d)), rng.random((n, d)), kind(0.1, positive=False)
    w = np.ones(d)
    for h, m in zip(hits, misses, strict=True):
        E, E_bar = w @ h, w @ m
        dL = {
            "log": (h - m) / (1 + np.exp(E_bar - E)),
            "square": 2 * E * h - 2 * max(0, 1 - E_bar) * m,
            "hinge": (h - m) * (1 + E - E_bar >= 0),
            "square-exp": 2 * E * h - np.exp(-E_bar) * m,
        }[name]
        dR = np.sign(w) if kind is L1 else 2 * w
        nabla = dL / n + 0.1 * dR
        w = w - nabla / np.linalg.norm(nabla)
    A = misses - hits if LOSSES[name].reads == "margins" else np.vstack([hits, misses])
    found = single_pass(A, Weighted(LOSSES[name], np.full(len(A), 1 / n)), penalty, n)
    np.testing.assert_allclose(found.w, w, rtol=1e-12)


def test_a_zero_gradient_is_no_step():
    A, loss = np.zeros((3, 2)), Weighted(LOSSES["log"], np.ones(3) / 3)
    np.testing.assert_array_equal(single_pass(A, loss, L2(0.0), 3).w, 1)
