"""LOFE: answers by hand, the certificate, invariances, limits, and what it accepts."""

import re
import tracemalloc
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from benchmarks.starts import problem
from hitmiss import LOFE, LOFECV, LOFERegressor, datasets
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators import local_learning
from hitmiss.estimators.lofe import ORDERS, by_both, by_margin, by_weight
from hitmiss.estimators.prediction import LocalClasses
from hitmiss.lofe import active_set, weighted_margins
from tests import reference as ref

PROBLEMS = {
    "spiral": lambda: datasets.make_spiral(n_irrelevant=100, random_state=0, return_X_y=True),
    "clusters": lambda: datasets.make_clusters(
        90, n_irrelevant=20, random_state=0, return_X_y=True
    ),
    "twonorm": lambda: datasets.make_twonorm(
        120, n_irrelevant=300, random_state=0, return_X_y=True
    ),
    "xor": lambda: datasets.make_xor(n_irrelevant=10, random_state=0, return_X_y=True),
}


def small():
    """Three classes, 40 samples, six features."""
    return datasets.make_clusters(40, n_irrelevant=4, random_state=0, return_X_y=True)


def scaled(X, scale):
    return ref.range_scale(X) if scale == "range" else np.asarray(X, float)


def test_four_points_by_hand():
    # Feature 0: hits at 0, misses at 1, so z = 1 and 4 / (1 + e^w) = alpha. Feature 1: hits at 1,
    # misses at 0 and 1 and equally far under w, so z = -1/2. Feature 2 is constant.
    X = np.array([[0, 0, 7], [0, 1, 7], [1, 0, 7], [1, 1, 7]])
    y = np.array(["a", "a", "b", "b"])
    lofe = LOFE(alpha=1.0).fit(X, y)
    np.testing.assert_allclose(lofe.weights_, [np.log(3), 0, 0], rtol=1e-5)
    np.testing.assert_allclose(lofe.scores_, [1, -0.5, 0], atol=1e-5)
    np.testing.assert_array_equal(lofe.ranking_, [0, 2, 1])
    np.testing.assert_array_equal(lofe.feature_importances_, [1, 0, 0])
    np.testing.assert_array_equal(lofe.get_support(), [True, False, False])
    assert lofe.objective_ == pytest.approx(4 * np.log(4 / 3) + np.log(3), rel=1e-5)
    assert lofe.loo_error_ == 0
    assert lofe.converged_
    margin = np.log(3) * np.array([-1, -1, 1, 1])
    np.testing.assert_allclose(lofe.decision_function(X), margin, rtol=1e-5)
    np.testing.assert_allclose(lofe.predict_proba(X[:1]), [[3 / 4, 1 / 4]], rtol=1e-5)
    np.testing.assert_array_equal(lofe.predict(X), y)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.9])
def test_four_points_for_other_alphas(alpha):
    X = np.array([[0.0], [0.0], [5.0], [5.0]])
    weight = LOFE(alpha=alpha).fit(X, [0, 0, 1, 1]).weights_[0]
    assert weight == pytest.approx(np.log(4 / alpha - 1), rel=1e-4)
    raw = LOFE(alpha=5 * alpha, scale=None).fit(X, [0, 0, 1, 1]).weights_[0]
    assert raw == pytest.approx(np.log(4 / alpha - 1) / 5, rel=1e-4)


@pytest.mark.parametrize("scale", ["range", None])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_certificate_is_that_of_the_reference(name, dtype, scale):
    X, y = PROBLEMS[name]()
    X = X.astype(dtype)
    lofe = LOFE(scale=scale, alpha=1.0).fit(X, y)
    assert lofe.converged_
    assert lofe.optimality_gap_ <= 1e-3
    S, exact = scaled(X, scale), dtype == np.float64
    gap = ref.optimality_gap(S, y, lofe.weights_, 2.0, 1.0)
    assert lofe.optimality_gap_ == pytest.approx(gap, abs=1e-7 if exact else 1e-4)
    c = ref.gradient(S, y, lofe.weights_, 2.0)
    np.testing.assert_allclose(lofe.scores_, c, atol=1e-6 if exact else 1e-3)
    objective = ref.objective(S, y, lofe.weights_, 2.0, 1.0)
    assert lofe.objective_ == pytest.approx(objective, rel=1e-6 if exact else 1e-5)


