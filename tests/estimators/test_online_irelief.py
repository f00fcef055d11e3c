import re

import numpy as np
import pytest

from hitmiss import IRelief, OnlineIRelief, datasets
from tests import relief_reference as relief


def angle(a, b):
    return np.arccos(min(1.0, a @ b / np.linalg.norm(a) / np.linalg.norm(b)))


def data(name="waveform", n_samples=400, seed=0):
    make = getattr(datasets, f"make_{name}")
    return make(n_samples, n_irrelevant=50, random_state=seed, return_X_y=True)


def by_definition(X, y, sigma, a, n_passes=1):
    """Fig. 3 in block order, one sample after the other."""
    nu, w, t = np.zeros(X.shape[1]), np.full(X.shape[1], 1 / X.shape[1]), 0
    for _ in range(n_passes):
        for n in range(len(y)):
            i = relief.others(n, len(y))
            A = np.abs(X[i] - X[n])
            k = np.exp(-A @ w / sigma)
            hit = y[i] == y[n]
            gamma = k[hit].sum() / k.sum()
            z = k[~hit] @ A[~hit] / k[~hit].sum() - k[hit] @ A[hit] / k[hit].sum()
            t += 1
            eta = min(1, 1 / (a * t))
            nu = (1 - eta) * nu + eta * gamma * z
            w = relief.positive_unit(nu)
    return w, nu


@pytest.mark.parametrize("a", [0.2, 1.0])
def test_against_the_definition(a):
    X, y = relief.gaussian_classes(30)
    w, nu = by_definition(X, y, 0.5, a, n_passes=2)
    found = OnlineIRelief(0.5, learning_rate=a, order="block", n_passes=2).fit(X, y)
    np.testing.assert_allclose(found.weights_, w, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(found.scores_, nu, rtol=1e-7, atol=1e-9)
    assert found.n_iter_ == 60


@pytest.mark.parametrize("name", ["waveform", "ringnorm"])
@pytest.mark.parametrize("a", [0.2, 0.5, 1.0])
def test_it_converges_to_the_batch_weights(name, a):
    """Theorem 4: the same limit whatever the learning rate, in block order."""
    X, y = data(name, n_samples=150)
    target = IRelief(tol=1e-8).fit(X, y).weights_
    angles = [
        angle(OnlineIRelief(learning_rate=a, order="block", n_passes=p).fit(X, y).weights_, target)
        for p in (2, 40)
    ]
    assert angles[1] < 0.01
    assert angles[1] < angles[0] / 10


@pytest.mark.parametrize("name", ["waveform", "ringnorm"])
@pytest.mark.parametrize("order", ["shuffle", "block"])
def test_one_pass_is_already_close(name, order):
    X, y = data(name)
    target = IRelief().fit(X, y).weights_
    found = OnlineIRelief(order=order, random_state=0).fit(X, y)
    assert found.n_iter_ == 400
    assert angle(found.weights_, target) < 0.1
    assert angle(found.weights_, target) < 0.01  # far closer than asked


def test_sampling_comes_closer_with_every_pass():
    X, y = data(n_samples=150)
    target = IRelief().fit(X, y).weights_
    one, many = (
        OnlineIRelief(order="sample", n_passes=p, random_state=0).fit(X, y) for p in (1, 40)
    )
    assert angle(many.weights_, target) < angle(one.weights_, target) / 2
    assert [row["n_iter"] for row in many.history_] == list(range(150, 6001, 150))


def test_partial_fit_of_everything_is_one_pass_in_order():
    X, y = data(n_samples=120)
    whole = OnlineIRelief(order="block").fit(X, y)
    parts = OnlineIRelief().partial_fit(X, y)
    np.testing.assert_allclose(parts.weights_, whole.weights_, rtol=1e-9, atol=1e-12)


def test_partial_fit_in_parts_comes_close_to_the_batch_weights():
    X, y = data("ringnorm", n_samples=1200)
    target = IRelief().fit(X, y).weights_
    online = OnlineIRelief(memory=300, random_state=0)
    for start in range(0, 1200, 50):
        online.partial_fit(X[start : start + 50], y[start : start + 50])
    assert online.n_iter_ == 1200
    assert angle(online.weights_, target) < 0.15
    assert len(online._memory.X) == 300
    assert set(online.ranking_[:20].tolist()) == set(range(20))


def test_a_class_may_appear_late_and_nothing_is_learned_before():
    X, y = data(n_samples=90)
    labels = np.array(["a", "b"])[y]
    online = OnlineIRelief().partial_fit(X[y == 0], labels[y == 0])
    assert online.n_iter_ == 0
    np.testing.assert_array_equal(online.weights_, 1 / 71)
    online.partial_fit(X[y == 1], labels[y == 1])
    assert online.n_iter_ == 45
    np.testing.assert_array_equal(online.classes_, ["a", "b"])


def test_the_range_so_far_is_what_scales():
    X, y = relief.gaussian_classes(60)
    scaled = X * np.array([1, 10, 100, 1, 1, 1, 1, 1e-6])
    a, b = (OnlineIRelief(order="block").fit(Z, y).weights_ for Z in (X, scaled))
    np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-12)
    a, b = (OnlineIRelief().partial_fit(Z, y).weights_ for Z in (X, scaled))
    np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-12)
    halves = OnlineIRelief(memory=60).partial_fit(X[:30], y[:30]).partial_fit(X[30:], y[30:])
    assert angle(halves.weights_, a) < 0.2


