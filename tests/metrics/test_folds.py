import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from hitmiss.metrics.folds import splits

Y = np.arange(24) % 2


def test_stratified_folds_without_groups_and_whole_groups_with_them():
    X, groups = np.zeros((24, 1)), np.arange(24) // 2 % 6
    plain = splits(X, Y, n_folds=3, random_state=1)
    expected = StratifiedKFold(3, shuffle=True, random_state=1).split(X, Y)
    for (_, one), (_, other) in zip(plain, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    for train, test in splits(X, Y, n_folds=3, random_state=1, groups=groups):
        assert not set(groups[train]) & set(groups[test])
        assert Y[test].mean() == pytest.approx(0.5)


def test_more_folds_than_groups_are_told():
    with pytest.raises(ValueError, match="5 folds need as many groups, and there are 3; use fewer"):
        splits(np.zeros((24, 1)), Y, n_folds=5, random_state=0, groups=np.arange(24) % 3)


def test_a_list_of_splits_is_a_splitter():
    given = [(np.arange(12), np.arange(12, 24))]
    ((train, test),) = splits(np.zeros((24, 1)), Y, n_folds=5, random_state=0, cv=given)
    assert (len(train), len(test)) == (12, 12)
