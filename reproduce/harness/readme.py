"""README.md with all results, made from the stored records alone."""

from collections import Counter

from reproduce.harness.markdown import bullets, table, yes
from reproduce.harness.panels import save_pictures
from reproduce.harness.results import amount_done, conditions_of_most, cpu_time, results_in


def write_readme(folder, sections, introduction):
    """Write README.md and a picture per figure into `folder`; return the path of the page.

    Parameters
    ----------
    folder : Path
        Holds the folder `results`.
    sections : list of Section
        What the page is about.
    introduction : callable
        From the results of all sections to the Markdown that comes first.
    """
    results = results_in(folder, sections)
    for what in results:
        if what.store and what.store.records:
            save_pictures(what.section.figures, what.store.records, folder / "results")
    page = folder / "README.md"
    beside = page.with_name(".README.md")
    beside.write_text(text(results, introduction), encoding="utf-8")
    beside.replace(page)
    return page


def text(results, introduction):
    """The whole page, in Markdown."""
    made = conditions_of_most(results)
    sections = [section_text(what, made) for what in results if what.has_run]
    return "\n".join([introduction(results), summary(results, made), *sections])


def summary(results, made):
    """A line per experiment: how many checks hold, which do not, and how much was run."""
    rows = [[what.section.title, *summary_cells(what)] for what in results]
    rows.append(["all", "", "", "", cpu_time(*results)])
    head = ["experiment", "checks that hold", "those that do not", "done", "time"]
    lines = [
        "## What holds",
        "Times are CPU times, one thread.",
        table(head, rows),
        f"Made with, where a section says nothing else: {made}",
    ]
    return "\n\n".join(lines) + "\n"


def summary_cells(what):
    if not what.has_run:
        return ["", "", "not run yet", ""]
    if what.store is None:
        return ["", "", "outdated", ""]
    return [n_held(what.checks), failed_subjects(what.checks), amount_done(what), cpu_time(what)]


def n_held(checks):
    """How many of the checks hold, and how many are open."""
    n_open = sum(check.held is None for check in checks)
    count = f"{sum(bool(check.held) for check in checks)} of {len(checks)}"
    return count + (f", {n_open} open" if n_open else "")


def failed_subjects(checks):
    """The subjects of the checks that fail, each once, with their number if there are several."""
    counts = Counter(check.subject or check.claim for check in checks if check.failed)
    return "; ".join(f"{name} ({n})" if n > 1 else name for name, n in counts.items())


def section_text(what, made):
    """Heading, conditions, tables, checks and pictures of one experiment."""
    section, store, checks = what
    if store is None:
        return f"## {section.title}\n\nOutdated: run it again with `--fresh`.\n"
    lines = [
        f"## {section.title}",
        conditions(what, made),
        section.body(store.records),
        *checked(section, store.records, checks),
        *(f"![{name}](results/{name}.png)" for name in section.figures),
    ]
    return "\n\n".join(lines) + "\n"


def conditions(what, made):
    """How much was run, for how long; when and where, if that is not as for most."""
    own = " ".join(what.store.made)
    quick = what.store.protocol["quick"]
    trial = " **A quick trial, on little data: not to be compared.**" if quick else ""
    how_much = f"{amount_done(what)}, {cpu_time(what)} of CPU time"
    name = what.section.experiment.name
    return f"`{name}`: {how_much}.{'' if own == made else f' {own}'}{trial}"


def checked(section, records, checks):
    """Paragraphs: the checks, each with what was found, and the reasons."""
    if checks:
        yield "Checks:"
        yield bullets(
            f"{yes(check.held)}{', an aim' if check.aim else ''}: {check.claim}; "
            f"found {check.found}."
            for check in checks
        )
    if any(check.failed for check in checks) and (reasons := section.reasons(records)):
        yield reasons
