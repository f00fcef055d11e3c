"""What groups, strata, covariates and weights do, in every estimator that takes them."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline

import hitmiss
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators import local_learning
from hitmiss.lofe.problem import Problem, evaluate
from hitmiss.targets.classes import Classes
from hitmiss.targets.comparable import Comparable, Compared

AVERAGES = [
    hitmiss.Relief(),
    hitmiss.ReliefF(3),
    hitmiss.SURF(radius=2.0),
    hitmiss.SURFStar(radius=2.0),
    hitmiss.MultiSURF(),
    hitmiss.MultiSURFStar(),
]
DETERMINISTIC = [
    *AVERAGES,
    hitmiss.LOFE(alpha=0.3),
    hitmiss.IRelief(),
    hitmiss.IRelief(multiclass="per-class"),
    hitmiss.FREL(n_neighbors=3),
    hitmiss.Lmba(3),
    hitmiss.BackwardElimination(hitmiss.ReliefF(3), 3),
    hitmiss.TuRF(hitmiss.MultiSURF(), 3),
]
ALL = [
    *DETERMINISTIC,
    hitmiss.Simba(random_state=0, n_passes=1, n_restarts=1),
    hitmiss.Ensemble(hitmiss.ReliefF(3), 3, random_state=0),
    hitmiss.LOFECV(2.0, 3, cv=2, n_jobs=1),
]


WEIGHTED = [
    hitmiss.LOFE(alpha=0.3),
    hitmiss.ReliefF(3),
    hitmiss.IRelief(),
    hitmiss.FREL(),
    hitmiss.Lmba(),
    hitmiss.Simba(random_state=0),
]


def over(items):
    return pytest.mark.parametrize("estimator", items, ids=lambda item: type(item).__name__)


def data(seed=0, n=48, n_classes=3):
    """Samples of three classes, two strata, eight groups, with an age."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.random((n, 6)) + 0.4 * np.eye(n_classes, 6)[y]
    strata, groups = (np.arange(n) // n_classes) % 2, np.arange(n) // 3 % 8
    return X, y, {"strata": strata, "groups": groups, "covariates": rng.random((n, 1))}


@over(ALL)
def test_what_says_nothing_changes_no_bit(estimator):
    X, y, _ = data()
    plain = clone(estimator).fit(X, y).weights_
    nothing = {"groups": np.arange(48), "strata": np.ones(48), "covariates": np.ones((48, 2))}
    nothing = {name: nothing[name] for name in estimator.fit_takes[1:]}
    np.testing.assert_array_equal(clone(estimator).fit(X, y, **nothing).weights_, plain)


@over(ALL)
def test_unit_weights_are_none(estimator):
    X, y, samples = data()
    for given in ({}, {name: samples[name] for name in estimator.fit_takes[1:]}):
        plain = clone(estimator).fit(X, y, **given).weights_
        weighted = clone(estimator).fit(X, y, sample_weight=np.ones(48), **given).weights_
        np.testing.assert_allclose(weighted, plain, rtol=1e-12, atol=1e-12)


@over(ALL)
def test_groups_and_strata_change_the_weights(estimator):
    X, y, samples = data()
    plain = clone(estimator).fit(X, y).weights_
    for name in estimator.fit_takes[1:]:
        value = samples[name]
        assert not np.allclose(clone(estimator).fit(X, y, **{name: value}).weights_, plain), name


@over(DETERMINISTIC)
def test_the_order_of_the_samples_does_not_matter(estimator):
    X, y, samples = data()
    samples["sample_weight"] = np.random.default_rng(1).random(48)
    samples = {name: samples[name] for name in estimator.fit_takes}
    order = np.random.default_rng(2).permutation(48)
    one = clone(estimator).fit(X, y, **samples).weights_
    moved = {name: value[order] for name, value in samples.items()}
    other = clone(estimator).fit(X[order], y[order], **moved).weights_
    np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-8)


