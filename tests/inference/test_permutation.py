from collections import Counter
from math import comb, exp

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from hitmiss import (
    LOFE,
    SURF,
    Ensemble,
    FDRSelector,
    LOFERegressor,
    MultiSURF,
    Relief,
    ReliefF,
    datasets,
)
from hitmiss.estimators import selector
from hitmiss.estimators.relief import Averaging
from hitmiss.inference import PermutationTest, permutation_test
from hitmiss.inference.permutation import (
    AREA_STRIDE,
    CALIBRATIONS,
    NO_NOISE,
    Exchange,
    noise_alpha,
    path_area,
)


def xor(n_irrelevant=60):
    return datasets.make_xor(n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


def orders(y, n, seed):
    """The orders that a test with this seed draws, in its sequence."""
    rng, exchange = np.random.default_rng(seed), Exchange(y)
    return [exchange.draw(rng) for _ in range(CALIBRATIONS + n)][CALIBRATIONS:]


@pytest.mark.parametrize("method", [ReliefF(), MultiSURF()], ids=["ReliefF", "MultiSURF"])
def test_what_is_shared_changes_nothing(method):
    """q-values and p-values from plain refits, one for each of the labels."""
    X, y = xor()
    test = permutation_test(method, X, y, n_permutations=6, random_state=3)
    T = method.fit(X, y).weights_
    null = np.array([method.fit(X, y[order]).weights_ for order in orders(y, 6, 3)])
    np.testing.assert_array_equal(test.statistic, T)
    p = np.where(T > 0, [(1 + np.sum(null.max(axis=1) >= t)) / 7 for t in T], 1.0)
    np.testing.assert_allclose(test.p_values, p)
    best = np.argmax(T)
    q = (1 + np.sum(null >= T[best])) / 7
    assert test.q_values[best] <= max(q, test.p_value)
    assert test.p_value == (1 + np.sum(null.max(axis=1) >= T.max())) / 7


@pytest.mark.full
def test_the_pair_of_xor_is_found_and_noise_is_not():
    X, y = xor()
    test = permutation_test(LOFE(), X, y, random_state=0)
    assert sorted(test.selected(0.1)) == [0, 1]
    assert test.p_value == 1 / 21
    noise = permutation_test(LOFE(), X[:, 2:], y, random_state=0)
    assert not len(noise.selected(0.2))
    assert noise.p_value > 0.2


@pytest.mark.full
@pytest.mark.parametrize("method", [ReliefF(), LOFE()], ids=["ReliefF", "LOFE"])
def test_processes_change_no_bit(method):
    X, y = xor(20)
    one, two = (
        permutation_test(method, X, y, n_permutations=7, random_state=1, n_jobs=n)
        for n in (None, 2)
    )
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first, second)


def test_irrelevant_order_and_scale_change_nothing():
    X, y = xor(20)
    plain = permutation_test(LOFE(), X, y, n_permutations=5, random_state=1)
    back = np.arange(X.shape[1])[::-1]
    other = permutation_test(LOFE(), X[:, back] * 8, y, n_permutations=5, random_state=1)
    np.testing.assert_array_equal(plain.q_values[back], other.q_values)
    np.testing.assert_allclose(plain.statistic[back], other.statistic, rtol=1e-6)


@pytest.mark.parametrize(
    "estimator",
    [LogisticRegression(C=0.01), RandomForestClassifier(20, random_state=0)],
    ids=["coef_", "feature_importances_"],
)
def test_any_estimator_with_importances(estimator):
    X, y = datasets.make_twonorm(60, n_irrelevant=5, random_state=0, return_X_y=True)
    test = permutation_test(estimator, X, y, n_permutations=4, random_state=0)
    assert test.statistic.shape == test.q_values.shape == (25,)
    assert test.p_value == 1 / 5
    assert test.statistic[:20].mean() > test.statistic[20:].mean()


def test_a_donor_counts_once():
    """Labels by donor, features that differ between donors: cells are no independent samples."""
    rng, lists = np.random.default_rng(0), {"groups": 0, "cells": 0}
    for seed in range(12):
        donor = np.repeat(np.arange(12), 10)
        X = rng.normal(size=(12, 40))[donor] + rng.normal(size=(120, 40))
        y = rng.permutation(np.arange(12) % 2)[donor]
        for name, groups in {"groups": donor, "cells": None}.items():
            test = permutation_test(ReliefF(), X, y, groups=groups, random_state=seed)
            lists[name] += len(test.selected(0.1)) > 0
    assert lists["groups"] <= 3  # of 12, at a level of 0.1
    assert lists["cells"] >= 10


