"""Whatever is wrong: exit code 2, one sentence, nothing written."""

import sys

import pytest

from hitmiss import io

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))
GOOD = "kind,a,b\nx,1,5\ny,2,4\nx,3,6\ny,4,4\n"

# What is wrong with the file -> its name, its content, and what the error says.
FILES = {
    "not there": ("data.csv", None, "There is no file "),
    "no known suffix": ("data.docx", b"x", "has no suffix that says what it holds"),
    "no such column": ("data.csv", GOOD.replace("kind", "kinda"), "There is no column 'kind'; did"),
    "empty": ("data.csv", "", "The file is empty."),
    "header only": ("data.csv", "kind,a\n", "no samples"),
    "ragged": ("data.csv", GOOD + "x,1\n", "Row 6 has 2 values where the header has 3."),
    "text": ("data.csv", GOOD + "x,1,low\n", "Column 'b' holds 'low' in row 6, which is no number"),
    "NaN": (
        "data.csv",
        GOOD + "x,,NA\ny,1,\n",
        "3 values are missing (NaN or infinite), in 2 features: 'a', 'b'; fill them in, or leave",
    ),
    "no label": ("data.csv", GOOD + ",1,1\n", "1 of 5 samples have no label"),
    "duplicates": (
        "data.csv",
        GOOD.replace("b", "a"),
        "1 feature names occur more than once ('a')",
    ),
    "one class": ("data.csv", GOOD.replace("y", "x"), "All samples are of one class (x)"),
    "measurements": ("data.csv", "kind,a\n1.5,1\n2.25,2\n0.5,3\n", "holds measurements"),
    "a picture as CSV": ("data.csv", PNG, "is not text"),
    "a picture as Parquet": ("data.parquet", PNG, "cannot be read as a Parquet file"),
    "a picture as Excel": ("data.xlsx", PNG, "cannot be read as an Excel workbook"),
    "a picture as NPZ": ("data.npz", PNG, "cannot be read as an NPZ file"),
    "text as h5ad": ("data.h5ad", GOOD, "cannot be read as an h5ad file"),
}


def assert_one_sentence(result, sentence):
    """The last line of standard error is the sentence, and there is no traceback."""
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    assert sentence in line
    assert line.endswith((".", "?"))


@pytest.mark.parametrize("command", ["select", "compare", "stability"])
@pytest.mark.parametrize("case", FILES)
def test_wrong_files(hitmiss, tmp_path, case, command):
    name, content, sentence = FILES[case]
    if content is not None:
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    out = [] if command == "stability" else ["--out", tmp_path / "out"]
    result = hitmiss(command, tmp_path / name, "--target", "kind", "-q", *out)
    assert_one_sentence(result, sentence)
    assert [path.name for path in tmp_path.iterdir()] == ([] if content is None else [name])


@pytest.mark.parametrize(
    "case", ["not there", "empty", "ragged", "text", "NaN", "a picture as CSV"]
)
def test_wrong_files_to_predict(hitmiss, tmp_path, case, write_csv):
    good = write_csv([line.split(",") for line in GOOD.splitlines()], "good.csv")
    hitmiss("select", good, "-t", "kind", "-o", tmp_path / "model", "--set", "alpha=0.01")
    name, content, sentence = FILES[case]
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    model, out = tmp_path / "model" / "model.npz", tmp_path / "out.csv"
    assert_one_sentence(hitmiss("predict", model, tmp_path / name, "--out", out, "-q"), sentence)
    assert_one_sentence(hitmiss("predict", good, good), "cannot be read as a model of hitmiss")
    assert_one_sentence(hitmiss("predict", tmp_path / "no.npz", good), "There is no model at")
    assert not out.exists()


def test_a_folder_that_is_not_there(hitmiss, tmp_path):
    out = tmp_path / "nowhere" / "spiral.csv"
    result = hitmiss("datasets", "spiral", "--n-irrelevant", "0", "--out", out)
    assert_one_sentence(result, f"{out}: No such file or directory.")


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.csv"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--method", "lofee"], "There is no method 'lofee'; did you mean 'lofe'?"),
        (["--set", "sigmb=1"], "lofe has no parameter 'sigmb'; did you mean 'sigma'?"),
        (["--set", "sigma"], "A setting is written as name=value; 'sigma' is not."),
        (["--set", "sigma=-1"], "sigma must be a positive number; got -1."),
        (["--set", "sigma=wide"], "sigma must be a positive number; got 'wide'."),
        (["--set", "max_features=99"], "max_features=99 is more than the 2 features"),
        (["--drop", "c"], "There is no column 'c'"),
        (["--samples", "c"], "There is no column 'c'"),
        (["--transpose"], "There is no row 'kind'"),
    ],
)
def test_wrong_options(hitmiss, good, tmp_path, options, sentence):
    result = hitmiss("select", good, "-t", "kind", "-q", "-o", tmp_path / "out", *options)
    assert_one_sentence(result, sentence)
    assert list(tmp_path.iterdir()) == [good]


def test_no_target(hitmiss, good):
    sentence = "Say which column of"
    numbers = good.with_name("numbers.csv")
    numbers.write_text("a,b\n1,2\n3,4\n")
    assert_one_sentence(hitmiss("select", numbers, "-q"), sentence)


def test_options_of_compare(hitmiss, good):
    common = ["compare", good, "-t", "kind", "-q"]
    assert_one_sentence(hitmiss(*common, "--relevant", "z"), "There is no feature 'z'")
    assert_one_sentence(hitmiss(*common, "--methods", "lofe,x"), "There is no method 'x'")
    assert_one_sentence(
        hitmiss(*common, "--folds", "9"), "n_splits=9 greater than the number of samples"
    )


def test_an_output_that_would_lose_something(hitmiss, good, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("years")
    result = hitmiss("select", good, "-t", "kind", "-q", "-o", tmp_path / "mine")
    assert_one_sentence(result, "holds other files (thesis.txt), which would be lost")
    assert_one_sentence(hitmiss("select", good, "-t", "kind", "-q", "-o", good), "is a file")
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "years"


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
    result = hitmiss("select", path, "-t", "kind")
    assert_one_sentence(result, f'install it with: pip install "hitmiss[{extra}]".')


def test_every_suffix_is_in_the_help(hitmiss):
    shown = "".join(hitmiss("select", "--help").stdout.split())
    assert "".join(",".join(io.SUFFIXES).split()) in shown
