import io
from contextlib import redirect_stderr

import numpy as np
import pytest

from hitmiss import LOFE, LOFECV, ReliefF, datasets
from hitmiss._util.workers import Workers
from hitmiss.inference.replaceability import Subsets
from hitmiss.metrics import few_features, substitutes

X4 = np.array([[0.0, 0.0, 5.0], [0.0, 0.0, 5.0], [1.0, 1.0, 5.0], [1.0, 1.0, 5.0]])
Y4 = np.array([0, 0, 1, 1])


def xor_with_copies(spread):
    """XOR data, and the features 10 and 11 are noisy copies of 0 and 1."""
    X, y = datasets.make_xor(100, n_irrelevant=8, random_state=0, return_X_y=True)
    noise = np.random.default_rng(0).normal(size=(len(X), 2))
    return np.hstack([X, X[:, :2] + spread * noise]), y


def exhaustive(lofe, X, y, feature):
    """Rises with every other feature in the place of one, from all starts."""
    data, problem = lofe.reopened(X, y)
    everything = np.arange(X.shape[1])
    subsets = Subsets(data.columns(everything), problem, Workers(1), tol=1e-5, max_iter=200)
    selected = lofe.get_support(indices=True)
    others = np.setdiff1d(selected, feature)
    left = np.setdiff1d(everything, selected)
    found = [subsets.solve(np.union1d(others, j)).objective for j in left]
    return left, np.array(found) - subsets.solve(selected).objective


def test_four_points_by_hand():
    # A copy is as good; without it w = 0, so that the rise is all that the feature explains.
    found = substitutes(LOFE(alpha=1.0, init=[1.0, 0.0, 0.0]).fit(X4, Y4), X4, Y4)
    assert found.features.tolist() == [0]
    assert found.candidates[0].tolist() == [1]
    np.testing.assert_allclose(found.rises[0], 0, atol=1e-6)
    alone = 4 * np.log(2) - (4 * np.log(4 / 3) + np.log(3))
    np.testing.assert_allclose(found.without, alone, atol=1e-6)


def test_copies_replace_each_other_also_where_only_pairs_make_sense():
    X, y = xor_with_copies(0.1)
    full = LOFE(init=np.where(np.arange(12) < 2, 8.0, 0.0)).fit(X, y)
    assert sorted(full.get_support(indices=True)) == [0, 1]
    found = substitutes(full, X, y)
    best = [int(some[0]) for some in found.candidates]
    assert dict(zip(found.features.tolist(), best, strict=True)) == {0: 10, 1: 11}
    assert (np.array([rises[0] for rises in found.rises]) < 0.1 * found.without).all()


@pytest.mark.parametrize("kind", ["xor", "waveform"])
def test_the_short_list_holds_the_best_of_all(kind):
    X, y = xor_with_copies(0.5)
    if kind == "waveform":
        X, y = datasets.make_waveform(60, n_irrelevant=20, random_state=0, return_X_y=True)
    lofe = LOFE().fit(X, y)
    found = substitutes(lofe, X, y, 3)
    n_found = 0
    for k, feature in enumerate(found.features):
        left, rises = exhaustive(lofe, X, y, feature)
        order = np.argsort(rises, kind="stable")[:3]
        order = order[rises[order] < found.without[k] - 1e-4]
        np.testing.assert_array_equal(found.candidates[k], left[order])
        np.testing.assert_allclose(found.rises[k], rises[order], atol=1e-4)
        n_found += len(order)
    assert n_found > 0


def test_the_short_list_holds_the_best_of_all_genes(data_home):
    with np.load(data_home / "gems_srbct.npz", allow_pickle=True) as file:
        X, y = file["X"][:, ::40], file["y"]
    lofe = LOFE().fit(X, y)
    found = substitutes(lofe, X, y, 5)
    for k in range(2):
        left, rises = exhaustive(lofe, X, y, found.features[k])
        order = np.argsort(rises, kind="stable")[:5]
        order = order[rises[order] < found.without[k] - 1e-4]
        assert len(order) >= 2
        np.testing.assert_array_equal(found.candidates[k], left[order])


def test_the_order_of_features_and_the_number_of_threads_change_nothing():
    X, y = xor_with_copies(0.5)
    first = substitutes(LOFE(n_jobs=1).fit(X, y), X, y)
    again = substitutes(LOFE(n_jobs=2).fit(X, y), X, y)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_equal(one, other)
    order = np.random.default_rng(0).permutation(X.shape[1])
    moved = substitutes(LOFE().fit(X[:, order], y), X[:, order], y)
    np.testing.assert_array_equal(order[moved.features], first.features)
    np.testing.assert_allclose(moved.without, first.without, atol=1e-4)
    for one, other in zip(moved.candidates, first.candidates, strict=True):
        np.testing.assert_array_equal(order[one], other)


def test_names_and_the_objective_are_those_of_the_fit():
    X, y = xor_with_copies(0.5)
    lofe = LOFECV(alphas=4, cv=2).fit(X, y)
    found = substitutes(lofe, X, y, 1)
    assert found.names.tolist() == [f"x{j}" for j in found.features]
    assert [some.tolist() for some in found.candidate_names] == [
        [f"x{j}" for j in some] for some in found.candidates
    ]
    assert all(len(some) <= 1 for some in found.candidates)
    if (lofe.weights_ > 0).sum() == len(found.features):
        assert found.objective == pytest.approx(lofe.objective_, rel=1e-5)


def test_wrong_requests_are_refused():
    X, y = xor_with_copies(0.5)
    lofe = LOFE().fit(X, y)
    with pytest.raises(ValueError, match="n must be a whole number of at least 1; got 0"):
        substitutes(lofe, X, y, 0)
    with pytest.raises(TypeError, match=r"substitutes .* needs a fitted LOFE or LOFECV"):
        substitutes(ReliefF().fit(X, y), X, y)
    every = LOFE(max_features=12).fit(X, y)
    with pytest.raises(ValueError, match="Every feature is selected"):
        substitutes(every, X, y)


def test_progress_is_shown_of_what_takes_long(monkeypatch):
    X, y = xor_with_copies(0.5)
    lofe = LOFE().fit(X, y)
    for after, verbose, expected in ((0.0, True, True), (1e9, True, False), (0.0, False, False)):
        monkeypatch.setattr(few_features, "SHOWN_AFTER", after)
        shown = io.StringIO()
        with redirect_stderr(shown):
            substitutes(lofe, X, y, verbose=verbose)
        assert ("substitutes" in shown.getvalue()) == expected
