"""Numbers and survival: what is found among irrelevant features, beside others, and how quickly."""

import warnings

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.feature_selection import f_regression, mutual_info_regression
from sklearn.linear_model import LassoCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.timing import once, row, seconds
from hitmiss import LOFE, LOFERegressor, LOFESurvival, RReliefF, datasets

MAKERS = {
    "additive": datasets.make_additive,
    "product": datasets.make_product,
    "ring": datasets.make_ring,
    "Friedman": datasets.make_friedman,
}
FOUND = ("product", "ring")  # that must be found in every run with at most 1,000


def run(quick=False):
    """All rows; `quick` leaves out what takes minutes."""
    warnings.simplefilter("ignore")
    n_runs, widths = (2, (1000,)) if quick else (10, (1000, 10_000))
    rows = [speed()]
    rows += [
        recovery(LOFERegressor(alpha=alpha), name, n, n_runs)
        for alpha in (1.5, "auto")
        for name in MAKERS
        for n in widths
    ]
    if not quick:
        rows += [beside(name, n, n_runs if n <= 1000 else 3) for name in MAKERS for n in widths]
    rows += [agreement(name, widths[-1], n_runs) for name in FOUND]
    rows.append(survival(n_runs))
    if not quick:
        rows.append(breast_cancer())
    return rows


def data(name, n_irrelevant, seed):
    return MAKERS[name](300, n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True)


def speed():
    """Numbers beside classes of the same samples and penalty: the product, and its sign."""
    X, y = data("product", 5000, 0)
    classes = (y > np.median(y)).astype(int)
    time = seconds(lambda: LOFERegressor(alpha=1.0).fit(X, y))
    plain = seconds(lambda: LOFE(alpha=1.0, order="weight").fit(X, classes))
    return row(
        "LOFERegressor, product 300 x 5,002",
        time,
        "LOFE, its sign",
        plain,
        required="at most 1.3",
        met=time <= 1.3 * plain,
    )


def recovery(model, name, n_irrelevant, n_runs):
    """How many relevant features are selected, and how many others; all by the default strength."""
    relevant = len(MAKERS[name](2).relevant)
    hits, others, times = [], [], []
    for seed in range(n_runs):
        X, y = data(name, n_irrelevant, seed)
        times.append(once(lambda X=X, y=y: model.fit(X, y)))
        selected = model.get_support(indices=True)
        hits.append(np.sum(selected < relevant))
        others.append(np.sum(selected >= relevant))
    must = name in FOUND and n_irrelevant <= 1000 and model.alpha != "auto"
    return row(
        f"LOFERegressor(alpha={model.alpha!r}), {name} + {n_irrelevant:,}",
        float(np.mean(times)),
        required=f"all in {n_runs} of {n_runs}" if must else "",
        note=f"{np.mean(hits):.1f} of {relevant} found, {np.mean(others):.1f} others; "
        f"all found in {sum(n == relevant for n in hits)} of {n_runs}",
        met=bool(min(hits) == relevant) if must else None,
    )


def beside(name, n_irrelevant, n_runs):
    """How many relevant features others, as they come, have on top, as many as there are."""
    relevant = len(MAKERS[name](2).relevant)
    found = {peer: [] for peer in PEERS}
    for seed in range(n_runs):
        X, y = data(name, n_irrelevant, seed)
        for peer, scores in PEERS.items():
            # Relevant features come first, so of equal scores the last is taken for the best.
            last_first = np.argsort(-scores(X, y)[::-1], kind="stable")[:relevant]
            found[peer].append(np.sum(last_first >= X.shape[1] - relevant))
    top = ", ".join(f"{peer} {np.mean(hits):.1f}" for peer, hits in found.items())
    return row(
        f"on top of {name} + {n_irrelevant:,}, {n_runs} draws, of {relevant}", None, note=top
    )


def lofe_order(X, y):
    return -np.argsort(LOFERegressor().fit(X, y).ranking_)


PEERS = {
    "LOFERegressor": lofe_order,
    "RReliefF": lambda X, y: RReliefF().fit(X, y).weights_,
    "random forest": lambda X, y: (
        RandomForestRegressor(n_jobs=-1, random_state=0).fit(X, y).feature_importances_
    ),
    "F-test": lambda X, y: f_regression(X, y)[0],
    "mutual information": lambda X, y: mutual_info_regression(X, y, random_state=0),
    "lasso": lambda X, y: np.abs(LassoCV(n_jobs=-1).fit(X, y).coef_),
}


