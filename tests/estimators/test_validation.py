"""Data that no method can take, each refused in one sentence; fits after other fits."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone

from hitmiss import (
    LOFE,
    BackwardElimination,
    FDRSelector,
    Markers,
    OnlineIRelief,
    OnlineLOFE,
    ReliefF,
    RReliefF,
)

X = np.arange(12.0).reshape(6, 2)


@pytest.mark.parametrize("fit", [ReliefF(1).fit, OnlineIRelief().partial_fit])
@pytest.mark.parametrize("missing", [None, pd.NA, pd.NaT])
@pytest.mark.parametrize("kind", [list, lambda y: np.array(y, object), pd.Series])
def test_a_label_that_is_missing_is_named_by_its_row(fit, missing, kind):
    with pytest.raises(ValueError, match=r"^y holds no label in row 3 \(.+\); leave such samples"):
        fit(X, kind(["a", "b", "a", missing, "a", "b"]))


def test_a_column_of_dates_is_named():
    frame = pd.DataFrame({"a": X[:, 0], "born": pd.date_range("2000-01-01", periods=6)})
    with pytest.raises(ValueError, match=r"^Column 'born' holds dates or times \(datetime64"):
        ReliefF(1).fit(frame, [0, 1] * 3)


def test_an_empty_frame_is_not_called_sparse():
    with pytest.raises(ValueError, match=r"0 sample|0 feature|at least one"):
        ReliefF(1).fit(pd.DataFrame(), [])


def classes(n_classes=2, n_features=6):
    rng, y = np.random.default_rng(0), np.arange(48) % n_classes
    return rng.normal(size=(48, n_features)) + 2 * np.eye(n_classes, n_features)[y], y


def whole():
    X, y = classes()
    return np.rint(X), y


def named():
    X, y = classes()
    return pd.DataFrame(X, columns=list("abcdef")).assign(kind=y), "kind"


# What is fitted first, with which data -> the parameters that are set then, and other data.
REFITS = {
    "evidence": (LOFE(alpha="evidence"), classes(), {"alpha": 1.0}, classes()),
    "order": (LOFE(order="margin"), classes(), {"order": "weight"}, classes(n_features=3)),
    "names": (ReliefF(), named(), {}, classes()),
    "levels": (ReliefF(categorical=[0]), whole(), {"categorical": None}, whole()),
    "classes": (
        Markers(LOFE(), n_permutations=9, random_state=0),
        classes(3),
        {"base": ReliefF(), "n_permutations": 0},
        classes(4),
    ),
    "test": (
        FDRSelector(ReliefF(), random_state=0),
        classes(),
        {"method": "decoys"},
        classes(),
    ),
    "target": (
        FDRSelector(ReliefF(), random_state=0),
        classes(),
        {"base": RReliefF()},
        (classes()[0], classes()[0][:, 0]),
    ),
    "rounds": (BackwardElimination(ReliefF(), 2), classes(), {"n_features": 9}, classes()),
    "stream": (OnlineLOFE(n_passes=1, random_state=0), classes(), {"scale": None}, classes(3)),
}


@pytest.mark.parametrize("case", REFITS)
def test_a_second_fit_leaves_what_a_first_one_would(case):
    estimator, first, settings, second = REFITS[case]
    again = clone(estimator).fit(*first).set_params(**settings).fit(*second)
    fresh = clone(estimator).set_params(**settings).fit(*second)
    assert vars(again).keys() == vars(fresh).keys()
    np.testing.assert_array_equal(again.weights_, fresh.weights_)
    np.testing.assert_array_equal(again.ranking_, fresh.ranking_)


def test_an_order_that_the_last_fit_did_not_look_at_is_refused():
    lofe = LOFE(order="margin").fit(*classes())
    lofe.set_params(order="weight").fit(*classes(n_features=3)).set_params(order="margin")
    with pytest.raises(AttributeError, match="order='margin' was set after the fit"):
        lofe.ranking_  # noqa: B018


def test_a_second_fit_keeps_what_was_asked_of_the_output_and_of_metadata():
    X, y = classes()
    with sklearn.config_context(enable_metadata_routing=True):
        selector = ReliefF().set_output(transform="pandas").set_fit_request(groups=True)
        asked = repr(selector.get_metadata_routing())
        for _ in range(2):
            assert isinstance(selector.fit(X, y).transform(X), pd.DataFrame)
            assert repr(selector.get_metadata_routing()) == asked


def test_samples_learned_in_parts_are_not_forgotten():
    X, y = classes()
    online = OnlineIRelief(random_state=0).fit(X, y)
    assert online.partial_fit(X, y).n_iter_ == 96
    assert online.fit(X, y).n_iter_ == 48
