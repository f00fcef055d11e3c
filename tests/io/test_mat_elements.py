import numpy as np
import pytest
import scipy.io

from fuzz.targets import CORPUS
from hitmiss.io import read_table
from hitmiss.io.mat_elements import check_elements

CONTENTS = {
    "numbers": {"X": np.eye(4), "y": np.array([0, 1, 0, 1])},
    "names": {"X": np.eye(2), "feature_names": np.array(["a", "b"], dtype=object)},
    "structures": {"X": np.eye(2), "more": {"a": 1, "b": [{"c": "text"}, 1 + 2j]}},
}


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("name", CONTENTS)
def test_what_scipy_writes_is_accepted(tmp_path, name, compressed):
    path = tmp_path / "a.mat"
    scipy.io.savemat(path, CONTENTS[name], do_compression=compressed)
    check_elements(path.read_bytes())
    np.testing.assert_array_equal(read_table(path).X, CONTENTS[name]["X"])


def test_a_file_that_would_end_the_process_is_refused():
    with pytest.raises(ValueError, match="cannot be read as a MATLAB file: its parts are not of"):
        read_table(CORPUS / "scipy-ends-the-process.mat")
