import numpy as np

from hitmiss import ReliefF
from tests.data.random_data import random_data


def test_a_changed_copy_on_write_map_keeps_its_changes(tmp_path):
    X, y = random_data(8, 3000)
    np.save(tmp_path / "X.npy", np.zeros_like(X))
    mapped = np.load(tmp_path / "X.npy", mmap_mode="c")
    mapped[:] = X
    fitted = ReliefF(memory="20MB").fit(mapped, y)
    np.testing.assert_array_equal(mapped, X)
    np.testing.assert_array_equal(fitted.weights_, ReliefF().fit(X, y).weights_)
