import numpy as np
import pandas as pd
import pytest

from hitmiss import LOFE, LOFERegressor, ReliefF
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


def test_names_of_columns_stand_for_their_values():
    """In every function as in `fit`; a column that is named is no feature."""
    X, y = table()
    donor, batch = np.arange(80) // 4, np.arange(80) % 2
    frame = X.assign(kind=y, donor=donor, batch=batch)
    named = (frame, "kind"), {"groups": "donor", "strata": "batch"}
    plain = (X, y), {"groups": donor, "strata": batch}
    how = {"n_jobs": 1, "verbose": False}

    def error(data, beside):
        return cross_validated_error(LOFE(), *data, n_folds=2, **beside, **how)

    def weights(data, beside):
        report = stability_report(ReliefF(), *data, n_subsamples=2, random_state=0, **beside, **how)
        return report.weights

    def errors(data, beside):
        both = {"relieff": ReliefF(), "lofe": LOFE()}
        return [c.error for c in compare_selectors(both, *data, n_folds=2, **beside, **how)]

    for measure in (error, weights, errors):
        np.testing.assert_array_equal(measure(*named), measure(*plain))


def test_samples_count_by_a_named_column():
    X, y = table()
    weight = np.arange(1.0, 81)
    named = cross_validated_error(
        LOFE(), X.assign(w=weight), y, n_folds=2, sample_weight="w", verbose=False
    )
    plain = cross_validated_error(LOFE(), X, y, n_folds=2, sample_weight=weight, verbose=False)
    assert named == plain


@pytest.mark.parametrize("measure", [cross_validated_error, stability_report])
def test_a_method_for_numbers_is_sent_to_its_own_measure(measure):
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(ValueError, match="LOFERegressor explains numbers, but this measure needs"):
        measure(LOFERegressor(), X, X[:, 0])
