"""Tables that cannot be used, and options on reading those that can."""

import json
import os
import sys
from itertools import product

import numpy as np
import pytest
import scipy.io
import scipy.sparse

from tests.cli.conftest import GOOD, PNG, QUICK, assert_one_sentence

MATLAB = b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + b"\x0e\0\0\0\xff\xff\0\0" + bytes(64)
# What is wrong with the file -> its name, its content, and what the error says.
FILES = {
    "not there": ("data.csv", None, "There is no file "),
    "no known suffix": ("data.docx", b"x", "has no known suffix; there are"),
    "no such column": ("data.csv", GOOD.replace("kind", "kinda"), "There is no column 'kind'; did"),
    "two targets": ("data.csv", GOOD.replace("b", "kind"), "There are several columns 'kind'"),
    "empty": ("data.csv", "", "The file is empty."),
    "only empty lines": ("data.csv", "\n\n,,\n", "The file is empty."),
    "header only": ("data.csv", "kind,a\n", "no samples"),
    "ragged": ("data.csv", GOOD + "x,1\n", "Row 6 has 2 values where the header has 3."),
    "text": (
        "data.csv",
        GOOD + "x,1,low\n",
        "Column 'b' holds 'low' in row 6, which is not a number",
    ),
    "a decimal comma": (
        "data.csv",
        GOOD + 'x,1.5,"1,5"\n',
        "without thousands separators, decimal c",
    ),
    "a comment": ("data.csv", f"# made by hand\n{GOOD}", "begins with a comment; delete the lines"),
    "infinite": (
        "data.csv",
        GOOD + "x,inf,1\n",
        "1 value is infinite, in the feature 'a'; replace it, or leave out these",
    ),
    "no label": (
        "data.csv",
        GOOD + ",1,1\n",
        "1 of 5 samples has no label, the first being '5'; f",
    ),
    "a class called None": (
        "data.csv",
        GOOD.replace("x", "None"),
        "2 of 4 samples have no label, the first being '1'; 'None' means missing, so rename",
    ),
    "duplicates": (
        "data.csv",
        "kind,a,b,a\nx,1,5,1\ny,2,4,2\n",
        "1 feature name occurs more than once ('a')",
    ),
    "one class": ("data.csv", GOOD.replace("y", "x"), "All samples are of one class (x)"),
    "measurements": ("data.csv", "kind,a\n1.5,1\n2.25,2\n0.5,3\n", " measurements"),
    "an open quote": ("data.csv", GOOD + 'x,"1,1\n', "cannot be read as a table of text"),
    "another encoding": ("data.csv", GOOD.encode("utf-16"), "is not UTF-8 text"),
    "a picture as CSV": ("data.csv", PNG, "is not UTF-8 text"),
    "text as gzip": ("data.csv.gz", GOOD, "cannot be read as a table of text"),
    "a picture as Parquet": ("data.parquet", PNG, "cannot be read as a Parquet file"),
    "a picture as Excel": ("data.xlsx", PNG, "cannot be read as an Excel workbook"),
    "a picture as NPZ": ("data.npz", PNG, "cannot be read as an NPZ file"),
    "a picture as MATLAB": ("data.mat", PNG, "cannot be read as a MATLAB file"),
    "a broken MATLAB file": ("data.mat", MATLAB, "cannot be read as a MATLAB file"),
    "a picture as ARFF": ("data.arff", PNG, "cannot be read as an ARFF file"),
    "a picture as HDF5": ("data.h5", PNG, "cannot be read as an HDF5 file"),
    "text as h5ad": ("data.h5ad", GOOD, "cannot be read as an h5ad file"),
}
# What is no mistake in a table to predict, or is another one.
NO_MISTAKE_TO_PREDICT = {"one class", "measurements"}
OF_PREDICT = {
    "duplicates": "There are several columns 'a'",
    "infinite": "or leave out these samples with --missing drop-samples.",
}
MISTAKES = [
    *product(QUICK, FILES),
    *(("predict", case) for case in FILES if case not in NO_MISTAKE_TO_PREDICT),
]


