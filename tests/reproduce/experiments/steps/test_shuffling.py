import numpy as np

from hitmiss import LOFE, FisherScore, datasets
from reproduce.experiments.steps import shuffling
from reproduce.experiments.steps.splits import Split


def test_ties_favor_no_feature():
    X = np.tile(np.arange(10.0)[:, None], 50)
    y = np.arange(10) >= 5
    split = Split(X, y, X, y, 50)
    first = [
        shuffling.shuffled(FisherScore(n_jobs=1), split, np.random.default_rng(seed)).ranking[0]
        for seed in range(30)
    ]
    assert len(set(first)) > 10


def test_what_a_shuffled_selector_says_refers_to_the_features_given():
    X, y = datasets.make_twonorm(80, n_irrelevant=30, random_state=0, return_X_y=True)
    rng = np.random.default_rng(0)
    plain, found = (
        LOFE(n_jobs=1).fit(X, y),
        shuffling.shuffled(LOFE(n_jobs=1), Split(X, y, X, y, 20), rng),
    )
    assert not np.array_equal(found.order, np.arange(50))
    np.testing.assert_allclose(found.weights, plain.weights_, atol=1e-5)
    n = np.count_nonzero(plain.weights_)  # the others are tied
    np.testing.assert_array_equal(found.ranking[:n], plain.ranking_[:n])
    np.testing.assert_array_equal(found.selected, np.flatnonzero(plain.get_support()))
    assert found.score(X, y) == plain.score(X, y)
