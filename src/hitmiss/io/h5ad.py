"""Tables from AnnData files."""

from pathlib import Path

import numpy as np
import scipy.sparse

from hitmiss._util.errors import InputError, optional, parsing
from hitmiss.io.labels import labels
from hitmiss.io.table import Layout, Table, checked_table, feature_positions, position


def read_h5ad(path: Path, layout: Layout) -> Table:
    """Table of the X of an AnnData file; target and sample names are columns of obs."""
    anndata = optional("anndata", extra="anndata")
    if layout.transpose:
        raise InputError("An h5ad file has its samples in rows by definition; do not transpose it.")
    with parsing(path, "an h5ad file"):
        data = anndata.read_h5ad(path)
        if data.X is None:
            raise InputError(f"{path} has no X, only annotations.")
        columns = [str(name) for name in data.obs.columns]
        y, samples = (
            None if name is None else data.obs.iloc[:, position(name, columns)].tolist()
            for name in (layout.target, layout.samples)
        )
        every = [str(name) for name in data.var_names]
        kept = feature_positions(every, layout, "feature")
        X = data.X if kept == list(range(len(every))) else data.X[:, kept]
        X = X.toarray() if scipy.sparse.issparse(X) else np.asarray(X)
    names = [every[j] for j in kept]
    return checked_table(
        X, None if y is None else labels(y), names, data.obs_names if samples is None else samples
    )
