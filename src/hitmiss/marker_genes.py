"""Markers of groups of observations of an AnnData object, in the layout of scanpy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from sklearn.base import clone

from hitmiss._util.errors import InputError, optional
from hitmiss._util.random import RandomStateLike, as_generator
from hitmiss.estimators.lofe import LOFE
from hitmiss.estimators.markers import Markers

ROWS = 1024  # observations read at once for the means: 160 MB of 20,000 genes
TINY = 1e-9  # added to means before their ratio is taken, as scanpy does
COLUMNS = {  # of scanpy's results, with its types
    "names": "O",
    "scores": "float32",
    "pvals": "float64",
    "pvals_adj": "float64",
    "logfoldchanges": "float32",
}


class _Found(NamedTuple):
    """Results of one group for all genes, and the observations it is compared with."""

    order: NDArray
    scores: NDArray
    pvals: NDArray
    pvals_adj: NDArray
    reference: NDArray


def rank_genes_groups(
    adata: Any,
    groupby: str,
    groups: str | Sequence[str] = "all",
    reference: str = "rest",
    *,
    layer: str | None = None,
    mask_var: str | NDArray | None = None,
    key_added: str = "rank_genes_groups",
    base: Any = None,
    n_genes: int | None = None,
    n_permutations: int = 0,
    random_state: RandomStateLike = None,
    copy: bool = False,
) -> Any:
    """Rank the genes that mark each group, and store them as scanpy does.

    Unlike a test of one gene after the other, the genes of a group are weighed together: those
    that are redundant share their weight, and those that help only together have one. The result is
    read by ``scanpy.get.rank_genes_groups_df`` and by scanpy's plots of ranked genes.

    Parameters
    ----------
    adata : anndata.AnnData
        In memory or backed, dense or sparse. Logarithms of counts are the usual thing; the data
        are not changed.
    groupby : str
        Column of ``adata.obs`` that holds the groups.
    groups : "all" or sequence of str, default="all"
        Groups to rank genes for.
    reference : str, default="rest"
        "rest" compares a group with all other observations, the name of a group with that group.
    layer : str, default=None
        Layer that holds the data; None is ``adata.X``.
    mask_var : str or array of bool, default=None
        Genes to look at, or the column of ``adata.var`` that says so; None takes all.
    key_added : str, default="rank_genes_groups"
        Key of ``adata.uns`` for the result.
    base : selector, default=None
        Weighs the genes, such as ``LOFE(alpha=2)`` or ``ReliefF()``; None is ``LOFE()``.
        With a `memory`, all groups and no layer, mask or reference, the data stay in their file.
    n_genes : int, default=None
        Number of genes that are stored for each group; None for all.
    n_permutations : int, default=0
        Number of permutations of the labels that give p-values and q-values, such as 20. Without,
        they are NaN.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the permutations.
    copy : bool, default=False
        Whether to return a copy with the result instead of changing `adata`.

    Returns
    -------
    anndata.AnnData or None
        The copy. ``adata.uns[key_added]`` holds `names`, best first; `scores`, the importance (see
        `hitmiss.Markers`), below 0 for genes that are low in the group, which come last; `pvals`,
        how often a gene is as good under permuted labels, not adjusted for the number of genes;
        `pvals_adj`, the q-value; `logfoldchanges`, of the means as scanpy computes them from
        logarithms; and `params`.

    See Also
    --------
    hitmiss.Markers : The method.

    Examples
    --------
    >>> import anndata
    >>> import numpy as np
    >>> from hitmiss.anndata import rank_genes_groups
    >>> rng = np.random.default_rng(0)
    >>> cells = anndata.AnnData(np.log1p(rng.poisson(1.0, (90, 20)).astype(float)))
    >>> cells.obs["kind"] = np.repeat(["B", "NK", "T"], 30)
    >>> for k in range(3):
    ...     cells.X[30 * k : 30 * (k + 1), k] += 2
    >>> rank_genes_groups(cells, "kind")
    >>> cells.uns["rank_genes_groups"]["names"]["NK"][0]
    '1'
    """
    if copy:
        if adata.isbacked:
            raise InputError("A backed adata is not copied; use copy=False, or adata.to_memory().")
        adata = adata.copy()
    labels, names = _groups(adata, groupby)
    wanted = _wanted(groups, names, groupby)
    mask = _mask(adata, mask_var)
    model = Markers(
        LOFE() if base is None else clone(base),
        n_permutations=n_permutations,
        random_state=int(as_generator(random_state).integers(2**31)),
    )
    model._check_parameters()
    in_place = model.memory is not None and layer is None and mask.all() and reference == "rest"
    X = adata if in_place and wanted == names else dense(adata, layer)[:, mask]
    if reference != "rest":
        wanted = _without_reference(wanted, reference, names, groupby)
    compared = _compared(model, X, labels, names, wanted, reference)
    means = _Means(adata.X if layer is None else adata.layers[layer], mask, _log_base(adata))
    genes = np.asarray(adata.var_names, object)[mask]
    columns: dict[str, dict[str, NDArray]] = {column: {} for column in COLUMNS}
    for name, found in compared:
        order = found.order[:n_genes]
        columns["names"][name] = genes[order]
        for column in ("scores", "pvals", "pvals_adj"):
            columns[column][name] = getattr(found, column)[order]
        columns["logfoldchanges"][name] = means.change(labels == name, found.reference)[order]
    adata.uns[key_added] = {
        "params": {
            "groupby": groupby,
            "reference": reference,
            "method": f"hitmiss {type(model.base).__name__}",
            "use_raw": False,
            "layer": layer,
            "corr_method": "permutation",
        },
        **{column: _records(columns[column], kind) for column, kind in COLUMNS.items()},
    }
    return adata if copy else None


def _records(columns: dict[str, NDArray], kind: str) -> NDArray:
    """A record array of a column for each group."""
    pandas = optional("pandas", extra="anndata")
    frame = pandas.DataFrame(columns)
    return frame.to_records(index=False, column_dtypes=dict.fromkeys(columns, kind))


def _groups(adata: Any, groupby: str) -> tuple[NDArray, list[str]]:
    """The group of every observation as text, and the groups in the order of the categories."""
    if groupby not in adata.obs:
        there = ", ".join(map(repr, adata.obs.columns)) or "none"
        raise InputError(f"adata.obs has no column {groupby!r}; there are {there}.")
    column = adata.obs[groupby]
    n_missing = int(column.isna().sum())
    if n_missing:
        raise InputError(
            f"adata.obs[{groupby!r}] holds no group for {n_missing:,} of {len(column):,} "
            f"observations; leave them out with adata[adata.obs[{groupby!r}].notna()]."
        )
    categories = column.astype("category").cat.remove_unused_categories().cat.categories
    if len(categories) < 2:
        raise InputError(
            f"adata.obs[{groupby!r}] holds one group only; markers need at least two to compare."
        )
    return np.asarray(column.astype(str), object), [str(name) for name in categories]


def _wanted(groups: str | Sequence[str], names: list[str], groupby: str) -> list[str]:
    """The groups to rank genes for."""
    if isinstance(groups, str) and groups == "all":
        return names
    wanted = [groups] if isinstance(groups, str) else [str(name) for name in groups]
    if not wanted:
        raise InputError("groups is empty; name at least one group, or use 'all'.")
    for name in wanted:
        _check_group("groups", name, names, groupby)
    return [name for name in names if name in wanted]


def _check_group(parameter: str, name: str, names: list[str], groupby: str) -> None:
    if name not in names:
        there = ", ".join(map(repr, names))
        raise InputError(
            f"{parameter}: adata.obs[{groupby!r}] has no group {name!r}; there are {there}."
        )


def _without_reference(
    wanted: list[str], reference: str, names: list[str], groupby: str
) -> list[str]:
    """The groups that are compared with the reference."""
    _check_group("reference", reference, names, groupby)
    others = [name for name in wanted if name != reference]
    if not others:
        raise InputError("groups holds only the reference; name another group.")
    return others


def _mask(adata: Any, mask_var: str | NDArray | None) -> NDArray:
    if mask_var is None:
        return np.ones(adata.n_vars, bool)
    if isinstance(mask_var, str) and mask_var not in adata.var:
        there = ", ".join(map(repr, adata.var.columns)) or "none"
        raise InputError(f"adata.var has no column {mask_var!r}; there are {there}.")
    mask = np.asarray(adata.var[mask_var] if isinstance(mask_var, str) else mask_var)
    if mask.shape != (adata.n_vars,) or mask.dtype.kind != "b" or not mask.any():
        raise InputError(
            f"mask_var must hold True or False for each of the {adata.n_vars} genes, and True for "
            "at least one."
        )
    return mask


def _compared(
    model: Markers,
    X: Any,
    labels: NDArray,
    names: list[str],
    wanted: list[str],
    reference: str,
) -> Iterator[tuple[str, _Found]]:
    """Results of each group; all groups against the rest in one fit."""
    if reference == "rest" and wanted == names and len(names) > 2:
        fitted = model.fit(X, labels)
        for name in names:
            row = int(np.flatnonzero(fitted.classes_ == name)[0])
            yield name, _found(fitted, row, labels != name)
        return
    for name in wanted:
        other = labels != name if reference == "rest" else labels == reference
        rows = other | (labels == name)
        part = X if rows.all() else X[rows]
        yield name, _found(clone(model).fit(part, labels[rows] == name), 1, other)


def _found(fitted: Markers, row: int, other: NDArray) -> _Found:
    importances = fitted.class_importances_[row]
    unknown = np.full(importances.shape, np.nan)
    tested = hasattr(fitted, "class_q_values_")
    return _Found(
        fitted.class_rankings_[row],
        fitted.direction_[row] * importances,
        fitted.class_p_values_[row] if tested else unknown,
        fitted.class_q_values_[row] if tested else unknown,
        other,
    )


class _Means:
    """Means of the genes over some observations, and their logarithmic ratios."""

    def __init__(self, X: Any, mask: NDArray, log_base: float | None):
        self.X, self.mask = X, mask
        self.factor = 1.0 if log_base is None else np.log(log_base)

    def change(self, rows: NDArray, other: NDArray) -> NDArray:
        """Binary logarithm of the ratio of means, as scanpy has it; NaN where there is none."""
        one, another = (np.expm1(self._mean(which) * self.factor) for which in (rows, other))
        with np.errstate(all="ignore"):
            return np.log2((one + TINY) / (another + TINY))

    def _mean(self, rows: NDArray) -> NDArray:
        total = np.zeros(self.X.shape[1])
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            if some.any():
                block = self.X[start : start + ROWS]
                total += np.asarray(some @ block).ravel()
        return total[self.mask] / rows.sum()


def _log_base(adata: Any) -> float | None:
    return dict(adata.uns.get("log1p", {})).get("base")


def dense(adata: Any, layer: str | None) -> NDArray:
    """The data, or a layer of them, as an array in memory.

    Parameters
    ----------
    adata : anndata.AnnData
        In memory or backed.
    layer : str or None
        Name of the layer; None for X.
    """
    if layer is not None and layer not in adata.layers:
        # anndata 0.13 counts X as the layer None.
        there = ", ".join(repr(name) for name in adata.layers if name is not None) or "none"
        raise InputError(f"adata.layers has no {layer!r}; there are {there}.")
    X = adata.X if layer is None else adata.layers[layer]
    if X is None:
        raise InputError("adata.X is None; name a layer.")
    X = X.to_memory() if hasattr(X, "to_memory") else X[:]
    return X.toarray() if scipy.sparse.issparse(X) else np.asarray(X)
