import re
from functools import cache

import anndata
import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from hitmiss import LOFE, datasets
from hitmiss import anndata as adata

KINDS = np.array(["ill", "well"])


def data():
    X, y = datasets.make_xor(100, n_irrelevant=30, random_state=0, return_X_y=True)
    return np.where(X > 0, X, 0), y


def cells(X, y):
    frame = pd.DataFrame({"kind": pd.Categorical(KINDS[y])}, index=[f"c{n}" for n in range(len(y))])
    return anndata.AnnData(X, obs=frame)


@cache
def plain():
    X, y = data()
    return LOFE(sigma=1.0).fit(X, KINDS[y])


def check(annotated, expected):
    """The annotations say what the estimator says."""
    np.testing.assert_array_equal(annotated.var["lofe"], expected.get_support())
    np.testing.assert_array_equal(annotated.var["lofe_weight"], expected.weights_)
    assert annotated.var["lofe_rank"].iloc[expected.ranking_[0]] == 1
    assert annotated.uns["lofe"]["method"] == "lofe"
    assert annotated.uns["lofe"]["params"]["sigma"] == "1.0"
    assert annotated.uns["lofe"]["optimality_gap"] == expected.optimality_gap_
    assert annotated.uns["lofe"]["loo_error"] == expected.loo_error_
    assert annotated.uns["lofe"]["loo_error_note"].startswith("too low: the features were chosen")
    assert annotated.uns["lofe"]["guessing_error"] == 0.5


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix])
@pytest.mark.parametrize("backed", [False, True])
def test_dense_sparse_and_backed_data(tmp_path, form, backed):
    X, y = data()
    annotated = cells(form(X), y)
    if backed:
        annotated.write_h5ad(tmp_path / "a.h5ad")
        annotated = anndata.read_h5ad(tmp_path / "a.h5ad", backed="r")
    adata.select(annotated, "kind", params={"sigma": 1.0})
    check(annotated, plain())
    if backed:
        annotated.file.close()


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_matrix, scipy.sparse.csc_matrix])
def test_with_a_memory_the_data_stay_in_their_file(tmp_path, form, monkeypatch):
    X, y = data()
    cells(form(X), y).write_h5ad(tmp_path / "a.h5ad")
    annotated = anndata.read_h5ad(tmp_path / "a.h5ad", backed="r")
    monkeypatch.setattr(adata, "_dense", None)  # nobody may load them
    fitted = adata.select(annotated, "kind", params={"sigma": 1.0, "memory": "100MB"})
    check(annotated, plain())
    assert fitted.feature_names_in_.tolist() == annotated.var_names.tolist()
    annotated.file.close()


def test_annotations_survive_a_file(tmp_path):
    annotated = cells(*data())
    adata.select(annotated, "kind", method="LOFE", key_added="lofe", params={"sigma": 1.0})
    annotated.write_h5ad(tmp_path / "a.h5ad")
    check(anndata.read_h5ad(tmp_path / "a.h5ad"), plain())


def test_a_layer_instead_of_X():
    X, y = data()
    annotated = cells(np.zeros_like(X), y)
    annotated.layers["scaled"] = X
    adata.select(annotated, "kind", layer="scaled", params={"sigma": 1.0})
    check(annotated, plain())
    with pytest.raises(ValueError, match=r"adata.layers has no 'raw'; there are 'scaled'"):
        adata.select(annotated, "kind", layer="raw")


def test_observations_without_a_label_are_left_out():
    X, y = data()
    annotated = cells(np.vstack([X, 100 + X[:3]]), np.r_[y, y[:3]])
    annotated.obs.loc[["c100", "c101", "c102"], "kind"] = None
    adata.select(annotated, "kind", params={"sigma": 1.0})
    check(annotated, plain())


def test_any_method_under_any_key():
    annotated = cells(*data())
    fitted = adata.select(
        annotated, "kind", "relieff", key_added="near", params={"max_features": 5}
    )
    assert annotated.var["near"].sum() == 5
    assert annotated.uns["near"]["method"] == "relieff"
    np.testing.assert_array_equal(annotated.var["near_weight"], fitted.weights_)


def test_what_is_not_there_is_named():
    annotated = cells(*data())
    with pytest.raises(ValueError, match=r"adata.obs has no column 'kin'; there are 'kind'"):
        adata.select(annotated, "kin")
    with pytest.raises(ValueError, match="There is no method"):
        adata.select(annotated, "kind", method="nonesuch")
    empty = anndata.AnnData(obs=annotated.obs, var=annotated.var)
    with pytest.raises(ValueError, match=r"adata.X is None; name a layer"):
        adata.select(empty, "kind")


def test_the_variables_are_tested_where_that_is_asked_for(tmp_path):
    annotated = cells(*data())
    adata.select(annotated, "kind", "relieff", key_added="near", n_permutations=20)
    q_values = annotated.var["near_q_value"]
    assert sorted(q_values[q_values <= 0.1].index) == ["0", "1"]
    annotated.write_h5ad(tmp_path / "a.h5ad")
    found = anndata.read_h5ad(tmp_path / "a.h5ad").uns["near"]
    assert (found["p_value"], found["n_permutations"]) == (1 / 21, 20)
    adata.select(annotated, "kind", "relieff")
    assert "relieff_q_value" not in annotated.var


@pytest.mark.parametrize("method", ["lofe", "simba", "frel", "relieff"])
def test_a_verbose_selection_of_more_than_a_moment_says_how_far_it_is(method, monkeypatch, capsys):
    monkeypatch.setattr("hitmiss._util.progress.CLOCK_AFTER", 0.0)
    adata.select(cells(*data()), "kind", method, verbose=True)
    assert re.search(r"(\w+|of \d+): \d+\.\d s", capsys.readouterr().err)
    annotated = cells(*data())
    adata.select(annotated, "kind", method)
    assert capsys.readouterr().err == ""
    assert "verbose" not in annotated.uns[method]["params"]


def test_nominal_variables_that_are_given_as_an_array_are_kept():
    X, y = data()
    annotated = cells(np.rint(X), y)
    annotated.var["categorical"] = np.arange(annotated.n_vars) == 5
    given = {"categorical": np.array([0, 1])}
    fitted = adata.select(annotated, "kind", "relieff", params=given)
    assert sorted(fitted.categories_) == [0, 1]
    assert sorted(adata.select(annotated, "kind", "relieff").categories_) == [5]
