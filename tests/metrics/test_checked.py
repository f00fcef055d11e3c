import numpy as np
import pandas as pd
import pytest

from hitmiss import LOFE, ReliefF
from hitmiss.metrics import compare_selectors, cross_validated_error, stability_report


def table(seed=0):
    """Words and numbers with gaps; the first two features tell the classes apart."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=80)
    X = pd.DataFrame(rng.normal(size=(80, 6)), columns=list("abcdef"))
    X["a"] = np.array(["ash", "elm"])[y ^ (rng.random(80) < 0.1)]
    X["b"] += 3 * y
    return X.mask(rng.random(X.shape) < 0.05), y


@pytest.mark.parametrize("estimator", [LOFE(), ReliefF(max_features=2)])
def test_errors_by_cross_validation(estimator):
    assert cross_validated_error(estimator, *table(), n_jobs=1, verbose=False) < 0.2


def test_stability_and_comparison():
    X, y = table()
    how = {"n_jobs": 1, "verbose": False}
    report = stability_report(ReliefF(), X, y, n_subsamples=3, n_features=2, **how)
    assert report.supports[:, :2].all()
    both = {"all": ReliefF(max_features=2), "lofe": LOFE()}
    found = {c.method: c for c in compare_selectors(both, X, y, n_folds=2, **how)}
    assert sorted(found["all"].selected.tolist()) == [0, 1]
    assert found["lofe"].error < 0.3


def test_gaps_are_refused_for_those_who_do_not_take_them():
    X, y = table()
    with pytest.raises(ValueError, match="NaN"):
        cross_validated_error(ReliefF(missing="error"), X[["b", "c"]], y, verbose=False)