@pytest.mark.parametrize("alpha", [0.5, 3.0])
def test_the_certificate_is_relative_to_alpha(alpha):
    X, y = PROBLEMS["clusters"]()
    lofe = LOFE(sigma=0.7, alpha=alpha).fit(X, y)
    c = ref.gradient(ref.range_scale(X), y, lofe.weights_, 0.7)
    np.testing.assert_allclose(lofe.scores_, c / alpha, atol=1e-6)
    assert lofe.optimality_gap_ == pytest.approx(ref.violation(c, lofe.weights_, alpha), abs=1e-7)
    assert lofe.optimality_gap_ <= 1e-3


def test_a_class_with_one_sample_is_left_out_of_the_loss():
    X, y = small()
    y = np.r_[7, y[1:]]
    with pytest.warns(UserWarning, match=r"Class 7 has a single sample.*left out of the loss"):
        lofe = LOFE(alpha=1.0).fit(X, y)
    S = ref.range_scale(X)
    assert ref.optimality_gap(S, y, lofe.weights_, 2.0, 1.0) <= 1e-3
    assert lofe.objective_ == pytest.approx(ref.objective(S, y, lofe.weights_, 2.0, 1.0))
    E = ref.class_distances(S, y, S, lofe.weights_, 2.0, leave_out=True)[1:]
    assert lofe.loo_error_ == np.mean(lofe.classes_[E.argmin(axis=1)] != y[1:])


@pytest.mark.parametrize("scale", ["range", None])
@settings(max_examples=20)
@given(order=st.permutations(range(6)), seed=st.integers(0, 1000))
def test_order_of_features_and_samples_does_not_matter(scale, order, seed):
    X, y = small()
    rows = np.random.default_rng(seed).permutation(len(y))
    lofe, other = (
        LOFE(scale=scale, alpha=1.0).fit(X, y),
        LOFE(scale=scale, alpha=1.0).fit(X[rows][:, order], y[rows]),
    )
    np.testing.assert_allclose(other.weights_, lofe.weights_[order], rtol=1e-4)
    np.testing.assert_allclose(other.scores_, lofe.scores_[order], atol=1e-4)
    assert other.loo_error_ == lofe.loo_error_


@settings(max_examples=20)
@given(
    factors=st.lists(st.floats(1e-3, 1e3), min_size=6, max_size=6),
    shifts=st.lists(st.floats(-1e3, 1e3), min_size=6, max_size=6),
    signs=st.lists(st.sampled_from([-1, 1]), min_size=6, max_size=6),
)
def test_units_do_not_matter_when_scaled(factors, shifts, signs):
    X, y = small()
    lofe, A = LOFE(alpha=1.0).fit(X, y), X * factors * signs + shifts
    other = LOFE(alpha=1.0).fit(A, y)
    np.testing.assert_allclose(other.weights_, lofe.weights_, rtol=1e-4)
    np.testing.assert_array_equal(other.predict(A), lofe.predict(X))


@settings(max_examples=20)
@given(shifts=st.lists(st.floats(-1e3, 1e3), min_size=6, max_size=6))
def test_shifts_do_not_matter_on_raw_data(shifts):
    X, y = small()
    weights = LOFE(scale=None, alpha=1.0).fit(X, y).weights_
    np.testing.assert_allclose(
        LOFE(scale=None, alpha=1.0).fit(X + shifts, y).weights_, weights, rtol=1e-4
    )


@pytest.mark.parametrize("labels", [["x", "y", "z"], [-5, 0, 9], [0.0, 2.0, 4.0]])
def test_labels_of_any_type(labels):
    X, y = small()
    lofe, expected = LOFE(alpha=1.0).fit(X, np.array(labels)[y]), LOFE(alpha=1.0).fit(X, y)
    np.testing.assert_array_equal(lofe.classes_, labels)
    np.testing.assert_array_equal(lofe.weights_, expected.weights_)
    np.testing.assert_array_equal(lofe.predict(X), np.array(labels)[expected.predict(X)])


def test_two_classes_as_booleans():
    X, y = PROBLEMS["xor"]()
    np.testing.assert_array_equal(
        LOFE(alpha=1.0).fit(X, y == 1).predict(X), LOFE(alpha=1.0).fit(X, y).predict(X) == 1
    )


