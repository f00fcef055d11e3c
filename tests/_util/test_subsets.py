import numpy as np

from hitmiss._util.subsets import random_subset, subset_size


def test_subsets():
    assert [subset_size("s", s, 72) for s in (0.9, 1.0, 0.5, 10)] == [65, 72, 36, 10]
    assert subset_size("s", 0.9, 70) == 63
    rng = np.random.default_rng(0)
    rows = random_subset(50, 20, rng)
    assert len(set(rows)) == 20
    classes = np.repeat([0, 1, 2], [30, 14, 6])
    for _ in range(20):
        counts = np.bincount(classes[random_subset(50, 25, rng, classes)], minlength=3)
        np.testing.assert_array_equal(counts, [15, 7, 3])
    thirds = [random_subset(9, 4, rng, np.repeat([0, 1, 2], 3)) for _ in range(300)]
    extra = np.mean([np.bincount(rows // 3, minlength=3) for rows in thirds], axis=0)
    np.testing.assert_allclose(extra, 4 / 3, atol=0.1)  # the one left over goes to any class
