"""The page of all results, made from what is stored and from nothing else."""

import json
from collections import Counter
from typing import NamedTuple

from reproduce import EXPERIMENTS, experiment_named
from reproduce.aims import aims_table
from reproduce.harness.experiment import Check, Experiment, Plan
from reproduce.harness.markdown import bullets, table, yes
from reproduce.harness.panels import save_pictures
from reproduce.harness.runner import duration
from reproduce.harness.store import SettingsError, Store

HEADER = """# The papers, reproduced

`python -m reproduce NAME` runs an experiment, or goes on with it after an interruption, and makes
this page from the stored results (`--page` alone does that too); without a name it lists the
experiments and how long they take. `make reproduce` runs them all. The datasets are read from the
folder that `HITMISS_DATA` names. Stored results are kept when the library changes; `--fresh` begins
again.
"""

TESTED = """That an interrupted run gives the same table, that scaling sees training data only, and
that `--quick` runs every experiment on little data, is shown by the tests in `tests/reproduce`."""

READING = """## How to read it

Every line that says yes or no is computed from the stored results.

*What sees the test data.* Scaling, selection and tuning see training data only, but for two things:
the IDA collection had standardized most of its sets over all rows before anybody drew a training
set (all tables and figures with such sets as twonorm, waveform or heart use them), and where FREL's
stability is measured, and nothing predicted, features are scaled over the whole set. Where a paper
reports the error with the number of features that is best *on the test data*, it is given as
published, and beside it the error with a number chosen on the training data. Where a paper tunes a
classifier without the irrelevant features, so do we, and say so there.

*Differences* are (ours − published) / standard error, where the standard error is that of both
means: √(s₁²/n₁ + s₂²/n₂). It takes the runs for independent. They are partitions of one set that
overlap, so the true standard errors are larger, the differences smaller and the p of paired tests
larger than printed. No p is corrected for the number of tests, as in the papers.

*Limits* are of three kinds. Checks marked as an aim have a limit that this project set itself
beforehand; they make up the first table. Numbers that a paper states are its own. Where a paper
says "similar", "close" or "nearly all", the check needs a number, and that number is ours: any
points of error, cosine, share or percentage in a check that is not said to be published.
"""


class Shown(NamedTuple):
    """An experiment with its results, None if they are outdated, and what the checks say."""

    experiment: Experiment
    store: Store | None
    checks: list[Check]


def write_page(folder, experiments=None):
    """Write README.md and a picture per figure into `folder`; return the path of the page.

    Parameters
    ----------
    folder : Path
        Holds the folder `results`.
    experiments : list of Experiment, default=all
        What the page is about.
    """
    results = shown_in(folder, experiments)
    for what in results:
        if what.store and what.store.records:
            save_pictures(what.experiment.figures, what.store.records, folder / "results")
    page = folder / "README.md"
    beside = page.with_name(".README.md")
    beside.write_text(text(results), encoding="utf-8")
    beside.replace(page)
    return page


def shown_in(folder, experiments=None):
    """What there is to show in a folder, by experiment; those that have not run have no records."""
    experiments = experiments or [experiment_named(name) for name in EXPERIMENTS]
    found = []
    for experiment in experiments:
        store = stored(experiment, folder / "results" / f"{experiment.name}.json")
        checks = list(experiment.checks(store.records)) if store and store.records else []
        found.append(Shown(experiment, store, checks))
    return found


def stored(experiment, path):
    """The results of an experiment; None if they were made with other settings."""
    quick = path.exists() and json.loads(path.read_text(encoding="utf-8"))["protocol"]["quick"]
    try:
        return Store(path, {"quick": quick, **experiment.protocol})
    except SettingsError:
        return None


def text(results):
    """The whole page, in Markdown."""
    made = usual(results)
    parts = [
        HEADER,
        aims(results),
        READING,
        summary(results, made),
        *(section(what, made) for what in results if has_run(what)),
    ]
    return "\n".join(parts)


def has_run(what):
    """Whether there are results, though perhaps outdated ones."""
    return what.store is None or bool(what.store.records)


def usual(results):
    """Date, machine and versions that most of the experiments were made with."""
    counts = Counter(" ".join(w.store.made) for w in results if w.store and w.store.records)
    return counts.most_common(1)[0][0] if counts else ""


