"""Real batches: what LOFE selects among the genes of bladder cancers, without and with strata."""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.stats import f as f_distribution
from scipy.stats import t as t_distribution
from sklearn.base import clone

from hitmiss import LOFE
from hitmiss.inference import permutation_test
from reproduce.experiments.batches import bladder_data
from reproduce.experiments.steps.seeds import generator
from reproduce.harness.experiment import Experiment, Key, Task

SIGMA = 5.0  # as in the LOFE paper on microarrays
FIXED = LOFE(SIGMA, 1.0, order="weight", n_jobs=1)
METHODS = ("plain", "strata")
N_TRUE = 5  # genes that are made to tell the labels apart
# Case -> standard deviations within batches that the label adds to such a gene. Two are too little
# to tell a gene from the best of 22,283 by chance, three are enough.
EFFECTS = {"nothing": 0.0, "five genes": 2.0, "five strong genes": 3.0}
# The same with the penalty that noise does not exceed, and the width of LOFE's default. Case ->
# true genes and their effect: 40 samples with strata tell one gene of 3 standard deviations in four
# of six draws, of 4 in all. Chosen on draws 100 to 109; those reported begin with `FIRST`.
AUTO = {"nothing, alpha auto": (0, 0.0), "one gene, alpha auto": (1, 4.0)}
FIRST = 200
SHARES = {1: 0.2, 2: 0.2, 5: 0.8}  # batch of cancers -> its samples that are labeled 1
SHIFTED = 0.001  # largest p of a gene that is called shifted by the batch
N_PERMUTATIONS = 20
FDR = 0.1  # largest q of a gene that is listed by the permutation test
FWER = 0.05  # largest probability that a t-test finds any gene by chance
OWN, MIXED = "cancer or normal", 2  # the question of the data, and the batch that holds both
QUICK_GENES = 1000


def tasks(plan):
    """Ten drawn labels of the cancers, and once the question of the data themselves."""
    drawn = [
        Task(Key(case, method, run))
        for run in range(plan.runs)
        for case in (*EFFECTS, *AUTO)
        for method in METHODS
    ]
    return drawn + [Task(Key(OWN, method, 0)) for method in METHODS]


def work(key, plan, needed):
    """What is selected, and how much of it is shifted by the batch."""
    data = bladder_data.load()
    data = data._replace(X=data.X[:, : QUICK_GENES if plan.quick else None].astype(float))
    if key.case == OWN:
        return own_question(data, key.method)
    return by_noise(data, key) if key.case in AUTO else drawn_labels(data, key)


class Drawn(NamedTuple):
    """Cancers, their labels and batches, the true genes, and what the batch explains of all."""

    X: np.ndarray
    y: np.ndarray
    batch: np.ndarray
    true: np.ndarray
    explained: np.ndarray

    @property
    def shifted(self):
        """Which genes are shifted by the batch."""
        return p_values(self.explained, len(self.y), len(SHARES)) <= SHIFTED


def draw(data, n_true, effect, seed):
    """Labels that agree with the batch in 80 %, and have to do with few genes or with none."""
    X, batch = data.X[data.kind == "Cancer"], data.batch[data.kind == "Cancer"]
    explained, rng = explained_by(batch, X), generator(seed)
    y = confounded(batch, rng)
    true = rng.choice(X.shape[1], n_true, replace=False)
    X[:, true] += effect * y[:, None] * within(batch, X[:, true])
    return Drawn(X, y, batch, true, explained)


def by_noise(data, key):
    """Counts of what is selected with a penalty that noise does not exceed."""
    drawn = draw(data, *AUTO[key.case], FIRST + key.run)
    samples = {"strata": drawn.batch} if key.method == "strata" else {}
    model = LOFE(alpha="auto", order="both", n_jobs=1)
    with warnings.catch_warnings():  # nothing may do better than noise
        warnings.simplefilter("ignore", UserWarning)
        found = model.fit(drawn.X, drawn.y, **samples).get_support(indices=True)
    return counts(found, drawn.true, drawn.shifted)


