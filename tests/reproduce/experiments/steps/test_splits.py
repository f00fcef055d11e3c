import numpy as np
import pytest

from hitmiss import datasets
from reproduce.experiments.steps import splits
from reproduce.experiments.steps.splits import Split


@pytest.fixture
def folder(tmp_path, monkeypatch):
    X, y = datasets.make_twonorm(60, random_state=0, return_X_y=True)
    np.savez(tmp_path / "norm.npz", X=X, y=y)
    monkeypatch.setenv("HITMISS_DATA", str(tmp_path))
    splits.dataset.cache_clear()
    yield
    splits.dataset.cache_clear()


@pytest.mark.usefixtures("folder")
def test_a_partition_is_random_and_repeats():
    first, again, other = (splits.random_split("norm", run, (30, 20), 5) for run in (0, 0, 1))
    assert first.X_train.shape == (30, 25)
    assert first.X_test.shape == (20, 25)
    assert first.n_original == 20
    np.testing.assert_array_equal(first.X_train, again.X_train)
    assert not np.array_equal(first.X_train, other.X_train)
    rows = {tuple(row) for row in first.X_train[:, :20]} & {tuple(r) for r in first.X_test[:, :20]}
    assert not rows


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("scale", [splits.standardized, splits.ranged])
def test_scaling_sees_training_data_only(scale):
    split = splits.random_split("norm", 0, (30, 20), 0)
    far = split._replace(X_test=split.X_test + 1000)
    np.testing.assert_array_equal(scale(split).X_train, scale(far).X_train)
    shift = scale(far).X_test - scale(split).X_test
    np.testing.assert_allclose(shift, np.broadcast_to(shift[0], shift.shape), rtol=1e-3)


def test_constant_features_are_no_trouble():
    X = np.array([[1.0, 5.0], [3.0, 5.0]])
    split = Split(X, np.array([0, 1]), X + 1, np.array([0, 1]), 2)
    assert splits.ranged(split).X_train.tolist() == [[0, 0], [1, 0]]
    assert splits.ranged(split).X_test.tolist() == [[0.5, 1], [1.5, 1]]
    assert splits.standardized(split).X_train.tolist() == [[-1, 0], [1, 0]]