@pytest.mark.parametrize("alpha", [0.3, 1.0])
def test_sigma_infinite_is_one_convex_problem(alpha):
    X, y = PROBLEMS["clusters"]()
    lofe = LOFE(sigma=np.inf, alpha=alpha).fit(X, y)
    Z = ref.margins_at(ref.range_scale(X), y, np.zeros(X.shape[1]), 1.0)  # w = 0: equally likely
    np.testing.assert_allclose(lofe.weights_, ref.step(Z, alpha), rtol=1e-4, atol=1e-6)
    assert lofe.n_iter_ <= 5
    wide = LOFE(sigma=1e9, alpha=alpha).fit(X, y)
    np.testing.assert_allclose(wide.weights_, lofe.weights_, rtol=1e-4, atol=1e-6)


def test_a_small_sigma_looks_at_the_nearest_neighbor_only():
    X, y = PROBLEMS["clusters"]()
    lofe = LOFE(sigma=1e-9, alpha=1.0).fit(X, y)
    S = ref.range_scale(X)
    D = ref.distances(S, lofe.weights_)
    same = (y[:, None] == y) & ~np.eye(len(y), dtype=bool)
    hit = np.where(same, D, np.inf).argmin(axis=1)
    miss = np.where(y[:, None] != y, D, np.inf).argmin(axis=1)
    Z = np.abs(S - S[miss]) - np.abs(S - S[hit])
    assert ref.violation(Z.T @ (1 / (1 + np.exp(Z @ lofe.weights_))), lofe.weights_, 1.0) <= 1e-3


def test_the_paper_solver_is_algorithm_1():
    X, y = datasets.make_spiral(return_X_y=True)
    lofe = LOFE(solver="paper", scale=None, tol=0.001, max_iter=100, alpha=1.0).fit(X, y)
    w, n_iter, converged, _ = ref.paper_algorithm(X, y, 2.0, 1.0, theta=0.001)
    assert (lofe.converged_, lofe.n_iter_) == (converged, n_iter)
    np.testing.assert_allclose(lofe.weights_, w, rtol=1e-6)
    assert lofe.optimality_gap_ == pytest.approx(ref.optimality_gap(X, y, w, 2.0, 1.0), abs=1e-5)


def test_the_paper_solver_loses_a_relevant_feature_and_its_certificate_says_so():
    X, y = datasets.make_spiral(n_irrelevant=1000, random_state=0, return_X_y=True)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        lofe = LOFE(solver="paper", tol=0.01, max_iter=3, alpha=1.0).fit(X, y)
    assert np.count_nonzero(lofe.weights_[:2]) < 2
    assert lofe.optimality_gap_ > 0.1
    assert not lofe.converged_


def test_history_tells_how_it_went():
    X, y = PROBLEMS["xor"]()
    lofe = LOFE(alpha=1.0).fit(X, y)
    for row in lofe.history_:
        assert {"start", "objective", "step", "n_nonzero", "gap", "residual"} <= row.keys()
    own = [row for row in lofe.history_ if row["start"] == lofe.init_]
    assert len(own) == lofe.n_iter_
    assert {"soft", "ones"} <= {row["start"] for row in lofe.history_}
    assert own[-1]["objective"] == pytest.approx(lofe.objective_)
    assert own[-1]["gap"] == pytest.approx(lofe.optimality_gap_, abs=1e-6)
    assert own[-1]["n_nonzero"] == np.count_nonzero(lofe.weights_)


def test_a_start_of_the_user_replaces_ours():
    X, y = PROBLEMS["xor"]()
    answer = LOFE(alpha=1.0).fit(X, y)
    lofe = LOFE(init=answer.weights_, alpha=1.0).fit(X, y)
    assert lofe.init_ == "given"
    assert {row["start"] for row in lofe.history_} == {"given"}
    assert lofe.n_iter_ <= 3
    np.testing.assert_allclose(lofe.weights_, answer.weights_, rtol=1e-4)


def test_a_start_at_zero_is_a_start():
    X, y = PROBLEMS["clusters"]()
    lofe = LOFE(init=np.zeros(X.shape[1]), alpha=1.0).fit(X, y)
    np.testing.assert_allclose(lofe.weights_, LOFE(alpha=1.0).fit(X, y).weights_, rtol=1e-4)


@pytest.mark.parametrize("max_iter", [1, 2, 3])
def test_a_fit_cut_short_warns_and_names_the_parameter(max_iter):
    X, y = PROBLEMS["spiral"]()
    with pytest.warns(ConvergenceWarning, match=r"did not converge in \d iterations.*max_iter"):
        lofe = LOFE(max_iter=max_iter, alpha=1.0).fit(X, y)
    assert not lofe.converged_
    assert lofe.n_iter_ <= max_iter
    gap = ref.optimality_gap(ref.range_scale(X), y, lofe.weights_, 2.0, 1.0)
    assert lofe.optimality_gap_ == pytest.approx(gap, rel=1e-4)


