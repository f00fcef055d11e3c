import numpy as np
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from hitmiss.data.sources import as_source
from tests.data.watched import Watched


@given(st.data(), st.sampled_from(["csr", "csc"]), st.integers(1, 30))
def test_what_is_read_is_what_is_there(data, form, n_features):
    X = np.random.default_rng(n_features).integers(0, 2, (4, n_features))
    source = as_source(scipy.sparse.csr_array(X).asformat(form))
    watched = Watched(X)
    watched.chunk = data.draw(st.integers(1, 9))
    index = np.unique(data.draw(st.lists(st.integers(0, n_features - 1))))
    start = data.draw(st.integers(0, n_features - 1))
    stop = data.draw(st.integers(start + 1, n_features))
    for one in (source, watched):
        np.testing.assert_array_equal(one.read(index.astype(int)), X[:, index.astype(int)])
        np.testing.assert_array_equal(one.read(slice(start, stop)), X[:, start:stop])


@given(st.sets(st.integers(0, 30)))
def test_single_features_without_a_gap_are_read_in_one_go(places):
    index = np.array(sorted(places), int)
    watched = Watched(np.arange(62).reshape(2, 31))
    np.testing.assert_array_equal(watched.read(index), watched.X[:, index])
    runs = [part for part in np.split(index, np.flatnonzero(np.diff(index) > 1) + 1) if len(part)]
    assert [read[:2] for read in watched.reads] == [(run[0], run[-1] + 1) for run in runs]
