import io
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from hitmiss import LOFE, OnlineLOFE, datasets
from hitmiss._util import progress
from hitmiss._util.workers import Workers
from hitmiss.estimators.validation import scaled_features
from hitmiss.lofe.problem import Problem
from hitmiss.metrics import recovery_auc
from hitmiss.online.evidence import local_evidence
from hitmiss.targets.classes import Classes
from tests import relief_reference as relief


def spiral(n_irrelevant, seed=0):
    return datasets.make_spiral(n_irrelevant=n_irrelevant, random_state=seed, return_X_y=True)


def stream(estimator, X, y, size):
    for start in range(0, len(y), size):
        estimator.partial_fit(X[start : start + size], y[start : start + size])
    return estimator


def ranks(fitted):
    """A score per feature that says no more than its place in the ranking."""
    return -np.argsort(fitted.ranking_).astype(float)


def state(estimator):
    """Everything the estimator holds, as bytes."""
    return {name: pickle.dumps(value) for name, value in vars(estimator).items()}


def assert_finds_the_pair(fitted):
    pair, others = fitted.weights_[:2], fitted.weights_[2:]
    assert pair.min() > 0
    assert others.max() < 0.01 * pair.min()


@pytest.fixture(scope="module")
def tuned():
    """Default settings on the spiral + 100."""
    return OnlineLOFE(random_state=0).fit(*spiral(100))


def test_the_pair_of_the_spiral_is_found(tuned):
    assert_finds_the_pair(tuned)
    assert tuned.n_iter_ == 20 * 460
    assert tuned.get_support(indices=True).tolist() == [0, 1]
    assert tuned.n_improper_ == 2


def test_the_weights_are_those_of_the_batch_at_the_same_alpha(tuned):
    X, y = spiral(100)
    batch = LOFE(alpha=tuned.alpha_).fit(X, y).weights_[:2]
    np.testing.assert_allclose(tuned.weights_[:2], batch, rtol=0.05)
    online = OnlineLOFE(alpha=1.0, random_state=0).fit(X, y)
    np.testing.assert_allclose(online.weights_[:2], [29.0007, 28.5766], rtol=0.05)
    assert_finds_the_pair(online)


def test_alpha_is_where_the_evidence_of_the_batch_is_largest(tuned):
    """LOFE itself takes the strongest alpha that is hardly worse, a little above."""
    X, y = spiral(100)
    weaker, stronger = (evidence_slope(X, y, share * tuned.alpha_) for share in (0.95, 1.05))
    assert weaker > 0 > stronger


def evidence_slope(X, y, alpha):
    workers = Workers(1)
    features = scaled_features(X, "range", workers)
    return local_evidence(
        features, Problem(Classes(y), 2.0, alpha), LOFE(alpha=alpha).fit(X, y).weights_
    ).slope


def test_alpha_comes_to_the_same_value_from_starts_over_four_decades():
    X, y = datasets.make_waveform(300, n_irrelevant=60, random_state=0, return_X_y=True)
    found = []
    for start in (0.01, 1.0, 100.0):
        fitted = OnlineLOFE(alpha_start=start, random_state=0).fit(X, y)
        assert fitted.alpha_path_[0].tolist() == [0, start]
        found.append(fitted.alpha_)
    assert max(found) < 1.05 * min(found)


def test_the_order_of_arrival_changes_little():
    X, y = spiral(30)
    for seed in range(10):
        order = np.random.default_rng(seed).permutation(460)
        fitted = OnlineLOFE(n_passes=4, random_state=0).fit(X[order], y[order])
        assert set(fitted.ranking_[:2].tolist()) == {0, 1}


def test_one_pass_recovers_what_the_batch_recovers_from_a_tenth():
    data = datasets.make_twonorm(5000, n_irrelevant=500, random_state=0)
    online = OnlineLOFE(random_state=0).partial_fit(data.data, data.target)
    batch = LOFE().fit(data.data[:500], data.target[:500])
    for scores in (ranks, lambda fitted: fitted.weights_):
        expected = recovery_auc(scores(batch), data.relevant)
        assert recovery_auc(scores(online), data.relevant) > expected - 0.02


def test_an_interaction_is_found_in_a_stream():
    X, y = datasets.make_xor(1500, n_irrelevant=20, random_state=0, return_X_y=True)
    online = stream(OnlineLOFE(random_state=0), X, y, 50)
    assert set(online.ranking_[:2].tolist()) == {0, 1}
    assert online.score(X, y) > 0.9


