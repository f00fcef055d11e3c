import numpy as np
import pytest

from hitmiss import LOFE, Markers, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.prediction import left_out_wrong
from hitmiss.lofe import coarse_to_fine, tuning
from hitmiss.lofe.coarse_to_fine import of_samples_alone, one_of_several
from hitmiss.lofe.multistart import STARTS, FixedPoints
from hitmiss.lofe.problem import Problem, weighted_margins
from hitmiss.lofe.tuning import (
    ByNoise,
    Noise,
    best_width,
    exchanges_of,
    held_back,
    held_back_folds,
    largest_of,
    noise_level,
    share_of_samples,
)
from hitmiss.targets.classes import Classes
from hitmiss.targets.comparable import Comparable, Compared

SIGMAS = (0.5,)


def fixed_points(X, y):
    features = InMemory(X / np.ptp(X, axis=0), Workers(1))
    settings = {"more_starts": STARTS, "tol": 1e-3, "max_iter": 100, "record": lambda **_: None}
    return FixedPoints(
        features, Problem(Classes(np.asarray(y, int)), 1.0, 1.0), [0.1, 1.0], **settings
    )


def wrong(points, sigma, w):
    return left_out_wrong(points.features, points.problem.replaced(sigma=sigma), w)


# ---------------------------------------------------------------- the noise, and the penalty


def two_relevant(n_samples, n_features, seed):
    """Two relevant features, shifted by 2 and by 1, the others normal."""
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features)).astype(np.float32)
    y = np.arange(n_samples) % 2
    X[:, :2] += np.outer(y, [2, 1])
    return X, y


def noise_at(features, problem, w):
    """The noise with the exchanges that belong to the features."""
    return noise_level(features, problem, w, exchanges_of(features, problem.target))


def test_the_noise_at_zero_is_that_of_permuted_labels():
    X, y = two_relevant(40, 30, 0)
    features = InMemory(X.astype(float), Workers(1))
    found = noise_at(features, Problem(Classes(y), 2.0, 1.0), np.zeros(30))
    expected = []
    for order in exchanges_of(features, Classes(y)).orders:
        hit = y[order][:, None] == y[order]
        Q = np.where(hit, -1 / 19, 1 / 20)
        differences = np.abs(X[:, None] - X[None]).astype(float)
        expected.append(0.5 * np.einsum("ni,nij->j", Q, differences))
    assert found == pytest.approx(largest_of(30, np.array(expected)), rel=1e-5)
    assert found[0] == pytest.approx(np.max(expected, axis=1).mean(), rel=0.1)


def test_samples_that_differ_in_nothing_are_told_apart_by_their_class():
    rng = np.random.default_rng(0)
    X, y = rng.integers(2, size=(80, 2)).astype(float), np.arange(80) % 2
    X[:, 0] = np.where(rng.random(80) < 0.2, X[:, 0], y)
    rows = rng.permutation(80)
    plain, moved = LOFE().fit(X, y), LOFE().fit(X[rows], y[rows])
    assert moved.alpha_ == pytest.approx(plain.alpha_)


@pytest.mark.parametrize("n_features", [1, 2])
def test_of_very_few_features_noise_has_their_units(n_features):
    rng, y = np.random.default_rng(0), np.arange(60) % 2
    X = rng.normal(size=(60, n_features))
    X[:, 0] += 3 * y
    alpha = {unit: LOFE(scale=None).fit(unit * X, y).alpha_ for unit in (1.0, 1e-4)}
    assert 0 < alpha[1e-4] == pytest.approx(1e-4 * alpha[1.0], rel=0.3)


def test_what_the_largest_of_many_seldom_exceeds():
    rng = np.random.default_rng(0)
    largest = rng.exponential(size=(2000, 500)).max(axis=1)  # of 500 each, about log 500 + 0.577
    expected = Noise(np.log(500) + np.euler_gamma, 1.0)
    assert expected.largest == pytest.approx(largest.mean(), rel=0.02)
    assert (largest > expected.seldom).mean() == pytest.approx(tuning.STEP_RATE, abs=0.02)


def test_the_order_of_the_samples_does_not_matter():
    X, y = two_relevant(60, 500, 0)
    plain, order = LOFE(tol=1e-3).fit(X, y), np.random.default_rng(1).permutation(60)
    moved = LOFE(tol=1e-3).fit(X[order], y[order])
    assert moved.alpha_ == pytest.approx(plain.alpha_, rel=1e-5)
    np.testing.assert_allclose(moved.weights_, plain.weights_, rtol=1e-3)


