"""``hitmiss compare``: methods side by side, with the F-test as the baseline."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hitmiss._util.errors import InputError
from hitmiss._util.files import new_folder
from hitmiss.cli.data import Source
from hitmiss.cli.destinations import check_folder
from hitmiss.cli.errors import interrupted
from hitmiss.cli.fitting import collected_warnings
from hitmiss.cli.ranking import note_ranking
from hitmiss.cli.show import print_json, print_line, print_table
from hitmiss.cli.standings import NAMES, Standings, write_standings
from hitmiss.cli.waiting import shows_progress, waiting
from hitmiss.io import Table
from hitmiss.metrics import Comparison, compare_selectors, f_test
from hitmiss.registry import find_method, make

BASELINE = "F-test"
HEADINGS = {
    "method": "method",
    "n_selected": "selected",
    "recovered": "recovered",
    "error": "error",
    "best_error": "best error",
    "best_n_features": "with",
    "stability": "stability",
    "seconds": "seconds",
}


@dataclass(frozen=True)
class Contest:
    """What is compared, and how."""

    source: Source
    methods: tuple[str, ...]
    max_features: int | None = None
    relevant: tuple[str, ...] = ()
    n_folds: int = 5
    seed: int = 0

    def selectors(self) -> dict[str, Any]:
        """The baseline and the methods by name, each selecting `max_features` if that is given."""
        names = [find_method(name).name for name in self.methods]
        limit = [] if self.max_features is None else [f"max_features={self.max_features}"]
        made = {name: make(name, limit, seed=self.seed) for name in names}
        return {BASELINE: f_test(self.max_features), **made}

    def record(self, table: Table) -> dict[str, Any]:
        """What is asked of the table, enough to ask it again."""
        asked = {name: value for name, value in vars(self).items() if name != "source"}
        return {"command": "compare", **asked, "data": self.source.described(table)}


def compare(contest: Contest, out: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Compare the methods, write the results to `out` if that is given, and print them.

    On Ctrl-C what is done is kept.
    """
    selectors = contest.selectors()
    if out is not None:
        check_folder(out, NAMES, contest.source.file)
    standings = _run(contest, selectors, quiet=quiet)
    if out is not None:
        record = contest.record(standings.table)
        with waiting("writing the results", quiet=quiet), new_folder(out, NAMES) as folder:
            write_standings(folder, standings, record)
    if as_json:
        print_json({"methods": standings.rows, "complete": standings.complete})
    else:
        _print(standings.rows, out)
    if standings.remark:
        interrupted(standings.remark)


def _run(contest: Contest, selectors: dict[str, Any], *, quiet: bool) -> Standings:
    table, y = contest.source.labeled(quiet=quiet)
    methods = {name: item for name, item in selectors.items() if name != BASELINE}
    note_ranking(methods, quiet=quiet)
    comparisons = compare_selectors(
        selectors,
        table.X,
        y,
        n_folds=contest.n_folds,
        relevant=_relevant(contest, table),
        random_state=contest.seed,
        verbose=shows_progress(quiet),
    )
    found: list[Comparison] = []
    try:
        with collected_warnings(quiet):
            for comparison in comparisons:
                found.append(comparison)
    except KeyboardInterrupt:
        if not found:
            raise
    return Standings(table, y, found, len(selectors))


def _relevant(contest: Contest, table: Table) -> list[int] | None:
    """Where the features are that are known to be relevant."""
    absent = sorted(set(contest.relevant) - set(table.feature_names))
    if absent:
        raise InputError(f"There is no feature {absent[0]!r} that could be relevant.")
    return [table.feature_names.index(name) for name in contest.relevant] or None


def _print(rows: list[dict[str, Any]], out: Path | None) -> None:
    shown = [key for key in HEADINGS if key in rows[0]]
    print_table([HEADINGS[key] for key in shown], [[row[key] for key in shown] for row in rows])
    print_line("error: by cross-validation, of 3 nearest neighbors on the selected features;")
    print_line("best error: the same on so many of the best features as the next column says.")
    if out is not None:
        print_line(f"Written to {out}: {', '.join(NAMES)}.")
