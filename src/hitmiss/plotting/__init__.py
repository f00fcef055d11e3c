"""Figures, each with a function that returns its data and one that draws it."""

from hitmiss.plotting.alpha import AlphaSteps, alpha_steps, plot_alpha
from hitmiss.plotting.convergence import ConvergenceLines, convergence_lines, plot_convergence
from hitmiss.plotting.dot_plot import MarkerDots, marker_dots, plot_markers
from hitmiss.plotting.error_curve import CurveLine, curve_lines, plot_error_curve
from hitmiss.plotting.heatmap import HeatBlocks, heat_blocks, plot_heatmap
from hitmiss.plotting.margins import plot_margins, sample_margins
from hitmiss.plotting.neighbors import (
    NeighborProbabilities,
    neighbor_probabilities,
    plot_neighbors,
)
from hitmiss.plotting.path import PathLines, path_lines, plot_path
from hitmiss.plotting.recovery import plot_recovery, recovery_areas
from hitmiss.plotting.stability import MostSelected, most_selected, plot_stability
from hitmiss.plotting.substitutes import SubstituteBar, plot_substitutes, substitute_bars
from hitmiss.plotting.synergy import SynergyCells, plot_synergy, synergy_cells
from hitmiss.plotting.weights import WeightPeaks, plot_weights, weight_peaks

__all__ = [
    "AlphaSteps",
    "ConvergenceLines",
    "CurveLine",
    "HeatBlocks",
    "MarkerDots",
    "MostSelected",
    "NeighborProbabilities",
    "PathLines",
    "SubstituteBar",
    "SynergyCells",
    "WeightPeaks",
    "alpha_steps",
    "convergence_lines",
    "curve_lines",
    "heat_blocks",
    "marker_dots",
    "most_selected",
    "neighbor_probabilities",
    "path_lines",
    "plot_alpha",
    "plot_convergence",
    "plot_error_curve",
    "plot_heatmap",
    "plot_margins",
    "plot_markers",
    "plot_neighbors",
    "plot_path",
    "plot_recovery",
    "plot_stability",
    "plot_substitutes",
    "plot_synergy",
    "plot_weights",
    "recovery_areas",
    "sample_margins",
    "substitute_bars",
    "synergy_cells",
    "weight_peaks",
]
