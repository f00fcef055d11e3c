import numpy as np
import pytest
from sklearn.base import clone

from hitmiss import Markers, ReliefF, datasets
from hitmiss.estimators.local_learning import LocalLearning
from hitmiss.estimators.selector import weighs
from hitmiss.estimators.target_kinds import ForClasses
from hitmiss.registry import methods
from hitmiss.targets.classes import encode_labels

QUICK = {"random_state": 0, "sigmas": 2.0, "alphas": 3, "cv": 2, "n_passes": 2, "n_restarts": 1}


class ByFirstLetters(ForClasses):
    """Labels that differ by their last letter are alike."""

    def target(self, y):
        return encode_labels(np.array([label[:-1] for label in y]))


class Paired(ReliefF):
    """A method whose target is its own."""

    _kind = ByFirstLetters()


def test_an_estimator_names_the_target_that_it_makes_of_y():
    X, y = datasets.make_twonorm(60, n_irrelevant=5, random_state=0, return_X_y=True)
    kinds = np.array(["well", "ill"])[y]
    finer = [f"{kind}{n % 3}" for n, kind in enumerate(kinds)]
    found = Paired(5).fit(X, finer)
    assert found.classes_.tolist() == ["ill", "well"]
    np.testing.assert_array_equal(found.weights_, ReliefF(5).fit(X, kinds).weights_)
    assert (ReliefF(5).fit(X, finer).weights_ != found.weights_).any()


def weighers():
    """One of every method whose statistic is its weight."""
    for method in methods().values():
        settings = QUICK.keys() & method.parameters.keys()
        estimator = method.estimator(**{name: QUICK[name] for name in settings})
        if weighs(estimator) and not isinstance(estimator, Markers):
            weigher = estimator._weigher()
            if not isinstance(weigher, LocalLearning):  # whose statistic is no weight
                yield estimator


@pytest.mark.parametrize("estimator", list(weighers()), ids=lambda item: type(item).__name__)
@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_the_statistic_of_labels_is_the_weight_under_them(estimator):
    X, y = datasets.make_clusters(45, n_irrelevant=4, random_state=0, return_X_y=True)
    if estimator.explains == "numbers":
        y = X[:, 0] + X[:, 1]
    orders = [np.arange(45), np.random.default_rng(0).permutation(45)]
    found = estimator.opened(X, y).statistics(orders, None)
    for order, statistic in zip(orders, found, strict=True):
        expected = clone(estimator).fit(X, y[order]).weights_
        np.testing.assert_array_equal(statistic.values, expected)
