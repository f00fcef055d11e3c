import numpy as np

from hitmiss.metrics import recovery_auc, recovery_curve
from hitmiss.plotting import plot_recovery, recovery_areas
from tests.plotting.looks import drawn, legend_labels

RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=100) + 2.0 * (np.arange(100) < 10)


def test_the_area_is_that_of_the_metric():
    curve = recovery_curve(SCORES, range(10))
    np.testing.assert_allclose(recovery_areas(curve)[""], recovery_auc(SCORES, range(10)))


def test_methods_and_areas_are_in_the_legend():
    curves = {
        "perfect": recovery_curve(np.arange(9), [8]),
        "reversed": recovery_curve(np.arange(9), [0]),
    }
    ax = drawn(plot_recovery(curves))
    assert legend_labels(ax) == ["perfect: 1.000", "reversed: 0.000"]
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 1), (0, 1))