def test_strata_take_out_a_batch():
    """Batch and class go together, features only with the batch."""
    rng = np.random.default_rng(0)
    batch = np.repeat([0, 1], 60)
    y = (rng.random(120) < np.where(batch, 0.8, 0.2)).astype(int)
    X = rng.normal(size=(120, 50)) + 2.0 * batch[:, None] * (np.arange(50) < 10)
    plain = permutation_test(ReliefF(), X, y, random_state=0)
    within = permutation_test(ReliefF(), X, y, strata=batch, random_state=0)
    assert (plain.selected(0.1) < 10).sum() >= 6
    assert not (within.selected(0.1) < 10).any()


def test_an_interrupted_test_keeps_what_is_done():
    class InterruptedWeigher(Averaging):
        def statistics(self, features, targets, shared):
            for k, statistic in enumerate(super().statistics(features, targets, shared)):
                if k == 4:
                    raise KeyboardInterrupt
                yield statistic

    class Interrupted(ReliefF):
        def _weigher(self):
            return InterruptedWeigher(self._neighbors)

    X, y = xor(10)
    with pytest.raises(KeyboardInterrupt):
        permutation_test(Interrupted(), X, y, random_state=0)
    kept = permutation_test(Interrupted(), X, y, random_state=0, interruptible=True)
    whole = permutation_test(ReliefF(), X, y, n_permutations=3, random_state=0)
    assert kept.n_permutations == 3
    np.testing.assert_array_equal(kept.q_values, whole.q_values)


def test_selected_features_come_best_first():
    X, y = datasets.make_twonorm(100, n_irrelevant=10, random_state=0, return_X_y=True)
    test = permutation_test(ReliefF(), X, y, random_state=0)
    found = test.selected(0.2)
    assert len(found) >= 15
    assert (np.diff(test.q_values[found]) >= 0).all()
    assert (test.q_values[found] <= 0.2).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_permutations": 0}, "n_permutations must be a whole number"),
        ({"groups": [1, 2]}, "groups has 2 values for"),
    ],
)
def test_errors(arguments, message):
    X, y = xor(3)
    with pytest.raises(ValueError, match=message):
        permutation_test(**{"selector": ReliefF(), "X": X, "y": y} | arguments)