def test_where_a_coarse_tolerance_ends_a_fit_the_advice_is_a_finer_one():
    X, y = PROBLEMS["clusters"]()
    with pytest.warns(ConvergenceWarning, match=r"optimality gap \S+\); decrease tol\.$"):
        coarse = LOFE(alpha=1.0, tol=0.1).fit(X, y)
    assert not coarse.converged_
    assert LOFE(alpha=1.0, tol=1e-3).fit(X, y).converged_


@pytest.mark.parametrize(("dtype", "scale"), [(np.float32, "range"), (np.float64, None)])
def test_bit_identical_for_any_number_of_threads(dtype, scale):
    X, y = datasets.make_clusters(
        400, n_irrelevant=600, random_state=0, return_X_y=True, dtype=dtype
    )
    with threadpool_limits(2, user_api="blas"):
        one, *others = (
            LOFE(scale=scale, n_jobs=n_jobs, alpha=1.0).fit(X, y) for n_jobs in (1, 2, 4)
        )
    for other in others:
        np.testing.assert_array_equal(other.weights_, one.weights_)
        np.testing.assert_array_equal(other.scores_, one.scores_)
        assert other.objective_ == one.objective_


@pytest.mark.full
def test_bit_identical_from_eight_threads_at_once():
    problems = [
        datasets.make_spiral(n_irrelevant=200, random_state=seed, return_X_y=True, dtype=np.float32)
        for seed in range(4)
    ] * 2
    with threadpool_limits(2, user_api="blas"), ThreadPoolExecutor(8) as pool:
        alone = [LOFE(n_jobs=1, alpha=1.0).fit(X, y) for X, y in problems[:4]] * 2
        together = list(pool.map(lambda problem: LOFE(n_jobs=2, alpha=1.0).fit(*problem), problems))
    for a, b in zip(alone, together, strict=True):
        np.testing.assert_array_equal(a.weights_, b.weights_)
        np.testing.assert_array_equal(a.scores_, b.scores_)


def as_memmap(X, folder):
    X.tofile(folder / "X")
    return np.memmap(folder / "X", X.dtype, "r", shape=X.shape)


def as_read_only(X, _):
    X = X.copy()
    X.flags.writeable = False
    return X


LAYOUTS = {
    "Fortran order": lambda X, _: np.asfortranarray(X),
    "strided": lambda X, _: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda X, _: X[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": as_read_only,
    "memmap": as_memmap,
    "list": lambda X, _: X.tolist(),
    "big-endian": lambda X, _: X.astype(X.dtype.newbyteorder(">")),
    "objects": lambda X, _: X.astype(object),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_memory_layout(layout, tmp_path):
    X, y = PROBLEMS["clusters"]()
    lofe, given = LOFE(alpha=1.0).fit(X, y), LAYOUTS[layout](X, tmp_path)
    other = LOFE(alpha=1.0).fit(given, y)
    np.testing.assert_array_equal(other.weights_, lofe.weights_)
    np.testing.assert_array_equal(other.predict_proba(given), lofe.predict_proba(X))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "i8", "f2", "f4", "?"])
def test_any_type_of_number(dtype):
    X, y = PROBLEMS["clusters"]()
    numbers = (20 * X).astype(int) % 100
    numbers = (numbers > 50 if dtype == "?" else numbers).astype(dtype)
    expected = LOFE(alpha=1.0).fit(numbers.astype(float), y).weights_
    np.testing.assert_allclose(
        LOFE(alpha=1.0).fit(numbers, y).weights_, expected, rtol=1e-4, atol=1e-5
    )


def test_the_input_is_neither_changed_nor_kept():
    X, y = small()
    before = X.copy(), y.copy()
    lofe = LOFE(n_jobs=2, alpha=1.0).fit(X, y)
    lofe.predict(X)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])
    arrays = [value for value in vars(lofe).values() if isinstance(value, np.ndarray)]
    assert not any(np.shares_memory(value, given) for value in arrays for given in (X, y))
    assert lofe.get_params() == LOFE(n_jobs=2, alpha=1.0).get_params()


