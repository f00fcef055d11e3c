"""``python -m reproduce NAME``: run an experiment, or go on with it, and write the page."""

import argparse
import sys
from pathlib import Path

from reproduce.harness.experiment import Plan
from reproduce.harness.readme import write_readme
from reproduce.harness.runner import estimate, run
from reproduce.harness.store import SettingsError, Store
from reproduce.pages.contents import NAMES, all_sections, section_named
from reproduce.pages.introduction import introduction

HERE = Path(__file__).parent
QUICK = Path("build") / "reproduce"  # what --quick makes is no result to keep


def main(arguments=None):
    """Run what the command line names, and write the page."""
    options = parser().parse_args(arguments)
    names = list(NAMES) if options.names == ["all"] else options.names
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        sys.exit(f"There is no experiment {unknown[0]!r}; choose from {', '.join(NAMES)}.")
    folder = options.folder or (QUICK if options.quick else HERE)
    try:
        for name in names:
            run_experiment(section_named(name).experiment, folder, options)
    except SettingsError as error:
        sys.exit(str(error))
    if names or options.page:
        print(f"written: {write_readme(folder, all_sections(), introduction)}")
    else:
        print("\n".join(plans(options.jobs)))


def parser():
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m reproduce", description=__doc__)
    parser.add_argument("names", nargs="*", help="experiments, or all; none lists them")
    parser.add_argument("--runs", type=positive, help="number of runs; as published by default")
    parser.add_argument("--jobs", type=positive, default=2, help="number of processes")
    parser.add_argument("--quick", action="store_true", help="little data, few runs: a trial")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results first")
    parser.add_argument("--page", action="store_true", help="make the page of what is stored")
    parser.add_argument("--folder", type=Path, help="where the page and the results go")
    return parser


def positive(text):
    """A number of at least 1, from the command line."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 1")
    return int(text)


def run_experiment(experiment, folder, options):
    """One experiment, from where it stands to its end; a quick trial begins anew."""
    if reason := experiment.obstacle():
        print_progress(f"{experiment.name}: skipped, {reason}.")
        return
    path = folder / "results" / f"{experiment.name}.json"
    if options.fresh or options.quick:
        path.unlink(missing_ok=True)
    plan = Plan(options.runs or (1 if options.quick else experiment.runs), options.quick)
    store = Store(path, {"quick": plan.quick, **experiment.protocol})
    run(experiment, plan, store, jobs=options.jobs, report=print_progress)


def plans(jobs):
    """One line per experiment: how long a full run takes."""
    for section in all_sections():
        what = section.experiment
        tasks = what.tasks(Plan(what.runs))
        yield estimate(what, tasks, tasks, jobs)


def print_progress(line):
    """Progress goes to standard error, so that the output is the result alone."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
