"""The page of all results, made from what is stored and from nothing else."""

import json

from reproduce import EXPERIMENTS, experiment_named
from reproduce.runner import duration
from reproduce.store import Store

HEADER = """# The papers, reproduced

`python -m reproduce NAME` runs an experiment, or goes on with it after an interruption, and makes
this page from the stored results; without a name it lists the experiments and how long they take.
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
    parts = [HEADER]
    if missing:
        parts.append(f"Not run yet: {', '.join(missing)}.\n")
    for name, path in paths.items():
        if path.exists():
            parts.append(section(experiment_named(name), path))
    page = folder / "README.md"
    beside = page.with_name(".README.md")
    beside.write_text("\n".join(parts), encoding="utf-8")
    beside.replace(page)
    return page


def section(experiment, path):
    """Heading, conditions, table and pictures of one experiment."""
    quick = json.loads(path.read_text(encoding="utf-8"))["protocol"]["quick"]
    try:
        store = Store(path, {"quick": quick, **experiment.protocol})
    except ValueError:
        return f"## {experiment.title}\n\nOutdated: run it again with `--fresh`.\n"
    records = store.records
    lines = [
        f"## {experiment.title}",
        conditions(experiment, store),
        experiment.page(records),
    ]
    for name, draw in experiment.figures.items():
        picture = path.with_name(f"{name}.png")
        save(draw(records), picture)
        lines.append(f"![{name}](results/{picture.name})")
    return "\n\n".join(lines) + "\n"


def conditions(experiment, store):
    """How much was run, for how long, when and where."""
    records = store.records
    seconds = sum(record["seconds"] for record in records.values())
    runs = f"{1 + max(key.run for key in records)} of {experiment.runs} runs, "
    trial = " **A quick trial, on little data: not to be compared.**"
    return (
        f"`{experiment.name}`: {runs if experiment.runs > 1 else ''}{len(records)} tasks, "
        f"{duration(seconds)} on one core. {store.made}"
        f"{trial if store.protocol['quick'] else ''}"
    )


def save(figure, path):
    """Save a figure, small and without a date, so that the same results are the same file."""
    import matplotlib.pyplot as plt

    figure.savefig(path, dpi=80, metadata={"Software": None})
    plt.close(figure)


def table(head, rows):
    """Markdown of a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def check(held, text, found):
    """Markdown of one thing that must hold."""
    return f"- {'yes' if held else '**no**'}: {text}; found {found}."
