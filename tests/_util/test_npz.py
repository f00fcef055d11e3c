import io

import numpy as np
import pytest

from hitmiss._util.npz import write_arrays


@pytest.mark.parametrize("compressed", [False, True])
def test_what_is_read_is_what_was_written_and_nothing_else(compressed):
    arrays = {"a": np.arange(3.0), "b": np.array(["x", "y"]), "n": 2}
    write_arrays(file := io.BytesIO(), arrays, compressed=compressed)
    file.seek(0)
    with np.load(file, allow_pickle=False) as found:
        assert found.files == list(arrays)
        for name, value in arrays.items():
            np.testing.assert_array_equal(found[name], value)


def test_python_objects_are_refused():
    with pytest.raises(ValueError, match="The array 'b' holds Python objects"):
        write_arrays(io.BytesIO(), {"a": [1], "b": np.array([None])})
