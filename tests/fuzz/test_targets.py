import os
import shutil
from pathlib import Path

import pytest

from fuzz import targets
from fuzz.corpus_files import FILES
from fuzz.processes import in_a_process, read_all
from fuzz.seeds import KINDS, NAMES, X
from hitmiss import persistence
from hitmiss.io import read_table


@pytest.mark.parametrize("name", targets.TARGETS)
def test_every_target_reads_its_files_of_the_corpus(tmp_path, monkeypatch, name):
    for other in targets.TARGETS:
        (tmp_path / f"found.{other}").write_text(other)
    seen = []
    monkeypatch.setattr(targets, "CORPUS", tmp_path)
    monkeypatch.setitem(
        targets.TARGETS, name, lambda *_: ([], lambda path: seen.append(path.read_text()))
    )
    assert list(targets.findings(name, 0)) == [1]
    assert seen == [name]


def test_every_file_of_the_corpus_belongs_to_a_target():
    names = {path.name for path in targets.CORPUS.iterdir()}
    assert FILES.keys() <= names
    assert {name.partition(".")[2] for name in names} <= targets.TARGETS.keys()


def test_a_workbook_of_the_corpus_is_read_completely():
    table = read_table(targets.CORPUS / "wrong-dimension.xlsx", "kind")
    assert table.X.tolist() == X.tolist()
    assert table.y.tolist() == KINDS
    assert len(table.feature_names) == len(NAMES)


REFUSED = {
    "external-link.h5": "'X' in .* is a link to another file, .*",
    "external-storage.h5": "'X' in .* has its values in another file, .*",
    "virtual-dataset.h5ad": "'X' in .* is put together from other datasets, .*",
    "nan-numbers.model": "Its parts do not fit together; .*",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_file_of_the_corpus_is_refused_in_a_sentence(tmp_path, name):
    path = shutil.copy(targets.CORPUS / name, tmp_path)
    with pytest.raises(ValueError, match=rf"^{REFUSED[name]}\.$") as caught:
        persistence.load(path) if name.endswith(".model") else read_table(path, "kind")
    assert "\n" not in str(caught.value)


def test_mutated_files_are_read_or_refused_in_a_sentence(tmp_path):
    """In a process of its own, since a library may be ended by a file."""
    n_tried, found = in_a_process(read_all, (30, 1, tmp_path), 300, "all", tmp_path)
    assert found == []
    assert n_tried > 30 * len(targets.TARGETS)


def test_what_kills_the_process_is_kept(tmp_path):
    (tmp_path / "tried.csv").touch()
    _, (sentence,) = in_a_process(os._exit, (1,), 60, "csv", tmp_path)
    assert sentence.startswith("csv: the process died or hung; see ")
    Path(sentence.removesuffix(".").rpartition(" ")[2]).unlink()