@pytest.mark.parametrize(("command", "case"), MISTAKES)
def test_wrong_files(on_file, tmp_path, command, case):
    name, content, sentence = FILES[case]
    if command == "predict":
        sentence = OF_PREDICT.get(case, sentence)
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert_one_sentence(on_file(command, tmp_path / name, tmp_path / "deep" / "out"), sentence)
    assert [path.name for path in tmp_path.iterdir()] == ([] if content is None else [name])


def test_a_folder_as_a_file(on_file, tmp_path):
    folder = tmp_path / "data.csv"
    folder.mkdir()
    for command in (*QUICK, "predict"):
        assert_one_sentence(
            on_file(command, folder, tmp_path / "out"), "data.csv is a folder without a matrix.mtx"
        )


def test_no_target(hitmiss, good):
    sentence = "Name the column of"
    numbers = good.with_name("numbers.csv")
    numbers.write_text("a,b\n1,2\n3,4\n")
    assert_one_sentence(hitmiss("select", "--quick", numbers, "-q"), sentence)


def test_commands_say_what_a_target_may_hold(hitmiss, good):
    assert "Column of classes or numbers" in hitmiss("select", "--help").stdout
    assert "Column that holds the classes" in hitmiss("compare", "--help").stdout
    table = good.with_name("numbers.csv")
    table.write_text("a,b\n1,2\n3,4\n")
    sentence = "to explain with --target, or with --time and --event."
    assert_one_sentence(hitmiss("select", "--quick", table, "-q"), sentence)


@pytest.mark.parametrize("text", [GOOD, "a,kind\n1,x\n2,y\n"])
def test_no_target_where_the_classes_are_text(hitmiss, tmp_path, text):
    path = tmp_path / "data.csv"
    path.write_text(text)
    assert_one_sentence(hitmiss("select", "--quick", path, "-q"), "Name the column of")


