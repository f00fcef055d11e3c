import signal

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from hitmiss import FREL, FisherScore, ReliefF, datasets
from hitmiss._util.random import random_subset
from hitmiss.metrics import (
    jaccard_stability,
    kuncheva_stability,
    nogueira_stability,
    ranking_stability,
    stability_accuracy_tradeoff,
    stability_report,
)
from tests.signals import default_sigint


def twonorm():
    return datasets.make_twonorm(60, n_irrelevant=100, random_state=0, return_X_y=True)


def test_report_holds_every_measure():
    X, y = twonorm()
    report = stability_report(ReliefF(), X, y, 6, 0.8, n_features=15, random_state=0, verbose=False)
    assert report.weights.shape == report.supports.shape == (6, 120)
    np.testing.assert_array_equal(report.supports.sum(axis=1), 15)
    assert report.ranking == ranking_stability(report.weights)
    assert report.kuncheva == kuncheva_stability(report.supports)
    assert report.jaccard == jaccard_stability(report.supports)
    assert report.nogueira == nogueira_stability(report.supports)
    assert report.tradeoff == stability_accuracy_tradeoff(report.ranking, report.accuracy)
    assert report.accuracy > 0.7


def test_report_takes_the_estimators_own_selection():
    X, y = twonorm()
    selector = FREL("log", "l1", 0.02)
    report = stability_report(selector, X, y, 3, random_state=0, verbose=False)
    np.testing.assert_array_equal(
        report.supports, report.weights > 0.01 * report.weights.max(1)[:, None]
    )
    assert np.isnan(report.kuncheva) == (len(set(report.supports.sum(axis=1))) > 1)
    linear = stability_report(
        LogisticRegression(), X, y, 3, n_features=9, random_state=0, verbose=False
    )
    assert linear.kuncheva == kuncheva_stability(linear.supports)


class Interrupted(FisherScore):
    """A method that is interrupted by Ctrl-C in the fit of the fourth subsample."""

    fits = 0

    def _weigh(self, features, target):
        Interrupted.fits += 1
        if Interrupted.fits == 4:
            signal.raise_signal(signal.SIGINT)
        return super()._weigh(features, target)


@pytest.fixture
def ctrl_c():
    """SIGINT interrupts this process."""
    with default_sigint():
        yield


@pytest.mark.usefixtures("ctrl_c")
def test_report_on_the_subsamples_before_ctrl_c():
    X, y = twonorm()
    options = {"n_features": 9, "random_state": 0, "verbose": False}
    Interrupted.fits = 0
    with pytest.raises(KeyboardInterrupt):
        stability_report(Interrupted(), X, y, 5, **options)
    Interrupted.fits = 0
    part = stability_report(Interrupted(), X, y, 5, interruptible=True, **options)
    whole = stability_report(FisherScore(), X, y, 5, **options)
    np.testing.assert_array_equal(part.weights, whole.weights[:3])
    assert part.jaccard == jaccard_stability(whole.supports[:3])
    Interrupted.fits = 2
    with pytest.raises(KeyboardInterrupt):  # one subsample says nothing
        stability_report(Interrupted(), X, y, 5, interruptible=True, **options)


@pytest.mark.full
def test_report_shows_progress_and_does_not_depend_on_processes(capsys):
    X, y = twonorm()
    one = stability_report(FisherScore(), X, y, 4, random_state=0, n_features=9)
    assert "subsamples" in capsys.readouterr().err
    two = stability_report(
        FisherScore(),
        X,
        y,
        4,
        random_state=0,
        n_features=9,
        n_jobs=2,
        verbose=False,
        stratify=False,
    )
    np.testing.assert_array_equal(one.weights, two.weights)
    assert one.accuracy == two.accuracy
    with pytest.raises(ValueError, match="fraction must be a share"):
        stability_report(FisherScore(), X, y, fraction=1.2)


def test_subsamples_of_groups_and_of_a_splitter():
    X, y = twonorm()
    groups, strata = np.arange(60) // 4, np.arange(60) // 2 % 2
    given = {"groups": groups, "strata": strata}
    one = stability_report(ReliefF(3), X, y, 3, 0.6, random_state=0, verbose=False, **given)
    rng, found = np.random.default_rng(0), []
    for _ in range(3):
        rows = np.isin(groups, random_subset(15, 9, rng))
        found.append(ReliefF(3).fit(X[rows], y[rows], groups=groups[rows], strata=strata[rows]))
    np.testing.assert_array_equal(one.weights, [model.weights_ for model in found])
    other = stability_report(ReliefF(3), X, y, cv=GroupKFold(3), verbose=False, **given)
    trains = [train for train, _ in GroupKFold(3).split(X, y, groups)]
    expected = ReliefF(3).fit(
        X[trains[1]], y[trains[1]], groups=groups[trains[1]], strata=strata[trains[1]]
    )
    np.testing.assert_array_equal(other.weights[1], expected.weights_)
