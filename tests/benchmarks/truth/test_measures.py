"""Measures on a record with answers by hand."""

import numpy as np
import pytest

from benchmarks.truth import measures, synthetic

# Relevant 1, 2, 3. At q = 0.1: 1 and its kin 7, and 9, which is false; 2 and 8 later.
RECORD = {
    "q": {"1": 0.02, "7": 0.05, "9": 0.1, "2": 0.2, "8": 0.3},
    "relevant": [1, 2, 3],
    "kin": {"1": [1], "7": [1, 3], "2": [2]},
}
NULL = {"q": {}, "relevant": [], "kin": {}}


def test_false_discoveries_and_power_by_hand():
    assert measures.selected(RECORD, 0.1) == {1, 7, 9}
    assert measures.strict(RECORD, 0.1) == pytest.approx(2 / 3)
    assert measures.lenient(RECORD, 0.1) == pytest.approx(1 / 3)
    assert measures.power(RECORD, 0.1) == pytest.approx(1 / 3)
    assert measures.power_with_kin(RECORD, 0.1) == pytest.approx(2 / 3)
    assert measures.power_with_kin(RECORD, 0.2) == 1


def test_nothing_selected_is_no_false_discovery():
    assert measures.strict(NULL, 0.1) == measures.lenient(NULL, 0.1) == 0
    assert measures.any_found(NULL, 0.1) == 0
    assert measures.any_found(RECORD, 0.02) == 1
    assert np.isnan(measures.power(NULL, 0.1))


def test_means_have_standard_errors():
    found = measures.mean(measures.any_found, [NULL, RECORD, RECORD, RECORD], 0.1)
    assert (found.mean, found.n) == (0.75, 4)
    assert found.se == pytest.approx(0.25)
    assert str(found) == "0.750 ± 0.250"
    assert str(measures.mean(measures.power, [NULL], 0.1)) == "–"
    assert str(measures.mean(measures.power, [], 0.1)) == "–"


def test_bounds():
    assert measures.bound_of_share(0.1, 900) == pytest.approx(0.12)
    assert measures.bound_of_mean(0.1, measures.Mean(0, 0.03, 5)) == pytest.approx(0.16)


def test_a_copy_is_explained_and_noise_is_not():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 4))
    X[:, 2] = X[:, 0] - X[:, 1] + 5
    found = synthetic.explained(synthetic.Draw(X, None, np.array([0, 1])))
    np.testing.assert_allclose(found, [1, 1, 1, 0], atol=0.01)
    record = {"q": {"2": 0.01, "3": 0.1}, "explained": {"2": 1.0, "3": 0.0}}
    assert measures.unrelated(record, 0.05) == 0
    assert measures.unrelated(record, 0.1) == 0.5
