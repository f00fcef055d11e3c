"""Results of `hitmiss select` and `hitmiss stability`."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hitmiss._util.versions import versions
from hitmiss.cli._shared.explanation import Explanation, explanation_facts
from hitmiss.cli._shared.fit import Fitted
from hitmiss.cli._shared.measurement import Measured
from hitmiss.cli._shared.request import Request
from hitmiss.cli._shared.shown_source import shown_source
from hitmiss.cli._shared.task import are_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.inference import Evidence, Verdict
    from hitmiss.io import Table
    from hitmiss.metrics import StabilityReport
    from hitmiss.report.feature_columns import Column


@dataclass(frozen=True)
class Result:
    """A request, its data, the fitted method, and what was measured of it."""

    request: Request
    table: "Table"
    y: "NDArray"
    fitted: Fitted
    measured: Measured
    judged: bool = True  # whether there is a verdict, even if only "not tested"
    show_anyway: bool = False
    explanation: Explanation = field(default_factory=dict)

    @property
    def verdict(self) -> "Verdict | None":
        """Whether the selection is to be believed."""
        from hitmiss.inference import verdict_on

        return verdict_on(self._evidence()) if self.judged else None

    @property
    def withheld(self) -> bool:
        """Whether the list is withheld because nothing was found."""
        verdict = self.verdict
        return verdict is not None and verdict.level == "nothing" and not self.show_anyway

    @property
    def selected(self) -> "NDArray":
        """Positions of the selected features, best first."""
        estimator = self.fitted.estimator
        return estimator.ranking_[estimator.get_support()[estimator.ranking_]]

    @property
    def listed(self) -> "NDArray":
        """The selected features, unless they are withheld."""
        return self.selected[:0] if self.withheld else self.selected

    @property
    def significant_beside(self) -> "NDArray":
        """Features with a small q-value that are not selected, best first."""
        test, estimator = self.measured.test, self.fitted.estimator
        if test is None:
            return self.selected[:0]
        found = test.selected(self.request.fdr)
        return found[~estimator.get_support()[found]]

    @property
    def attributable(self) -> "NDArray":
        """Discoveries that only features correlated with them could replace, best first."""
        test, found = self.measured.test, self.measured.attribution
        if test is None or found is None:
            return self.selected[:0]
        discoveries = test.selected(found.fdr)
        return discoveries[found.q_values[discoveries] <= found.fdr]

    def names(self, rows: "NDArray") -> list[str]:
        """Names of the features at the positions `rows`."""
        return [self.table.feature_names[j] for j in rows]

    @property
    def cross_validation(self) -> dict[str, Any] | None:
        """The cross-validated error beside that of guessing, if it was measured."""
        from hitmiss.report.quality import judged, judged_score

        if self.measured.error is None:
            return None
        if not isinstance(self.measured.error, float | int):
            return judged_score(self.measured.error, self.request.n_folds)
        return judged(self.measured.error, self.request.n_folds, self.y)

    def columns(self, rows: "NDArray") -> "list[Column]":
        """Columns of all results on the features at the positions `rows`, without their names."""
        from hitmiss.report.explained import explained_by
        from hitmiss.report.feature_columns import (
            Column,
            known_columns,
            marker_columns,
            measured_of,
        )
        from hitmiss.report.fitted import read_fitted

        estimator, measured = self.fitted.estimator, self.measured
        known = measured_of(estimator, measured.test, measured.stability, measured.attribution)
        weight, *others = known_columns(read_fitted(estimator), known, rows)
        importances = estimator.feature_importances_[rows]
        explained = explained_by(estimator, self.table.X, self.y)
        return [
            weight,
            Column("importance", "Importance", "number", importances),
            *others,
            *marker_columns(estimator, explained.groups, rows),
            *explained.columns(rows),
        ]

    def record(self, command: str) -> dict[str, Any]:
        """Complete record of the run, enough to repeat it."""
        from hitmiss.report.quality import facts

        estimator, table, request = self.fitted.estimator, self.table, self.request
        measured = self.measured
        return {
            "verdict": None if self.verdict is None else verdict_facts(self.verdict),
            "command": command,
            "method": request.method,
            "settings": request.settings,
            "seed": request.seed,
            "n_subsamples": request.n_subsamples,
            "n_folds": request.n_folds,
            "n_permutations": request.n_permutations,
            "parameters": estimator.get_params(deep=False),
            "data": request.table_file.description(table),
            "n_samples": table.X.shape[0],
            "n_features": table.X.shape[1],
            "classes": getattr(estimator, "classes_", None),
            "selected": self._listed_facts(),
            **facts(estimator, self.y),
            "cross_validation": self.cross_validation,
            "permutation_test": None if measured.test is None else _test_facts(measured.test),
            "attribution": self._attribution_facts(),
            "stability": None
            if measured.stability is None
            else stability_facts(measured.stability),
            "explanation": explanation_facts(self.explanation) or None,
            "complete": measured.interruption is None,
            "not_measured": measured.remark,
            "warnings": self.fitted.warnings,
            "seconds": self.fitted.seconds,
            "versions": versions(),
        }

    def report(self, title: str, source: dict[str, Any]) -> str:
        """The record as HTML; `source` is its description of the file."""
        from hitmiss.report import render, summarize

        measured = self.measured
        summary = summarize(
            self.fitted.estimator,
            self.table.X,
            self.y,
            feature_names=self.table.feature_names,
            sample_names=self.table.sample_names,
            title=title,
            remark=measured.interruption or measured.remark,
            source=shown_source(source),
            method=self.request.method,
            seconds=self.fitted.seconds,
            stability=measured.stability,
            cross_validation=self.cross_validation,
            test=measured.test,
            attribution=measured.attribution,
            verdict=self.verdict,
            explanation=self.explanation,
        )
        return render(summary)

    def _evidence(self) -> "Evidence":
        """The numbers that the verdict follows from."""
        from hitmiss.inference import Evidence
        from hitmiss.metrics import guessing_error

        support, error = self.fitted.estimator.get_support(), self.cross_validation or {}
        known = Evidence(len(support), int(support.sum()), self.request.fdr)
        if are_classes(self.y):
            known = known._replace(
                error=error.get("error"),
                standard_error=error.get("standard_error"),
                guessing_error=guessing_error(self.y),
            )
        elif error:
            known = known._replace(
                error=1 - error["score"],
                standard_error=error["standard_error"],
                guessing_error=1 - error["guessing"],
                measure=error["measure"],
            )
        test = self.measured.test
        if test is None:
            return known
        significant = test.q_values <= self.request.fdr
        return known._replace(
            p_value=test.p_value,
            n_permutations=test.n_permutations,
            n_requested=self.request.n_permutations,
            n_significant=int(significant.sum()),
            n_significant_selected=int((significant & support).sum()),
            n_attributable=None if self.measured.attribution is None else len(self.attributable),
        )

    def _attribution_facts(self) -> dict[str, Any] | None:
        """Attributable discoveries, if requested and measured."""
        test, found = self.measured.test, self.measured.attribution
        if test is None or found is None:
            return None
        return {
            "fdr": found.fdr,
            "n_discoveries": len(test.selected(found.fdr)),
            "attributable": self.names(self.attributable),
        }

    def _listed_facts(self) -> list[dict[str, Any]]:
        """All that is known of each listed feature."""
        columns = self.columns(self.listed)
        return [
            {
                "feature": self.table.feature_names[j],
                **{column.key: column.values[i] for column in columns if column.key != "selected"},
            }
            for i, j in enumerate(self.listed)
        ]


def verdict_facts(verdict: "Verdict") -> dict[str, Any]:
    """The level, the sentence and the numbers behind it."""
    return {
        "level": verdict.level,
        "sentence": verdict.sentence,
        **verdict.evidence._asdict(),
    }


def n_done(report: "StabilityReport | None") -> int:
    """Number of subsamples that a report on stability is based on."""
    return 0 if report is None else len(report.supports)


def stability_facts(report: "StabilityReport") -> dict[str, Any]:
    """The numbers of a stability report, without its arrays."""
    numbers = {k: v for k, v in report._asdict().items() if k not in ("weights", "supports")}
    return {**numbers, "nogueira": report.nogueira._asdict(), "n_subsamples": n_done(report)}


def _test_facts(test: Any) -> dict[str, Any]:
    return {"p_value": test.p_value, "n_permutations": test.n_permutations}