def test_a_second_look_beside_what_is_known():
    """A weak feature, hidden by permuted labels, stands out beside strong ones that stay."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(120, 200)), np.arange(120) % 2
    X[:, :3] += 1.6 * y[:, None]
    X[:, 3] += 1.2 * y
    shared = LOFE().opened(X, y).shared(orders(y, 5, 0))
    known, some = np.arange(3), [np.arange(120), *orders(y, 4, 1)]
    plain = [s.values for s in LOFE().opened(X, y).statistics(some, shared)]
    beside = list(LOFE().opened(X, y).refined(some, shared, known))
    assert all(not values[known].any() for values in beside)
    assert beside[0][3] > max(values.max() for values in beside[1:])
    # Noise has less weight beside features that explain the labels.
    assert np.mean([v.sum() for v in beside[1:]]) < np.mean([v.sum() for v in plain[1:]])


def donors(seed, n_features=30):
    """10 cells of each of 12 donors, alike within a donor; labels by donor, nothing there."""
    rng = np.random.default_rng(seed)
    donor = np.repeat(np.arange(12), 10)
    X = rng.standard_normal((12, n_features))[donor] + rng.standard_normal((120, n_features))
    return X, (np.arange(12) % 2)[donor], donor


def test_the_null_of_donors_is_kept_with_groups_and_not_without():
    p_values = {"groups": [], "cells": []}
    for seed in range(8):
        X, y, donor = donors(seed)
        p_values["groups"].append(
            permutation_test(ReliefF(), X, y, groups=donor, random_state=seed).p_value
        )
        p_values["cells"].append(permutation_test(ReliefF(), X, y, random_state=seed).p_value)
    assert max(p_values["cells"]) <= 0.1  # always "something", though nothing is there
    assert np.mean(np.array(p_values["groups"]) <= 0.1) <= 0.25


def test_groups_and_strata_go_to_a_fit_that_takes_them():
    X, y, donor = donors(0, 6)
    seen = []

    class Spy(ReliefF):
        def _neighbors(self, D, target, workers):
            seen.append(target.comparability(np.arange(3), np.arange(12)))
            return super()._neighbors(D, target, workers)

    permutation_test(Spy(), X, y, groups=donor, n_permutations=9, random_state=0)
    assert len(seen) == 10
    for C in seen:  # the labels move, the donors do not
        np.testing.assert_array_equal(C, np.broadcast_to(donor[:12] != 0, (3, 12)))


def test_weights_and_covariates_must_be_taken():
    X, y, donor = donors(0, 6)
    weights = np.where(donor < 6, 1.0, 2.0)
    plain = permutation_test(ReliefF(), X, y, n_permutations=9, random_state=0)
    weighted = permutation_test(
        ReliefF(), X, y, sample_weight=weights, n_permutations=9, random_state=0
    )
    np.testing.assert_allclose(
        weighted.statistic, ReliefF().fit(X, y, sample_weight=weights).weights_
    )
    assert not np.allclose(weighted.statistic, plain.statistic)
    with pytest.raises(ValueError, match="RandomForestClassifier takes no covariates"):
        permutation_test(RandomForestClassifier(), X, y, covariates=weights)


@pytest.mark.full
@pytest.mark.parametrize(
    "make",
    [
        lambda rng: Relief(20, random_state=rng),
        lambda rng: Ensemble(ReliefF(), 2, 0.5, random_state=rng),
    ],
    ids=["Relief", "Ensemble"],
)
def test_processes_change_no_bit_with_a_generator_in_the_selector(make):
    X, y = xor(20)
    one, two = (
        permutation_test(
            make(np.random.default_rng(0)), X, y, n_permutations=15, random_state=1, n_jobs=n
        )
        for n in (None, 2)
    )
    for first, second in zip(one, two, strict=True):
        np.testing.assert_array_equal(first, second)


@pytest.mark.full
def test_a_width_is_chosen_anew_for_each_of_the_labels():
    """Chosen by the true labels alone, it would favor these."""
    X, y = xor(6)
    X, y = X[:40], y[:40]
    some, auto = [np.arange(40), *orders(y, 3, 0)], LOFE("auto", 0.1)
    shared = auto.opened(X, y).shared(some[1:])
    widths = [auto.fit(X, y[order]).sigma_ for order in some]
    assert len(set(widths)) > 1
    for order, width, found in zip(
        some, widths, auto.opened(X, y).statistics(some, shared), strict=True
    ):
        (expected,) = LOFE(width, 0.1).opened(X, y).statistics([order], shared)
        np.testing.assert_allclose(found.values, expected.values, rtol=1e-6)


@pytest.mark.full
def test_a_tuned_selector_is_tested_and_looked_at_again():
    X, y = xor(20)
    test = permutation_test(LOFE("auto", "auto"), X, y, n_permutations=9, random_state=0)
    assert sorted(test.selected(0.1)) == [0, 1]
    assert test.p_value == 0.1
    known, some = np.arange(2), [np.arange(len(y)), *orders(y, 2, 0)]
    found = list(LOFE("auto").opened(X, y).refined(some, 5.0, known))
    width = LOFE("auto").fit(X, y).sigma_
    expected = list(LOFE(width).opened(X, y).refined(some, 5.0, known))
    np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.filterwarnings("ignore:No feature has a q-value")
def test_a_selector_that_weighs_nothing_itself_is_fitted_anew():
    X, y = xor(3)
    around = FDRSelector(ReliefF(), n_permutations=9, random_state=0)
    test = permutation_test(around, X, y, n_permutations=2, random_state=0)
    np.testing.assert_array_equal(test.statistic, around.fit(X, y).weights_)


@pytest.mark.parametrize("base", [LOFE(), SURF()], ids=["LOFE", "SURF"])
def test_data_are_validated_and_opened_once(base, monkeypatch):
    X, y = xor(8)
    calls = []
    for name in ("checked_pair", "opened_columns"):
        whole = getattr(selector, name)
        monkeypatch.setattr(
            selector, name, lambda *k, n=name, f=whole, **w: calls.append(n) or f(*k, **w)
        )
    permutation_test(base, X, y, n_permutations=9, random_state=0)
    assert calls == ["checked_pair", "opened_columns"]
    found = FDRSelector(base, n_permutations=9, random_state=0).fit(X, y)
    assert calls == 2 * ["checked_pair", "opened_columns"]
    alone = clone(base).fit(X, y)  # which the permutations have not changed
    for name, value in vars(alone).items():
        if name.endswith("_") and name != "history_":
            np.testing.assert_array_equal(getattr(found.base_, name), value, err_msg=name)


def test_names_of_columns_stand_for_their_values():
    X, y, donor = donors(0, 6)
    frame = pd.DataFrame(X).rename(columns=str).assign(kind=y, donor=donor)
    how = {"n_permutations": 9, "random_state": 0}
    expected = permutation_test(ReliefF(), X, y, groups=donor, **how)
    found = permutation_test(ReliefF(), frame, "kind", groups="donor", **how)
    np.testing.assert_array_equal(found.statistic, expected.statistic)
    np.testing.assert_array_equal(found.q_values, expected.q_values)


def test_a_width_is_chosen_for_numbers_too():
    X, y = datasets.make_product(40, n_irrelevant=2, random_state=0, return_X_y=True)
    test = permutation_test(LOFERegressor("auto", "auto"), X, y, n_permutations=2, random_state=0)
    assert test.statistic.shape == (4,)


@pytest.mark.parametrize("toward", [0.0, 9.0])
def test_a_last_bit_does_not_order_the_discoveries(toward):
    statistic = np.array([0.2, 0.3, 0.3])
    statistic[1] = np.nextafter(0.3, toward)
    test = PermutationTest(statistic, np.full(3, 0.05), np.full(3, 0.05), 0.05, 19)
    assert test.selected().tolist() == [1, 2, 0]


def drawn(exchange, n=50):
    return [exchange.draw(np.random.default_rng(seed)) for seed in range(n)]


def test_without_groups_it_is_a_permutation():
    for order in drawn(Exchange([0, 0, 1, 1, 1])):
        assert sorted(order) == [0, 1, 2, 3, 4]


def test_every_order_is_as_likely():
    y = np.array([0, 0, 1, 1])
    counts = Counter(tuple(y[order]) for order in drawn(Exchange(y), 3000))
    assert len(counts) == 6
    assert max(abs(n - 500) for n in counts.values()) < 100


def test_groups_of_one_label_exchange_it_whatever_their_size():
    y, groups = np.array([0, 0, 0, 1, 1, 0]), np.array([7, 7, 7, 8, 8, 9])
    exchange = Exchange(y, groups)
    assert round(exp(exchange.log_n_orders)) == 3
    seen = {tuple(y[order]) for order in drawn(exchange)}
    assert seen == {(0, 0, 0, 1, 1, 0), (1, 1, 1, 0, 0, 0), (0, 0, 0, 0, 0, 1)}


def test_groups_of_several_labels_go_to_groups_of_their_size():
    y = np.array([0, 1, 1, 1, 0, 0, 1])
    seen = {tuple(y[order]) for order in drawn(Exchange(y, [1, 1, 2, 2, 3, 3, 4]))}
    pairs = {(row[:2], row[2:4], row[4:6]) for row in seen}
    assert all(sorted(three) == [(0, 0), (0, 1), (1, 1)] for three in pairs)
    assert len(seen) == 6
    assert {row[6] for row in seen} == {1}


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=2, max_size=12),
    st.integers(0, 99),
)
def test_strata_keep_their_labels(samples, seed):
    strata, y = np.array(samples).T
    assume(any(len(np.unique(y[strata == s])) > 1 for s in np.unique(strata)))
    order = Exchange(y, strata=strata).draw(np.random.default_rng(seed))
    assert sorted(order) == list(range(len(y)))
    np.testing.assert_array_equal(strata[order], strata)


def test_the_number_of_orders():
    assert round(exp(Exchange([0] * 4 + [1] * 6).log_n_orders)) == comb(10, 4)
    strata = [0] * 4 + [1] * 6
    assert round(exp(Exchange([0, 1] * 5, strata=strata).log_n_orders)) == comb(4, 2) * comb(6, 3)


def test_few_orders_are_said():
    exchange = Exchange(["a", "b", "b"])
    with pytest.warns(UserWarning, match="in 3 ways only, so that no p-value is below 0.33"):
        exchange.warn_if_few(20)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"y": [0, 1], "groups": [1, 1]}, "No two groups can exchange"),
        ({"y": [0, 1], "strata": [1, 2]}, "No two groups can exchange"),
        (
            {"y": [0, 1, 1], "groups": [1, 1, 2], "strata": [1, 2, 2]},
            "1 of 2 groups lie in several strata",
        ),
        ({"y": [0, 1], "groups": [1]}, "groups has 1 value for 2 samples"),
        ({"y": [0, 1, 1], "groups": ["a", None, "b"]}, "groups holds no value in row 1"),
        ({"y": [0, 1, 1], "strata": [0.0, 0.0, np.nan]}, "strata holds no value in row 2"),
        ({"y": ["a", None, "b"]}, "y holds no value in row 1"),
        ({"y": [[0], [1]]}, "y must hold one value for each sample"),
    ],
)
def test_errors_of_an_exchange(arguments, message):
    with pytest.raises(ValueError, match=message):
        Exchange(**arguments)


def opened(X, y):
    features, target, weigher = LOFE(alpha=1.0).opened(X, y)
    return lambda labels: weigher.fixed_points(features, labels), target


def spiral():
    return datasets.make_spiral(200, n_irrelevant=30, random_state=0, return_X_y=True)


@pytest.mark.filterwarnings("ignore:All weights are zero")
def test_the_area_is_that_of_separate_fits():
    X, y = spiral()
    points, target = opened(X, y)
    found = path_area(points(target), 2.0, 1.0)
    expected, alpha, w = np.zeros(32), 1.0, LOFE(alpha=1.0).fit(X, y).weights_
    while w.any():
        expected += w * (AREA_STRIDE - 1) * alpha
        alpha *= AREA_STRIDE
        w = LOFE(alpha=alpha, init=w).fit(X, y).weights_
    np.testing.assert_allclose(found.values[:2], expected[:2], rtol=0.1)
    assert np.argsort(-found.values)[:2].tolist() in ([0, 1], [1, 0])


def test_nothing_is_found_where_the_weakest_penalty_leaves_nothing():
    X, y = spiral()
    points, target = opened(X[:, 2:], y)
    found = path_area(points(target), 2.0, 50.0)
    assert not found.values.any()
    assert found.whole == 0


def test_what_is_explained_is_a_share_of_the_objective():
    X, y = spiral()
    points, target = opened(X, y)
    found, fit = path_area(points(target), 2.0, 1.0), LOFE(alpha=1.0).fit(X, y)
    np.testing.assert_allclose(found.whole, 1 - fit.objective_ / (200 * np.log(2)), rtol=1e-3)


def test_noise_begins_to_have_weights_at_its_strength():
    """A few features of permuted labels, whatever the data: see `NOISE_SHARE`."""
    rng = np.random.default_rng(0)
    for X in (rng.normal(size=(100, 400)), rng.integers(0, 3, (100, 400)).astype(float)):
        points, target = opened(X, np.arange(100) % 2)
        exchange = Exchange(target.codes)
        relabeled = [target.of(exchange.draw(rng)) for _ in range(10)]
        alpha = noise_alpha(points(labels) for labels in relabeled[:5])
        counts = [np.count_nonzero(points(labels).solve(2.0, alpha).w) for labels in relabeled[5:]]
        assert 0.5 <= np.mean(counts) <= 12


def test_constant_features_have_no_noise():
    points, target = opened(np.ones((6, 3)), [0, 0, 0, 1, 1, 1])
    alpha = noise_alpha([points(target)])
    assert alpha == NO_NOISE
    assert path_area(points(target), 2.0, alpha).values.tolist() == [0, 0, 0]


@pytest.mark.parametrize("n_irrelevant", [20, 100])
def test_irrelevant_features_do_not_change_the_area_of_others(n_irrelevant):
    X, y = datasets.make_xor(200, n_irrelevant=n_irrelevant, random_state=1, return_X_y=True)
    points, target = opened(X, y)
    found = path_area(points(target), 2.0, 3.0)
    alone, codes = opened(X[:, :2], y)
    expected = path_area(alone(codes), 2.0, 3.0)
    np.testing.assert_allclose(found.values[:2], expected.values, rtol=1e-2)
