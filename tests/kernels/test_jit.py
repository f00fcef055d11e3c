import pytest

from hitmiss.kernels.jit import kernel


def test_without_a_place_for_the_cache_it_compiles_all_the_same():
    made: dict = {}
    exec("def twice(x):\n    return 2 * x", made)  # in no file, so that numba has no place for it
    with pytest.warns(UserWarning, match="set NUMBA_CACHE_DIR to a folder that can be written"):
        twice = kernel(made["twice"])
    assert twice(21) == 42
