"""The long steps of a search: state in, state out.

A search calls them through `Steps`, so that a checkpoint can replace them by functions that
store their results. The steps themselves know nothing of checkpoints.
"""

from collections.abc import Callable
from dataclasses import dataclass

from numpy.typing import NDArray

from hitmiss.lofe.evidence import local_evidence
from hitmiss.lofe.fixed_point import Move, next_move
from hitmiss.lofe.newton import newton
from hitmiss.lofe.noise_level import noise_level
from hitmiss.lofe.problem import Evidence
from hitmiss.lofe.rough_moves import rough_move
from hitmiss.lofe.settled import Settled, settle
from hitmiss.lofe.starts import (
    Pruned,
    first_gradients,
    gradient,
    gradient_and_margins,
    part_scores,
    prune,
)


@dataclass(frozen=True)
class Steps:
    """The functions that take time."""

    first_gradients: Callable[..., NDArray] = first_gradients
    gradient: Callable[..., NDArray] = gradient
    gradient_and_margins: Callable[..., NDArray] = gradient_and_margins
    move: Callable[..., Move] = next_move
    rough_move: Callable[..., Move] = rough_move
    newton: Callable[..., NDArray | None] = newton
    settle: Callable[..., Settled | None] = settle
    prune: Callable[..., Pruned] = prune
    part_scores: Callable[..., NDArray] | None = part_scores  # None where it takes too long
    evidence: Callable[..., Evidence] = local_evidence
    noise: Callable[..., NDArray] = noise_level


PLAIN_STEPS = Steps()  # no result is stored