@over(AVERAGES)
def test_strata_are_fits_of_each_of_them_on_average(estimator):
    X, y, samples = data()
    estimator = clone(estimator).set_params(scale=None)
    found = clone(estimator).fit(X, y, strata=samples["strata"]).weights_
    parts = [
        clone(estimator).fit(X[s], y[s]).weights_ for s in (samples["strata"] == k for k in (0, 1))
    ]
    np.testing.assert_allclose(found, np.mean(parts, axis=0), rtol=1e-9, atol=1e-12)


def test_objective_and_gradient_of_lofe_are_sums_over_strata():
    X, y, samples = data()
    strata, w = samples["strata"], np.random.default_rng(0).random(6)
    target = Compared(Classes(y), Comparable(strata=strata))
    whole = evaluate(InMemory(X, Workers(1)), Problem(target, 0.5, 1.0), w)
    parts = [
        evaluate(
            InMemory(X[strata == k], Workers(1)), Problem(Classes(y[strata == k]), 0.5, 1.0), w
        )
        for k in (0, 1)
    ]
    np.testing.assert_allclose(whole.gradient, sum(part.gradient for part in parts), rtol=1e-8)
    losses = [part.objective - w.sum() for part in (whole, *parts)]
    np.testing.assert_allclose(losses[0], losses[1] + losses[2], rtol=1e-8)


def test_four_samples_of_two_donors_by_hand():
    X, y = [[0.0], [1.0], [8.0], [9.0], [3.0]], ["a", "a", "b", "b", "a"]
    plain = hitmiss.Relief(scale=None).fit(X, y)  # hits 1 1 1 1 2, misses 8 7 5 6 5
    assert plain.weights_.tolist() == [pytest.approx((7 + 6 + 4 + 5 + 3) / 5)]
    donors = hitmiss.Relief(scale=None).fit(X, y, groups=[1, 1, 2, 3, 4])  # the first two are one
    assert donors.weights_.tolist() == [pytest.approx((8 - 3 + 7 - 2 + 4 + 5 + 3) / 5)]


def test_a_sample_of_weight_zero_is_still_a_neighbor():
    X, y = [[0.0], [1.0], [8.0], [9.0]], ["a", "a", "b", "b"]
    found = hitmiss.Relief(scale=None).fit(X, y, sample_weight=[1, 0, 0, 2.0])
    assert found.weights_.tolist() == [pytest.approx(((8 - 1) + 2 * (8 - 1)) / 3)]
    again = hitmiss.Relief(scale=None).fit(X, y, sample_weight=[10, 0, 0, 20.0])
    assert again.weights_.tolist() == found.weights_.tolist()


@over(WEIGHTED)
def test_balanced_class_weights_are_sample_weights(estimator):
    X, y, _ = data()
    rows = np.flatnonzero((y != 2) | (np.arange(48) < 12))
    X, y = X[rows], y[rows]
    balanced = clone(estimator).set_params(class_weight="balanced").fit(X, y)
    by_hand = clone(estimator).fit(X, y, sample_weight=(len(y) / 3 / np.bincount(y))[y])
    np.testing.assert_allclose(balanced.weights_, by_hand.weights_, rtol=1e-9, atol=1e-12)
    assert not np.allclose(balanced.weights_, clone(estimator).fit(X, y).weights_)


