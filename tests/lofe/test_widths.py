import numpy as np
import pytest

from hitmiss import LOFE, datasets
from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.estimators.classifier import left_out_wrong
from hitmiss.lofe import heuristics
from hitmiss.lofe.noise import first_alpha
from hitmiss.lofe.path import FixedPoints
from hitmiss.lofe.problem import Problem
from hitmiss.lofe.widths import best_width, held_back, held_back_folds
from hitmiss.targets.classes import Classes
from hitmiss.targets.comparable import Comparable, Compared

SIGMAS = (2.0, 0.5)


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
    found, folds = held_back(points, SIGMAS, wrong), held_back_folds(Classes(y))
    rest = points.of_rows(np.flatnonzero(folds), heuristics.WIDTH_ITERATIONS)
    w = rest.solve(2.0, first_alpha(rest)).w
    np.testing.assert_array_equal(found[0, folds == 0], wrong(points, 2.0, w)[folds == 0])


def test_noise_is_not_predicted_at_any_width_and_the_usual_one_stays():
    X, y = np.random.default_rng(0).normal(size=(60, 200)), np.arange(60) % 2
    errors = held_back(fixed_points(X, y), SIGMAS, wrong).mean(axis=1)
    assert (errors > 0.3).all()
    assert best_width(fixed_points(X, y), SIGMAS, 2.0, wrong) == 2.0


def test_a_width_that_is_clearly_better_is_taken():
    X, y = datasets.make_xor(150, n_irrelevant=3, random_state=0, return_X_y=True)
    found = {2.0: np.arange(150) % 3 == 0, 0.5: np.arange(150) % 30 == 0}
    fixed = fixed_points(X, y)
    assert best_width(fixed, SIGMAS, 2.0, lambda points, sigma, w: found[sigma]) == 0.5
    found[0.5] = np.arange(150) % 3 == 1  # as many others
    assert best_width(fixed, SIGMAS, 2.0, lambda points, sigma, w: found[sigma]) == 2.0


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
