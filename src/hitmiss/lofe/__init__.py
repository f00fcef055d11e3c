"""LOFE: the certified fixed point of local learning.

The names below are all that other rooms need. A fit reads, from the outside in:

- `tuning`: the penalty that noise does not exceed, and the kernel width;
- `coarse_to_fine`: some of thousands of samples first, then all; approximate steps, then exact;
- `multistart`: which starts are tried, and warm starts along a path of penalties;
- `active_set`: all features seen rarely, few worked on, until the gradient of all certifies;
- `fixed_point`: ``w <- T(w)`` on few features, damped or extrapolated, finished by `newton`;
- `problem`: neighbors, margins, objective and gradient at one w.

`checkpoint` stores what an evaluator answers; `algorithm1` is the recipe of the paper.
"""

from hitmiss.lofe.active_set import MoreStarts
from hitmiss.lofe.algorithm1 import algorithm_1
from hitmiss.lofe.checkpoint import Checkpoint, Checkpointed, fingerprint
from hitmiss.lofe.coarse_to_fine import (
    SCREENED_STEPS,
    fixed_points,
    least_memory,
    one_of_several,
    samples_of_fit,
)
from hitmiss.lofe.fixed_point import EXACT, Exact
from hitmiss.lofe.multistart import FURTHER_STARTS, QUICK_STARTS, STARTS, FixedPoints
from hitmiss.lofe.problem import Fit, Problem, weighted_margins
from hitmiss.lofe.tuning import ByNoise, best_width

__all__ = [
    "EXACT",
    "FURTHER_STARTS",
    "QUICK_STARTS",
    "SCREENED_STEPS",
    "STARTS",
    "ByNoise",
    "Checkpoint",
    "Checkpointed",
    "Exact",
    "Fit",
    "FixedPoints",
    "MoreStarts",
    "Problem",
    "algorithm_1",
    "best_width",
    "fingerprint",
    "fixed_points",
    "least_memory",
    "one_of_several",
    "samples_of_fit",
    "weighted_margins",
]
