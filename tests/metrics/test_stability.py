import signal

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.linear_model import LogisticRegression

from hitmiss import FREL, FisherScore, ReliefF, datasets
from hitmiss.metrics import (
    jaccard_stability,
    kuncheva_stability,
    nogueira_stability,
    ranking_stability,
    stability_accuracy_tradeoff,
    stability_difference,
    stability_report,
)
from tests.signals import default_sigint

# The toy cases of the authors' demo (github.com/nogueirs/JMLR2018, python/stabilityDemo).
EQUAL = [[1, 1, 0], [1, 1, 0], [1, 1, 0]]
DIFFERENT = [[1, 1, 0], [0, 1, 1], [1, 0, 1]]
RANDOM = [
    [1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 1, 0, 1, 1, 1, 0, 0],
    [0, 1, 0, 0, 0, 1, 1, 1, 0, 0],
    [1, 1, 0, 0, 1, 0, 1, 0, 0, 0],
    [0, 1, 1, 0, 1, 1, 0, 0, 0, 0],
    [0, 1, 1, 1, 0, 0, 1, 0, 0, 0],
    [1, 0, 0, 1, 0, 0, 0, 0, 1, 1],
    [0, 0, 0, 1, 0, 1, 1, 1, 0, 0],
    [0, 0, 1, 1, 1, 1, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 0, 0, 1, 1, 1],
]
# Chances of 50 features to be selected.
STEADY, SHAKY = (np.r_[np.full(10, chance), np.full(40, 0.05)] for chance in (0.9, 0.5))


def draws(n_selections, n_features, chances, seed=0):
    return np.random.default_rng(seed).random((n_selections, n_features)) < chances


def test_ranking_stability_by_hand():
    # Ranks (1, 2, 3), (1, 2, 3) and (3, 2, 1): correlations 1, -1 and -1.
    assert ranking_stability([[9, 4, 1], [3, 2, 1], [1, 2, 3]]) == pytest.approx(-1 / 3)
    # Eq. 22 without ties: 1 - 6 (1 + 1) / (4 * 15) = 0.8.
    assert ranking_stability([[4, 3, 2, 1], [3, 4, 2, 1]]) == pytest.approx(0.8)


def test_ranking_stability_is_the_mean_spearman_correlation():
    W = np.random.default_rng(0).integers(0, 9, (6, 40))  # with ties
    expected = spearmanr(W.T).statistic[np.triu_indices(6, 1)].mean()
    assert ranking_stability(W) == pytest.approx(expected)
    assert ranking_stability(np.exp(W)) == pytest.approx(expected)
    assert ranking_stability([[1, 1, 1], [1, 2, 3]]) == 0


def test_kuncheva_by_hand():
    # Of 10 features 4 are chosen twice, 3 shared: (30 - 16) / (4 * 6).
    supports = [[1] * 4 + [0] * 6, [0] + [1] * 4 + [0] * 5]
    assert kuncheva_stability(supports) == pytest.approx(14 / 24)
    assert kuncheva_stability(EQUAL) == 1
    with pytest.raises(ValueError, match="sizes 2 to 3 of 4"):
        kuncheva_stability([[1, 1, 0, 0], [1, 1, 1, 0]])
    with pytest.raises(ValueError, match="one size"):
        kuncheva_stability([[1, 1], [1, 1]])


def test_jaccard_by_hand():
    supports = [[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]]  # 2/3, 0 and 0
    assert jaccard_stability(supports) == pytest.approx(2 / 9)
    assert jaccard_stability([[0, 0], [0, 0]]) == 1


def test_nogueira_gives_the_published_values():
    assert nogueira_stability(EQUAL).stability == 1
    assert nogueira_stability(DIFFERENT).stability == pytest.approx(-0.5)
    published = nogueira_stability(RANDOM)
    assert published.stability == pytest.approx(-0.037037037037)
    assert published.variance == pytest.approx(0.00516666666667)
    reach = 1.959963984540054 * np.sqrt(0.00516666666667)
    assert published.upper - published.stability == pytest.approx(reach)
    assert published.stability - published.lower == pytest.approx(reach)


def test_nogueira_by_hand():
    # Frequencies 1, 1/2 and 0, unbiased variances 0, 1/2 and 0, mean size 3/2 of 3.
    assert nogueira_stability([[1, 1, 0], [1, 0, 0]]).stability == pytest.approx(1 - (1 / 6) * 4)
    with pytest.raises(ValueError, match="all empty or all full"):
        nogueira_stability([[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="confidence"):
        nogueira_stability(EQUAL, confidence=95)


def test_nogueira_is_kuncheva_for_sets_of_one_size():
    assert nogueira_stability(RANDOM).stability == pytest.approx(kuncheva_stability(RANDOM))


def test_the_confidence_interval_holds_the_truth_as_often_as_it_says():
    share = STEADY.mean()
    truth = 1 - np.mean(STEADY * (1 - STEADY)) / (share * (1 - share))
    found = [nogueira_stability(draws(60, 50, STEADY, seed)) for seed in range(300)]
    assert np.mean([f.lower <= truth <= f.upper for f in found]) == pytest.approx(0.95, abs=0.04)
    narrow = nogueira_stability(draws(60, 50, STEADY), confidence=0.5)
    assert narrow.upper - narrow.lower < found[0].upper - found[0].lower


def test_the_difference_test():
    a, b = (draws(60, 50, chances, s) for s, chances in enumerate((STEADY, SHAKY)))
    one, two = nogueira_stability(a), nogueira_stability(b)
    statistic, p_value = stability_difference(a, b)
    expected = (two.stability - one.stability) / np.sqrt(one.variance + two.variance)
    assert statistic == pytest.approx(expected)
    assert p_value < 1e-6
    assert stability_difference(b, a).statistic == pytest.approx(-statistic)
    assert stability_difference(EQUAL, EQUAL) == (0, 1)
    assert stability_difference(DIFFERENT, EQUAL) == (np.inf, 0)
    same = [
        stability_difference(draws(99, 50, STEADY, s), draws(99, 50, STEADY, 1000 + s)).p_value
        for s in range(200)
    ]
    assert np.mean(np.array(same) < 0.05) == pytest.approx(0.05, abs=0.04)


def test_tradeoff():
    assert stability_accuracy_tradeoff(0.5, 1.0) == pytest.approx(2 / 3)
    assert stability_accuracy_tradeoff(0.8, 0.8) == pytest.approx(0.8)
    assert stability_accuracy_tradeoff(-0.1, 0.9) == 0


def test_wrong_tables_get_a_sentence():
    for measure in (ranking_stability, kuncheva_stability, jaccard_stability, nogueira_stability):
        with pytest.raises(ValueError, match=r"at least 2 rows.*\(3,\)"):
            measure([1, 2, 3])
        with pytest.raises(ValueError, match="at least 2 rows"):
            measure([[1, 2, 3]])
        with pytest.raises(ValueError, match="finite"):
            measure([[1, np.nan], [0, 1]])


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
