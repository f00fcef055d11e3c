import numpy as np

from hitmiss import ReliefF, datasets
from hitmiss.targets.classes import encode_labels


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
