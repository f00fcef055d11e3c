import numpy as np
import pytest

from hitmiss.kernels.exponential import exp_negative, quick_exp, rough_exp, single_exp
from hitmiss.kernels.jit import kernel


def of_each(exp):
    """A kernel that fills an array with the exponentials of another."""

    @kernel
    def fill(x, out):
        for i in range(len(x)):
            out[i] = exp(x[i])

    return fill


FORMS = {exp: of_each(exp) for exp in (exp_negative, rough_exp, quick_exp, single_exp)}
ACCURACY = {exp: 4e-6 if exp is single_exp else 1e-9 for exp in FORMS}
each_form = pytest.mark.parametrize("exp", FORMS, ids=lambda exp: exp.__name__)


def found(exp, x):
    x = np.asarray(x, np.float32 if exp is single_exp else float)
    out = np.empty_like(x)
    FORMS[exp](x, out)
    return x.astype(float), out


@each_form
def test_against_numpy(exp):
    x, out = found(exp, np.concatenate([[0.0], -np.logspace(-20, np.log10(60), 20_001)]))
    np.testing.assert_allclose(out, np.exp(x), rtol=ACCURACY[exp])
    assert out[0] == 1


@each_form
def test_below_the_least_exponent_it_is_constant(exp):
    _, out = found(exp, [-60.5, -1e30, -np.inf])
    np.testing.assert_allclose(out, np.exp(-60), rtol=ACCURACY[exp])
    assert (out == out[0]).all()


@pytest.mark.parametrize("exp", [exp_negative, rough_exp])
def test_it_falls(exp):
    assert np.all(np.diff(found(exp, -np.linspace(0, 60, 2001))[1]) < 0)


def test_quick_exp_of_single_precision_is_as_exact():
    x = -np.linspace(0, 60, 5001).astype(np.float32)
    out = np.empty(len(x))
    FORMS[quick_exp](x, out)
    np.testing.assert_allclose(out, np.exp(x.astype(float)), rtol=1e-9)