@pytest.mark.parametrize(("shape", "n"), [((10, 10), 32), ((100, 1000), 26), ((400, 5000), 4)])
def test_there_are_more_exchanges_where_they_take_no_time(shape, n):
    target = Classes(np.arange(shape[0]) % 2)
    assert len(exchanges_of(InMemory(np.zeros(shape), Workers(1)), target).orders) == n


@pytest.mark.parametrize("words", [False, True])
def test_exchanges_are_of_samples_and_not_of_places(words):
    rng = np.random.default_rng(0)
    X = rng.integers(3, size=(30, 40)) if words else rng.normal(size=(30, 40))
    rows, columns, y = rng.permutation(30), rng.permutation(40), np.arange(30) % 2
    orders, moved = (
        exchanges_of(InMemory(table.astype(float), Workers(1)), Classes(labels)).orders
        for table, labels in ((X, y), (X[np.ix_(rows, columns)], y[rows]))
    )
    for order, other in zip(orders, moved, strict=True):
        assert sorted(order) == list(range(30))
        # Whom a sample changes places with is the same.
        np.testing.assert_array_equal(rows[other], order[rows])


def test_of_many_features_every_exchange_is_of_some():
    X, y = two_relevant(40, 4 * tuning.ALL_FEATURES, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    found = noise_at(features, problem, np.zeros(features.n_features))
    rng = np.random.default_rng(1)
    each = [largest_gradient(X, y[rng.permutation(40)]) for _ in range(10)]
    assert found[0] == pytest.approx(np.mean(each), rel=0.2)


def largest_gradient(X, y):
    """Of features at w = 0, divided by nothing."""
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    w = np.zeros(features.n_features)
    return weighted_margins(features, problem.neighbors(features, w), problem.first_pull).max()


@pytest.mark.parametrize("n_samples", [100, 300])
def test_hardly_an_irrelevant_feature_has_a_weight(n_samples):
    n_irrelevant = 0
    for seed in range(3):
        model = LOFE(alpha="auto", tol=1e-3).fit(*two_relevant(n_samples, 800, seed))
        assert model.weights_[0] > 0
        n_irrelevant += np.count_nonzero(model.weights_[2:])
    assert n_irrelevant <= 3


@pytest.mark.parametrize(
    ("make", "n_relevant"), [(datasets.make_xor, 2), (datasets.make_parity, 3)]
)
def test_interactions_are_found_and_nothing_else(make, n_relevant):
    X, y = make(200, n_irrelevant=40, random_state=0, return_X_y=True)
    model = LOFE(alpha="auto").fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == list(range(n_relevant))
    assert model.converged_


def test_what_explains_most_samples_lets_others_in():
    rng, y = np.random.default_rng(0), np.arange(80) % 4
    X = rng.normal(size=(80, 1000))
    for k in range(4):
        X[y == k, 5 * k : 5 * k + 5] += 2  # five features mark each class
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    features = InMemory(X / np.ptp(X, axis=0), Workers(1))
    least = noise_at(features, Problem(Classes(y), 2.0, 1.0), np.zeros(1000))[0]
    above = LOFE(alpha=least, tol=1e-3).fit(X, y)
    assert model.alpha_ < 0.9 * least
    assert np.count_nonzero(model.weights_) > np.count_nonzero(above.weights_)
    assert not model.weights_[20:].any()


@pytest.mark.parametrize("seed", [8, 22])
def test_a_feature_hardly_above_the_noise_does_not_come_in(seed):
    X, y = datasets.make_xor(n_irrelevant=100, random_state=seed, return_X_y=True)
    X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    assert np.flatnonzero(LOFE().fit(X, y).weights_).tolist() == [0, 1]


def test_the_penalty_stays_where_a_weaker_one_lets_nothing_in():
    X, y = datasets.make_xor(200, n_irrelevant=20, random_state=0, return_X_y=True)
    features = InMemory(X / np.ptp(X, axis=0), Workers(1))
    least = noise_at(features, Problem(Classes(y), 2.0, 1.0), np.zeros(22))[0]
    assert LOFE(alpha="auto").fit(X, y).alpha_ == pytest.approx(least, rel=1e-3)


def test_noise_alone_gives_no_weights_and_a_warning_that_says_so():
    X, y = np.random.default_rng(0).normal(size=(200, 1000)), np.arange(200) % 2
    with pytest.warns(UserWarning, match="no feature does better than noise can"):
        model = LOFE(alpha="auto").fit(X, y)
    assert not model.weights_.any()


def test_the_strength_does_not_depend_on_how_pairs_are_looked_at():
    X, y = two_relevant(120, 50, 0)
    plain, tiled = (LOFE(alpha="auto", max_references=k).fit(X, y) for k in (None, 100))
    assert tiled.alpha_ == pytest.approx(plain.alpha_, rel=0.02)


def test_the_largest_of_some_lead_to_the_largest_of_all(monkeypatch):
    monkeypatch.setattr(tuning, "FEWEST_TAIL", 2)
    values = np.array([[0.0, 3.0, 1.0, 6.0]])  # two of four are 2 and 5 above the third
    expected = 1.0 + 3.5 * (np.log(2 * 8 / 4) + np.euler_gamma)
    assert largest_of(8, values) == pytest.approx((expected, 3.5))


@pytest.mark.parametrize("skewed", [False, True])
def test_what_the_largest_of_some_lead_to_is_seldom_far_off(skewed):
    rng = np.random.default_rng(0)
    draws = rng.chisquare(3, (20, 50_000)) if skewed else rng.normal(size=(20, 50_000))
    found = [largest_of(50_000, draw[:4000])[0] for draw in draws]
    np.testing.assert_allclose(found, draws.max(axis=1).mean(), rtol=0.4)
    assert np.mean(found) == pytest.approx(draws.max(axis=1).mean(), rel=0.15)


def test_the_noise_of_many_samples_is_that_of_all_features_about(monkeypatch):
    monkeypatch.setattr(tuning, "MANY_ROWS", 400)
    X, y = two_relevant(400, 800, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    w = np.zeros(800)
    w[:2] = 3.0
    whole = noise_at(features, problem, w)
    monkeypatch.setattr(tuning, "WORK", 400**2 * 50)
    assert noise_at(features, problem, w)[0] == pytest.approx(whole[0], rel=0.25)


def test_the_noise_of_many_samples_is_found_without_a_matrix_in_double_precision(monkeypatch):
    X, y = two_relevant(400, 300, 0)
    features, problem = InMemory(X, Workers(1)), Problem(Classes(y), 2.0, 1.0)
    w = np.r_[3.0, 2.0, np.zeros(298)]
    monkeypatch.setattr(tuning, "WORK", 400**2 * 50)
    monkeypatch.setattr(tuning, "MANY_ROWS", 400)
    with monkeypatch.context() as exactly:
        exactly.setattr(coarse_to_fine, "can_approximate", lambda *_: False)
        exact = noise_at(features, problem, w)
    monkeypatch.setattr(Problem, "neighbors", None)
    np.testing.assert_allclose(noise_at(features, problem, w), exact, rtol=1e-4)


def test_the_noise_of_many_samples_with_gaps(monkeypatch):
    X, y = two_relevant(300, 100, 0)
    monkeypatch.setattr(tuning, "MANY_ROWS", 300)
    monkeypatch.setattr(tuning, "WORK", 300**2 * 50)
    whole = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    X[:, 2:][np.random.default_rng(1).random((len(X), 98)) < 0.1] = np.nan
    holed = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(holed.weights_).tolist() == [0, 1]
    assert holed.alpha_ == pytest.approx(whole.alpha_, rel=0.25)


def test_a_small_class_is_found_beside_a_large_one(monkeypatch):
    monkeypatch.setattr(tuning, "MANY_ROWS", 500)
    monkeypatch.setattr(tuning, "MANY_SAMPLES", 200)  # 800 are to it as 1,600 to 400
    rng, y = np.random.default_rng(0), np.arange(800) % 25 == 0
    X = rng.normal(size=(800, 60))
    X[y, :3] += 1.2
    model = LOFE(alpha="auto", tol=1e-3).fit(X, y)
    assert np.flatnonzero(model.weights_).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("n_of_class", "times"), [(400, 2**0.75), (20, 1.0)])
def test_many_samples_begin_above_the_noise_unless_a_class_is_small(n_of_class, times):
    X, y = np.random.default_rng(0).random((800, 6)), (np.arange(800) < n_of_class).astype(int)
    points = fixed_points(X, y)
    least = noise_at(points.features, points.problem, np.zeros(6))[0]
    assert ByNoise(points).first_alpha() == pytest.approx(times * least)


def test_where_a_search_begins_with_some_samples_the_penalty_is_that_of_all():
    rng, y = np.random.default_rng(0), np.arange(1200) % 4
    X = rng.normal(size=(1200, 80)).astype(np.float32)
    for k in range(4):
        X[y == k, 3 * k : 3 * k + 3] += 2
    found = Markers(LOFE(alpha="auto")).fit(X, y)
    assert found.optimality_gap_ < 1e-3
    for k, weights in enumerate(found.class_weights_):
        assert set(range(3 * k, 3 * k + 3)) <= set(np.flatnonzero(weights)) <= set(range(12))


def test_from_some_samples_it_ends_above_the_noise_of_its_own_fit():
    rng, y = np.random.default_rng(0), np.arange(1200) % 4
    X = rng.normal(size=(1200, 80)).astype(np.float32)
    X[y == 0, :6] += 1
    features, target = InMemory(X / np.ptp(X, axis=0), Workers(1)), Classes((y == 0).astype(int))
    how = {"more_starts": STARTS, "tol": 1e-5, "max_iter": 100, "record": lambda **row: None}
    problem = Problem(target, 2.0, 1.0)
    points = one_of_several(features, problem, None, [1.0], **how)
    found = ByNoise(points).solve(2.0)
    assert found.converged
    assert found.gap < 1e-3
    noise = noise_level(features, problem, found.w, points.exchanges)[0]
    assert found.alpha >= tuning.MARGIN / (1 + tuning.CLOSE) * noise * 0.999
    assert set(range(6)) <= set(np.flatnonzero(found.w))


def test_every_class_has_the_exchanges_of_the_first(monkeypatch):
    X, y = datasets.make_clusters(60, n_irrelevant=10, random_state=0, return_X_y=True)
    made = []
    monkeypatch.setattr(
        tuning, "exchanges_of", lambda *given: made.append(1) or exchanges_of(*given)
    )
    Markers(LOFE(alpha="auto", tol=1e-3)).fit(X, y)
    assert len(np.unique(y)) > 2
    assert len(made) == 1


# ---------------------------------------------------------------- the width


def test_every_class_has_its_share_in_each_fold():
    y = np.repeat([0, 1, 2], [9, 6, 2])
    folds = held_back_folds(Classes(y))
    assert np.bincount(folds[:9]).tolist() == [3, 3, 3]
    assert np.bincount(folds[9:15]).tolist() == [2, 2, 2]
    assert folds[15:].tolist() == [-1, -1]  # one of two could not be held back


def test_groups_are_held_back_as_a_whole():
    groups = np.arange(24) // 4
    target = Compared(Classes(np.arange(24) % 2), Comparable(groups=groups))
    folds = held_back_folds(target).reshape(6, 4)
    assert (folds == folds[:, :1]).all()
    assert np.bincount(folds[:, 0]).tolist() == [2, 2, 2]


def test_the_answers_are_those_of_weights_found_without_the_sample():
    X, y = datasets.make_twonorm(60, n_irrelevant=30, random_state=0, return_X_y=True)
    points = fixed_points(X, y)
    found, expected = held_back(points, (2.0, 4.0, 0.5), wrong), np.zeros((3, 60))
    for draw in range(tuning.WIDTH_DRAWS):
        folds = held_back_folds(Classes(y), draw)
        for fold in range(tuning.WIDTH_FOLDS):
            rest = of_samples_alone(points, np.flatnonzero(folds != fold), tuning.WIDTH_ITERATIONS)
            by_noise = ByNoise(rest)
            first = rest.solve(2.0, by_noise.first_alpha())
            for k, sigma in enumerate((2.0, 4.0, 0.5)):
                start = rest.follow(sigma, first.alpha, first) if k else first
                answers = wrong(points, sigma, by_noise.stepped(sigma, start).w)
                expected[k, folds == fold] += answers[folds == fold] / tuning.WIDTH_DRAWS
    np.testing.assert_array_equal(found, expected)


def test_the_penalty_is_that_of_the_noise_at_every_width():
    X, y = datasets.make_ringnorm(200, n_irrelevant=100, random_state=0, return_X_y=True)
    points, fits = fixed_points(X, y), []

    def answers(points, sigma, w):
        fits.append((sigma, w.copy()))
        return np.zeros(len(y))

    held_back(points, (2.0, 0.5), answers)
    rows = np.flatnonzero(held_back_folds(Classes(y)))
    rest = of_samples_alone(points, rows, tuning.WIDTH_ITERATIONS)
    alpha = ByNoise(rest).first_alpha()
    first = rest.follow(0.5, alpha, rest.solve(2.0, alpha))
    w = fits[1][1]
    assert fits[1][0] == 0.5
    assert np.count_nonzero(w) < np.count_nonzero(first.w)  # noise reaches more at narrow widths


def test_draws_deal_the_samples_out_in_other_ways():
    target = Classes(np.arange(30) % 2)
    one, other = (held_back_folds(target, draw) for draw in (0, 1))
    assert (one != other).any()
    assert np.bincount(one).tolist() == np.bincount(other).tolist() == [10, 10, 10]


def test_every_class_counts_the_same_and_those_never_held_back_nothing():
    share = share_of_samples(Classes(np.repeat([0, 1, 2], [12, 3, 2])))
    assert share[:12] == pytest.approx(1 / 24)
    assert share[12:15] == pytest.approx(1 / 6)
    assert not share[15:].any()


def test_noise_is_not_predicted_at_any_width_and_the_usual_one_stays():
    X, y = np.random.default_rng(0).normal(size=(60, 200)), np.arange(60) % 2
    errors = held_back(fixed_points(X, y), (2.0, 0.5), wrong).mean(axis=1)
    assert (errors > 0.3).all()
    assert best_width(fixed_points(X, y), SIGMAS, 2.0, wrong) == 2.0


def chosen_by(found, sigmas=SIGMAS, y=None):
    """The width where these samples are wrong, whatever the weights."""
    y = np.arange(150) % 2 if y is None else y
    X = np.random.default_rng(0).normal(size=(len(y), 5)) + 2 * y[:, None]
    return best_width(fixed_points(X, y), sigmas, 2.0, lambda points, sigma, w: found[sigma])


def one_in(n, first=0):
    return np.arange(150) % n == first


def test_a_width_that_is_clearly_better_is_taken():
    assert chosen_by({2.0: one_in(3), 0.5: one_in(30)}) == 0.5
    assert chosen_by({2.0: one_in(3), 0.5: one_in(3, 1)}) == 2.0  # as many others
    few = np.arange(150) < 2  # right at the other width: by 1.4 standard errors
    assert chosen_by({2.0: one_in(3) | few, 0.5: one_in(3) & ~few}) == 2.0


def test_of_two_better_widths_the_better_one_is_taken():
    errors = {4.0: one_in(30), 2.0: one_in(3), 1.0: one_in(15)}
    assert chosen_by(errors, (4.0, 1.0)) == chosen_by(errors, (1.0, 4.0)) == 4.0


def test_errors_of_a_small_class_count_as_much_as_those_of_a_large_one():
    y = np.repeat([0, 1], [120, 30])
    large, small = np.arange(150) < 20, np.arange(150) >= 130
    assert chosen_by({2.0: small, 0.5: large}, y=y) == 0.5
    assert chosen_by({2.0: large, 0.5: small}, y=y) == 2.0


def test_where_the_data_cannot_tell_the_tuned_fit_is_that_of_the_default():
    X, y = datasets.make_waveform(90, n_irrelevant=60, random_state=0, return_X_y=True)
    tuned, plain = LOFE("auto", "auto").fit(X, y), LOFE().fit(X, y)
    assert (tuned.sigma_, tuned.alpha_) == (plain.sigma_, plain.alpha_)
    np.testing.assert_array_equal(tuned.weights_, plain.weights_)
    np.testing.assert_array_equal(tuned.ranking_, plain.ranking_)


@pytest.mark.full
def test_a_narrower_width_is_taken_where_it_predicts_better():
    X, y = datasets.make_ringnorm(300, n_irrelevant=50, random_state=0, return_X_y=True)
    test = datasets.make_ringnorm(1000, n_irrelevant=50, random_state=1, return_X_y=True)
    tuned, plain = LOFE("auto", "auto").fit(X, y), LOFE().fit(X, y)
    assert tuned.sigma_ == 1.0
    assert tuned.score(*test) > plain.score(*test) + 0.02


@pytest.mark.parametrize("max_references", [None, 60])
def test_the_tuned_width_finds_an_interaction(max_references):
    X, y = datasets.make_xor(120, n_irrelevant=20, random_state=0, return_X_y=True)
    model = LOFE("auto", "auto", max_references=max_references).fit(X, y)
    assert model.get_support(indices=True).tolist() == [0, 1]
    assert model.converged_


def test_samples_count_by_their_weight_and_of_none_the_usual_width_stays():
    X, y = datasets.make_xor(150, n_irrelevant=3, random_state=0, return_X_y=True)
    found = {2.0: np.arange(150) % 3 == 0, 0.5: np.arange(150) % 30 == 0}
    fixed = fixed_points(X, y)
    right = Classes(y, sample_weight=np.minimum(np.arange(150) % 3, 1.0))  # of both widths
    for target, expected in ((Classes(y), 0.5), (right, 2.0)):
        fixed.problem = Problem(target, 1.0, 1.0)
        assert best_width(fixed, SIGMAS, 2.0, lambda points, sigma, w: found[sigma]) == expected
    few = fixed_points(X[:4], np.arange(4) % 2)
    assert best_width(few, SIGMAS, 2.0, wrong) == 2.0
