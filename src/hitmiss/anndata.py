"""Feature selection on AnnData objects; the results become annotations."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitmiss._util.errors import InputError
from hitmiss._util.random import RandomStateLike
from hitmiss.inference import permutation_test
from hitmiss.marker_genes import dense as _dense
from hitmiss.marker_genes import rank_genes_groups as rank_genes_groups
from hitmiss.registry import find_method
from hitmiss.report.quality import facts


def select(
    adata: Any,
    label: str,
    method: str = "lofe",
    *,
    key_added: str | None = None,
    layer: str | None = None,
    params: Mapping[str, Any] | None = None,
    n_permutations: int = 0,
    random_state: RandomStateLike = 0,
    verbose: bool = False,
) -> Any:
    """Select the variables of an AnnData object that separate classes of observations.

    Parameters
    ----------
    adata : anndata.AnnData
        In memory or backed, dense or sparse. Annotations are added; the data are not changed.
    label : str
        Column of ``adata.obs`` that holds the classes; observations without one are left out.
    method : str, default="lofe"
        Name of the method; see `hitmiss.registry.methods`.
    key_added : str, default=None
        Key of the results; None is the name of the method.
    layer : str, default=None
        Layer that holds the data; None is ``adata.X``.
    params : mapping, default=None
        Parameters of the method. With `memory`, if every observation has a label and `layer` is
        None, the data stay in their file, or sparse, and are processed block by block.
    n_permutations : int, default=0
        Number of permutations of the labels by which every variable is tested, such as 20; 0 for no
        test. See `hitmiss.inference.permutation_test`.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the permutations.
    verbose : bool, default=False
        Whether a fit of more than two seconds shows its progress on standard error.

    Returns
    -------
    estimator
        Fitted. Added to ``adata.var`` are `key_added`, whether a variable is selected,
        `key_added` + "_weight" and `key_added` + "_rank", 1 for the best; to ``adata.uns``, under
        `key_added`, the method, its parameters, what it reports on the quality of its answer, and
        the error of always guessing the commonest class. With a test also `key_added` +
        "_q_value" in ``adata.var``, and in ``adata.uns`` the `p_value` of the whole and
        `n_permutations`.

    Examples
    --------
    >>> import anndata
    >>> from hitmiss import datasets
    >>> from hitmiss.anndata import select
    >>> X, y = datasets.make_xor(n_irrelevant=98, random_state=0, return_X_y=True)
    >>> cells = anndata.AnnData(X)
    >>> cells.obs["kind"] = ["ill" if label else "well" for label in y]
    >>> _ = select(cells, "kind", key_added="lofe")
    >>> cells[:, cells.var["lofe"]].shape
    (200, 2)
    """
    known = find_method(method)
    key = known.name if key_added is None else key_added
    y, labeled = _labels(adata, label)
    estimator = known.estimator(**{"verbose": verbose, **(params or {})})
    in_place = getattr(estimator, "memory", None) is not None and layer is None and labeled.all()
    X = adata if in_place else _dense(adata, layer)[labeled]
    _declare_nominal(estimator, adata)
    estimator.fit(X, y)
    rank = np.empty(adata.n_vars, int)
    rank[estimator.ranking_] = np.arange(1, adata.n_vars + 1)
    adata.var[key] = estimator.get_support()
    adata.var[f"{key}_weight"] = estimator.weights_
    adata.var[f"{key}_rank"] = rank
    adata.uns[key] = _facts(estimator, y, known.name, label, layer)
    if n_permutations:
        test = permutation_test(
            estimator, X, y, n_permutations=n_permutations, random_state=random_state
        )
        adata.var[f"{key}_q_value"] = test.q_values
        adata.uns[key] |= {"p_value": test.p_value, "n_permutations": test.n_permutations}
    return estimator


def _declare_nominal(estimator: Any, adata: Any) -> None:
    """Tell the estimator which variables ``adata.var["categorical"]`` marks, unless it was told."""
    declared = adata.var.get("categorical")
    if declared is None or declared.dtype != bool or not declared.any():
        return
    rule = estimator.get_params().get("categorical")
    if isinstance(rule, str) and rule == "auto":
        estimator.set_params(categorical=np.flatnonzero(declared.to_numpy()))


def _labels(adata: Any, label: str) -> tuple[NDArray, NDArray]:
    """Classes of the labeled observations, and which observations are labeled."""
    if label not in adata.obs:
        there = ", ".join(map(repr, adata.obs.columns)) or "none"
        raise InputError(f"adata.obs has no column {label!r}; there are {there}.")
    column = adata.obs[label]
    labeled = column.notna().to_numpy()
    return np.asarray(column[labeled]), labeled


def _facts(
    estimator: Any, y: NDArray, method: str, label: str, layer: str | None
) -> dict[str, Any]:
    """The record of the fit, in types that an h5ad file can hold."""
    return {
        "method": method,
        "label": label,
        "layer": layer or "X",
        "params": {name: str(value) for name, value in _settings(estimator).items()},
        **facts(estimator, y),
    }


def _settings(estimator: Any) -> dict[str, Any]:
    """Parameters that decide the result; how much is shown meanwhile does not."""
    return {k: v for k, v in estimator.get_params(deep=False).items() if k != "verbose"}
