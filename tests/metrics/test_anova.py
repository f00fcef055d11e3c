import numpy as np
from sklearn.feature_selection import f_classif

from hitmiss.metrics.anova import f_and_p


def test_f_is_that_of_scikit_learn_and_constant_features_say_nothing():
    X, y = np.random.default_rng(0).normal(size=(20, 4)), np.arange(20) % 3
    X[:, 1] = 5.0
    F, p = f_and_p(X, y)
    varied = [0, 2, 3]
    np.testing.assert_array_equal((F[varied], p[varied]), f_classif(X[:, varied], y))
    assert (F[1], p[1]) == (0, 1)


def test_all_features_may_be_constant():
    F, p = f_and_p(np.ones((4, 2)), [0, 0, 1, 1])
    assert (F.tolist(), p.tolist()) == ([0, 0], [1, 1])