def test_weighted_lofe_is_certified_and_doubles_its_loss():
    X, y, _ = data()
    once = hitmiss.LOFE(alpha=0.3).fit(X, y)
    twice = hitmiss.LOFE(alpha=0.6).fit(X, y, sample_weight=np.full(48, 2.0))
    np.testing.assert_allclose(twice.weights_, once.weights_, rtol=1e-4)
    np.testing.assert_allclose(twice.objective_, 2 * once.objective_, rtol=1e-6)
    weights = np.random.default_rng(0).random(48)
    found = hitmiss.LOFE(alpha=0.2).fit(X, y, sample_weight=weights)
    problem = Problem(Classes(y, sample_weight=weights), 2.0, 0.2)
    scaled = InMemory((X - X.min(axis=0)) / np.ptp(X, axis=0), Workers(1))
    point = evaluate(scaled, problem, found.weights_)
    assert found.converged_
    np.testing.assert_allclose(point.gradient[found.weights_ > 0], 0.2, rtol=1e-3)
    assert problem.null_objective == pytest.approx(weights.sum() * np.log(2))


def test_evidence_and_leave_one_out_error_of_weighted_samples():
    X, y, samples = data()
    weights = (np.arange(48) < 24).astype(float)
    found = hitmiss.LOFE(alpha="evidence").fit(X, y, sample_weight=weights)
    assert np.isfinite(found.log_evidence_)
    wrong = hitmiss.LOFE(alpha=0.3).fit(X, y, strata=samples["strata"]).loo_error_
    assert 0 <= wrong <= 1


@pytest.mark.parametrize("how", ["tiles", "references", "stored"])
def test_lofe_finds_the_same_in_row_tiles_and_from_disk(how, monkeypatch, tmp_path):
    X, y, samples = data(n=60, n_classes=2)
    samples["sample_weight"] = np.random.default_rng(0).random(60)
    expected = hitmiss.LOFE(alpha=0.2).fit(X, y, **samples)
    assert expected.weights_.any()
    model, given = hitmiss.LOFE(alpha=0.2), X
    if how == "tiles":
        monkeypatch.setattr(local_learning, "MATRIX_SAMPLES", 10)
    elif how == "references":  # all of them
        model.set_params(max_references=59)
        monkeypatch.setattr(local_learning, "balanced_references", lambda target, n: None)
    else:
        np.save(tmp_path / "X.npy", X)
        given = np.load(tmp_path / "X.npy", mmap_mode="r")
        model.set_params(memory="100MB")
    found = model.fit(given, y, **samples)
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4, atol=1e-6)
    assert found.loo_error_ == pytest.approx(expected.loo_error_)


def test_missing_values_beside_strata_in_matrix_and_tiles(monkeypatch):
    X, y, samples = data(n=60, n_classes=2)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    expected = hitmiss.LOFE(alpha=0.2).fit(X, y, **samples)
    monkeypatch.setattr(local_learning, "MATRIX_SAMPLES", 10)
    found = hitmiss.LOFE(alpha=0.2).fit(X, y, **samples)
    assert expected.weights_.any()
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-4, atol=1e-6)


def test_a_checkpoint_is_one_of_its_groups(tmp_path):
    X, y, samples = data()
    hitmiss.LOFE(checkpoint=tmp_path).fit(X, y, groups=samples["groups"])
    with pytest.raises(Exception, match="belongs to a fit with other data or parameters"):
        hitmiss.LOFE(checkpoint=tmp_path).fit(X, y, groups=samples["strata"])


def test_a_base_that_takes_no_groups_is_named():
    X, y, samples = data()
    with pytest.raises(ValueError, match="base of Ensemble takes no groups; leave it out"):
        hitmiss.Ensemble(LogisticRegression()).fit(X, y, groups=samples["groups"])
    fitted = hitmiss.Ensemble(LogisticRegression(), 3).fit(X, y, sample_weight=np.arange(48.0))
    assert fitted.weights_.shape == (6,)


def test_a_single_neighbor_takes_no_covariates():
    X, y, samples = data()
    for estimator in (hitmiss.Relief(), hitmiss.Simba(), hitmiss.FREL(n_neighbors=1)):
        with pytest.raises(ValueError, match="one hit and one miss, which covariates cannot weigh"):
            estimator.fit(X, y, covariates=samples["covariates"])
    with pytest.raises(ValueError, match="base of TuRF takes no covariates"):
        hitmiss.TuRF(hitmiss.Relief()).fit(X, y, covariates=samples["covariates"])


