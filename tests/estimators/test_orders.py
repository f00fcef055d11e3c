import numpy as np
import pytest

from hitmiss import LOFE, LOFECV, datasets
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators import local_learner
from hitmiss.estimators.orders import ORDERS, by_both, by_margin, by_weight
from hitmiss.lofe import active_set, weighted_margins

WEIGHTS = np.array([0.0, 5.0, 0.0, 1.0])
SCORES = np.array([0.9, 1.0, 0.2, 1.0])
MARGINS = np.array([0.7, 0.3, 0.6, 0.1])


def test_three_orders_of_four_features_by_hand():
    assert by_weight(WEIGHTS, SCORES, MARGINS).tolist() == [1, 3, 0, 2]
    assert by_margin(WEIGHTS, SCORES, MARGINS).tolist() == [0, 2, 1, 3]
    assert by_both(WEIGHTS, SCORES, MARGINS).tolist() == [1, 3, 0, 2]
    # With weights 1, 0, 5, 0 the parts of the mean margin are 0.7 and 3.
    assert by_both(WEIGHTS[::-1], SCORES, MARGINS).tolist() == [2, 0, 1, 3]


def test_mean_margins_of_four_points_by_hand():
    # Sample 0 at 0: hit 1 at 1, misses 8 and 9; the same for the others. All weights are zero, so
    # every sample is as near: mean margins (8.5 - 1), (7.5 - 1), (7.5 - 1), (8.5 - 1) over 9.
    X = np.array([[0.0, 0.0], [1.0, 4.0], [8.0, 1.0], [9.0, 3.0]])
    with pytest.warns(UserWarning, match="All weights are zero"):
        model = LOFE(alpha=100.0, order="margin").fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(model.mean_margins_[0], 7.0 / 9)
    np.testing.assert_allclose(model.scores_ * 100, 4 * 0.5 * model.mean_margins_)


@pytest.mark.parametrize("n_irrelevant", [10, 4000])  # few features, and more than one wide set
def test_mean_margins_are_those_of_the_neighbors_found(n_irrelevant):
    X, y = datasets.make_xor(200, n_irrelevant=n_irrelevant, random_state=1, return_X_y=True)
    model = LOFE(order="margin").fit(X, y)
    Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    D = np.abs(Z[:, None, :2] - Z[None, :, :2]) @ model.weights_[:2]
    K = np.exp(-D / 2) * (1 - np.eye(len(y)))
    miss, hit = K * (y[:, None] != y), K * (y[:, None] == y)
    Q = miss / miss.sum(axis=1, keepdims=True) - hit / hit.sum(axis=1, keepdims=True)
    expected = [np.mean((Q * np.abs(z[:, None] - z)).sum(axis=1)) for z in Z[:, :9].T]
    assert np.flatnonzero(model.weights_).tolist() == [0, 1]
    np.testing.assert_allclose(model.mean_margins_[:9], expected, rtol=1e-3, atol=1e-7)


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_changes_the_ranking_and_what_follows_it_but_no_weight(order):
    X, y = datasets.make_twonorm(80, n_irrelevant=60, random_state=0, return_X_y=True)
    plain, model = LOFE().fit(X, y), LOFE(order=order, max_features=15).fit(X, y)
    np.testing.assert_array_equal(model.weights_, plain.weights_)
    margins = getattr(model, "mean_margins_", model.weights_)  # by weight they are not needed
    expected = ORDERS[order](model.weights_, model.scores_, margins)
    np.testing.assert_array_equal(model.ranking_, expected)
    assert set(model.get_support(indices=True)) == set(expected[:15])


def test_margins_find_more_of_many_relevant_features():
    X, y = datasets.make_twonorm(120, n_irrelevant=500, random_state=0, return_X_y=True)
    found = {order: (LOFE(order=order).fit(X, y).ranking_[:20] < 20).mean() for order in ORDERS}
    assert found["margin"] > found["weight"]


