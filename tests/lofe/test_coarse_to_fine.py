"""Approximate steps and some samples first lead to the answer of exact steps and all samples."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from hitmiss import LOFE, LOFERegressor, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe import coarse_to_fine, newton
from hitmiss.lofe.active_set import Search
from hitmiss.lofe.checkpoint import Checkpointed
from hitmiss.lofe.coarse_to_fine import (
    APPROXIMATE,
    SCREENED_FROM,
    SCREENED_STEPS,
    RefinedByIteration,
    RefinedByNewton,
    exact_pair_weights,
    fewer_samples,
    fixed_points,
    one_of_several,
    pair_weights,
    samples_of_each_class,
    samples_of_fit,
)
from hitmiss.lofe.fixed_point import EXACT
from hitmiss.lofe.multistart import STARTS, FixedPoints
from hitmiss.lofe.problem import Problem, weighted_margins
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes

HOW = {"tol": 1e-5, "max_iter": 100, "record": lambda **row: None}


def clusters(n_samples=700):
    return datasets.make_clusters(n_samples, n_irrelevant=10, random_state=0, return_X_y=True)


@pytest.fixture
def few_are_some(monkeypatch):
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 30)


@pytest.fixture
def begins_with_some(monkeypatch):
    """Any fit of thousands of samples does, however few its features are."""
    monkeypatch.setattr(coarse_to_fine, "BEGIN_PAIRS", 0)
    return lambda: monkeypatch.setattr(coarse_to_fine, "BEGIN_PAIRS", np.inf)


# ---------------------------------------------------------------- approximate evaluators


def random_problem(n_samples=50, n_features=6, dtype=float):
    rng = np.random.default_rng(0)
    features = InMemory(rng.random((n_samples, n_features)).astype(dtype), Workers(1))
    target = Classes(np.r_[2, np.arange(n_samples - 1) % 2])  # one is alone in its class
    return features, Problem(target, 0.5, 1.0), np.array([2.0, 0, 1, 0, 3, 0])


@pytest.mark.parametrize(("dtype", "tol"), [(float, 1e-8), (np.float32, 1e-5)])
def test_weights_of_pairs_are_those_of_the_matrix(dtype, tol):
    features, problem, w = random_problem(n_samples=70, dtype=dtype)
    Q = problem.neighbors(features, w)
    expected = problem.pull(features.margins(Q) @ w)[:, None] * Q
    for find in (pair_weights, exact_pair_weights):
        found = find(features, problem, w)
        np.testing.assert_allclose(found, expected, rtol=0, atol=tol)
        assert found.dtype == dtype
    at_zero = problem.first_pull[:, None] * problem.neighbors(features, 0 * w)
    np.testing.assert_allclose(pair_weights(features, problem, 0 * w), at_zero, rtol=0, atol=tol)


@pytest.mark.parametrize(("dtype", "tol"), [(float, 1e-7), (np.float32, 1e-3)])
def test_an_approximate_step_is_the_exact_one_but_for_rounding(dtype, tol):
    features, problem, w = random_problem(dtype=dtype)
    found, exact = (evaluator.step(features, problem, w, w) for evaluator in (APPROXIMATE, EXACT))
    np.testing.assert_allclose(found.u, exact.u, rtol=tol, atol=tol)
    assert found.objective == pytest.approx(exact.objective, rel=1e-6)
    assert found.gap == pytest.approx(exact.gap, rel=1e-3)
    assert found.point is None


def test_without_weights_it_is_the_exact_one():
    features, problem, w = random_problem()
    found, exact = (
        evaluator.step(features, problem, 0 * w, w) for evaluator in (APPROXIMATE, EXACT)
    )
    np.testing.assert_array_equal(found.u, exact.u)


def noise(n_samples, n_features):
    X = np.random.default_rng(0).random((n_samples, n_features))
    return InMemory(X, Workers(1)), Classes(np.arange(n_samples) % 2)


def weights(n_features, kind):
    if kind == "dense":
        return np.full(n_features, 0.02), np.zeros(n_features)
    w, u = np.zeros((2, n_features))
    w[:5], u[3:7] = 2.0, 1.0
    return w, u


@pytest.mark.parametrize("pairs", [AllPairs(), RowTiles()])
@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_a_screened_step_is_that_with_all_features(kind, pairs):
    features, target = noise(30, SCREENED_FROM)
    problem, start = Problem(target, 2.0, 0.5, pairs=pairs), weights(features.n_features, kind)
    found, expected = (e.step(features, problem, *start) for e in (SCREENED_STEPS, EXACT))
    assert np.count_nonzero(expected.u) > 5
    np.testing.assert_allclose(found.u, expected.u, rtol=1e-5, atol=1e-8)
    assert found[2:4] == pytest.approx(expected[2:4], rel=1e-9)
    np.testing.assert_allclose(found.point.gradient, expected.point.gradient, atol=1e-9)
    np.testing.assert_allclose(found.point.pull, expected.point.pull, rtol=1e-9)


def test_a_feature_that_was_left_out_is_found_all_the_same(monkeypatch):
    """Among one feature a step finds less, and the answer is certified over all of them."""
    monkeypatch.setattr(coarse_to_fine, "SCREENED_FROM", 0)
    monkeypatch.setattr(coarse_to_fine, "SCREENED", 1)
    features, target = noise(40, 300)
    starts, how = [300**-0.5, 1.0], HOW | {"more_starts": STARTS, "tol": 1e-6, "max_iter": 200}
    expected, found = (
        FixedPoints(features, Problem(target, 2.0, 1.0), starts, evaluator=evaluator, **how).solve(
            2.0, 0.7
        )
        for evaluator in (EXACT, SCREENED_STEPS)
    )
    assert found.converged
    assert np.count_nonzero(expected.w) > 3
    np.testing.assert_allclose(found.w, expected.w, rtol=1e-4)


# ---------------------------------------------------------------- which samples come first


def test_the_small_class_is_kept():
    target = Classes((np.arange(4000) < 40).astype(int))
    rows = samples_of_each_class(target)
    assert np.array_equal(np.unique(rows), rows)
    assert np.bincount(target.codes[rows]).tolist() == [495, 30]


def test_all_samples_are_those_of_few_features_of_weights_or_of_many_small_classes(monkeypatch):
    features, y = InMemory(np.zeros((1200, 2)), Workers(1)), np.arange(1200) % 2
    assert samples_of_fit(features, Classes(y), AllPairs()) is None  # features are few
    monkeypatch.setattr(coarse_to_fine, "BEGIN_PAIRS", 1200**2 * 2)

    def n_first(features=features, pairs=None, **weights):
        rows = samples_of_fit(features, Classes(y, **weights), pairs or AllPairs())
        return None if rows is None else len(rows)

    assert n_first() == 500
    assert n_first(sample_weight=np.where(y, 0.5, 2.0)) == 500
    assert n_first(sample_weight=np.linspace(1, 2, 1200)) is None
    assert n_first(sample_weight=np.where(y, 0.0, 1.0)) is None
    assert n_first(pairs=RowTiles()) is None
    assert n_first(features=SimpleNamespace(is_in_memory=False)) is None
    assert samples_of_each_class(Classes(np.arange(1200) % 40)) is None
    assert samples_of_each_class(Classes(np.arange(999) % 2)) is None


@given(st.lists(st.integers(1, 400), min_size=2, max_size=4), st.integers(0, 10))
def test_a_search_begins_with_some_of_very_many_samples(counts, seed):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    features = InMemory(np.zeros((len(y), 1)), Workers(1))
    features.room = 0  # as on a cluster
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coarse_to_fine, "SOME_SAMPLES", 50)
        patch.setattr(coarse_to_fine, "FEWER", 10**6)
        rows = fewer_samples(features, Classes(y), RowTiles())
    if len(y) < 4 * 50:
        assert rows is None
        return
    share = np.bincount(y[rows], minlength=len(counts)) - 50 * np.array(counts) / len(y)
    assert ((share > -1) & (share <= 1 + 2 * len(counts))).all()
    assert (np.bincount(y[rows]) >= np.minimum(counts, 2)).all()


@pytest.mark.usefixtures("few_are_some")
def test_a_share_of_the_samples_leads_to_all():
    target, features = Classes(np.arange(1500) % 3), InMemory(np.zeros((1500, 4)), Workers(1))
    rows = fewer_samples(features, target, RowTiles())
    assert 300 <= len(rows) <= 306
    assert np.array_equal(np.unique(rows), rows)
    references = np.arange(0, 1500, 50)
    rows = fewer_samples(features, target, RowTiles(references))
    assert np.isin(references, rows).all()
    assert 150 <= len(rows) <= 150 + 6 + 30


@pytest.mark.usefixtures("few_are_some")
@pytest.mark.parametrize("why", ["takes much memory", "a share is few", "on a cluster"])
def test_a_fixed_number_leads_to_all_where_a_share_would_not_do(why, monkeypatch):
    n_features = 20_000 if why == "takes much memory" else 4
    features = InMemory(np.zeros((1500, n_features)), Workers(1))
    if why == "a share is few":
        monkeypatch.setattr(coarse_to_fine, "FEWER", 15)  # 100, less than four times as many
    elif why == "on a cluster":
        features.room = 0
    rows = fewer_samples(features, Classes(np.arange(1500) % 3), RowTiles())
    assert 30 <= len(rows) <= 30 + 6


def test_very_many_classes_keep_all_samples(monkeypatch):
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 20)
    features, target = (
        InMemory(np.zeros((120, 1)), Workers(1)),
        Classes(np.repeat(np.arange(40), 3)),
    )
    assert fewer_samples(features, target, RowTiles()) is None


def kind_of(n_samples, pairs=None, starts=(1.0,), **how):
    features, y = InMemory(np.zeros((n_samples, 2)), Workers(1)), np.arange(n_samples) % 2
    problem = Problem(Classes(y), 1.0, 1.0, pairs=pairs)
    return type(fixed_points(features, problem, starts, **HOW, **how))


@pytest.mark.usefixtures("few_are_some")
def test_which_fixed_points_a_fit_takes():
    assert kind_of(700) is FixedPoints
    assert kind_of(700, rows=np.arange(300)) is RefinedByIteration
    assert kind_of(700, RowTiles()) is RefinedByNewton
    assert kind_of(100, RowTiles()) is FixedPoints
    given = [np.ones(2)]  # followed with all samples
    assert kind_of(700, rows=np.arange(300), starts=given) is FixedPoints
    assert kind_of(700, RowTiles(), starts=given) is FixedPoints


def test_one_of_several_targets_shares_distances_where_samples_are_few():
    def points(n_samples):
        features, y = InMemory(np.zeros((n_samples, 2)), Workers(1)), np.arange(n_samples) % 2
        asked = []
        unit = lambda: asked.append(1) or np.zeros((n_samples, n_samples))  # noqa: E731
        found = one_of_several(features, Problem(Classes(y), 1.0, 1.0), unit, [1.0], **HOW)
        return type(found), found.problem.pairs.unit is None, len(asked)

    assert points(500) == (FixedPoints, False, 1)
    assert points(1000) == (RefinedByIteration, True, 0)


# ---------------------------------------------------------------- from some samples to all


class Asked:
    """In the place of a checkpoint: it keeps what an evaluator was asked for."""

    def __init__(self):
        self.names = []

    def answer(self, name, find, *arguments):
        self.names.append(name)
        return find(*arguments)

    @property
    def n_looks(self):
        """At all features."""
        return self.names.count("weighted_margins")


def refined(kind, X, y, alpha=1.0, *, asked=None, **how):
    """Fixed points of all samples, that some of these may lead to."""
    pairs = RowTiles() if kind is RefinedByNewton else AllPairs()
    problem, evaluator = Problem(Classes(y), 2.0, alpha, pairs=pairs), EXACT
    if asked is not None:
        evaluator = Checkpointed(EXACT, asked)
    rows = {} if kind is FixedPoints else {"rows": np.arange(0, len(y), 2)}
    return kind(InMemory(X, Workers(1)), problem, [1.0], evaluator=evaluator, **rows, **HOW | how)


@pytest.mark.parametrize("kind", [FixedPoints, RefinedByIteration, RefinedByNewton])
@pytest.mark.parametrize("tol", [0.1, 1e-2, 1e-5])
def test_a_tolerance_that_leaves_violators_becomes_finer(kind, tol):
    rng, y = np.random.default_rng(3), np.arange(60) % 2
    X = rng.normal(size=(60, 8))
    X[:, 0] += 2 * y
    X[:, 1] = X[:, 0] + 0.05 * rng.normal(size=60)
    right = refined(FixedPoints, X, y, tol=1e-8).solve(2.0, 1.0)
    weakest = np.where(right.w > 0, right.w, np.inf).argmin()
    start = right.w.copy()
    start[weakest] = 0.0
    points = refined(kind, X, y, tol=tol, max_iter=50)
    go_on = points.refine if kind is RefinedByNewton else points.follow
    found = go_on(2.0, 1.0, right._replace(w=start))
    assert found.w[weakest] > 0
    assert found.converged
    assert found.n_iter < 15


def four_classes():
    rng, y = np.random.default_rng(0), np.arange(200) % 4
    X = rng.normal(size=(200, 60))
    X[:, :12] += rng.normal(size=(4, 12))[y]
    return X, y


@pytest.fixture(scope="module")
def at_two():
    """Of four classes, at alpha=2."""
    return refined(FixedPoints, *four_classes(), tol=1e-6).solve(2.0, 2.0)


def by_iteration(asked=None):
    return refined(RefinedByIteration, *four_classes(), asked=asked, tol=1e-6)


def test_from_an_answer_of_the_same_samples_one_look_at_all_features_is_enough(at_two):
    asked = Asked()
    found = by_iteration(asked).follow(2.0, 1.9, at_two)
    assert found.converged
    assert asked.n_looks == 1
    assert found.gap < 1e-3


def test_from_an_answer_of_some_samples_the_first_look_comes_early(at_two, monkeypatch):
    asked, early, plain = Asked(), [], coarse_to_fine.pair_weights
    monkeypatch.setattr(
        coarse_to_fine,
        "pair_weights",
        lambda *given: early.append((asked.n_looks, len(asked.names))) or plain(*given),
    )
    assert by_iteration(asked).refine(2.0, 1.0, at_two).converged
    assert early == [(0, coarse_to_fine.FIRST_LOOK)]
    assert asked.n_looks


def test_what_was_learned_at_another_penalty_saves_iterations(at_two):
    points = by_iteration()
    between = points.follow(2.0, 1.9, at_two)
    again, anew = points.follow(2.0, 1.8, between), by_iteration().follow(2.0, 1.8, between)
    np.testing.assert_allclose(again.w, anew.w, atol=1e-4 * anew.w.max())
    assert again.n_iter < anew.n_iter


def test_roughly_there_is_no_look_at_all_features(at_two):
    exact, asked = by_iteration().follow(2.0, 1.8, at_two), Asked()
    rough = by_iteration(asked).followed_roughly(2.0, 1.8, at_two)
    assert not asked.n_looks
    assert not rough.converged
    np.testing.assert_allclose(rough.w, exact.w, atol=1e-2 * exact.w.max())
    np.testing.assert_array_equal(rough.gradient, at_two.gradient)
    assert rough.objective == pytest.approx(exact.objective, rel=1e-3)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_look_that_certifies_nothing_is_as_good_as_one_that_does(at_two, dtype):
    X, y = four_classes()
    points = refined(RefinedByIteration, X.astype(dtype), y)
    some = at_two._replace(gradient=at_two.gradient * points.share)
    found = points.approached(some, 1.5)
    problem = points.problem.replaced(sigma=2.0, alpha=1.5)
    Q = problem.neighbors(points.features, found.w)
    pull = problem.pull(points.features.margins(Q) @ found.w)
    (expected,) = weighted_margins(points.features, Q, pull)
    np.testing.assert_allclose(found.gradient, expected, atol=1e-4)
    assert found.n_iter == coarse_to_fine.FIRST_LOOK
    assert not found.converged


def test_a_narrow_kernel_is_searched_with_all_samples():
    points = by_iteration()
    assert points.led_by_some(1.0) is points  # where no others but the given starts may be tried
    points.more_starts = STARTS
    assert [points.led_by_some(sigma) for sigma in (1.0, 1.1)] == [None, points]


@pytest.fixture(scope="module")
def answer():
    X, y = clusters(300)
    return X, y, refined(FixedPoints, X, y).solve(2.0, 1.0)


def test_one_look_at_all_features_is_enough_from_nearby(answer, monkeypatch):
    X, y, right = answer
    rows, asked = [], Asked()
    points = refined(RefinedByNewton, X, y, asked=asked, record=lambda **row: rows.append(row))
    monkeypatch.setattr(Search, "iterate", None)
    found = points.refine(2.0, 1.0, right._replace(w=right.w * 1.01))
    np.testing.assert_allclose(found.w, right.w, rtol=1e-4)
    np.testing.assert_allclose(found.gradient, right.gradient, rtol=1e-4, atol=1e-4)
    assert asked.names == ["root", "weighted_margins"]
    assert found.converged
    assert found.gap <= 1e-4
    assert [row["n_nonzero"] for row in rows] == [2]
    assert 2 <= found.n_iter <= 4


@pytest.mark.parametrize("missing", [0, 1])
def test_a_feature_that_is_missing_enters(answer, missing):
    X, y, right = answer
    start = right.w.copy()
    start[np.flatnonzero(start)[missing]] = 0.0
    found = refined(RefinedByNewton, X, y).refine(2.0, 1.0, right._replace(w=start))
    np.testing.assert_allclose(found.w, right.w, rtol=1e-4)
    assert found.converged


def refined_and_followed(X, y, start):
    """By Newton's method, and by a plain warm start."""
    points = refined(RefinedByNewton, X, y)
    return points.refine(2.0, 1.0, start).w, FixedPoints.follow(points, 2.0, 1.0, start).w


