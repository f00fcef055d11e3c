import numpy as np

from hitmiss.kernels.exponential import quick_exp
from hitmiss.kernels.jit import kernel


@kernel
def fill(x, out):
    for i in range(len(x)):
        out[i] = quick_exp(x[i])


def test_against_numpy():
    x = np.concatenate([[0.0], -np.logspace(-20, np.log10(60), 20_001)])
    found = np.empty(len(x))
    fill(x, found)
    np.testing.assert_allclose(found, np.exp(x), rtol=1e-9)
    assert found[0] == 1


def test_below_the_least_exponent_it_is_constant():
    found = np.empty(3)
    fill(np.array([-60.5, -1e30, -np.inf]), found)
    np.testing.assert_allclose(found, np.exp(-60), rtol=1e-9)


def test_single_precision_is_as_exact():
    x = -np.linspace(0, 60, 5001).astype(np.float32)
    found = np.empty(len(x))
    fill(x, found)
    np.testing.assert_allclose(found, np.exp(x.astype(float)), rtol=1e-9)
