from dataclasses import replace

import numpy as np
import pytest

from hitmiss.io import Table, check_complete, drop_missing

nan = np.nan


def table(X, y=None):
    X = np.array(X, float)
    names = [f"g{j}" for j in range(X.shape[1])]
    return Table(X, None if y is None else np.array(y), names, [f"s{n}" for n in range(len(X))])


def test_a_complete_table_passes():
    check_complete(table([[1, 2], [3, 4]], ["a", "b"]))
    check_complete(table([[1, 2], [3, 4]]))


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        ([[1, nan], [3, 4]], r"1 value is missing .* in the feature 'g1'; replace it, or leave"),
        (
            [[nan, nan], [3, np.inf]],
            r"3 values are missing .* in 2 features: 'g0', 'g1'; .*--missi",
        ),
        (np.full((2, 9), nan), r"18 values .* in 9 features: 'g0', .*'g4' and 4 more;"),
    ],
)
def test_missing_values_are_counted_and_named(X, sentence):
    with pytest.raises(ValueError, match=sentence):
        check_complete(table(X, ["a", "b"]))


def test_missing_labels_are_counted():
    with pytest.raises(ValueError, match="1 of 2 samples has no label, the first being 's1'"):
        check_complete(table([[1], [2]], ["a", ""]))


def test_words_that_mean_no_label_are_named():
    words = replace(table([[1], [2]], ["a", ""]), missing_labels=("None",))
    with pytest.raises(
        ValueError, match="being 's1'; 'None' means missing, so rename a class that"
    ):
        check_complete(words)


def test_only_what_can_be_left_out_is_offered():
    with pytest.raises(ValueError, match=r"leave out these samples with --missing drop-samples\.$"):
        check_complete(table([[nan]]), ("drop-samples",))


def test_what_has_missing_values_can_be_left_out():
    gaps = table([[1, nan, 2], [3, 4, 5], [6, 7, nan]], ["a", "b", ""])
    fewer = drop_missing(gaps, "drop-features")
    assert (fewer.feature_names, fewer.sample_names) == (["g0", "g2"], ["s0", "s1"])
    np.testing.assert_array_equal(fewer.X, [[1, 2], [3, 5]])
    rows = drop_missing(gaps, "drop-samples")
    assert (rows.feature_names, rows.sample_names) == (["g0", "g1", "g2"], ["s1"])
    assert rows.y.tolist() == ["b"]
    with pytest.raises(ValueError, match="nothing is left"):
        drop_missing(table([[nan]]), "drop-samples")
    with pytest.raises(ValueError, match="drop-samples or drop-unlabeled, not 'mean'"):
        drop_missing(gaps, "mean")


def test_samples_without_a_label_can_be_left_out_and_gaps_kept():
    gaps = table([[1, nan], [3, 4], [6, 7]], ["1.5", "", "2"])
    kept = drop_missing(gaps, "drop-unlabeled")
    assert kept.sample_names == ["s0", "s2"]
    np.testing.assert_array_equal(kept.X, [[1, nan], [6, 7]])
    assert kept.y.tolist() == [1.5, 2.0]  # numbers, no longer words beside a gap
