"""Quality of a selection: recovery of the relevant features, error, stability, explanation."""

from hitmiss.metrics.any_selector import ImportanceSelector
from hitmiss.metrics.comparison import Comparison, compare_selectors, f_test
from hitmiss.metrics.cross_validation import cross_validated_error, guessing_error
from hitmiss.metrics.curves import ErrorCurve, error_curve
from hitmiss.metrics.peers import peer
from hitmiss.metrics.prediction_score import Score, cross_validated_score
from hitmiss.metrics.recovery import (
    false_discovery_proportion,
    false_discovery_rate,
    recovery_auc,
    recovery_curve,
)
from hitmiss.metrics.stability import (
    SelectionStability,
    StabilityDifference,
    jaccard_stability,
    kuncheva_stability,
    nogueira_stability,
    ranking_stability,
    stability_accuracy_tradeoff,
    stability_difference,
)
from hitmiss.metrics.subsampling import StabilityReport, stability_report
from hitmiss.metrics.substitutes import Substitutes, substitutes
from hitmiss.metrics.synergy import Synergy, synergy

__all__ = [
    "Comparison",
    "ErrorCurve",
    "ImportanceSelector",
    "Score",
    "SelectionStability",
    "StabilityDifference",
    "StabilityReport",
    "Substitutes",
    "Synergy",
    "compare_selectors",
    "cross_validated_error",
    "cross_validated_score",
    "error_curve",
    "f_test",
    "false_discovery_proportion",
    "false_discovery_rate",
    "guessing_error",
    "jaccard_stability",
    "kuncheva_stability",
    "nogueira_stability",
    "peer",
    "ranking_stability",
    "recovery_auc",
    "recovery_curve",
    "stability_accuracy_tradeoff",
    "stability_difference",
    "stability_report",
    "substitutes",
    "synergy",
]
