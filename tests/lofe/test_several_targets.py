import numpy as np

from hitmiss.lofe.several_targets import several_targets
from hitmiss.targets.classes import Classes


def test_few_samples_are_searched_as_ever():
    target = Classes(np.arange(500) % 2)
    assert list(several_targets(None, target, lambda: np.zeros((500, 500)))) == ["pairs"]
    many = several_targets(None, Classes(np.arange(1000) % 2), None)
    assert list(many) == ["pairs", "levels", "mix"]
