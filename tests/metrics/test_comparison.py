import numpy as np
import pytest
from sklearn.feature_selection import f_classif
from sklearn.model_selection import GroupKFold

from hitmiss import LOFE, FisherScore, ReliefF, datasets
from hitmiss.metrics import ErrorCurve, compare_selectors, f_test
from hitmiss.metrics.comparison import _mean_curve


def xor():
    return datasets.make_xor(80, n_irrelevant=20, random_state=0)


def compared(selectors, data, **kwargs):
    return list(compare_selectors(selectors, data.data, data.target, verbose=False, **kwargs))


def test_the_baseline_misses_an_interaction_that_lofe_finds():
    data = xor()
    baseline, lofe = compared({"F": f_test(), "L": LOFE()}, data, relevant=data.relevant)
    assert (baseline.method, lofe.method) == ("F", "L")
    assert (baseline.recovered, lofe.recovered) == (0, 2)
    assert (len(baseline.selected), sorted(lofe.selected)) == (0, [0, 1])
    assert lofe.error < 0.1 < 0.3 < baseline.error
    assert lofe.stability == 1
    assert np.isnan(baseline.stability)
    assert lofe.seconds > 0


def test_the_curve_is_the_mean_over_the_folds():
    (found,) = compared({"relieff": ReliefF(max_features=3)}, xor(), n_folds=4)
    assert found.recovered is None
    assert len(found.selected) == 3
    assert found.curve.n_features.tolist() == [1, 2, 3, 5, 7, 10, 15, 20]
    assert (
        found.curve.best_error
        == found.curve.errors.min()
        == pytest.approx(
            found.curve.errors[found.curve.n_features == found.curve.best_n_features][0]
        )
    )
    multiples = found.curve.errors * 80  # 4 folds of 20: every mean is a number of samples over 80
    np.testing.assert_allclose(multiples, multiples.round(), atol=1e-9)
    assert found.error == pytest.approx(found.curve.errors[2])


def test_test_samples_have_no_part_in_the_selection():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 2000)), np.arange(60) % 2
    (found,) = compare_selectors({"F": f_test(5)}, X, y, verbose=False)
    assert found.error > 0.3  # selected on all samples, these five would err on few


def test_one_selector_after_the_other():
    data = xor()
    comparisons = compare_selectors(
        {"relieff": ReliefF(), "broken": ReliefF(n_neighbors=0)},
        *data_and_target(data),
        verbose=False,
    )
    assert next(comparisons).method == "relieff"
    with pytest.raises(ValueError, match="n_neighbors"):
        next(comparisons)


def data_and_target(bunch):
    return bunch.data, bunch.target


def test_the_baseline_ranks_as_the_f_test_does_and_takes_constants():
    data = datasets.make_twonorm(60, n_irrelevant=30, random_state=0)
    X, y = np.c_[data.data, np.ones(60)], data.target
    fitted = f_test(10).fit(X, y)
    np.testing.assert_allclose(fitted.scores_[:-1], f_classif(X[:, :-1], y)[0])
    assert (fitted.scores_[-1], fitted.get_support().sum()) == (0, 10)
    ranking = np.argsort(-fitted.scores_)
    np.testing.assert_array_equal(ranking, FisherScore().fit(X, y).ranking_)


def test_a_feature_that_is_constant_within_the_classes():
    y = np.arange(20) % 2
    X = np.c_[y, np.random.default_rng(0).random(20)].astype(float)
    assert f_test().fit(X, y).get_support().tolist() == [True, False]


def test_progress_is_shown_on_standard_error(capsys):
    list(compare_selectors({"relieff": ReliefF()}, *data_and_target(xor()), n_folds=2))
    assert "relieff:" in capsys.readouterr().err


def test_every_selector_is_given_what_its_fit_takes():
    data, groups, strata = xor(), np.arange(80) // 2 % 8, np.arange(80) // 16 % 2
    given = {"groups": groups, "strata": strata, "cv": GroupKFold(4)}
    relieff, fisher = compared({"R": ReliefF(max_features=2), "F": f_test(2)}, data, **given)
    alone = ReliefF(max_features=2).fit(data.data, data.target, groups=groups, strata=strata)
    np.testing.assert_array_equal(relieff.fitted.weights_, alone.weights_)
    assert len(fisher.selected) == 2


def test_of_mean_errors_that_are_equal_but_for_rounding_the_first_counts():
    sizes = np.array([1, 2, 3])
    for errors in ([0.3, 0.1 + 0.2, 0.4], [0.1 + 0.2, 0.3, 0.4]):
        curve = _mean_curve([ErrorCurve(sizes, np.array(errors), 0.3, 1)])
        assert curve.best_n_features == 1
