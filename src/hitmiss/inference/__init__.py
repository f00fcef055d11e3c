"""Tests of what a selector found: which features are real."""

from hitmiss.inference.bystanders import attribution
from hitmiss.inference.decoys import DecoyTest, decoy_test
from hitmiss.inference.permutation import PermutationTest, permutation_test
from hitmiss.inference.subsamples import SubsampleTest, subsample_test
from hitmiss.inference.verdict import Evidence, Verdict, verdict_on

__all__ = [
    "DecoyTest",
    "Evidence",
    "PermutationTest",
    "SubsampleTest",
    "Verdict",
    "attribution",
    "decoy_test",
    "permutation_test",
    "subsample_test",
    "verdict_on",
]
