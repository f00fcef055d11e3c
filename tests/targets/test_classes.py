import warnings

import numpy as np
import pytest

from hitmiss.targets.classes import Classes, encode_labels


def test_counts_priors_and_hits_by_hand():
    target = Classes(np.array([2, 0, 0, 1, 2, 0, 2, 2]))
    assert len(target) == 8
    assert target.counts.tolist() == [3, 1, 4]
    assert target.prior.tolist() == [3 / 8, 1 / 8, 4 / 8]
    assert target.has_hit.tolist() == [True, True, True, False, True, True, True, True]
    assert target.n_with_hit == 7
    assert target.labels.tolist() == [0, 1, 2]


def test_some_samples_are_counted_anew_and_keep_the_labels():
    target = Classes(np.array([0, 0, 1, 1]), np.array(["ill", "well"]))
    some = target.of(np.array([0, 2, 3]))
    assert some.codes.tolist() == [0, 1, 1]
    assert some.has_hit.tolist() == [False, True, True]
    assert some.labels.tolist() == ["ill", "well"]


@pytest.mark.parametrize(
    "labels", [["b", "a", "b", "a"], [7, -1, 7, -1], [True, False] * 2, [2.0, 1.0, 2.0, 1.0]]
)
def test_labels_of_any_type_are_encoded_in_ascending_order(labels):
    target = encode_labels(labels)
    assert target.codes.tolist() == [1, 0, 1, 0]
    assert target.labels.tolist() == sorted(set(labels))


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "a"], r"^y holds 1 class only \('a'\); hits and misses need at least 2 classes\.$"),
        ([3, 1, 2], "^No class has two samples, so no sample has a hit"),
        ([0.5, 0.5, 1.25, 1.25], "Unknown label type: continuous"),
    ],
)
def test_labels_without_hits_or_misses_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        encode_labels(labels)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "a", "b"], "^Class 'b' has a single sample, which has no hit"),
        ([1, 1, 9, 8, 7], "^Classes 7, 8 and 9 have a single sample each, which has no hit"),
        (
            list("aabcdefgh"),
            r"^7 classes \('b', 'c', 'd', 'e', 'f', ...\) have a single sample each",
        ),
    ],
)
def test_classes_of_a_single_sample_are_named_in_a_warning(labels, message):
    with pytest.warns(UserWarning, match=message):
        encode_labels(labels)


def test_classes_of_two_samples_need_no_warning():
    with warnings.catch_warnings(action="error"):
        encode_labels([0, 1, 0, 1])


@pytest.mark.parametrize("n_values", [11, 12, 20])
def test_many_whole_numbers_warn_in_one_sentence(n_values):
    y = np.arange(33) % n_values
    if n_values == 11:  # a third of the samples
        assert len(encode_labels(y).labels) == 11
        return
    with pytest.warns(UserWarning, match=rf"^y holds {n_values} different whole numbers for 33 s"):
        encode_labels(y)


def test_ten_classes_are_no_measurements():
    assert len(encode_labels(np.repeat(np.arange(10), 2)).labels) == 10
    assert len(encode_labels([f"c{k}" for k in np.arange(40) % 20]).labels) == 20
