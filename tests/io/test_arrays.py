import h5py
import numpy as np
import pytest
import scipy.io

from hitmiss.io import read_table

X = np.array([[1.5, -2.0, 0.0], [3.25, 1e10, 7.0], [0.5, 0.125, 4.0], [9.0, 8.0, 7.0]])


@pytest.mark.parametrize(("data", "target"), [("X", "Y"), ("fea", "gnd")])
def test_the_variables_of_the_feature_selection_repositories(tmp_path, data, target):
    codes = np.array([[1], [2], [1], [2]])
    scipy.io.savemat(tmp_path / "a.mat", {data: X, target: codes})
    with h5py.File(tmp_path / "b.mat", "w", userblock_size=512) as f:  # as MATLAB 7.3 stores them
        f[data], f[target] = X.T, codes.T
    for name in ("a.mat", "b.mat"):
        table = read_table(tmp_path / name)
        np.testing.assert_array_equal(table.X, X)
        assert table.y.tolist() == [1, 2, 1, 2]
        assert table.feature_names == ["x0", "x1", "x2"]


def test_shapes_that_do_not_fit(tmp_path):
    np.savez(tmp_path / "a.npz", X=X, y=[0, 1, 0])
    with pytest.raises(ValueError, match="3 labels for 4 samples of 3 features; if the features"):
        read_table(tmp_path / "a.npz")
    np.savez(tmp_path / "a.npz", X=X[0])
    with pytest.raises(ValueError, match="two dimensions"):
        read_table(tmp_path / "a.npz")
    np.savez(tmp_path / "a.npz", Z=X)
    with pytest.raises(ValueError, match="There is no array X; there are 'Z'"):
        read_table(tmp_path / "a.npz")
    np.savez(tmp_path / "a.npz", X=X + 1j)
    with pytest.raises(ValueError, match="must be real numbers"):
        read_table(tmp_path / "a.npz")


class Trap:
    """What a pickle would run."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle was loaded",))


def test_no_pickle_is_loaded(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.array([[Trap()]], dtype=object))
    with pytest.raises(ValueError, match="cannot be read as an NPZ file"):
        read_table(tmp_path / "a.npz")
