"""Batches and donors: what strata and groups are required to keep out."""

import numpy as np

from benchmarks.timing import compared, row, seconds
from hitmiss import LOFE, FDRSelector
from hitmiss.inference import permutation_test

TRUE, SHIFTED = 5, 1000


def shifted_by_batch(seed, n_samples=300, n_shifted=SHIFTED, effect=2.0, shift=3.0):
    """Five features of the class, others shifted by the batch; batch and class agree in 80 %.

    Parameters
    ----------
    seed : int
        Of the noise, and of the samples whose batch is that of the other class.
    n_samples, n_shifted : int
        Numbers of samples and of shifted features.
    effect, shift : float
        What the class and the batch add to a feature, in standard deviations.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    batch = np.where(rng.permutation(n_samples) < 0.8 * n_samples, y, 1 - y)
    X = rng.standard_normal((n_samples, TRUE + n_shifted))
    X[:, :TRUE] += effect * y[:, None]
    X[:, TRUE:] += shift * batch[:, None]
    return X, y, batch


def cells_of_donors(seed, n_donors=12, n_cells=10, n_features=100):
    """Cells that are alike within a donor, labels by donor, and nothing to be found."""
    rng = np.random.default_rng(seed)
    donor = np.repeat(np.arange(n_donors), n_cells)
    X = rng.standard_normal((n_donors, n_features))[donor]
    X += rng.standard_normal(X.shape)
    return X, (np.arange(n_donors) % 2)[donor], donor


def run(quick=False):
    """Rows of the section."""
    seeds = range(2 if quick else 10)
    size = {"n_samples": 120, "n_shifted": 100} if quick else {}
    return [
        _kept_out("LOFE()", seeds, size, lambda X, y, **strata: LOFE().fit(X, y, **strata)),
        _kept_out("LOFE(alpha=1)", seeds, size, lambda X, y, **strata: _lofe().fit(X, y, **strata)),
        _kept_out(
            "LOFE, half the effect, FDRSelector",
            seeds[: 2 if quick else 5],
            {**size, "effect": 1.0},
            lambda X, y, **strata: FDRSelector(random_state=0).fit(X, y, **strata),
            strict=False,
        ),
        _null(seeds),
        _cost(size),
    ]


def _lofe():
    return LOFE(alpha=1.0, order="weight")


def _kept_out(what, seeds, size, fit, *, strict=True):
    """Features that are selected, without and with strata."""
    found = {"plain": [], "strata": []}
    for seed in seeds:
        X, y, batch = shifted_by_batch(seed, **size)
        for name, samples in (("plain", {}), ("strata", {"strata": batch})):
            support = fit(X, y, **samples).get_support()
            found[name].append((support[:TRUE].sum(), support[TRUE:].sum()))
    plain, strata = (np.array(found[name]) for name in ("plain", "strata"))
    clean = int(((strata[:, 1] == 0) & (strata[:, 0] == TRUE)).sum())
    return row(
        f"batches, {what}: {X.shape[1] - TRUE} shifted features, batch and class 80/20",
        seconds(lambda: fit(X, y, strata=batch), 1),
        required="strata: none shifted, all true" if strict else "",
        met=clean == len(strata) and bool((plain[:, 1] > 0).all()) if strict else None,
        note=f"true and shifted ones selected, on average: without strata {plain[:, 0].mean():.1f} "
        f"and {plain[:, 1].mean():.1f}, with strata {strata[:, 0].mean():.1f} and "
        f"{strata[:, 1].mean():.1f}; none shifted and all true in {clean} of {len(strata)}",
    )


def _null(seeds):
    """How often nothing is taken for something, with and without groups."""
    taken = {"groups": 0, "without": 0}
    for seed in seeds:
        X, y, donor = cells_of_donors(seed)
        for name, samples in (("groups", {"groups": donor}), ("without", {})):
            test = permutation_test(LOFE(), X, y, random_state=seed, **samples)
            taken[name] += test.p_value <= 0.1
    time = seconds(lambda: permutation_test(LOFE(), X, y, groups=donor, random_state=0), 1)
    return row(
        "donors: 10 cells of each of 12, labels by donor, nothing there",
        time,
        required="p <= 0.1 in at most 3 of 10",
        met=taken["groups"] <= 3,
        note=f"p <= 0.1 with groups in {taken['groups']}, without in {taken['without']} "
        f"of {len(seeds)}",
    )


def _cost(size):
    X, y, batch = shifted_by_batch(0, **size)
    return compared(
        f"LOFE with strata, {X.shape[0]} x {X.shape[1]}",
        lambda: _lofe().fit(X, y, strata=batch),
        "LOFE without",
        lambda: _lofe().fit(X, y),
        required="at most 1.5",
    )
