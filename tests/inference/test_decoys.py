import numpy as np
import pandas as pd
import pytest

from hitmiss import LOFE, ReliefF, datasets
from hitmiss.inference import decoy_test
from hitmiss.inference.decoys import _e_values, _p_values


def twonorm(n_irrelevant=60):
    return datasets.make_twonorm(150, n_irrelevant=n_irrelevant, random_state=0, return_X_y=True)


def test_p_values_by_hand():
    found = _p_values(np.array([3.0, 1.0, 0.0, -1.0]), np.array([0.0, 1.0, 2.0]))
    np.testing.assert_allclose(found, [1 / 4, 3 / 4, 1.0, 1.0])


def test_e_values_of_a_selection():
    found = _e_values(np.array([0.01, 0.04, 0.3, 1.0]), 0.05)
    np.testing.assert_allclose(found, [4 / (0.05 * 2)] * 2 + [0, 0])
    assert not _e_values(np.ones(3), 0.05).any()


def test_relevant_features_beat_the_decoys():
    X, y = twonorm()
    found = decoy_test(LOFE(), X, y, random_state=0)
    assert found.n_decoys == 800
    selected = np.flatnonzero(found.q_values <= 0.1)
    assert len(selected) >= 6
    assert (selected < 20).mean() >= 0.8


@pytest.mark.full
def test_repeats_agree_with_one_draw_and_do_not_depend_on_processes():
    X, y = twonorm()
    one, two = (
        decoy_test(ReliefF(), X, y, n_repeats=4, n_copies=10, random_state=0, n_jobs=n)
        for n in (1, 2)
    )
    np.testing.assert_array_equal(one.q_values, two.q_values)
    assert (one.q_values[:20] <= 0.1).sum() >= 15
    assert (one.q_values[20:] <= 0.1).sum() <= 3


def test_noise_gives_nothing():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 60)), np.arange(80) % 2
    found = decoy_test(ReliefF(), X, y, random_state=0)
    assert (found.q_values > 0.1).all()


def test_a_count_must_be_a_count():
    X, y = twonorm(2)
    with pytest.raises(ValueError, match="n_copies must be a whole number of at least 1; got 0"):
        decoy_test(ReliefF(), X, y, n_copies=0)


def test_the_name_of_a_column_stands_for_the_labels():
    X, y = datasets.make_twonorm(40, n_irrelevant=2, random_state=0, return_X_y=True)
    frame = pd.DataFrame(X).rename(columns=str).assign(kind=y)
    found, expected = (
        decoy_test(ReliefF(), *data, random_state=0) for data in ((frame, "kind"), (X, y))
    )
    np.testing.assert_array_equal(found.statistic, expected.statistic)


@pytest.mark.parametrize("toward", [0.0, 9.0])
def test_a_decoy_reaches_a_feature_up_to_rounding(toward):
    decoys = np.array([0.3, 0.1, 0.0])
    assert _p_values(np.nextafter([0.3, 0.2], toward), decoys).tolist() == [0.5, 0.5]
