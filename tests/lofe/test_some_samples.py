import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import heuristics
from hitmiss.lofe.some_samples import fewer_samples, some_samples
from hitmiss.neighbors.pairs import RowTiles
from hitmiss.targets.classes import Classes


@given(st.lists(st.integers(1, 400), min_size=2, max_size=4), st.integers(0, 10))
def test_a_search_begins_with_some_of_very_many_samples(counts, seed):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heuristics, "SOME_SAMPLES", 50)
        rows = some_samples(Classes(y))
    if len(y) < 4 * 50:
        assert rows is None
        return
    share = np.bincount(y[rows], minlength=len(counts)) - 50 * np.array(counts) / len(y)
    assert ((share > -1) & (share <= 1 + 2 * len(counts))).all()
    assert (np.bincount(y[rows]) >= np.minimum(counts, 2)).all()


def test_a_share_of_the_samples_leads_to_all(monkeypatch):
    monkeypatch.setattr(heuristics, "SOME_SAMPLES", 30)
    target, features = Classes(np.arange(1500) % 3), InMemory(np.zeros((1500, 4)), Workers(1))
    rows = fewer_samples(features, target, RowTiles())
    assert 300 <= len(rows) <= 306
    assert np.array_equal(np.unique(rows), rows)
    references = np.arange(0, 1500, 50)
    rows = fewer_samples(features, target, RowTiles(references))
    assert np.isin(references, rows).all()
    assert 150 <= len(rows) <= 150 + 6 + 30


def test_few_samples_lead_to_all_where_a_share_is_small_or_takes_much_memory(monkeypatch):
    monkeypatch.setattr(heuristics, "SOME_SAMPLES", 30)
    target, wide = Classes(np.arange(1500) % 3), InMemory(np.zeros((1500, 20_000)), Workers(1))
    few = some_samples(target)
    assert np.array_equal(fewer_samples(wide, target, RowTiles()), few)
    features = InMemory(np.zeros((1500, 4)), Workers(1))
    monkeypatch.setattr(heuristics, "FEWER", 15)  # 100 samples, less than four times as many
    assert np.array_equal(fewer_samples(features, target, RowTiles()), few)
    monkeypatch.setattr(heuristics, "FEWER", 5)
    features.room = 0  # as on a cluster
    assert np.array_equal(fewer_samples(features, target, RowTiles()), few)


def test_very_many_classes_keep_all_samples(monkeypatch):
    monkeypatch.setattr(heuristics, "SOME_SAMPLES", 20)
    assert some_samples(Classes(np.repeat(np.arange(40), 3))) is None