def aims(results):
    """What this project set out to show, and whether it does."""
    marked = [(what.experiment.title, check) for what in results for check in what.checks]
    table_of_aims = aims_table([*marked, ("", whole(results))])
    return f"## What this project set out to show\n\n{table_of_aims}\n\n{TESTED}\n"


def whole(results):
    """Whether every task of every experiment is stored; a quick trial does not count."""
    full = [what for what in results if what.store and not what.store.protocol["quick"]]
    done = [what for what in full if not missing(what)]
    found = f"{len(done)} of {len(results)} experiments, {spent(*results)} of CPU time"
    claim = "every experiment has run in full"
    return Check(len(done) == len(results), claim, found, aim="whole")


def missing(what):
    """Runs of the tasks that are not stored."""
    tasks = what.experiment.tasks(plan_of(what))
    return [task.key.run for task in tasks if task.key not in what.store.records]


def plan_of(what):
    """What the full experiment would be, or its quick trial."""
    quick = what.store.protocol["quick"]
    return Plan(1 if quick else what.experiment.runs, quick)


def summary(results, made):
    """A line per experiment: how many checks hold, which do not, and how much was run."""
    rows = [[what.experiment.title, *summary_cells(what)] for what in results]
    rows.append(["all", "", "", "", spent(*results)])
    head = ["experiment", "checks that hold", "those that do not", "done", "time"]
    lines = [
        "## What holds",
        "Times are CPU times, one thread.",
        table(head, rows),
        f"Made with, where a section says nothing else: {made}",
    ]
    return "\n\n".join(lines) + "\n"


def summary_cells(what):
    if not has_run(what):
        return ["", "", "not run yet", ""]
    if what.store is None:
        return ["", "", "outdated", ""]
    return [held(what.checks), brief(what.checks), amount(what), spent(what)]


def held(checks):
    n_open = sum(check.held is None for check in checks)
    count = f"{sum(bool(check.held) for check in checks)} of {len(checks)}"
    return count + (f", {n_open} open" if n_open else "")


def brief(checks):
    """The subjects of the checks that fail, each once, with their number if there are several."""
    counts = Counter(check.subject or check.claim for check in checks if check.failed)
    return "; ".join(f"{name} ({n})" if n > 1 else name for name, n in counts.items())


def section(what, made):
    """Heading, conditions, tables, checks and pictures of one experiment."""
    experiment, store, checks = what
    if store is None:
        return f"## {experiment.title}\n\nOutdated: run it again with `--fresh`.\n"
    lines = [
        f"## {experiment.title}",
        conditions(what, made),
        experiment.page(store.records),
        *verdicts(experiment, store.records, checks),
        *(f"![{name}](results/{name}.png)" for name in experiment.figures),
    ]
    return "\n\n".join(lines) + "\n"


def conditions(what, made):
    """How much of it was run, for how long; when and where, if that is not the usual."""
    own = " ".join(what.store.made)
    quick = what.store.protocol["quick"]
    trial = " **A quick trial, on little data: not to be compared.**" if quick else ""
    how_much = f"{amount(what)}, {spent(what)} of CPU time"
    return f"`{what.experiment.name}`: {how_much}.{'' if own == made else f' {own}'}{trial}"


def amount(what):
    """How many of the tasks, and of the runs, are done."""
    plan, left = plan_of(what), missing(what)
    n_tasks = len(what.experiment.tasks(plan))
    done = f"{n_tasks - len(left)} of {n_tasks} tasks"
    if plan.runs > 1:
        done += f", {plan.runs - len(set(left))} of {plan.runs} runs whole"
    return done


def spent(*results):
    records = [r for what in results if what.store for r in what.store.records.values()]
    return duration(sum(record["seconds"] for record in records))


def verdicts(experiment, records, checks):
    """Paragraphs: the checks, each with what was found, and the reasons."""
    if checks:
        yield "Checks:"
        yield bullets(
            f"{yes(check.held)}{', an aim' if check.aim else ''}: {check.claim}; "
            f"found {check.found}."
            for check in checks
        )
    if any(check.failed for check in checks) and (reasons := experiment.reasons(records)):
        yield reasons
