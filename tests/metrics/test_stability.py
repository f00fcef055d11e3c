import numpy as np
import pytest
from scipy.stats import spearmanr

from hitmiss.metrics import (
    jaccard_stability,
    kuncheva_stability,
    nogueira_stability,
    ranking_stability,
    stability_accuracy_tradeoff,
    stability_difference,
)

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
