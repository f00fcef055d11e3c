import numpy as np
from sklearn.svm import SVC

from hitmiss import datasets
from reproduce.experiments.baselines.rfe import KernelRFE, changes
from tests.reproduce.experiments.baselines.rings import ring


def test_rfe_measures_the_change_without_each_feature():
    X, y = ring(30)
    svm = SVC(C=2.0, gamma=0.05).fit(X, y)
    a, support = svm.dual_coef_[0], X[svm.support_]

    def energy(features):
        Z = support[:, features]
        return 0.5 * a @ np.exp(-0.05 * ((Z[:, None] - Z) ** 2).sum(axis=2)) @ a

    every = np.arange(20)
    expected = [energy(every) - energy(every[every != j]) for j in every]
    np.testing.assert_allclose(changes(support, a, 0.05), expected, atol=1e-8)


def test_rfe_finds_the_pair_of_xor_with_a_kernel_that_sees_it():
    X, y = datasets.make_xor(100, n_irrelevant=8, random_state=0, return_X_y=True)
    rfe = KernelRFE(C=10.0, gamma=0.1, n_last=4).fit(X, y)
    assert set(rfe.ranking_[:2]) == {0, 1}
    assert sorted(rfe.ranking_) == list(range(10))


def test_rfe_is_finite_where_the_kernel_vanishes():
    X, y = ring(40, n_irrelevant=60)
    assert np.isfinite(changes(100 * X, np.where(y, 1.0, -1.0), 1.0)).all()
