"""The page of all results, made from what is stored and from nothing else."""

import json

from reproduce import EXPERIMENTS, experiment_named
from reproduce.experiment import Plan
from reproduce.runner import duration
from reproduce.store import SettingsError, Store

HEADER = """# The papers, reproduced

`python -m reproduce NAME` runs an experiment, or goes on with it after an interruption, and makes
this page from the stored results (`--page` alone does that too); without a name it lists the
experiments and how long they take.
`make reproduce` runs them all. The datasets are read from the folder that `HITMISS_DATA` names.

Scaling, selection and tuning see training data only. Where a paper reports the best number of
features *on the test data*, that number is given as "best k", beside the error with a number of
features chosen on the training data. Differences are (ours − published) / standard error, where
the standard error is that of both means: √(s₁²/n₁ + s₂²/n₂). Stored results are kept when the
library changes; `--fresh` begins again.
"""


def write_page(folder):
    """Write README.md and a picture per experiment into `folder`; return the path of the page."""
    paths = {name: folder / "results" / f"{name}.json" for name in EXPERIMENTS}
    missing = [f"`{name}`" for name, path in paths.items() if not path.exists()]
    there = [(experiment_named(name), path) for name, path in paths.items() if path.exists()]
    stores = [(experiment, stored(experiment, path)) for experiment, path in there]
    parts = [HEADER, summary([pair for pair in stores if pair[1]])]
    if missing:
        parts.append(f"Not run yet: {', '.join(missing)}.\n")
    parts += [section(experiment, store) for experiment, store in stores]
    page = folder / "README.md"
    beside = page.with_name(".README.md")
    beside.write_text("\n".join(parts), encoding="utf-8")
    beside.replace(page)
    return page


def stored(experiment, path):
    """The results of an experiment; None if they were made with other settings."""
    quick = json.loads(path.read_text(encoding="utf-8"))["protocol"]["quick"]
    try:
        return Store(path, {"quick": quick, **experiment.protocol})
    except SettingsError:
        return None


def summary(stores):
    """How many checks hold in every experiment, and which do not."""
    rows, failed = [], []
    for experiment, store in stores:
        checks = list(experiment.checks(store.records))
        n_open = sum(check.held is None for check in checks)
        held = f"{sum(bool(check.held) for check in checks)} of {len(checks)}"
        held += f", {n_open} open" if n_open else ""
        rows.append([experiment.title, held, amount(experiment, store), spent(store)])
        failed += [(experiment, check) for check in checks if check.failed]
    rows.append(["all", "", "", spent(*(store for _, store in stores))])
    lines = [
        "## What holds",
        "Every line that says yes or no is computed from the stored results. Times are CPU times, "
        "one thread.",
        table(["experiment", "checks that hold", "done", "time"], rows),
    ]
    if failed:
        lines.append("What does not hold; the reasons are in the sections:")
        lines.append("\n".join(f"- {e.title.split(':')[0]}: {c.claim}." for e, c in failed))
    return "\n\n".join(lines) + "\n"


def section(experiment, store):
    """Heading, conditions, tables, checks and pictures of one experiment."""
    if store is None:
        return f"## {experiment.title}\n\nOutdated: run it again with `--fresh`.\n"
    records = store.records
    lines = [
        f"## {experiment.title}",
        conditions(experiment, store),
        experiment.page(records),
        *verdicts(experiment, records),
    ]
    for name, draw in experiment.figures.items():
        picture = store.path.with_name(f"{name}.png")
        save(draw(records), picture)
        lines.append(f"![{name}](results/{picture.name})")
    return "\n\n".join(lines) + "\n"


def conditions(experiment, store):
    """How much of it was run, for how long, when and where."""
    quick = store.protocol["quick"]
    trial = " **A quick trial, on little data: not to be compared.**" if quick else ""
    how_much = f"{amount(experiment, store)}, {spent(store)} of CPU time"
    return f"`{experiment.name}`: {how_much}. {' '.join(store.made)}{trial}"


def amount(experiment, store):
    """How many of the tasks, and of the runs, are done."""
    quick = store.protocol["quick"]
    plan = Plan(1 if quick else experiment.runs, quick)
    tasks = experiment.tasks(plan)
    missing = [task.key.run for task in tasks if task.key not in store.records]
    text = f"{len(tasks) - len(missing)} of {len(tasks)} tasks"
    if plan.runs > 1:
        text += f", {plan.runs - len(set(missing))} of {plan.runs} runs whole"
    return text


def spent(*stores):
    return duration(sum(r["seconds"] for store in stores for r in store.records.values()))


def save(figure, path):
    """Save a figure, small and without a date, so that the same results are the same file."""
    import matplotlib.pyplot as plt

    figure.savefig(path, dpi=80, metadata={"Software": None})
    plt.close(figure)


def table(head, rows):
    """Markdown of a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def verdicts(experiment, records):
    """Paragraphs: what must hold, each with what was found, and the reasons."""
    checks = list(experiment.checks(records))
    if checks:
        yield "What must hold:"
        yield "\n".join(
            f"- {yes(check.held)}: {check.claim}; found {check.found}." for check in checks
        )
    if any(check.failed for check in checks) and (text := experiment.reasons(records)):
        yield text


def yes(held):
    """A verdict in a word; None is one that is still open."""
    return "open" if held is None else "yes" if held else "**no**"
