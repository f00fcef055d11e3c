import numpy as np
import pytest
from sklearn.base import clone

from hitmiss import Markers, ReliefF, datasets
from hitmiss.estimators.base import BaseSelector
from hitmiss.estimators.lofe_base import BaseLOFE
from hitmiss.registry import methods
from hitmiss.targets.classes import encode_labels

OTHERWISE = (BaseLOFE, Markers)  # whose statistic is no weight
QUICK = {"random_state": 0, "sigmas": 2.0, "alphas": 3, "cv": 2, "n_passes": 2, "n_restarts": 1}


class Paired(ReliefF):
    """A method whose target is its own: labels that differ by their last letter are alike."""

    _target_of = staticmethod(lambda labels: encode_labels(np.array([y[:-1] for y in labels])))


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
        if issubclass(method.estimator, BaseSelector) and not issubclass(
            method.estimator, OTHERWISE
        ):
            settings = QUICK.keys() & method.parameters.keys()
            yield method.estimator(**{name: QUICK[name] for name in settings})


@pytest.mark.parametrize("estimator", list(weighers()), ids=lambda item: type(item).__name__)
@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_the_statistic_of_labels_is_the_weight_under_them(estimator):
    X, y = datasets.make_clusters(45, n_irrelevant=4, random_state=0, return_X_y=True)
    if estimator.explains == "numbers":
        y = X[:, 0] + X[:, 1]
    orders = [np.arange(45), np.random.default_rng(0).permutation(45)]
    found = estimator.label_statistics(X, y, orders, None)
    for order, statistic in zip(orders, found, strict=True):
        expected = clone(estimator).fit(X, y[order]).weights_
        np.testing.assert_array_equal(statistic.values, expected)