def test_memory_stays_bounded():
    X, y = datasets.make_twonorm(6000, n_irrelevant=10, random_state=0, return_X_y=True)
    online, sizes = OnlineLOFE(reservoir=50, random_state=0), []
    for start in range(0, 6000, 500):
        online.partial_fit(X[start : start + 500], y[start : start + 500])
        sizes.append(len(pickle.dumps(online._memory)) + len(pickle.dumps(online._learner.rule)))
    assert len(online._memory.X) == 50
    assert max(sizes) - min(sizes) < 200
    assert online.n_iter_ == 6000
    assert len(online.alpha_path_) <= 1025


def test_a_progress_bar(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(progress.sys, "stderr", terminal)
    X, y = datasets.make_twonorm(60, random_state=0, return_X_y=True)
    online = OnlineLOFE(n_passes=2, verbose=True, random_state=0).fit(X, y).partial_fit(X, y)
    online.partial_fit(X[0:1], y[0:1])
    lines = [line for line in terminal.getvalue().splitlines() if "100%" in line]
    assert [line.lstrip("\r").split("  ")[0] for line in lines] == [
        "pass 1 of 2",
        "pass 2 of 2",
        "samples",
    ]


def test_forgetting_follows_a_drift():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((3000, 6)), rng.integers(0, 2, 3000)
    X[:2000, 0] += 3 * y[:2000]
    X[2000:, 1] += 3 * y[2000:]
    keeping, forgetting = (
        stream(OnlineLOFE(reservoir=100, forgetting=f, random_state=0), X, y, 250)
        for f in (1.0, 0.99)
    )
    assert forgetting.ranking_[0] == 1
    share = [fitted.weights_[1] / fitted.weights_[:2].sum() for fitted in (keeping, forgetting)]
    assert share[1] > share[0]


def test_one_sample_at_a_time():
    """A sample teaches something once there is a hit and a miss to compare it with."""
    X, y = relief.gaussian_classes(80)
    online = stream(OnlineLOFE(random_state=0), X, y, 1)
    both = [min(sum(y[:n] == y[n]), sum(y[:n] != y[n])) for n in range(80)]
    assert online.n_iter_ == np.count_nonzero(both)
    assert np.isfinite(online.weights_).all()


def test_a_class_may_appear_late():
    X, y = datasets.make_clusters(150, n_irrelevant=2, random_state=0, return_X_y=True)
    names = np.array(["b", "c", "a"])[y]
    online = OnlineLOFE(random_state=0)
    for label in ("b", "c", "a"):
        online.partial_fit(X[names == label], names[names == label])
    np.testing.assert_array_equal(online.classes_, ["a", "b", "c"])
    assert set(online.ranking_[:2].tolist()) == {0, 1}
    assert online.score(X, names) > 0.8
    assert online.predict_proba(X).shape == (150, 3)


def test_classes_given_before_they_appear():
    X, y = datasets.make_clusters(90, n_irrelevant=1, random_state=0, return_X_y=True)
    online = OnlineLOFE(random_state=0)
    online.partial_fit(X[y == 1], y[y == 1], classes=[0, 1, 2])
    np.testing.assert_array_equal(online.classes_, [0, 1, 2])
    np.testing.assert_array_equal(online.predict(X), 1)
    P = online.partial_fit(X[y == 0], y[y == 0]).predict_proba(X)
    assert P.shape == (90, 3)
    np.testing.assert_array_equal(P[:, 2], 0)
    np.testing.assert_allclose(P.sum(axis=1), 1)
    assert not np.isnan(online.decision_function(X)).any()


def test_a_stream_goes_on_after_fit():
    X, y = datasets.make_twonorm(300, n_irrelevant=5, random_state=0, return_X_y=True)
    online = OnlineLOFE(n_passes=2, random_state=0).fit(X[:200], y[:200])
    online.partial_fit(X[200:], y[200:])
    assert online.n_iter_ == 500
    assert online._memory.n_seen == 300


# What is wrong with a batch -> the batch, and what the error says.
BAD = {
    "NaN": lambda X, y: (np.where(np.arange(X.size).reshape(X.shape) == 7, np.nan, X), y, "NaN"),
    "width": lambda X, y: (X[:, :4], y, "4 features"),
    "label": lambda X, y: (X, np.where(np.arange(len(y)) == 3, 9, y), "y holds 9, which is not"),
    "length": lambda X, y: (X, y[:-1], "inconsistent"),
    "measurements": lambda X, y: (X, X[:, 0], "Unknown label type"),
    "complex": lambda X, y: (X + 1j, y, "Complex data"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_batch_changes_nothing(case):
    X, y = datasets.make_clusters(60, n_irrelevant=3, random_state=0, return_X_y=True)
    online = OnlineLOFE(reservoir=30, random_state=0).partial_fit(X, y, classes=[0, 1, 2])
    bad_X, bad_y, message = BAD[case](X, y)
    before, twin = state(online), pickle.loads(pickle.dumps(online))
    with pytest.raises(ValueError, match=message):
        online.partial_fit(bad_X, bad_y)
    assert state(online) == before
    np.testing.assert_array_equal(
        online.partial_fit(X, y).weights_, twin.partial_fit(X, y).weights_
    )


def test_classes_cannot_change():
    X, y = relief.gaussian_classes(40)
    online = OnlineLOFE(random_state=0).partial_fit(X, y)
    before = state(online)
    with pytest.raises(ValueError, match="classes differs from the classes of earlier calls"):
        online.partial_fit(X, y, classes=[0, 1, 2])
    assert state(online) == before
    assert online.partial_fit(X, y, classes=[0, 1]).n_iter_ > 0


def test_a_first_batch_that_is_bad_leaves_it_unfitted():
    X, y = relief.gaussian_classes(40)
    online = OnlineLOFE()
    with pytest.raises(ValueError, match="y holds 1, which is not"):
        online.partial_fit(X, y, classes=[0, 2])
    assert vars(online) == vars(clone(online))


def test_a_pickled_stream_goes_on_as_the_original():
    X, y = datasets.make_twonorm(200, n_irrelevant=5, random_state=0, return_X_y=True)
    online = OnlineLOFE(reservoir=40, random_state=0).partial_fit(X[:100], y[:100])
    twin = pickle.loads(pickle.dumps(online))
    for one in (online, twin):
        one.partial_fit(X[100:], y[100:])
    np.testing.assert_array_equal(online.weights_, twin.weights_)
    np.testing.assert_array_equal(online.alpha_path_, twin.alpha_path_)


def test_threads_change_nothing_where_features_are_shared_out():
    X, y = datasets.make_xor(n_irrelevant=20_000, random_state=0, return_X_y=True)
    one, three = (
        OnlineLOFE(n_passes=1, random_state=0, n_jobs=n).fit(X[:60], y[:60]) for n in (1, 3)
    )
    np.testing.assert_array_equal(one.weights_, three.weights_)
    assert one.alpha_ == three.alpha_


def test_the_scale_of_a_feature_does_not_matter():
    X, y = relief.gaussian_classes(60)
    factor = np.array([1, 10, 100, 1, 1, 1, 1, 1e-6])
    a, b = (stream(OnlineLOFE(random_state=0), Z, y, 20).weights_ for Z in (X, X * factor))
    np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-9)


def test_the_published_rules_hardly_move_the_weights():
    """Why they are not the default."""
    X, y = spiral(100)
    paper = OnlineLOFE(step="paper", n_passes=3, random_state=0).fit(X, y)
    assert (paper.weights_ > 0).all()
    assert paper.weights_.max() < 5


@settings(max_examples=25)
@given(
    X=st.lists(
        st.lists(st.sampled_from([0.0, 1.0, -2.5, 1e-200, 1e200]), min_size=3, max_size=3),
        min_size=4,
        max_size=12,
    ),
    size=st.integers(1, 5),
    labels=st.randoms(use_true_random=False),
)
def test_any_stream_gives_finite_weights_and_labels(X, size, labels):
    X, y = np.array(X), np.array([labels.choice("ab") for _ in X])
    online = stream(OnlineLOFE(reservoir=5, random_state=0), X, y, size)
    assert np.isfinite(online.weights_).all()
    assert (online.weights_ >= 0).all()
    assert set(online.predict(X)) <= set(y)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"alpha": "auto"}, {"reservoir": 0}, {"step": "sgd"}, {"learning_rate": 0}),
        *({"forgetting": 1.5}, {"forgetting": 0}, {"alpha_start": -1}, {"n_passes": 0}),
    ],
)
def test_parameters_are_checked(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        OnlineLOFE(**wrong).fit(np.eye(6), [0, 1] * 3)


def test_a_strength_that_means_nothing():
    X, y = datasets.make_twonorm(20, random_state=0, return_X_y=True)
    with pytest.raises(ValueError, match="alpha must be a positive number or 'evidence'; got 'b'"):
        OnlineLOFE(alpha="b").fit(X, y)
