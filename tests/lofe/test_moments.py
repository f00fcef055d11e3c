import numpy as np
import pytest

from hitmiss._util.workers import Workers
from hitmiss.data.in_memory import InMemory
from hitmiss.lofe.moments import moments
from hitmiss.neighbors.pairs import AllPairs, RowTiles
from hitmiss.targets.classes import Classes


def by_definition(X, Q):
    """Expected misses and hits of |x_n - x_i|, and second moments under Q."""
    d = np.abs(X[:, None] - X)
    miss, hit = (np.einsum("ni,nij->nj", np.maximum(S, 0), d) for S in (Q, -Q))
    return miss, hit, np.einsum("ni,nij,nik->njk", Q, d, d)


def test_moments_by_hand():
    X, Q = np.array([[0.0, 5], [1, 5], [3, 4]]), np.array([[0, -1, 0.5], [0, 0, 0], [0, 0, 0]])
    ((_, miss, hit, second),) = moments(InMemory(X, Workers(1)), Q)
    np.testing.assert_array_equal(miss[0], [1.5, 0.5])
    np.testing.assert_array_equal(hit[0], [1, 0])
    np.testing.assert_array_equal(second[0], [[3.5, 1.5], [1.5, 0.5]])
    assert not any(moment[1:].any() for moment in (miss, hit, second))


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("pairs", [AllPairs(), RowTiles()], ids=["matrix", "tiles"])
def test_moments_against_numpy(pairs, n_jobs):
    rng = np.random.default_rng(0)
    X, target = rng.standard_normal((150, 3)), Classes(np.arange(150) % 3)
    features, w = InMemory(X, Workers(n_jobs)), np.array([1.0, 0.5, 2.0])
    expected = by_definition(X, AllPairs().soft(features, w, target, 0.7))
    found = [np.empty_like(moment) for moment in expected]
    for rows, *some in moments(features, pairs.soft(features, w, target, 0.7)):
        for moment, part in zip(found, some, strict=True):
            moment[rows] = part
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-8)


def test_bit_identical_for_any_number_of_threads():
    X = np.random.default_rng(0).standard_normal((300, 20))
    Q = np.random.default_rng(1).standard_normal((300, 300)) / 300
    ((_, *one),) = moments(InMemory(X, Workers(1)), Q)
    ((_, *four),) = moments(InMemory(X, Workers(4)), Q)
    for first, second in zip(one, four, strict=True):
        np.testing.assert_array_equal(first, second)
