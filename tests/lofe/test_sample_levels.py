import numpy as np
import pytest
from scipy.sparse import csc_array
from sklearn.exceptions import ConvergenceWarning

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.sample_levels import levels_of_fit, sample_levels
from hitmiss.neighbors.pairs import AllPairs
from hitmiss.targets.classes import Classes


def test_levels_are_nested_and_keep_the_small_class(monkeypatch):
    monkeypatch.setattr(heuristics, "BEGIN_WITH", (500, 1500))
    target = Classes((np.arange(4000) < 40).astype(int))
    large, small = sample_levels(target)
    assert np.isin(small, large).all()
    assert (len(large), len(small)) == (1485 + 30, 495 + 30)
    assert target.counts[1] == 40
    assert (target.codes[small] == 1).sum() == 30


def noisy_xor(n_samples, n_irrelevant):
    X, y = datasets.make_xor(n_samples, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)
    noise = np.random.default_rng(0).normal(0, 0.6, X.shape)
    return (X + noise).astype(np.float32), y


@pytest.mark.full
@pytest.mark.parametrize("n_samples", [1000, 999])
def test_beginning_with_some_samples_leads_as_low(n_samples, monkeypatch):
    monkeypatch.setattr(heuristics, "BEGIN_PAIRS", 0)
    X, y = noisy_xor(n_samples, 60)
    found = LOFE(alpha=1.0).fit(X, y)
    monkeypatch.setattr(heuristics, "BEGIN_WITH", ())
    every = LOFE(alpha=1.0).fit(X, y)
    begins = {row["alpha"] for row in found.history_}
    assert (min(begins) < 0.6) == (n_samples == 1000)
    assert found.optimality_gap_ < 1e-3
    assert found.objective_ <= every.objective_ * (1 + 1e-5)
    np.testing.assert_array_equal(found.get_support(), every.get_support())


def test_weights_of_classes_begin_with_some_samples_too(monkeypatch):
    monkeypatch.setattr(heuristics, "BEGIN_PAIRS", 0)
    X, y = noisy_xor(1000, 20)
    balanced = LOFE(alpha=1.0, class_weight={0: 2.0, 1: 0.5})
    found = balanced.fit(X, y).objective_
    monkeypatch.setattr(heuristics, "BEGIN_WITH", ())
    assert found == pytest.approx(balanced.fit(X, y).objective_, rel=1e-5)


@pytest.mark.full
@pytest.mark.parametrize("alpha", [1.0, "auto"])
@pytest.mark.parametrize("max_iter", [1, 4])
def test_few_iterations_end_without_a_certificate(alpha, max_iter, monkeypatch):
    monkeypatch.setattr(heuristics, "BEGIN_PAIRS", 0)
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        found = LOFE(alpha=alpha, max_iter=max_iter).fit(*noisy_xor(1000, 20))
    assert not found.converged_
    assert found.weights_.any()


def test_a_checkpoint_is_not_for_data_that_begin_with_all_samples(monkeypatch, tmp_path):
    monkeypatch.setattr(heuristics, "BEGIN_PAIRS", 0)
    X, y = noisy_xor(1000, 20)
    LOFE(alpha=1.0, checkpoint=tmp_path / "fit").fit(X, y)
    with pytest.raises(ValueError, match="belongs to a fit with other data or parameters"):
        LOFE(alpha=1.0, checkpoint=tmp_path / "fit").fit(csc_array(X), y)


def test_what_some_samples_do_not_explain_is_searched_with_all(monkeypatch):
    monkeypatch.setattr(heuristics, "BEGIN_PAIRS", 0)
    rng = np.random.default_rng(0)
    X, y = rng.random((1000, 5)), rng.integers(0, 2, 1000)
    found = LOFE(alpha=0.9).fit(X, y)
    monkeypatch.setattr(heuristics, "BEGIN_WITH", ())
    every = LOFE(alpha=0.9).fit(X, y)
    np.testing.assert_array_equal(found.weights_, every.weights_)


def test_no_levels_of_weighted_samples_or_where_small_classes_leave_out_hardly_any(monkeypatch):
    features = InMemory(np.zeros((1200, 2)), Workers(1))
    y = np.arange(1200) % 2
    assert levels_of_fit(features, Classes(y), AllPairs()) == []  # features are few
    monkeypatch.setattr(heuristics, "BEGIN_PAIRS", 1200**2 * 2)
    assert len(levels_of_fit(features, Classes(y), AllPairs())) == 1
    by_class = Classes(y, sample_weight=np.where(y, 0.5, 2.0))
    assert len(levels_of_fit(features, by_class, AllPairs())) == 1
    for weights in (np.linspace(1, 2, 1200), np.where(y, 0.0, 1.0)):
        weighted = Classes(y, sample_weight=weights)
        assert levels_of_fit(features, weighted, AllPairs()) == []
    assert sample_levels(Classes(np.arange(1200) % 40)) == []