@pytest.mark.full
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_data_are_never_copied_whole(order, tmp_path):
    X, y = datasets.make_spiral(100, n_irrelevant=100_000, random_state=0, return_X_y=True)
    X = np.asarray(X, dtype=np.float32, order=order)
    X.T.tofile(tmp_path / "X") if order == "F" else X.tofile(tmp_path / "X")
    mapped = np.memmap(tmp_path / "X", np.float32, "r", shape=X.shape, order=order)
    LOFE(alpha=1.0).fit(mapped[:, :5000], y)  # compiles and imports
    tracemalloc.start()
    LOFE(alpha=1.0).fit(mapped, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.6 * X.nbytes


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("sigma", "wide"),
        ("alpha", None),
        ("alpha", True),
        ("alpha", np.inf),
        ("tol", None),
        ("max_iter", "many"),
        ("solver", "newton"),
        ("init", "zeros"),
        ("init", [1.0, 2.0]),
        ("init", [1, 1, 1, 1, 1, -1]),
        ("init", [1, 1, 1, 1, 1, np.nan]),
    ],
)
def test_wrong_parameters_are_named(parameter, value):
    with pytest.raises(ValueError, match=parameter):
        LOFE(**{parameter: value}).fit(*small())


def test_constant_features_change_nothing():
    X, y = small()
    lofe = LOFE(alpha=1.0).fit(np.insert(X, [0, 3], [7.0, 0.0], axis=1), y)
    np.testing.assert_array_equal(lofe.weights_[[0, 4]], 0)
    expected = LOFE(alpha=1.0).fit(X, y).weights_
    np.testing.assert_allclose(np.delete(lofe.weights_, [0, 4]), expected, rtol=1e-4)


