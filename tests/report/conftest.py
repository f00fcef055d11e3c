import numpy as np
import pytest

from hitmiss import LOFE, FisherScore, LOFERegressor, LOFESurvival
from hitmiss.inference import Evidence, verdict_on
from hitmiss.metrics import Substitutes, synergy
from hitmiss.report import render, summarize
from tests.browser import chromium
from tests.report.names import EVIL


@pytest.fixture(scope="session")
def evil_report(tmp_path_factory):
    """The report of a fit where every feature, class, sample and text has an evil name."""
    rng = np.random.default_rng(0)
    codes = np.arange(60) % 3
    X = rng.normal(size=(60, len(EVIL))) + 3.0 * (codes[:, None] == np.arange(len(EVIL)) % 3)
    y = np.array(EVIL[:3])[codes]
    lofe = LOFE(alpha=0.1).fit(X, y)
    summary = summarize(
        lofe,
        X,
        y,
        feature_names=EVIL,
        sample_names=[EVIL[n % len(EVIL)] for n in range(60)],
        title=EVIL[1],
        source={"file": EVIL[0], EVIL[2]: EVIL[3]},
        method=EVIL[2],
        comparison=[{"method": EVIL[0], EVIL[1]: EVIL[2]}],
        explanation={
            "synergy": synergy(lofe, X, y, range(4)),
            "substitutes": replaced(len(EVIL)),
        },
    )
    return written(tmp_path_factory, summary)


@pytest.fixture(scope="session")
def numbers_report(tmp_path_factory):
    """The report of a fit to numbers where every feature and sample has an evil name."""
    X = np.random.default_rng(0).normal(size=(60, len(EVIL)))
    y = 1e5 * X[:, :7].sum(axis=1)
    return written(tmp_path_factory, evil_summary(LOFERegressor(alpha=0.1).fit(X, y), X, y))


@pytest.fixture(scope="session")
def survival_report(tmp_path_factory):
    """The report of a fit to times where every feature and sample has an evil name."""
    X = np.random.default_rng(0).normal(size=(60, len(EVIL)))
    y = np.column_stack([np.arange(60) % 3 > 0, np.exp(X[:, :7].sum(axis=1))])
    return written(tmp_path_factory, evil_summary(LOFESurvival(alpha=0.1).fit(X, y), X, y))


def evil_summary(estimator, X, y):
    samples = [EVIL[n % len(EVIL)] for n in range(len(X))]
    known = Evidence(len(EVIL), 7, 0.1, 0.5, 0.1, 1.0, p_value=0.05, n_permutations=20)
    return summarize(
        estimator, X, y, feature_names=EVIL, sample_names=samples, verdict=verdict_on(known)
    )


@pytest.fixture(scope="session")
def large_report(tmp_path_factory):
    """The report of a fit on 25,000 features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 25_000)).astype(np.float32)
    y = np.arange(40) % 2
    X[:, 7] += 3 * y
    names = [f"{j}_some_gene_at" for j in range(X.shape[1])]
    estimator = FisherScore(max_features=100).fit(X, y)
    return written(tmp_path_factory, summarize(estimator, X, y, feature_names=names))


def replaced(n_features):
    """Every feature has the next one as its substitute."""
    places = np.arange(n_features)
    names = places.astype(str)
    others = [np.array([(j + 1) % n_features]) for j in places]
    rises = [np.array([1.0])] * n_features
    return Substitutes(places, names, places + 2.0, others, [names[:1]] * n_features, rises, 9.0)


def written(tmp_path_factory, summary):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(summary), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests of reports."""
    with chromium("report") as opened:
        yield opened