@pytest.mark.parametrize("factor", [0.05, 30.0])
def test_far_away_it_is_a_plain_warm_start(answer, factor):
    X, y, right = answer
    found, plain = refined_and_followed(X, y, right._replace(w=right.w * factor))
    np.testing.assert_array_equal(found, plain)


def test_many_weights_are_a_plain_warm_start(answer, monkeypatch):
    X, y, right = answer
    monkeypatch.setattr(RowTiles, "cheap_moments", 1)
    monkeypatch.setattr(newton, "WORK", 0)
    found, plain = refined_and_followed(X, y, right._replace(w=right.w * 1.01))
    np.testing.assert_array_equal(found, plain)
    np.testing.assert_allclose(found, right.w, rtol=1e-4)


def test_an_alpha_that_is_too_strong_is_given_on_the_scale_of_all_samples(monkeypatch):
    X, y = clusters()
    features, target = InMemory(X, Workers(1)), Classes(y)

    def largest(pairs):
        points = fixed_points(features, Problem(target, 2.0, 30.0, pairs=pairs), [1.0], **HOW)
        found = points.solve(2.0, 30.0).largest_alpha
        assert found == pytest.approx(points.largest_alpha(2.0))
        return found

    expected = largest(AllPairs())
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 100)
    assert largest(RowTiles()) == pytest.approx(expected, rel=0.3)