def test_lofecv_keeps_groups_together(monkeypatch):
    X, y, _ = data(n_classes=2)
    groups, seen = np.arange(48) // 2 % 12, []
    original = hitmiss.estimators.lofecv.path_scores

    def spy(model, X, y, rows, *others):
        seen.append(rows)
        return original(model, X, y, rows, *others)

    monkeypatch.setattr(hitmiss.estimators.lofecv, "path_scores", spy)
    for cv in (3, GroupKFold(3)):
        model = hitmiss.LOFECV(2.0, 3, cv=cv, n_jobs=1).fit(X, y, groups=groups)
        assert not hasattr(model, "_groups")
    assert len(seen) == 6
    for train, test in seen:
        assert not set(groups[train]) & set(groups[test])
    with pytest.raises(ValueError, match="groups"):
        hitmiss.LOFECV(2.0, 3, cv=GroupKFold(3), n_jobs=1).fit(X, y)


def test_path_takes_what_fit_takes():
    X, y, samples = data()
    path = hitmiss.LOFE().path(X, y, [0.3], **samples)
    fitted = hitmiss.LOFE(alpha=0.3).fit(X, y, **samples)
    np.testing.assert_allclose(path.weights[0], fitted.weights_, rtol=1e-3, atol=1e-5)


def test_metadata_go_through_a_pipeline_and_cross_validation():
    X, y, samples = data(n_classes=2)
    strata, groups = samples["strata"], np.arange(48) // 2 % 12
    with sklearn.config_context(enable_metadata_routing=True):
        selector = hitmiss.LOFE(alpha=0.3, max_features=2)
        selector.set_fit_request(strata=True, groups=True)
        pipeline = make_pipeline(selector, LogisticRegression())
        pipeline.fit(X, y, strata=strata, groups=groups)
        expected = hitmiss.LOFE(alpha=0.3, max_features=2).fit(X, y, strata=strata, groups=groups)
        np.testing.assert_array_equal(pipeline[0].weights_, expected.weights_)
        found = cross_validate(
            pipeline, X, y, cv=GroupKFold(3), params={"strata": strata, "groups": groups},
            return_estimator=True, error_score="raise",
        )  # fmt: skip
    for model, (train, _) in zip(
        found["estimator"], GroupKFold(3).split(X, y, groups), strict=True
    ):
        given = {"strata": strata[train], "groups": groups[train]}
        again = hitmiss.LOFE(alpha=0.3, max_features=2).fit(X[train], y[train], **given)
        np.testing.assert_array_equal(model[0].weights_, again.weights_)


def test_new_samples_may_be_compared_with_all():
    X, y, samples = data()
    model = hitmiss.LOFE(alpha=0.2).fit(X, y, groups=samples["groups"], strata=samples["strata"])
    assert (model.predict(X) == y).mean() > 0.7
    assert model.predict_proba(X[:3]).shape == (3, 3)


def shifted(seed, n=120, n_shifted=40):
    """Two relevant features, 40 shifted by batch, 20 irrelevant; batch and class 80/20."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    batch = np.where(np.arange(n) % 10 < 8, y, 1 - y)
    X = rng.standard_normal((n, 22 + n_shifted))
    X[:, :2] += 2 * y[:, None]
    X[:, 2 : 2 + n_shifted] += 3 * batch[:, None]
    return X, y, batch


def test_features_that_a_batch_shifts_are_not_selected_within_strata():
    X, y, batch = shifted(0)
    is_shifted = (np.arange(62) >= 2) & (np.arange(62) < 42)
    plain = hitmiss.LOFE().fit(X, y).get_support()
    within = hitmiss.LOFE().fit(X, y, strata=batch).get_support()
    assert plain[is_shifted].any()
    assert within[:2].all()
    assert not within[is_shifted].any()
