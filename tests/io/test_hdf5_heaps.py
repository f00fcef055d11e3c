from pathlib import Path

import h5py
import numpy as np
import pytest

from fuzz.targets import CORPUS
from hitmiss.io import read_table
from hitmiss.io.hdf5_heaps import HEADER, SIGNATURE, check_heaps


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "a.h5"
    with h5py.File(path, "w") as file:
        file["X"] = np.eye(4)
        file["y"] = ["ill", "ill", "well", "well"]
    return path


def changed(path, index, size):
    """The file with another first object in its heap."""
    content = bytearray(path.read_bytes())
    place = content.index(SIGNATURE) + HEADER
    content[place : place + 2] = index.to_bytes(2, "little")
    content[place + 8 : place + 16] = size.to_bytes(8, "little")
    path.write_bytes(content)
    return path


def test_a_file_that_kept_the_library_busy_for_ever_is_refused():
    with pytest.raises(ValueError, match=r"endless-heap\.h5 is damaged: a heap of strings"):
        read_table(Path(CORPUS, "endless-heap.h5"), "y")


@pytest.mark.parametrize(("index", "size"), [(0, 0), (1, 2**64 - 16)])
def test_an_object_without_room_is_refused(path, index, size):
    check_heaps(path, 8)
    assert read_table(path, "y").y.tolist() == ["ill", "ill", "well", "well"]
    with pytest.raises(ValueError, match="has no end"):
        check_heaps(changed(path, index, size), 8)


def test_the_end_of_the_heap_is_not_passed(path):
    check_heaps(changed(path, 1, 2**40), 8)  # the library says that it is damaged
    with pytest.raises(ValueError, match=r"a\.h5"):
        read_table(path, "y")


def test_a_small_or_large_file_is_left_to_the_library(path, monkeypatch, tmp_path):
    changed(path, 0, 0)
    monkeypatch.setattr("hitmiss.io.hdf5_heaps.LARGEST_CHECKED", 5000)
    check_heaps(path, 8)
    (tmp_path / "empty.h5").touch()
    check_heaps(tmp_path / "empty.h5", 8)
