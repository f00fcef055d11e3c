import warnings

import anndata
import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from hitmiss import ReliefF
from hitmiss.anndata import rank_genes_groups

with warnings.catch_warnings():  # of the packages that it loads
    warnings.simplefilter("ignore")
    scanpy = pytest.importorskip("scanpy", reason="scanpy is not installed")

mpl.use("Agg")
TYPES = ["B", "NK", "T"]


def cells(form=np.asarray):
    """Three types of 30 cells; genes 2k and 2k + 1 are high in type k."""
    rng = np.random.default_rng(0)
    kind = np.repeat(TYPES, 30)
    counts = rng.poisson(0.7, (90, 12)).astype(float)
    for k, name in enumerate(TYPES):
        counts[np.ix_(kind == name, [2 * k, 2 * k + 1])] += 3
    names = [f"g{j}" for j in range(12)]
    found = anndata.AnnData(form(np.log1p(counts)), var=pd.DataFrame(index=names))
    found.obs["kind"] = pd.Categorical(kind)
    return found


@pytest.fixture(scope="module")
def ranked():
    found = cells()
    assert rank_genes_groups(found, "kind") is None
    return found


def top_two(adata, key="rank_genes_groups"):
    return {
        name: set(adata.uns[key]["names"][name][:2]) for name in adata.uns[key]["names"].dtype.names
    }


EXPECTED = {"B": {"g0", "g1"}, "NK": {"g2", "g3"}, "T": {"g4", "g5"}}


def test_scanpy_reads_the_ranked_genes(ranked):
    assert top_two(ranked) == EXPECTED
    frame = scanpy.get.rank_genes_groups_df(ranked, group="NK")
    assert list(frame.columns) == ["names", "scores", "logfoldchanges", "pvals", "pvals_adj"]
    assert set(frame["names"][:2]) == {"g2", "g3"}
    assert (np.diff(frame["scores"]) <= 0).all()
    assert frame["pvals_adj"].isna().all()
    everything = scanpy.get.rank_genes_groups_df(ranked, group=None, log2fc_min=1)
    assert {
        name: set(found[:2]) for name, found in everything.groupby("group", observed=True)["names"]
    } == EXPECTED


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", ["rank_genes_groups", "rank_genes_groups_dotplot", "rank_genes_groups_matrixplot"]
)
def test_plots_of_scanpy_show_them(ranked, name):
    import matplotlib.pyplot as plt

    more = {} if name == "rank_genes_groups" else {"dendrogram": False}
    getattr(scanpy.pl, name)(ranked, n_genes=2, show=False, **more)
    texts = [
        t.get_text()
        for ax in plt.gcf().axes
        for t in (*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels())
    ]
    assert {"g0", "g1", "g2", "g3", "g4", "g5"} <= set(texts)
    plt.close("all")


def test_fold_changes_are_those_of_scanpy(ranked):
    peer = cells()
    peer.uns["log1p"] = {"base": None}
    scanpy.tl.rank_genes_groups(peer, "kind", method="t-test")
    one, other = (
        scanpy.get.rank_genes_groups_df(found, group="T").set_index("names")["logfoldchanges"]
        for found in (ranked, peer)
    )
    np.testing.assert_allclose(one[other.index], other, rtol=1e-4)


@pytest.mark.parametrize("form", [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix])
@pytest.mark.parametrize("backed", [False, True])
def test_sparse_and_backed_data_give_the_same(tmp_path, ranked, form, backed):
    found = cells(form)
    if backed:
        found.write_h5ad(tmp_path / "a.h5ad")
        found = anndata.read_h5ad(tmp_path / "a.h5ad", backed="r")
    rank_genes_groups(found, "kind")
    for column in ("names", "scores", "logfoldchanges"):
        for name in TYPES:
            expected = ranked.uns["rank_genes_groups"][column][name]
            np.testing.assert_array_equal(found.uns["rank_genes_groups"][column][name], expected)
    if backed:
        found.file.close()


def test_the_result_survives_a_file(tmp_path, ranked):
    ranked.write_h5ad(tmp_path / "a.h5ad")
    again = anndata.read_h5ad(tmp_path / "a.h5ad")
    frames = [scanpy.get.rank_genes_groups_df(found, group="B") for found in (ranked, again)]
    pd.testing.assert_frame_equal(*frames)


def test_some_groups_a_reference_a_mask_a_layer_a_key_and_a_copy():
    found = cells()
    found.layers["twice"] = 2 * found.X
    found.var["seen"] = np.arange(12) != 0
    one = rank_genes_groups(
        found,
        "kind",
        groups=["B"],
        reference="T",
        layer="twice",
        mask_var="seen",
        key_added="bt",
        base=ReliefF(),
        n_genes=3,
        copy=True,
    )
    assert "bt" not in found.uns
    assert one.uns["bt"]["names"].dtype.names == ("B",)
    assert len(one.uns["bt"]["names"]) == 3
    assert one.uns["bt"]["names"]["B"][0] == "g1"  # g0 is not looked at
    assert one.uns["bt"]["params"]["reference"] == "T"
    rank_genes_groups(found, "kind", groups=["NK", "B"])
    assert top_two(found) == {name: EXPECTED[name] for name in ("B", "NK")}


def test_permutations_give_p_values():
    found = cells()
    rank_genes_groups(found, "kind", base=ReliefF(), n_permutations=19, random_state=0)
    frame = scanpy.get.rank_genes_groups_df(found, group="T", pval_cutoff=0.06)
    assert {"g4", "g5"} <= set(frame["names"])
    assert (frame["pvals"] <= frame["pvals_adj"]).all()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"groupby": "kin"}, "adata.obs has no column 'kin'; there are 'kind'"),
        ({"groups": ["B", "X"]}, "has no group 'X'; there are 'B', 'NK', 'T'"),
        ({"groups": []}, "groups is empty"),
        ({"reference": "X"}, r"reference: adata.obs\['kind'\] has no group 'X'"),
        ({"groups": ["B"], "reference": "B"}, "groups holds only the reference"),
        ({"layer": "x"}, "adata.layers has no 'x'"),
        ({"mask_var": "x"}, "adata.var has no column 'x'"),
        ({"mask_var": np.zeros(12, bool)}, "mask_var must hold"),
    ],
)
def test_what_is_not_there_is_named(how, message):
    with pytest.raises(ValueError, match=message):
        rank_genes_groups(cells(), **{"groupby": "kind", **how})


def test_missing_and_single_groups_are_named():
    found = cells()
    found.obs.loc["3", "kind"] = None
    with pytest.raises(ValueError, match="holds no group for 1 of 90 observations; leave them out"):
        rank_genes_groups(found, "kind")
    found.obs["kind"] = "B"
    with pytest.raises(ValueError, match="holds one group only"):
        rank_genes_groups(found, "kind")
    found.obs["kind"] = ["A", *["B"] * 40, *["C"] * 49]
    with pytest.raises(ValueError, match="Class 'A' has a single sample"):
        rank_genes_groups(found, "kind")