def test_the_cross_validated_fit_has_an_order_too():
    X, y = datasets.make_twonorm(60, n_irrelevant=20, random_state=0, return_X_y=True)
    model = LOFECV(2.0, 3, cv=2, n_jobs=1, order="margin").fit(X, y)
    np.testing.assert_array_equal(model.ranking_, np.argsort(-model.mean_margins_))


def test_margins_are_not_taken_along_a_path_that_ranks_nothing(monkeypatch):
    X, y = datasets.make_xor(60, n_irrelevant=8, random_state=1, return_X_y=True)
    taken = []
    monkeypatch.setattr(
        local_learner,
        "weighted_margins",
        lambda *given: taken.append(given) or weighted_margins(*given),
    )
    path = LOFE().path(X, y, 3)
    assert not taken
    LOFECV(2.0, path.alphas, cv=2, n_jobs=1).fit(X, y)
    assert len(taken) == 1  # of the last fit, to all samples
    with pytest.raises(ValueError, match="order must be"):
        LOFE(order="size").path(X, y, 3)


def test_an_unknown_order_is_named():
    with pytest.raises(ValueError, match="order must be"):
        LOFE(order="size").fit(np.eye(4), [0, 0, 1, 1])


def test_margins_are_taken_only_where_the_order_needs_them():
    X, y = datasets.make_xor(60, n_irrelevant=8, random_state=1, return_X_y=True)
    model = LOFE(order="weight").fit(X, y)
    assert not hasattr(model, "mean_margins_")
    with pytest.raises(AttributeError, match="order='both' was set after the fit; fit again"):
        model.set_params(order="both").ranking_  # noqa: B018


def passes_over_all(monkeypatch, n_features):
    """Numbers of weights that were summed in each pass over all features."""
    passes, sums = [], InMemory.sums

    def counted(features, weights, index=None):
        weights = list(weights)
        if index is None and features.n_features == n_features:
            passes.append(len(weights))
        return sums(features, weights, index)

    monkeypatch.setattr(InMemory, "sums", counted)
    return passes


@pytest.mark.parametrize("alpha", ["auto", 1.0])
def test_margins_come_with_the_last_look_at_all_features(monkeypatch, alpha):
    X, y = datasets.make_spiral(n_irrelevant=2000, random_state=0, return_X_y=True)
    passes = passes_over_all(monkeypatch, X.shape[1])
    model = LOFE(alpha=alpha).fit(X, y)
    assert [n for n in passes if n < 4][-1] == 2  # and none follows but four exchanges of noise
    reopened = model.reopened(X, y)
    Q = reopened[1].neighbors(reopened[0], model.weights_)
    (expected,) = weighted_margins(reopened[0], Q, reopened[1].share)
    np.testing.assert_allclose(model.mean_margins_, expected, rtol=1e-6, atol=1e-9)


def test_many_fits_for_one_take_no_margins_on_the_way(monkeypatch):
    X, y = datasets.make_xor(60, n_irrelevant=40, random_state=1, return_X_y=True)
    monkeypatch.setattr(active_set, "EVERYTHING", 0)
    passes = passes_over_all(monkeypatch, X.shape[1])
    LOFE(alpha="evidence").fit(X, y)
    assert len(passes) > 5
    assert max(passes[1:]) == 1  # the first is of two starts


@pytest.mark.parametrize("order", ORDERS.values())
def test_a_last_bit_decides_no_order(order):
    rng = np.random.default_rng(0)
    w, scores, margins = rng.random((3, 40)).repeat(2, axis=1)  # every feature twice
    expected = order(w, scores, margins)
    for toward in (0.0, 2.0):
        near = [np.where(rng.random(80) < 0.5, np.nextafter(v, toward), v) for v in (w, scores)]
        found = order(*near, np.nextafter(margins, toward))
        np.testing.assert_array_equal(found, expected)
