"""Pictures of I-RELIEF's Figs. 5 and 6."""

import numpy as np

from reproduce.experiments.irelief.table2 import FALSE_SHARES
from reproduce.harness.panels import panels, shared_legend
from reproduce.harness.records import values
from reproduce.pages.irelief.table2_checks import case_of, rows_in
from reproduce.pages.names import shown

COLORS = {"irelief": "C0", "irelief_1": "C2", "relieff": "C1", "simba": "C3"}


def draw_errors(records):
    """Fig. 5: test error against the number of features."""

    def curves(ax, case, method):
        errors = values(records, case, method, "test")
        sizes = values(records, case, method, "sizes")[0]
        ax.plot(sizes, np.mean(errors, axis=0), color=COLORS[method], label=shown(method))

    return drawn(records, curves, "number of features", "test error, %")


def draw_recovery(records):
    """Fig. 6: shares of original against added features above a threshold."""

    def curves(ax, case, method):
        shares = np.mean(values(records, case, method, "roc"), axis=0)
        ax.plot(FALSE_SHARES, shares, color=COLORS[method], label=shown(method))

    return drawn(records, curves, "added features found", "original features found")


def drawn(records, curves, xlabel, ylabel):
    """A panel per case, a curve per method."""
    cases = [case_of(row) for row in rows_in(records)]
    figure, axes = panels(len(cases), 4)
    for ax, case in zip(axes, cases, strict=True):
        for method in COLORS:
            if values(records, case, method, "test"):
                curves(ax, case, method)
        ax.set_title(case)
    figure.supxlabel(xlabel)
    figure.supylabel(ylabel)
    shared_legend(figure)
    return figure
