import pytest

from hitmiss import datasets


@pytest.fixture(scope="module")
def waveform():
    return datasets.make_waveform(200, n_irrelevant=500, random_state=0, return_X_y=True)