def named_alpha(X, y, **params):
    """The largest useful alpha as the warning names it; None without the warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        lofe = LOFE(**params).fit(X, y)
    texts = [str(warning.message) for warning in caught]
    assert len(texts) == (not lofe.weights_.any())
    if not texts:
        return None
    assert f"alpha={lofe.alpha:g}" in texts[0]
    return float(re.search(r"alpha below (\S+?)\.?$", texts[0])[1])


def test_the_largest_useful_alpha_by_hand():
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), [0, 0, 1, 1]  # z = 1, s = 1/2, four samples
    assert named_alpha(X, y, alpha=2.5) == 2
    assert named_alpha(X, y, alpha=1.99) is None


@pytest.mark.parametrize("name", ["clusters", "twonorm", "xor"])
def test_the_largest_useful_alpha_with_one_answer(name):
    """With sigma infinite there is one answer, so the figure is exact (three digits)."""
    X, y = PROBLEMS[name]()
    alpha = named_alpha(X, y, alpha=1e3, sigma=np.inf)
    assert named_alpha(X, y, alpha=0.98 * alpha, sigma=np.inf) is None
    assert named_alpha(X, y, alpha=1.02 * alpha, sigma=np.inf) == alpha


@pytest.mark.parametrize("sigma", [0.5, 2.0])
@pytest.mark.parametrize("name", ["clusters", "twonorm", "xor"])
def test_the_alpha_that_a_warning_names_is_useful(name, sigma):
    X, y = PROBLEMS[name]()
    alpha = named_alpha(X, y, alpha=1e3, sigma=sigma)
    assert 0 < alpha < 1e3
    assert named_alpha(X, y, alpha=0.98 * alpha, sigma=sigma) is None


@pytest.mark.parametrize("outlier", [0.0, 1e6])
def test_no_alpha_is_named_where_none_is_small_enough(outlier):
    X, y = outlier * np.eye(60)[:, :1] + 1, np.arange(60) % 3
    with pytest.warns(UserWarning, match="All weights are zero") as caught:
        LOFE(alpha=1.0).fit(X, y)
    assert not re.search(r"alpha below (-|0\.?$)", str(caught[0].message))


def test_noise_gives_no_evidence_and_no_advice_to_select_it():
    X, y = np.random.default_rng(0).normal(size=(40, 100)), np.arange(40) % 2
    with pytest.warns(UserWarning, match="no evidence") as caught:
        lofe = LOFE(alpha="evidence").fit(X, y)
    assert not lofe.weights_.any()
    _, warning = caught  # the first says that the evidence is deprecated
    assert str(warning.message) == (
        "All weights are zero: the data give no evidence for any feature."
    )


def test_a_fixed_alpha_may_be_too_strong_or_the_data_empty():
    X, y = datasets.make_twonorm(20, random_state=0, return_X_y=True)
    with pytest.warns(UserWarning, match=r"too strong for these data, or they say nothing about"):
        LOFE(alpha=1e3).fit(X, y)


def test_the_papers_solver_takes_no_start():
    X, y = datasets.make_xor(random_state=0, return_X_y=True)
    with pytest.raises(ValueError, match="always starts from ones"):
        LOFE(solver="paper", init="soft", alpha=1.0).fit(X, y)


def test_complex_numbers_get_one_sentence():
    X, y = datasets.make_xor(random_state=0, return_X_y=True)
    with pytest.raises(
        ValueError, match=r"^Complex data not supported; X must hold real numbers\.$"
    ):
        LOFE(alpha=1.0).fit(X + 1j, y)


def test_parameters_set_after_fit_do_not_change_predictions():
    X, y = datasets.make_xor(random_state=0, return_X_y=True)
    lofe = LOFE(alpha=1.0).fit(X, y)
    before = lofe.decision_function(X)
    np.testing.assert_array_equal(lofe.set_params(sigma=50).decision_function(X), before)


def test_sigma_auto_is_the_width_of_lowest_leave_one_out_error():
    X, y = datasets.make_twonorm(60, n_irrelevant=60, random_state=0, return_X_y=True)
    auto = LOFE("auto", "evidence", tol=1e-3).fit(X, y)
    tried = [LOFE(s, "evidence", tol=1e-3).fit(X, y) for s in (0.5, 1.0, 2.0, 4.0, 8.0)]
    lowest = min(model.loo_error_ for model in tried)
    best = [model for model in tried if model.loo_error_ == lowest][-1]
    assert auto.sigma_ == best.sigma_
    assert auto.alpha_ == best.alpha_
    np.testing.assert_array_equal(auto.weights_, best.weights_)
    np.testing.assert_array_equal(auto.predict(X), best.predict(X))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": "best"}, "alpha must be a positive number, .auto. or .evidence."),
        ({"sigma": "best"}, "sigma must be a positive number or 'auto'; got 'best'"),
        ({"alpha": "evidence", "solver": "paper"}, "numbers"),
        ({"n_init": -1}, "n_init"),
        ({"alpha": "bound"}, "alpha must be a positive number, 'auto'"),
        ({"sigma": "auto", "solver": "paper"}, "numbers"),
    ],
)
def test_strings_that_mean_nothing(settings, message):
    X, y = datasets.make_twonorm(20, random_state=0, return_X_y=True)
    with pytest.raises(ValueError, match=message):
        LOFE(**settings).fit(X, y)


def test_by_default_noise_decides_the_penalty_and_margins_the_order():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(600, 300)), np.arange(600) % 2
    X[:, :2] += np.outer(y, [2, 1])
    lofe, former = LOFE().fit(X, y), LOFE(alpha=1.0, order="weight").fit(X, y)
    stated = LOFE(2.0, "auto", order="both").fit(X, y)
    assert lofe.get_support(indices=True).tolist() == [0, 1]
    assert len(former.get_support(indices=True)) > 2  # irrelevant ones too
    assert lofe.alpha_ == stated.alpha_ > former.alpha_ == 1.0
    np.testing.assert_array_equal(lofe.weights_, stated.weights_)
    others = lofe.ranking_[2:]
    np.testing.assert_array_equal(lofe.ranking_[:2], [0, 1])
    np.testing.assert_array_equal(others, 2 + np.argsort(-lofe.mean_margins_[2:]))


@pytest.mark.filterwarnings("ignore:LOFE did not converge")
def test_the_algorithm_of_the_paper_has_its_penalty_without_other_arguments():
    X, y = datasets.make_xor(60, n_irrelevant=3, random_state=0, return_X_y=True)
    plain, stated = (LOFE(4.0, a, solver="paper", tol=0.01).fit(X, y) for a in ("auto", 1.0))
    assert plain.alpha_ == stated.alpha_ == 1.0
    np.testing.assert_array_equal(plain.weights_, stated.weights_)
    np.testing.assert_array_equal(plain.ranking_, stated.ranking_)
    with pytest.warns(UserWarning, match="alpha=1 is too strong"):
        LOFE(solver="paper").fit(np.zeros((4, 2)), [0, 0, 1, 1])


def test_weights_without_a_gap_have_converged_where_the_iteration_never_rests():
    """Two features that do as well: the next weights are others, and as good as these."""
    X, y = [[1, 4], [4, 6], [1, 6], [4, 4]] * 3, list("xxyy") * 3
    found = LOFE(alpha=0.1).fit(X, y)
    assert found.optimality_gap_ < 1e-12
    assert found.converged_


def test_of_widths_whose_errors_are_equal_but_for_rounding_the_widest_is_taken(monkeypatch):
    X, y = datasets.make_xor(40, random_state=0, return_X_y=True)
    for errors in ([0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]):
        left = iter([*errors, 0.4, 0.4, 0.4, 0.0])  # the last is that of the fit
        monkeypatch.setattr(LocalClasses, "left_out", lambda *fit, left=left: next(left))
        assert LOFE("auto", alpha=0.01).fit(X, y).sigma_ == local_learning.AUTO_SIGMAS[0]


WEIGHTS = np.array([0.0, 5.0, 0.0, 1.0])
SCORES = np.array([0.9, 1.0, 0.2, 1.0])
MARGINS = np.array([0.7, 0.3, 0.6, 0.1])


def test_three_orders_of_four_features_by_hand():
    assert by_weight(WEIGHTS, SCORES, MARGINS).tolist() == [1, 3, 0, 2]
    assert by_margin(WEIGHTS, SCORES, MARGINS).tolist() == [0, 2, 1, 3]
    assert by_both(WEIGHTS, SCORES, MARGINS).tolist() == [1, 3, 0, 2]
    # With weights 1, 0, 5, 0 the parts of the mean margin are 0.7 and 3.
    assert by_both(WEIGHTS[::-1], SCORES, MARGINS).tolist() == [2, 0, 1, 3]


def test_mean_margins_of_four_points_by_hand():
    # Sample 0 at 0: hit 1 at 1, misses 8 and 9; the same for the others. All weights are zero, so
    # every sample is as near: mean margins (8.5 - 1), (7.5 - 1), (7.5 - 1), (8.5 - 1) over 9.
    X = np.array([[0.0, 0.0], [1.0, 4.0], [8.0, 1.0], [9.0, 3.0]])
    with pytest.warns(UserWarning, match="All weights are zero"):
        model = LOFE(alpha=100.0, order="margin").fit(X, [0, 0, 1, 1])
    np.testing.assert_allclose(model.mean_margins_[0], 7.0 / 9)
    np.testing.assert_allclose(model.scores_ * 100, 4 * 0.5 * model.mean_margins_)


@pytest.mark.parametrize("n_irrelevant", [10, 4000])  # few features, and more than one wide set
def test_mean_margins_are_those_of_the_neighbors_found(n_irrelevant):
    X, y = datasets.make_xor(200, n_irrelevant=n_irrelevant, random_state=1, return_X_y=True)
    model = LOFE(order="margin").fit(X, y)
    Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    D = np.abs(Z[:, None, :2] - Z[None, :, :2]) @ model.weights_[:2]
    K = np.exp(-D / 2) * (1 - np.eye(len(y)))
    miss, hit = K * (y[:, None] != y), K * (y[:, None] == y)
    Q = miss / miss.sum(axis=1, keepdims=True) - hit / hit.sum(axis=1, keepdims=True)
    expected = [np.mean((Q * np.abs(z[:, None] - z)).sum(axis=1)) for z in Z[:, :9].T]
    assert np.flatnonzero(model.weights_).tolist() == [0, 1]
    np.testing.assert_allclose(model.mean_margins_[:9], expected, rtol=1e-3, atol=1e-7)


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_changes_the_ranking_and_what_follows_it_but_no_weight(order):
    X, y = datasets.make_twonorm(80, n_irrelevant=60, random_state=0, return_X_y=True)
    plain, model = LOFE().fit(X, y), LOFE(order=order, max_features=15).fit(X, y)
    np.testing.assert_array_equal(model.weights_, plain.weights_)
    margins = getattr(model, "mean_margins_", model.weights_)  # by weight they are not needed
    expected = ORDERS[order](model.weights_, model.scores_, margins)
    np.testing.assert_array_equal(model.ranking_, expected)
    assert set(model.get_support(indices=True)) == set(expected[:15])


def test_margins_find_more_of_many_relevant_features():
    X, y = datasets.make_twonorm(120, n_irrelevant=500, random_state=0, return_X_y=True)
    found = {order: (LOFE(order=order).fit(X, y).ranking_[:20] < 20).mean() for order in ORDERS}
    assert found["margin"] > found["weight"]


def test_the_cross_validated_fit_has_an_order_too():
    X, y = datasets.make_twonorm(60, n_irrelevant=20, random_state=0, return_X_y=True)
    model = LOFECV(2.0, 3, cv=2, n_jobs=1, order="margin").fit(X, y)
    np.testing.assert_array_equal(model.ranking_, np.argsort(-model.mean_margins_))


def test_margins_are_not_taken_along_a_path_that_ranks_nothing(monkeypatch):
    X, y = datasets.make_xor(60, n_irrelevant=8, random_state=1, return_X_y=True)
    taken = []
    find = local_learning.weighted_margins

    def counted(*given):
        taken.append(given)
        return find(*given)

    monkeypatch.setattr(local_learning, "weighted_margins", counted)
    path = LOFE().path(X, y, 3)
    assert not taken
    LOFECV(2.0, path.alphas, cv=2, n_jobs=1).fit(X, y)
    assert len(taken) == 1  # of the last fit, to all samples
    with pytest.raises(ValueError, match="order must be"):
        LOFE(order="size").path(X, y, 3)


def test_an_unknown_order_is_named():
    with pytest.raises(ValueError, match="order must be"):
        LOFE(order="size").fit(np.eye(4), [0, 0, 1, 1])


def test_margins_are_taken_only_where_the_order_needs_them():
    X, y = datasets.make_xor(60, n_irrelevant=8, random_state=1, return_X_y=True)
    model = LOFE(order="weight").fit(X, y)
    assert not hasattr(model, "mean_margins_")
    with pytest.raises(AttributeError, match="order='both' was set after the fit; fit again"):
        model.set_params(order="both").ranking_  # noqa: B018


def passes_over_all(monkeypatch, n_features):
    """Numbers of weights that were summed in each pass over all features."""
    passes, sums = [], InMemory.sums

    def counted(features, weights, index=None):
        weights = list(weights)
        if index is None and features.n_features == n_features:
            passes.append(len(weights))
        return sums(features, weights, index)

    monkeypatch.setattr(InMemory, "sums", counted)
    return passes


@pytest.mark.parametrize("alpha", ["auto", 1.0])
def test_margins_come_with_the_last_look_at_all_features(monkeypatch, alpha):
    X, y = datasets.make_spiral(n_irrelevant=2000, random_state=0, return_X_y=True)
    passes = passes_over_all(monkeypatch, X.shape[1])
    model = LOFE(alpha=alpha).fit(X, y)
    assert [n for n in passes if n < 4][-1] == 2  # and none follows but four exchanges of noise
    reopened = model.reopened(X, y)
    Q = reopened[1].neighbors(reopened[0], model.weights_)
    (expected,) = weighted_margins(reopened[0], Q, reopened[1].share)
    np.testing.assert_allclose(model.mean_margins_, expected, rtol=1e-6, atol=1e-9)


def test_many_fits_for_one_take_no_margins_on_the_way(monkeypatch):
    X, y = datasets.make_xor(60, n_irrelevant=40, random_state=1, return_X_y=True)
    monkeypatch.setattr(active_set, "EVERYTHING", 0)
    passes = passes_over_all(monkeypatch, X.shape[1])
    LOFE(alpha="evidence").fit(X, y)
    assert len(passes) > 5
    assert max(passes[1:]) == 1  # the first is of two starts


@pytest.mark.parametrize("order", ORDERS.values())
def test_a_last_bit_decides_no_order(order):
    rng = np.random.default_rng(0)
    w, scores, margins = rng.random((3, 40)).repeat(2, axis=1)  # every feature twice
    expected = order(w, scores, margins)
    for toward in (0.0, 2.0):
        near = [np.where(rng.random(80) < 0.5, np.nextafter(v, toward), v) for v in (w, scores)]
        found = order(*near, np.nextafter(margins, toward))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("estimator", [LOFE, LOFERegressor])
def test_the_evidence_is_deprecated_and_the_bound_is_gone(estimator):
    X, y = datasets.make_twonorm(40, n_irrelevant=5, random_state=0, return_X_y=True)
    with pytest.warns(FutureWarning, match=f"{estimator.__name__} is deprecated.*alpha='auto'"):
        estimator(alpha="evidence").fit(X, y)
    with pytest.raises(ValueError, match="alpha must be"):
        estimator(alpha="bound").fit(X, y)


def test_restarts_find_a_lower_fixed_point_of_a_narrow_kernel():
    X, y, _, sigma, alpha = problem(seed=0, k=16)
    plain, more = LOFE(sigma, alpha).fit(X, y), LOFE(sigma, alpha, n_init=8).fit(X, y)
    assert more.objective_ < 0.95 * plain.objective_
    assert more.init_ == "restart"
    assert more.optimality_gap_ < 1e-3
    again = LOFE(sigma, alpha, n_init=8, n_jobs=1).fit(X, y)
    assert np.array_equal(again.weights_, more.weights_)
