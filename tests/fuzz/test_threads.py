import pytest

from fuzz import threads


@pytest.mark.filterwarnings("ignore:.*did not converge", "ignore:All weights are zero")
def test_fits_in_sixteen_threads_have_the_bits_of_fits_alone():
    assert list(threads.differences(24)) == []
