"""What `hitmiss select` and `hitmiss stability` are asked, and what they answer."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from hitmiss.cli.data import Source
from hitmiss.cli.fitting import Fitted
from hitmiss.cli.record import versions
from hitmiss.io import Table
from hitmiss.metrics import StabilityReport
from hitmiss.registry import make
from hitmiss.report import render, summarize
from hitmiss.report.quality import facts, judged


@dataclass(frozen=True)
class Question:
    """What is asked of the data."""

    source: Source
    method: str
    settings: tuple[str, ...] = ()
    seed: int = 0
    n_subsamples: int = 0
    dask: str | None = None
    n_folds: int = 0

    def estimator(self) -> Any:
        """The method with its settings, not fitted."""
        return make(self.method, self.settings, seed=self.seed)


@dataclass(frozen=True)
class Answer:
    """What was found."""

    question: Question
    table: Table
    y: NDArray
    fitted: Fitted
    stability: StabilityReport | None = None
    cv_error: float | None = None

    @property
    def selected(self) -> list[str]:
        """Names of the selected features, best first."""
        estimator = self.fitted.estimator
        order = estimator.ranking_[estimator.get_support()[estimator.ranking_]]
        return [self.table.feature_names[j] for j in order]

    @property
    def remark(self) -> str | None:
        """What an interrupted run must say of itself."""
        n, done = self.question.n_subsamples, n_done(self.stability)
        if self.question.n_folds and self.cv_error is None:
            return "Interrupted during the cross-validation."
        return None if done == n else f"Interrupted after {done} of {n} subsamples."

    @property
    def cross_validation(self) -> dict[str, Any] | None:
        """The cross-validated error and what it is worth, if it was measured."""
        if self.cv_error is None:
            return None
        return judged(self.cv_error, self.question.n_folds, self.y)

    def record(self, command: str) -> dict[str, Any]:
        """What was done and found, enough to do it again."""
        estimator, table, question = self.fitted.estimator, self.table, self.question
        weights = dict(zip(table.feature_names, estimator.weights_.tolist(), strict=True))
        return {
            "command": command,
            "method": question.method,
            "settings": question.settings,
            "seed": question.seed,
            "n_subsamples": question.n_subsamples,
            "n_folds": question.n_folds,
            "parameters": estimator.get_params(deep=False),
            "data": question.source.described(table),
            "n_samples": table.X.shape[0],
            "n_features": table.X.shape[1],
            "classes": estimator.classes_,
            "selected": [{"feature": name, "weight": weights[name]} for name in self.selected],
            **facts(estimator, self.y),
            "cross_validation": self.cross_validation,
            "stability": None if self.stability is None else stability_facts(self.stability),
            "complete": self.remark is None,
            "warnings": self.fitted.warnings,
            "seconds": self.fitted.seconds,
            "versions": versions(),
        }

    def report(self, title: str, source: dict[str, Any]) -> str:
        """The same for people, as HTML."""
        summary = summarize(
            self.fitted.estimator,
            self.table.X,
            self.y,
            feature_names=self.table.feature_names,
            sample_names=self.table.sample_names,
            title=title,
            remark=self.remark,
            source={key: source[key] for key in ("file", "sha256", "target")},
            method=self.question.method,
            seconds=self.fitted.seconds,
            stability=self.stability,
            cross_validation=self.cross_validation,
        )
        return render(summary)


def n_done(report: StabilityReport | None) -> int:
    """Number of subsamples that a report on stability is based on."""
    return 0 if report is None else len(report.supports)


def stability_facts(report: StabilityReport) -> dict[str, Any]:
    """The numbers of a stability report, without its arrays."""
    facts = {k: v for k, v in report._asdict().items() if k not in ("weights", "supports")}
    return {**facts, "nogueira": report.nogueira._asdict(), "n_subsamples": n_done(report)}
