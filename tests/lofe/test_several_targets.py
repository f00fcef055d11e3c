import numpy as np

from hitmiss.lofe.several_targets import sample_levels, several_targets
from hitmiss.targets.classes import Classes


def test_levels_are_nested_and_keep_the_small_class():
    target = Classes((np.arange(4000) < 40).astype(int))
    large, small = sample_levels(target)
    assert np.isin(small, large).all()
    assert (len(large), len(small)) == (1485 + 30, 495 + 30)
    assert target.counts[1] == 40
    assert (target.codes[small] == 1).sum() == 30


def test_few_samples_are_searched_as_ever():
    target = Classes(np.arange(500) % 2)
    assert list(several_targets(None, target, np.zeros((500, 500)), 1e-5)) == ["pairs"]
    many = Classes(np.arange(1000) % 2)
    assert list(several_targets(None, many, np.zeros((1000, 1000)), 1e-5)) == [
        "pairs",
        "steps",
        "levels",
    ]
