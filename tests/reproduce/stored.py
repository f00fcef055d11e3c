"""The committed results."""

from pathlib import Path

from reproduce.harness import store

FOLDER = Path(__file__).parents[2] / "reproduce"


def stored_records(section):
    """The committed records of a section; None if they were made with other settings."""
    experiment = section.experiment
    found = store.stored(experiment, FOLDER / "results" / f"{experiment.name}.json")
    return found.records if found else None
