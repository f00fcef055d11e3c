import numpy as np

from hitmiss.lofe.several_targets import sample_levels, several_targets
from hitmiss.targets.classes import Classes


def test_the_first_samples_keep_the_small_class():
    target = Classes((np.arange(4000) < 40).astype(int))
    (some,) = sample_levels(target)
    assert len(some) == 495 + 30
    assert (target.codes[some] == 1).sum() == 30
    assert (np.diff(some) > 0).all()


def test_few_samples_are_searched_as_ever():
    target = Classes(np.arange(500) % 2)
    assert list(several_targets(None, target, np.zeros((500, 500)))) == ["pairs"]
    many = several_targets(None, Classes(np.arange(1000) % 2), np.zeros((1000, 1000)))
    assert list(many) == ["pairs", "steps", "levels"]
