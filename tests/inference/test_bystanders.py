import numpy as np
import pytest

from hitmiss import LOFE, LOFERegressor, datasets
from hitmiss.inference import attribution


def twins():
    """Two noisy copies of a cause that no number tells apart, and a feature of its own.

    Every sample comes twice, with the copies exchanged the second time.
    """
    rng = np.random.default_rng(1)
    cause, X = rng.normal(size=40), rng.normal(size=(40, 30))
    y = (cause + X[:, 2] > 0).astype(int)
    X[:, :2] = cause[:, None] + 0.8 * X[:, :2]
    exchanged = np.hstack([X[:, [1, 0, 2]], rng.normal(size=(40, 27))])
    return np.vstack([X, exchanged]), np.tile(y, 2)


def with_sum(n=100, n_features=20):
    """Two features decide the class, the third is their sum with noise."""
    X = np.random.default_rng(0).normal(size=(n, n_features))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[:, 2] += X[:, 0] + X[:, 1]
    return X, y


def test_twins_share_a_place_and_a_feature_of_its_own_has_one():
    X, y = twins()
    lofe = LOFE().fit(X, y)
    assert abs(np.corrcoef(X[:, :2].T)[0, 1]) < 0.7
    assert lofe.get_support()[:3].all()
    shares = np.mean([attribution(lofe, X, y, [0, 1, 2, 3], random_state=k) for k in (0, 1)], 0)
    assert shares[2] > 0.95
    assert (shares[:2] < 0.9).all()
    assert shares[:2].sum() > 0.8
    assert shares[3] < 0.1


def test_kin_are_not_told_apart():
    X, y = with_sum()
    X[:, 3] = X[:, 0] + 0.5 * X[:, 3]
    lofe = LOFE().fit(X, y)
    shares = attribution(lofe, X, y, [0, 1, 3], random_state=0)
    np.testing.assert_array_equal(shares > 0.9, [True, True, True])
    apart = attribution(lofe, X, y, [0, 1, 3], kin=0.95, random_state=0)
    np.testing.assert_array_equal(apart > 0.9, [True, True, False])


def test_what_does_not_matter():
    X, y = with_sum(60)  # at a given alpha: exchanges of samples, which tell it, follow their order
    wanted = [0, 1, 2, 4]
    expected = attribution(LOFE(alpha=1.0, n_jobs=1).fit(X, y), X, y, wanted, random_state=0)
    found = attribution(LOFE(alpha=1.0, n_jobs=2).fit(X, y), X, y, wanted, random_state=0)
    np.testing.assert_array_equal(found, expected)
    order = np.random.default_rng(0).permutation(60)
    other, labels = 3.0 * X[order], y[order]
    found = attribution(LOFE(alpha=1.0).fit(other, labels), other, labels, wanted, random_state=0)
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_where_the_sum_is_a_bystander_in_any_order_of_the_features():
    X, y = with_sum()
    order = np.arange(20)[::-1]
    lofe = LOFE().fit(X[:, order], y)
    shares = attribution(lofe, X[:, order], y, [19, 18, 17], random_state=0)
    np.testing.assert_array_equal(shares.round(1), [1, 1, 0])


def test_by_default_of_the_selected_ones_perhaps_none():
    X, y = datasets.make_xor(100, n_irrelevant=10, random_state=0, return_X_y=True)
    np.testing.assert_allclose(attribution(LOFE().fit(X, y), X, y, random_state=0), [1, 1])
    unlikely = attribution(LOFE().fit(X, y), X, y, expected=1e-60, random_state=0)
    np.testing.assert_allclose(unlikely, [0, 0], atol=0.4)
    with pytest.warns(UserWarning, match="alpha"):
        nothing = LOFE(alpha=1e3).fit(X, y)
    assert attribution(nothing, X, y, random_state=0).shape == (0,)


def test_numbers_missing_values_and_weights():
    X = np.random.default_rng(0).normal(size=(60, 8))
    y = X[:, 0].copy()
    X[3, 0] = X[4, 5] = np.nan
    weight = {"sample_weight": np.ones(60)}
    lofe = LOFERegressor().fit(X, y, **weight)
    shares = attribution(lofe, X, y, [0, 5], random_state=0, **weight)
    assert shares[0] > 0.9
    assert shares[1] < 0.1


def test_a_mask_stands_for_its_features_and_others_are_refused():
    X, y = with_sum()
    lofe = LOFE().fit(X, y)
    by_mask = attribution(lofe, X, y, np.arange(20) < 2, random_state=0)
    np.testing.assert_array_equal(by_mask, attribution(lofe, X, y, [0, 1], random_state=0))
    for wrong in ([20], [-1], ["x0"], [0.5]):
        with pytest.raises(ValueError, match="features must be numbers of features from 0 to 19"):
            attribution(lofe, X, y, wrong)
    with pytest.raises(ValueError, match="kin must be a correlation"):
        attribution(lofe, X, y, kin=2)
