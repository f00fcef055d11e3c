import numpy as np
import pytest

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.prediction import left_out_wrong
from hitmiss.lofe import heuristics
from hitmiss.lofe.noise import first_alpha, stepped
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.widths import best_width, held_back, held_back_folds, share_of_samples
from hitmiss.targets.classes import Classes
from hitmiss.targets.comparable import Comparable, Compared

SIGMAS = (0.5,)


def fixed_points(X, y):
    features = InMemory(X / np.ptp(X, axis=0), Workers(1))
    settings = {"explore": True, "tol": 1e-3, "max_iter": 100, "record": lambda **_: None}
    return FixedPoints(features, Problem(Classes(y), 1.0, 1.0), [0.1, 1.0], **settings)


def wrong(points, sigma, w):
    return left_out_wrong(points.features, points.problem.replaced(sigma=sigma), w)


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
    for draw in range(heuristics.WIDTH_DRAWS):
        folds = held_back_folds(Classes(y), draw)
        for fold in range(heuristics.WIDTH_FOLDS):
            rest = points.of_rows(np.flatnonzero(folds != fold), heuristics.WIDTH_ITERATIONS)
            first = rest.solve(2.0, first_alpha(rest))
            for k, sigma in enumerate((2.0, 4.0, 0.5)):
                start = rest.follow(sigma, first.alpha, first) if k else first
                answers = wrong(points, sigma, stepped(rest, sigma, start).w)
                expected[k, folds == fold] += answers[folds == fold] / heuristics.WIDTH_DRAWS
    np.testing.assert_array_equal(found, expected)


def test_the_penalty_is_that_of_the_noise_at_every_width():
    X, y = datasets.make_ringnorm(200, n_irrelevant=100, random_state=0, return_X_y=True)
    points, fits = fixed_points(X, y), []

    def answers(points, sigma, w):
        fits.append((sigma, w.copy()))
        return np.zeros(len(y))

    held_back(points, (2.0, 0.5), answers)
    rest = points.of_rows(np.flatnonzero(held_back_folds(Classes(y))), heuristics.WIDTH_ITERATIONS)
    first = rest.follow(0.5, first_alpha(rest), rest.solve(2.0, first_alpha(rest)))
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


def test_samples_are_copied_only_where_there_is_room():
    X, y = datasets.make_xor(60, n_irrelevant=3, random_state=0, return_X_y=True)
    rooms = {np.inf: True, 1e3: False, 0.0: True}  # of a cluster it is 0
    for room, fits in rooms.items():
        points = fixed_points(X, y)
        points.features.room = room
        assert points.samples_fit == fits