def test_no_target_where_the_classes_are_a_row_of_text(hitmiss, tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("gene,s1,s2\na,1,2\nkind,x,y\n")
    result = hitmiss("select", "--quick", path, "-q", "--transpose")
    sentence = "as target (--target) if it holds the classes, correct it, or exclude"
    assert_one_sentence(result, sentence)


@pytest.mark.parametrize("command", QUICK)
def test_missing_values_are_an_error_only_if_that_is_asked_for(on_file, hitmiss, tmp_path, command):
    path = tmp_path / "data.csv"
    path.write_text(GOOD + "x,,NA\ny,1,\n")
    arguments = [path, "-t", "kind", *QUICK[command]]
    sentence = (
        "3 values are missing (NaN or infinite), in 2 features: 'a', 'b'; replace them, or leave "
        "out these features or samples with --missing drop-features or drop-samples."
    )
    assert_one_sentence(hitmiss(command, *arguments, "-q", "--missing", "error"), sentence)
    kept = hitmiss(command, *arguments)
    assert kept.exit_code == 0
    assert "3 values are missing and kept; --missing drop-features or" in kept.stderr


@pytest.mark.parametrize(
    ("suffix", "module", "extra"),
    [
        (".parquet", "pyarrow.parquet", "parquet"),
        (".xlsx", "openpyxl", "excel"),
        (".h5", "h5py", "hdf5"),
        (".h5ad", "anndata", "anndata"),
    ],
)
def test_a_library_that_is_not_installed(hitmiss, monkeypatch, tmp_path, suffix, module, extra):
    monkeypatch.setitem(sys.modules, module, None)
    path = tmp_path / f"data{suffix}"
    path.write_bytes(PNG)
    result = hitmiss("select", "--quick", path, "-t", "kind")
    assert_one_sentence(result, f'install it with: pip install "hitmiss[{extra}]".')


def test_the_column_taken_as_sample_names_is_named(hitmiss, xor, xor_csv, write_csv, tmp_path):
    taken = "is used as sample names"
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    plain = write_csv([["kind", *xor.feature_names], *data])
    for path, options, said, name in (
        (xor_csv, [], True, "id"),
        (xor_csv, ["--samples", "id"], False, "id"),
        (plain, [], False, None),
    ):
        out = tmp_path / "out"
        result = hitmiss(
            "select", "--quick", path, "-t", "kind", "-m", "relieff", "-o", out, *options
        )
        assert (f"Column 'id' {taken}" in result.stderr) is said
        assert (taken in result.stderr) is said
        assert json.loads((out / "run.json").read_text())["data"]["samples"] == name
    assert (
        taken
        not in hitmiss("select", "--quick", xor_csv, "-t", "kind", "-m", "relieff", "-q").stderr
    )


def test_the_sample_names_of_a_comparison_are_on_record(hitmiss, xor_csv, tmp_path):
    options = ["--methods", "fisherscore", "--folds", "2", "-o", tmp_path / "out"]
    assert "Column 'id'" in hitmiss("compare", xor_csv, "-t", "kind", *options).stderr
    assert json.loads((tmp_path / "out" / "run.json").read_text())["data"]["samples"] == "id"


def test_features_in_rows(hitmiss, xor, write_csv):
    rows = [["gene", *(f"s{n}" for n in range(60))], ["kind", *xor.target]]
    rows += [[name, *x] for name, x in zip(xor.feature_names, xor.data.T.tolist(), strict=True)]
    result = hitmiss(
        "select", "--quick", write_csv(rows), "-t", "kind", "--transpose", "--json", "-q"
    )
    assert {item["feature"] for item in json.loads(result.stdout)["selected"]} == {"x0", "x1"}


def test_missing_values_can_be_left_out(hitmiss, xor, write_csv):
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    data[3][9] = ""
    path = write_csv([["kind", *xor.feature_names], *data])
    for how, shape in (("drop-features", (60, 9)), ("drop-samples", (59, 10))):
        result = hitmiss("select", "--quick", path, "-t", "kind", "--missing", how, "--json")
        found = json.loads(result.stdout)
        assert (found["n_samples"], found["n_features"]) == shape
        assert f"1 {how[5:-1]} without all values is left out." in result.stderr


def test_samples_without_a_label_are_told_apart_from_gaps(hitmiss, tmp_path):
    path = tmp_path / "data.csv"
    lacking = "1 sample without a label, time, event, group, stratum or covariate is left out."
    for more, said in (("", "Nothing is left out."), (",1,2\n", lacking)):
        path.write_text(GOOD + "x,,1\n" + more)
        options = ["--missing", "drop-unlabeled", "-m", "relieff", "--quick"]
        result = hitmiss("select", path, "-t", "kind", *options)
        assert result.exit_code == 0
        assert said in result.stderr.splitlines()
        assert "No value is missing" not in result.stderr
        assert "1 value is missing and kept" in result.stderr


def test_a_file_name_that_is_no_text(hitmiss, xor_csv, tmp_path):
    odd = tmp_path / os.fsdecode(b"\xff[b].csv")
    odd.write_bytes(xor_csv.read_bytes())
    result = hitmiss("select", "--quick", odd, "-t", "kind", "-o", tmp_path / "out", "--json", "-q")
    assert result.exit_code == 0
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["data"]["file"].endswith("\ufffd[b].csv")


def test_counts_of_cells_with_labels_in_another_file(hitmiss, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    counts = rng.poisson(1.0, size=(40, 6)) + np.outer(np.arange(40) % 2, [4, 0, 0, 0, 0, 0])
    folder = tmp_path / "run"
    folder.mkdir()
    scipy.io.mmwrite(folder / "matrix.mtx", scipy.sparse.coo_matrix(counts.T))
    (folder / "features.tsv").write_text("".join(f"E{j}\tg{j}\n" for j in range(6)))
    (folder / "barcodes.tsv").write_text("".join(f"AC{n}-1\n" for n in range(40)))
    lines = [f"AC{n}-1,{'AB'[n % 2]}\n" for n in range(40)]
    (tmp_path / "cells.csv").write_text("".join(["barcode,type\n", *lines]))
    arguments = ["select", folder, "--metadata", tmp_path / "cells.csv", "-t", "type", "--quick"]
    result = hitmiss(*arguments, "-m", "relieff", "--top", 1, "-q", "--json")
    found = json.loads(result.stdout)
    assert [row["feature"] for row in found["selected"]] == ["g0"]
    assert len(found["data"]["sha256"]) == 64
    monkeypatch.setattr("hitmiss.cli._shared.table_file.LARGEST_DENSE", 100)
    assert_one_sentence(hitmiss(*arguments, "-q"), "40 samples of 6 features take 0 GB as a table")