def agreement(name, n_irrelevant, n_runs):
    """Weights of the relevant features alone and among all, where exactly these are found.

    Another feature with a weight of its own is part of the answer and changes those of the others.
    """
    off = {alpha: [] for alpha in ("auto", 1.5)}
    for seed in range(n_runs):
        X, y = data(name, n_irrelevant, seed)
        for alpha, found in off.items():
            among = LOFERegressor(alpha=alpha).fit(X, y)
            if np.flatnonzero(among.weights_).tolist() == [0, 1]:
                alone = LOFERegressor(alpha=among.alpha_).fit(X[:, :2], y)
                found.append(np.abs(among.weights_[:2] / alone.weights_ - 1).max())
    note = "; ".join(
        f"alpha={alpha!r}: exactly the pair in {len(found)} of {n_runs}"
        + (f", largest difference {max(found):.1e}" if found else "")
        for alpha, found in off.items()
    )
    every = [difference for found in off.values() for difference in found]
    return row(
        f"weights of the {name} with 0 and {n_irrelevant:,} irrelevant features, where found",
        None,
        required="the same to 1e-3",
        note=note,
        met=bool(every and max(every) <= 1e-3),
    )


def survival(n_runs):
    """The pair of exp(4 x0 x1) among 1,000, and on top by Cox with an elastic net."""
    from sksurv.linear_model import CoxnetSurvivalAnalysis

    ours, cox, concordance = [], [], []
    for seed in range(n_runs):
        X, y = datasets.make_survival(n_irrelevant=1000, random_state=seed, return_X_y=True)
        fitted = LOFESurvival().fit(X, y)
        ours.append(set(fitted.ranking_[:2]) == {0, 1})
        concordance.append(fitted.loo_concordance_)
        path = CoxnetSurvivalAnalysis(l1_ratio=0.9, n_alphas=20).fit(X, y).coef_
        cox.append(set(np.argsort(-np.abs(path).sum(axis=1))[:2]) == {0, 1})
    least = round(0.9 * n_runs)
    return row(
        "LOFESurvival, hazard exp(4 x0 x1), 30 % censored, + 1,000: pair on top",
        None,
        required=f"{least} of {n_runs}",
        note=f"{sum(ours)} of {n_runs}, Coxnet {sum(cox)}; "
        f"leave-one-out concordance {np.mean(concordance):.2f}",
        met=sum(ours) >= least,
    )


def breast_cancer(n_repeats=3):
    """A real set, GSE7390: concordance on samples held back, the strength chosen by inner folds."""
    from sksurv.datasets import load_breast_cancer
    from sksurv.linear_model import CoxnetSurvivalAnalysis
    from sksurv.metrics import concordance_index_censored
    from sksurv.preprocessing import OneHotEncoder

    X, y = load_breast_cancer()
    event, time = y.dtype.names
    cox = make_pipeline(OneHotEncoder(), StandardScaler(), CoxnetSurvivalAnalysis(l1_ratio=0.9))
    strengths = [[alpha] for alpha in np.geomspace(0.02, 0.3, 12)]
    methods = {
        "LOFESurvival": (LOFESurvival(n_jobs=1), {"alpha": [0.1, 0.2, 0.5, 1.0]}),
        "LOFESurvival as it comes": (LOFESurvival(n_jobs=1), {"alpha": ["auto"]}),
        "Coxnet": (cox, {"coxnetsurvivalanalysis__alphas": strengths}),
    }
    found = {name: [] for name in methods}
    for seed in range(n_repeats):
        outer = StratifiedKFold(5, shuffle=True, random_state=seed)
        for train, test in outer.split(X, y[event]):
            inner = StratifiedKFold(5, shuffle=True, random_state=0).split(train, y[event][train])
            inner = list(inner)
            for name, (model, grid) in methods.items():
                search = GridSearchCV(model, grid, cv=inner, error_score=0.5)
                risk = search.fit(X.iloc[train], y[train]).predict(X.iloc[test])
                known = y[event][test], y[time][test]
                found[name].append(concordance_index_censored(*known, risk)[0])
    text = ", ".join(f"{name} {mean_and_error(values)}" for name, values in found.items())
    return row("concordance on GSE7390, 198 x 80, nested folds", None, note=text)


def mean_and_error(values):
    """The mean over folds, with its standard error."""
    return f"{np.mean(values):.3f} +- {np.std(values, ddof=1) / len(values) ** 0.5:.3f}"
