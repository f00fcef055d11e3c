import sys

import numpy as np
import pandas as pd
import pytest

from hitmiss import LOFE, ReliefF, datasets
from hitmiss.metrics import synergy

# Four points that one feature tells apart; the second is a copy of it, the third is constant.
X4 = np.array([[0.0, 0.0, 5.0], [0.0, 0.0, 5.0], [1.0, 1.0, 5.0], [1.0, 1.0, 5.0]])
Y4 = np.array([0, 0, 1, 1])


def xor(n_irrelevant=8):
    return datasets.make_xor(n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


@pytest.mark.parametrize("sigma", [0.5, 2.0, np.inf])
def test_four_points_by_hand(sigma):
    # Every margin is w, so that 4 / (1 + exp(w)) = 1 and w = log 3; a copy adds nothing to that.
    alone = 4 * np.log(2) - (4 * np.log(4 / 3) + np.log(3))
    found = synergy(LOFE(sigma, 1.0).fit(X4, Y4), X4, Y4, [0, 1, 2])
    expected = [[alone, -alone, 0], [-alone, alone, 0], [0, 0, 0]]
    np.testing.assert_allclose(found.matrix, expected, atol=1e-6)
    assert found.null_objective == pytest.approx(4 * np.log(2))


def test_xor_is_synergy_and_nothing_else():
    X, y = xor()
    lofe = LOFE().fit(X, y)
    found = synergy(lofe, X, y)
    assert found.features.tolist() == [1, 0]
    assert found.names.tolist() == ["x1", "x0"]
    np.testing.assert_allclose(np.diag(found.matrix), 0, atol=1e-6)
    # Together they explain what the fit explains: it holds no other feature.
    assert found.matrix[0, 1] == pytest.approx(found.null_objective - lofe.objective_, rel=1e-6)


def test_the_matrix_is_symmetric_and_does_not_depend_on_the_order():
    X, y = datasets.make_waveform(60, n_irrelevant=5, random_state=0, return_X_y=True)
    lofe = LOFE(n_jobs=1).fit(X, y)
    first = synergy(lofe, X, y, [7, 2, 11, 25])
    np.testing.assert_array_equal(first.matrix, first.matrix.T)
    again = synergy(lofe, X, y, [25, 11, 2, 7])
    np.testing.assert_array_equal(again.matrix, first.matrix[::-1, ::-1])
    order = np.random.default_rng(0).permutation(26)
    moved = LOFE(n_jobs=2).fit(X[:, order], y)
    places = np.argsort(order)[[7, 2, 11, 25]]
    other = synergy(moved, X[:, order], y, places)
    np.testing.assert_allclose(other.matrix, first.matrix, atol=1e-5)


def test_the_objective_on_all_selected_features_is_that_of_the_fit():
    X, y = xor()
    lofe = LOFE(alpha=2.0, sigma=1.0).fit(X, y)
    a, b = synergy(lofe, X, y, [0, 1]).matrix
    explained = a[0] + b[1] + a[1]
    assert 200 * np.log(2) - explained == pytest.approx(lofe.objective_, rel=1e-6)


def test_features_may_be_named():
    X, y = xor(2)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    lofe = LOFE().fit(frame, y)
    by_name, by_place = synergy(lofe, frame, y, ["d", "a"]), synergy(lofe, frame, y, [3, 0])
    assert by_name.names.tolist() == ["d", "a"]
    assert by_name.features.tolist() == [3, 0]
    np.testing.assert_array_equal(by_name.matrix, by_place.matrix)


def test_of_many_selected_features_the_best_are_compared(monkeypatch):
    monkeypatch.setattr(sys.modules["hitmiss.metrics.synergy"], "MOST", 3)
    X, y = datasets.make_twonorm(40, n_irrelevant=5, random_state=0, return_X_y=True)
    lofe = LOFE(max_features=5).fit(X, y)
    with pytest.warns(UserWarning, match="Of 5 selected features the 3 best are compared"):
        found = synergy(lofe, X, y)
    np.testing.assert_array_equal(found.features, lofe.ranking_[:3])


@pytest.mark.parametrize(
    ("features", "message"),
    [
        (["x9"], "There is no feature 'x9'"),
        ([0, 4], "features must be positions from 0 to 3; got 4."),
        ([-1], "features must be positions from 0 to 3; got -1."),
        ([1, 1], "features must differ from each other; one is given twice."),
        ([], "features must be a list of names or positions, and not empty."),
        ([0.5], "features must be names or positions; got 0.5."),
        ([True, False], "features must be names or positions; got True."),
    ],
)
def test_wrong_features_are_refused(features, message):
    X, y = xor(2)
    lofe = LOFE().fit(X, y)
    with pytest.raises(ValueError, match=message):
        synergy(lofe, X, y, features)


def test_other_data_and_other_methods_are_refused():
    X, y = xor(2)
    with pytest.raises(TypeError, match="needs a fitted LOFE or LOFECV; got ReliefF"):
        synergy(ReliefF().fit(X, y), X, y)
    lofe = LOFE().fit(X, y)
    with pytest.raises(ValueError, match="of 4 features and 2 classes; got 3 features"):
        synergy(lofe, X[:, :3], y)
    with pytest.raises(ValueError, match="got 4 features and classes"):
        synergy(lofe, X, y + 5)
    with pytest.warns(UserWarning, match="All weights are zero"):
        empty = LOFE(alpha=1e6).fit(X, y)
    with pytest.raises(ValueError, match="No feature is selected; fit with a smaller alpha"):
        synergy(empty, X, y)


def test_genes_that_are_selected_together_mostly_say_the_same(data_home):
    with np.load(data_home / "leukemia_golub.npz", allow_pickle=True) as file:
        X, y = file["X"], file["y"]
    lofe = LOFE().fit(X, y)
    found = synergy(lofe, X, y)
    alone, pairs = np.diag(found.matrix), found.matrix[np.triu_indices(len(found.matrix), 1)]
    assert (alone > 0).all()
    assert (pairs < 0).mean() > 0.9  # each alone explains much of the same difference
    # And no gene alone explains all that the fit does.
    assert alone.max() < found.null_objective - lofe.objective_
