import numpy as np
import pytest

from hitmiss import datasets
from reproduce.experiments.steps.leave_one_out import fold
from reproduce.experiments.steps.splits import dataset


@pytest.fixture
def folder(tmp_path, monkeypatch):
    X, y = datasets.make_twonorm(60, random_state=0, return_X_y=True)
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    X[:, 3] = np.nan
    np.savez(tmp_path / "holes.npz", X=X, y=y)
    monkeypatch.setenv("HITMISS_DATA", str(tmp_path))
    dataset.cache_clear()
    yield
    dataset.cache_clear()


@pytest.mark.usefixtures("folder")
def test_missing_values_are_filled_from_the_training_part():
    split = fold("holes", 7, None)
    assert split.X_train.shape == (59, 20)
    assert np.isfinite(split.X_train).all()
    assert np.isfinite(split.X_test).all()
    assert (split.X_train[:, 3] == 0).all()
    assert split.X_train.min() == 0
    assert split.X_train.max() == 1
