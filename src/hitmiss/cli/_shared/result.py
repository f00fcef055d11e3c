"""What `hitmiss select` and `hitmiss stability` have found."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hitmiss._util.versions import versions
from hitmiss.cli._shared.fit import Fitted
from hitmiss.cli._shared.request import Request

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hitmiss.io import Table
    from hitmiss.metrics import StabilityReport


@dataclass(frozen=True)
class Result:
    """A request, its data, the fitted method, and how reliable that is."""

    request: Request
    table: "Table"
    y: "NDArray"
    fitted: Fitted
    stability: "StabilityReport | None" = None
    cv_error: float | None = None

    @property
    def selected(self) -> list[str]:
        """Names of the selected features, best first."""
        estimator = self.fitted.estimator
        order = estimator.ranking_[estimator.get_support()[estimator.ranking_]]
        return [self.table.feature_names[j] for j in order]

    @property
    def interruption(self) -> str | None:
        """The sentence that says where the run was interrupted; None if it is complete."""
        if self.request.n_folds and self.cv_error is None:
            return "Interrupted during the cross-validation."
        return subsamples_interruption(self.stability, self.request.n_subsamples)

    @property
    def cross_validation(self) -> dict[str, Any] | None:
        """The cross-validated error beside that of guessing, if it was measured."""
        from hitmiss.report.quality import judged

        if self.cv_error is None:
            return None
        return judged(self.cv_error, self.request.n_folds, self.y)

    def record(self, command: str) -> dict[str, Any]:
        """What was done and found, complete enough to repeat it."""
        from hitmiss.report.quality import facts

        estimator, table, request = self.fitted.estimator, self.table, self.request
        weights = dict(zip(table.feature_names, estimator.weights_.tolist(), strict=True))
        return {
            "command": command,
            "method": request.method,
            "settings": request.settings,
            "seed": request.seed,
            "n_subsamples": request.n_subsamples,
            "n_folds": request.n_folds,
            "parameters": estimator.get_params(deep=False),
            "data": request.table_file.description(table),
            "n_samples": table.X.shape[0],
            "n_features": table.X.shape[1],
            "classes": estimator.classes_,
            "selected": [{"feature": name, "weight": weights[name]} for name in self.selected],
            **facts(estimator, self.y),
            "cross_validation": self.cross_validation,
            "stability": None if self.stability is None else stability_facts(self.stability),
            "complete": self.interruption is None,
            "warnings": self.fitted.warnings,
            "seconds": self.fitted.seconds,
            "versions": versions(),
        }

    def report(self, title: str, source: dict[str, Any]) -> str:
        """The record as HTML; `source` is its description of the file."""
        from hitmiss.report import render, summarize

        summary = summarize(
            self.fitted.estimator,
            self.table.X,
            self.y,
            feature_names=self.table.feature_names,
            sample_names=self.table.sample_names,
            title=title,
            remark=self.interruption,
            source={key: source[key] for key in ("file", "sha256", "target")},
            method=self.request.method,
            seconds=self.fitted.seconds,
            stability=self.stability,
            cross_validation=self.cross_validation,
        )
        return render(summary)


def n_done(report: "StabilityReport | None") -> int:
    """Number of subsamples that a report on stability is based on."""
    return 0 if report is None else len(report.supports)


def subsamples_interruption(report: "StabilityReport | None", n_subsamples: int) -> str | None:
    """The sentence that says how many subsamples are done; None if all are."""
    done = n_done(report)
    if done == n_subsamples:
        return None
    return f"Interrupted after {done} of {n_subsamples} subsamples."


def stability_facts(report: "StabilityReport") -> dict[str, Any]:
    """The numbers of a stability report, without its arrays."""
    numbers = {k: v for k, v in report._asdict().items() if k not in ("weights", "supports")}
    return {**numbers, "nogueira": report.nogueira._asdict(), "n_subsamples": n_done(report)}
