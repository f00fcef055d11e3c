import os
from pathlib import Path

from fuzz.processes import in_a_process, read_all


def test_mutated_files_are_read_or_refused_in_a_sentence(tmp_path):
    """In a process of its own, since a library may be ended by a file."""
    assert in_a_process(read_all, (0.7, 1, tmp_path), 300, "all", tmp_path) == []


def test_what_kills_the_process_is_kept(tmp_path):
    (tmp_path / "tried.csv").touch()
    (sentence,) = in_a_process(os._exit, (1,), 60, "csv", tmp_path)
    assert sentence.startswith("csv: the process died or hung; see ")
    Path(sentence.removesuffix(".").rpartition(" ")[2]).unlink()
