import numpy as np
import pytest

from reproduce.experiments.lofe.table2 import weighted_error
from reproduce.experiments.steps.splits import Split


def test_where_lofe_selects_nothing_the_commonest_class_is_guessed():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 5)), np.repeat([0, 0, 0, 1], 10)
    with pytest.warns(UserWarning, match="All weights are zero"):
        found = weighted_error({"sigma": 2.0, "alpha": 1e6}, {"C": 1.0}, Split(X, y, X, y, 5))
    assert found == {"own": 25.0}