# ---------------------------------------------------------------- whole fits


@pytest.mark.usefixtures("few_are_some")
def test_some_samples_of_some_samples_lead_to_the_answer_of_all():
    X, y = clusters()
    expected = LOFE(alpha=1.0).fit(X, y)
    found = LOFE(alpha=1.0, memory="25MB").fit(X, y)
    assert len({round(row["alpha"], 2) for row in found.history_}) == 3
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)
    np.testing.assert_allclose(found.scores_, expected.scores_, rtol=1e-3, atol=1e-3)
    assert found.converged_
    assert found.optimality_gap_ <= newton.GAP
    assert found.objective_ == pytest.approx(expected.objective_, rel=1e-6)


def test_references_stay_the_same_for_some_samples(monkeypatch):
    X, y = clusters(1500)
    expected = LOFE(alpha=1.0, max_references=60).fit(X, y)
    monkeypatch.setattr(coarse_to_fine, "SOME_SAMPLES", 30)
    found = LOFE(alpha=1.0, max_references=60).fit(X, y)
    assert len({round(row["alpha"], 3) for row in found.history_}) == 3
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4)


@pytest.mark.usefixtures("few_are_some")
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_threads_and_the_place_of_the_data_change_no_bit(dtype, tmp_path):
    X, y = clusters()
    X = X.astype(dtype)
    one, two = (LOFE(memory="25MB", n_jobs=n, alpha=1.0).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(two.weights_, one.weights_)
    sparse = LOFE(memory="25MB", alpha=1.0).fit(scipy.sparse.csr_array(X), y)
    np.testing.assert_array_equal(sparse.weights_, one.weights_)
    for _ in range(2):  # the second time every step is read
        kept = LOFE(memory="25MB", alpha=1.0, checkpoint=tmp_path / "fit").fit(X, y)
        np.testing.assert_array_equal(kept.weights_, one.weights_)


@pytest.mark.usefixtures("few_are_some")
def test_numbers_begin_with_some_samples_too():
    X, y = datasets.make_additive(700, n_irrelevant=5, random_state=0, return_X_y=True)
    expected = LOFERegressor(alpha=2.0).fit(X, y)
    found = LOFERegressor(alpha=2.0, memory="25MB").fit(X, y)
    assert len({round(row["alpha"], 2) for row in found.history_}) == 3
    scale = expected.weights_.max()
    np.testing.assert_allclose(found.weights_, expected.weights_, atol=1e-4 * scale)
    assert found.converged_


def noisy_xor(n_samples, n_irrelevant):
    X, y = datasets.make_xor(n_samples, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)
    noise = np.random.default_rng(0).normal(0, 0.6, X.shape)
    return (X + noise).astype(np.float32), y


@pytest.mark.full
@pytest.mark.parametrize("n_samples", [1000, 999])
def test_beginning_with_some_samples_leads_as_low(n_samples, begins_with_some):
    X, y = noisy_xor(n_samples, 60)
    found = LOFE(alpha=1.0).fit(X, y)
    begins_with_some()
    every = LOFE(alpha=1.0).fit(X, y)
    begins = {row["alpha"] for row in found.history_}
    assert (min(begins) < 0.6) == (n_samples == 1000)
    assert found.optimality_gap_ < 1e-3
    assert found.objective_ <= every.objective_ * (1 + 1e-5)
    np.testing.assert_array_equal(found.get_support(), every.get_support())


def test_weights_of_classes_begin_with_some_samples_too(begins_with_some):
    X, y = noisy_xor(1000, 20)
    balanced = LOFE(alpha=1.0, class_weight={0: 2.0, 1: 0.5})
    found = balanced.fit(X, y).objective_
    assert min(row["alpha"] for row in balanced.history_) < 0.6
    begins_with_some()
    assert found == pytest.approx(balanced.fit(X, y).objective_, rel=1e-5)


@pytest.mark.full
@pytest.mark.usefixtures("begins_with_some")
@pytest.mark.parametrize("alpha", [1.0, "auto"])
@pytest.mark.parametrize("max_iter", [1, 4])
def test_few_iterations_end_without_a_certificate(alpha, max_iter):
    with pytest.warns(ConvergenceWarning, match="did not converge"):
        found = LOFE(alpha=alpha, max_iter=max_iter).fit(*noisy_xor(1000, 20))
    assert not found.converged_
    assert found.weights_.any()


@pytest.mark.usefixtures("begins_with_some")
def test_a_checkpoint_is_not_for_data_that_begin_with_all_samples(tmp_path):
    X, y = noisy_xor(1000, 20)
    LOFE(alpha=1.0, checkpoint=tmp_path / "fit").fit(X, y)
    with pytest.raises(ValueError, match="belongs to a fit with other data or parameters"):
        LOFE(alpha=1.0, checkpoint=tmp_path / "fit").fit(scipy.sparse.csc_array(X), y)


def test_what_some_samples_do_not_explain_is_searched_with_all(begins_with_some):
    rng = np.random.default_rng(0)
    X, y = rng.random((1000, 5)), np.arange(1000) % 2
    found = LOFE(alpha=0.9).fit(X, y)
    assert {row["alpha"] for row in found.history_} == {0.45, 0.9}
    begins_with_some()
    every = LOFE(alpha=0.9).fit(X, y)
    np.testing.assert_array_equal(found.weights_, every.weights_)
