"""What the FREL paper says of stability, on two of its data sets.

The figures under every reading of the paper are in benchmarks/stability.md.
"""

import numpy as np
import pytest

from hitmiss import FREL, Ensemble, FisherScore, Relief, ReliefF
from hitmiss.metrics import ranking_stability, stability_report

DATA = ["leukemia_golub", "tox_171"]
PUBLISHED = {
    "Relief": Relief(),
    "ReliefF": ReliefF(10),
    "Fisher": FisherScore(),
    "Log+L1": FREL("log", "l1", 0.01),
    "Log+L2": FREL("log", "l2", 1.0),
    "Square+L2": FREL("square", "l2", 0.1),
}


@pytest.fixture(scope="module", params=DATA)
def data(request, data_home):
    with np.load(data_home / f"{request.param}.npz", allow_pickle=False) as file:
        return file["X"], file["y"]


def member_weights(base, X, y, n_subsamples=5, n_members=12):
    """Weights of the members of an ensemble on every subsample."""
    found = []
    for seed in range(n_subsamples):
        rng = np.random.default_rng(seed)
        rows = rng.permutation(len(y))[: int(np.ceil(0.9 * len(y)))]
        ensemble = Ensemble(base.set_params(n_jobs=1), n_members, random_state=seed)
        found.append(ensemble.fit(X[rows], y[rows]).member_weights_)
    return np.array(found)


@pytest.fixture(scope="module")
def members(data):
    return {name: member_weights(base, *data) for name, base in PUBLISHED.items()}


def test_l1_is_the_least_stable(members):
    stability = {name: ranking_stability(W.mean(axis=1)) for name, W in members.items()}
    lowest = stability.pop("Log+L1")
    assert lowest < min(stability.values()) - 0.1


def test_stability_grows_with_the_number_of_members(members):
    for name, W in members.items():
        grown = [ranking_stability(W[:, :m].mean(axis=1)) for m in (1, 4, 12)]
        assert grown[0] < grown[1] < grown[2], name
        if name != "Log+L1":  # few features share the weight: far from saturated
            assert grown[2] - grown[1] < grown[1] - grown[0], name


def test_stability_grows_with_alpha(data):
    weights = [member_weights(FREL(alpha=a), *data, n_members=4) for a in (0.1, 1.0, 10.0)]
    grown = [ranking_stability(W.mean(axis=1)) for W in weights]
    assert grown[0] < grown[1] < grown[2]


def test_frel_is_as_stable_as_relieff_at_no_loss_of_accuracy(data):
    frel, relieff = (
        stability_report(
            Ensemble(base, 10, random_state=0),
            *data,
            n_features=50,
            n_subsamples=6,
            random_state=0,
            verbose=False,
        )
        for base in (FREL("log", "l2", n_neighbors=10, n_jobs=1), ReliefF(10, n_jobs=1))
    )
    assert frel.ranking >= relieff.ranking - 0.01
    assert frel.accuracy >= relieff.accuracy  # 3 nearest neighbors
