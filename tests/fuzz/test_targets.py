import sys
from pathlib import Path

from fuzz.__main__ import _read, in_a_process
from fuzz.targets import TARGETS


def read_all(folder):
    return [found for name in TARGETS for found in _read(name, 0.7, 1, folder)]


def test_mutated_files_are_read_or_refused_in_a_sentence(tmp_path):
    """In a process of its own, since a library may be ended by a file."""
    assert in_a_process(read_all, (tmp_path,), 300, "all", tmp_path) == []


def dies(folder):
    (folder / "tried.csv").touch()
    sys.exit(1)


def test_what_kills_the_process_is_kept(tmp_path):
    (sentence,) = in_a_process(dies, (tmp_path,), 5, "csv", tmp_path)
    assert sentence.startswith("csv: the process died or hung; see ")
    Path(sentence.removesuffix(".").rpartition(" ")[2]).unlink()