@pytest.mark.full
def test_any_layout_and_type_gives_the_same():
    X, y = relief.gaussian_classes(40)
    X = np.rint(250 * (X - X.min()))
    expected = OnlineIRelief(random_state=0).fit(X, y).weights_
    frozen = X.copy()
    frozen.flags.writeable = False
    for Z in (np.asfortranarray(X), X.astype(">f4"), X.astype(np.int32), frozen, X[:, ::-1]):
        found = OnlineIRelief(random_state=0).fit(Z, y).weights_
        found = found[::-1] if Z.strides[1] < 0 else found
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_threads_change_nothing_where_features_are_shared_out():
    X, y = datasets.make_xor(n_irrelevant=20_000, random_state=0, return_X_y=True)
    one, three = (OnlineIRelief(random_state=0, n_jobs=n).fit(X[:80], y[:80]) for n in (1, 3))
    np.testing.assert_array_equal(one.weights_, three.weights_)


def test_a_bad_batch_changes_nothing():
    X, y = data(n_samples=60)
    online = OnlineIRelief().partial_fit(X, y)
    before = online.weights_.copy()
    with pytest.raises(ValueError, match="NaN in row 3, feature 2"):
        online.partial_fit(np.where(np.arange(60 * 71).reshape(60, 71) == 215, np.nan, X), y)
    with pytest.raises(ValueError, match="70 features"):
        online.partial_fit(X[:, :70], y)
    assert online.n_iter_ == 60
    np.testing.assert_array_equal(online.weights_, before)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"learning_rate": 1.5}, {"learning_rate": 0}, {"order": "random"}),
        *({"n_passes": 0}, {"memory": 0}, {"sigma": -1}),
    ],
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        OnlineIRelief(**wrong).fit(np.eye(6), [0, 1] * 3)


def test_passes_over_the_samples_are_counted(capsys, monkeypatch):
    monkeypatch.setattr("hitmiss._util.progress.WORTH_A_LINE", 0.0)
    X, y = datasets.make_twonorm(40, random_state=0, return_X_y=True)
    OnlineIRelief(n_passes=2, random_state=0, verbose=True).fit(X, y)
    assert re.findall(r"^pass \d of 2: ", capsys.readouterr().err, re.MULTILINE) == [
        "pass 1 of 2: ",
        "pass 2 of 2: ",
    ]
