"""Which features are real: tests of what a selector found."""

from hitmiss.inference.permutation import PermutationTest, permutation_test
from hitmiss.inference.q_values import PooledNull

__all__ = ["PermutationTest", "PooledNull", "permutation_test"]
