import numpy as np
import pytest
from scipy.stats import f_oneway
from scipy.stats import t as t_distribution

from reproduce.experiments.batches import bladder
from reproduce.experiments.batches.bladder_data import Bladder
from reproduce.harness.experiment import Key

BATCH = np.repeat([1, 2, 5], [10, 15, 20])


@pytest.fixture
def data():
    """Cancers of three batches and four normal samples of one; the batch shifts 30 of 60 genes."""
    rng = np.random.default_rng(0)
    batch = np.r_[BATCH, np.full(4, 2)]
    X = rng.normal(size=(len(batch), 60))
    X[:, :30] += 3 * (batch == 5)[:, None]
    X[-4:, 59] += 6
    return Bladder(X, np.r_[np.full(45, "Cancer"), np.full(4, "Normal")], batch)


def test_every_batch_holds_its_share_of_the_labels():
    y = bladder.confounded(BATCH, np.random.default_rng(0))
    assert [int(y[name == BATCH].sum()) for name in (1, 2, 5)] == [2, 3, 16]


def test_shares_and_p_are_those_of_an_analysis_of_variance(data):
    X = data.X[:45]
    p = bladder.p_values(bladder.explained_by(BATCH, X), 45, 3)
    np.testing.assert_allclose(p, f_oneway(X[:10], X[10:25], X[25:]).pvalue, rtol=1e-8)
    groups = X[:10], X[10:25], X[25:]
    inside = sum(part.var(axis=0) * len(part) for part in groups) / 45
    np.testing.assert_allclose(bladder.within(BATCH, X), np.sqrt(inside))


def test_strata_keep_shifted_genes_out(data):
    plain, strata = (
        bladder.drawn_labels(data, Key("nothing", method, 0)) for method in bladder.METHODS
    )
    assert plain["base"][0] == 0.5
    assert plain["shifted"] > 0
    assert plain["p"] <= 0.1
    assert strata["shifted"] <= strata["others"] // 2
    assert strata["p"] > 0.1


def test_the_t_test_is_that_of_a_line_beside_the_batches(data):
    X, y = data.X[:45], bladder.confounded(BATCH, np.random.default_rng(1))
    design = np.column_stack([y, *(name == BATCH for name in (1, 2, 5))]).astype(float)
    slope, left, *_ = np.linalg.lstsq(design, X)
    error = np.sqrt(left / 41 * np.linalg.inv(design.T @ design)[0, 0])
    expected = 2 * t_distribution.sf(np.abs(slope[0] / error), 41)
    np.testing.assert_allclose(bladder.t_test(BATCH, X, y), expected, rtol=1e-8)


def test_strong_genes_are_found_told_and_listed(data):
    record = bladder.drawn_labels(data, Key("five strong genes", "strata", 0))
    assert record["told"] >= 4
    assert record["true"] >= 3
    assert record["listed"]["true"] >= 1
    assert record["listed"]["shifted"] == record["shifted"] == 0


def test_a_penalty_above_noise_keeps_the_gene_and_with_strata_no_shifted_one(data):
    draws = {
        method: [bladder.by_noise(data, Key("one gene, alpha auto", method, run)) for run in (0, 1)]
        for method in bladder.METHODS
    }
    assert sum(one["shifted"] for one in draws["plain"]) > 0
    assert [(one["true"], one["shifted"]) for one in draws["strata"]] == [(1, 0), (1, 0)]


@pytest.mark.filterwarnings("ignore:Stratum '")
def test_the_question_of_the_data_is_one_of_the_batch_with_both(data):
    record = bladder.own_question(data, "strata")
    assert record == {"genes": [59], "wrong": 0, "left_out": 19, "samples": [19, 49]}
