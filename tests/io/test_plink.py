"""PLINK files as bed-reader writes them."""

import sys

import numpy as np
import pytest

from hitmiss.io import read_columns, read_table

bed_reader = pytest.importorskip("bed_reader")
VALUES = np.array([[0, 1, 2], [2, np.nan, 0], [1, 1, 1], [0, 0, np.nan], [2, 2, 2]])


@pytest.fixture
def write(tmp_path):
    def to_files(pheno=("1", "2", "1", "2", "-9"), sid=("rs1", "rs2", "."), **more):
        known = {
            "fid": ["f1", "f1", "f2", "f2", "f3"],
            "iid": ["i1", "i2", "i3", "i4", "i5"],
            "sex": [1, 2, 0, 1, 2],
            "pheno": list(pheno),
            "chromosome": ["1", "1", "X"],
            "sid": list(sid),
            "bp_position": [10, 20, 30],
        }
        bed_reader.to_bed(tmp_path / "data.bed", VALUES, properties=known | more)
        return tmp_path / "data.bed"

    return to_files


def test_genotypes_come_back_with_names_and_cases(write):
    table = read_table(write())
    np.testing.assert_array_equal(table.X, VALUES)
    assert table.feature_names == ["rs1", "rs2", "X:30"]
    assert table.sample_names == ["i1", "i2", "i3", "i4", "i5"]
    assert table.y.tolist() == ["control", "case", "control", "case", ""]


def test_columns_of_fam_are_asked_for_by_name(write):
    path = write(pheno=["1.5", "2", "3", "0.5", "-9"])
    table = read_table(path, "sex", aside=["family", "phenotype"], features=["X:30", "rs1"])
    assert table.y.tolist() == ["male", "female", "", "male", "female"]
    assert table.aside["family"] == ["f1", "f1", "f2", "f2", "f3"]
    assert table.aside["phenotype"] == ["1.5", "2", "3", "0.5", None]
    np.testing.assert_array_equal(table.X, VALUES[:, [2, 0]])
    assert read_table(path).y is None
    assert read_columns(path)["sample"] == ["i1", "i2", "i3", "i4", "i5"]


def test_names_that_come_twice_are_made_unique(write):
    path = write(sid=["rs1", "rs1", "rs2"])
    with pytest.raises(ValueError, match="name occurs more than once"):
        read_table(path)
    assert read_table(path, make_unique=True).feature_names == ["rs1", "rs1_2", "rs2"]


@pytest.mark.parametrize(
    ("suffix", "change", "sentence"),
    [
        (".bed", lambda b: b"chr1\t10\t20\n", "is not a .bed file of PLINK; intervals of a genome"),
        (".bed", lambda b: b + b"\0", "do not belong together"),
        (".fam", lambda b: b.partition(b"\n")[2], "6 bytes|do not belong together|has 9 bytes"),
        (".fam", lambda b: b.replace(b"i2", b""), r"Row 2 of .*data\.fam has 5 values"),
        (".fam", lambda b: b"\xff" + b, "cannot be read as a PLINK file"),
        (".bim", lambda b: b"", "is empty"),
        (".bim", lambda b: None, "There is no data.bim beside the .bed file"),
    ],
)
def test_what_is_wrong_is_one_sentence(write, suffix, change, sentence):
    path = write()
    part = path.with_suffix(suffix)
    content = change(part.read_bytes())
    part.unlink() if content is None else part.write_bytes(content)
    if suffix == ".fam" and "belong" in sentence:  # four samples take as many bytes as one: rows go
        part.write_bytes(content.partition(b"\n")[2])
        with pytest.raises(ValueError, match=r"has 9 bytes where|do not belong together"):
            read_table(path)
        return
    with pytest.raises(ValueError, match=sentence):
        read_table(path)


def test_what_is_needed_is_named(write, monkeypatch):
    path = write()
    monkeypatch.setitem(sys.modules, "bed_reader", None)
    with pytest.raises(ImportError, match=r'pip install "hitmiss\[plink\]"'):
        read_table(path)
    with pytest.raises(ValueError, match="do not transpose it"):
        read_table(path, transpose=True)
