"""Results of one experiment on disk: a valid file after every task."""

import json
import os
import platform

from benchmarks.machine import machine
from reproduce.harness.experiment import Key


class SettingsError(ValueError):
    """Stored results were made with other settings than the current ones."""


class Store:
    """Records by key, in one JSON file with a line per record.

    Every change writes the whole file beside and renames it: it is small, and never half written.

    Parameters
    ----------
    path : Path
        The file; it need not exist.
    protocol : dict
        The settings that the records depend on. Records made with others are refused.
    here : str, default=None
        Date, machine and versions of what is added; None finds them.

    Attributes
    ----------
    records : dict
        Key -> record.
    made : list of str
        Dates, machines and versions that records were made with.
    """

    def __init__(self, path, protocol, here=None):
        self.path = path
        self.here = here
        self.protocol = json.loads(json.dumps(protocol))  # as it comes back from the file
        self.records = {}
        self.made = []
        if path.exists():
            self._read()

    def _read(self):
        content = json.loads(self.path.read_text(encoding="utf-8"))
        if content["protocol"] != self.protocol:
            raise SettingsError(
                f"{self.path} was made with other settings; delete it or pass --fresh."
            )
        self.made = content["made"]
        self.records = {Key(*key): record for key, record in content["records"]}

    def add(self, key, record):
        """Add a record, and write the file."""
        self.records[key] = record
        here = self.here or f"{machine().strip()} {system()}."
        if here not in self.made:
            self.made.append(here)
        self._write()

    def _write(self):
        rows = ",\n".join(json.dumps([key, self.records[key]]) for key in sorted(self.records))
        head = f'"made": {json.dumps(self.made)},\n"protocol": {json.dumps(self.protocol)}'
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f".{self.path.name}-{os.getpid()}")
        beside.write_text(f'{{{head},\n"records": [\n{rows}\n]}}\n', encoding="utf-8")
        beside.replace(self.path)


def system():
    """Name of the operating system."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()


def stored(experiment, path):
    """The results of an experiment, or of its quick trial; None if made with other settings."""
    quick = path.exists() and json.loads(path.read_text(encoding="utf-8"))["protocol"]["quick"]
    try:
        return Store(path, {"quick": quick, **experiment.protocol})
    except SettingsError:
        return None