def drawn_labels(data, key):
    """What is selected at a fixed penalty, and what is listed by permuted labels."""
    effect = EFFECTS[key.case]
    drawn = draw(data, N_TRUE if effect else 0, effect, key.run)
    X, y, batch, true, explained = drawn
    samples = {"strata": batch} if key.method == "strata" else {}
    found = clone(FIXED).fit(X, y, **samples).get_support(indices=True)
    test = permutation_test(
        FIXED,
        X,
        y,
        n_permutations=N_PERMUTATIONS,
        random_state=key.run,
        **samples,
    )
    shifted = drawn.shifted
    return {
        **counts(found, true, shifted),
        "explained": [round(float(share), 4) for share in explained[np.setdiff1d(found, true)]],
        "base": [round(float(shifted.mean()), 4), round(float(explained.mean()), 4)],
        "listed": counts(test.selected(FDR), true, shifted),
        "told": int(np.sum(t_test(batch, X, y)[true] <= FWER / X.shape[1])),
        "p": round(float(test.p_value), 4),
    }


def counts(found, true, shifted):
    """How many of the true genes are found, how many others, and how many of these are shifted."""
    others = np.setdiff1d(found, true)
    return {
        "true": len(found) - len(others),
        "others": len(others),
        "shifted": int(shifted[others].sum()),
    }


def own_question(data, method):
    """Cancer against normal: genes with a weight, and errors in the batch that holds both."""
    rows = data.kind != "Biopsy"
    X, y, batch = data.X[rows], data.kind[rows], data.batch[rows]

    def fitted(some):
        samples = {"strata": batch[some]} if method == "strata" else {}
        return clone(FIXED).fit(X[some], y[some], **samples)

    wrong = 0
    for sample in np.flatnonzero(batch == MIXED):
        model = fitted(np.arange(len(y)) != sample)
        wrong += int(model.predict(X[[sample]])[0] != y[sample])
    found = fitted(slice(None)).get_support(indices=True)
    comparable = np.isin(batch, [b for b in np.unique(batch) if len(set(y[batch == b])) == 2])
    return {
        "genes": found.tolist(),
        "wrong": wrong,
        "left_out": int((batch == MIXED).sum()),
        "samples": [int(comparable.sum()), len(y)],
    }


def confounded(batch, rng):
    """Labels 0 and 1, of which every batch holds its share and nothing else says which.

    Parameters
    ----------
    batch : ndarray of shape (n_samples,)
        Batches of `SHARES`.
    rng : numpy.random.Generator
        Draws the samples that are labeled 1.
    """
    y = np.zeros(len(batch), int)
    for name, share in SHARES.items():
        rows = np.flatnonzero(batch == name)
        y[rng.permutation(rows)[: round(share * len(rows))]] = 1
    return y


def residuals(batch, X):
    """What is left of every feature without the mean of its batch."""
    left = X - X.mean(axis=0)
    for name in np.unique(batch):
        left[batch == name] -= left[batch == name].mean(axis=0)
    return left


def within(batch, X):
    """Standard deviation of every feature within batches."""
    return residuals(batch, X).std(axis=0)


def explained_by(batch, X):
    """Share of the variance of every feature that the means of the batches explain."""
    return 1 - residuals(batch, X).var(axis=0) / X.var(axis=0)


def p_values(explained, n_samples, n_batches):
    """p of the analysis of variance that explains such a share."""
    between, left = n_batches - 1, n_samples - n_batches
    return f_distribution.sf(explained / (1 - explained) * left / between, between, left)


def t_test(batch, X, y):
    """p of every feature: whether the labels differ in it, the means of the batches aside."""
    label, left = residuals(batch, y[:, None].astype(float)), residuals(batch, X)
    r = (label * left).sum(axis=0) / np.sqrt((label**2).sum() * (left**2).sum(axis=0))
    df = len(y) - len(np.unique(batch)) - 1
    return 2 * t_distribution.sf(np.abs(r) * np.sqrt(df / (1 - r**2)), df)


EXPERIMENT = Experiment(
    name="batches-bladder",
    tasks=tasks,
    work=work,
    runs=10,
    seconds=lambda key: 5.0 if key.case in EFFECTS else 1.0,
    protocol={
        "sigma": SIGMA,
        "effects": EFFECTS,
        "n_true": N_TRUE,
        "auto": {case: list(drawn) for case, drawn in AUTO.items()},
        "first": FIRST,
        "shares": {str(batch): share for batch, share in SHARES.items()},
        "shifted": SHIFTED,
        "n_permutations": N_PERMUTATIONS,
        "fdr": FDR,
        "fwer": FWER,
    },
    obstacle=bladder_data.obstacle,
)
