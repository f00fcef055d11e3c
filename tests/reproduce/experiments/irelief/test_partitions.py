import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reproduce.experiments.irelief.partitions import mislabeled


@given(st.lists(st.integers(0, 3), min_size=4, max_size=60), st.floats(0, 1))
def test_wrong_labels_are_wrong_and_as_many_as_asked(labels, share):
    y = np.array([0, 1, *labels])
    before = y.copy()
    wrong = mislabeled(y, share, np.random.default_rng(0))
    assert np.sum(wrong != y) == round(share * len(y))
    assert set(wrong) <= set(y)
    np.testing.assert_array_equal(y, before)
