"""Whatever is wrong: exit code 2, one sentence, nothing written."""

import os
import resource
import sys
from contextlib import contextmanager
from itertools import product

import pytest
from typer.testing import CliRunner

from hitmiss import io
from hitmiss.cli.app import app

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))
GOOD = "kind,a,b\nx,1,5\ny,2,4\nx,3,6\ny,4,4\n"
MATLAB = b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM" + b"\x0e\0\0\0\xff\xff\0\0" + bytes(64)

# What is wrong with the file -> its name, its content, and what the error says.
FILES = {
    "not there": ("data.csv", None, "There is no file "),
    "no known suffix": ("data.docx", b"x", "has no suffix that says what it holds"),
    "no such column": ("data.csv", GOOD.replace("kind", "kinda"), "There is no column 'kind'; did"),
    "two targets": ("data.csv", GOOD.replace("b", "kind"), "There are several columns 'kind'"),
    "empty": ("data.csv", "", "The file is empty."),
    "only empty lines": ("data.csv", "\n\n,,\n", "The file is empty."),
    "header only": ("data.csv", "kind,a\n", "no samples"),
    "ragged": ("data.csv", GOOD + "x,1\n", "Row 6 has 2 values where the header has 3."),
    "text": ("data.csv", GOOD + "x,1,low\n", "Column 'b' holds 'low' in row 6, which is no number"),
    "a decimal comma": (
        "data.csv",
        GOOD + 'x,1,"1,5"\n',
        "without thousands separators, decimal c",
    ),
    "a comment": ("data.csv", f"# made by hand\n{GOOD}", "begins with a comment; delete the lines"),
    "NaN": (
        "data.csv",
        GOOD + "x,,NA\ny,1,\n",
        "3 values are missing (NaN or infinite), in 2 features: 'a', 'b'; fill them in, or leave "
        "out these features or samples with --missing drop-features or drop-samples.",
    ),
    "infinite": ("data.csv", GOOD + "x,inf,1\n", "1 value is missing (NaN or infinite), in the f"),
    "no label": (
        "data.csv",
        GOOD + ",1,1\n",
        "1 of 5 samples have no label, the first being '5'; f",
    ),
    "a class called None": (
        "data.csv",
        GOOD.replace("x", "None"),
        "2 of 4 samples have no label, the first being '1'; 'None' means missing, so rename",
    ),
    "duplicates": (
        "data.csv",
        "kind,a,b,a\nx,1,5,1\ny,2,4,2\n",
        "1 feature names occur more than once ('a')",
    ),
    "one class": ("data.csv", GOOD.replace("y", "x"), "All samples are of one class (x)"),
    "measurements": ("data.csv", "kind,a\n1.5,1\n2.25,2\n0.5,3\n", "holds measurements"),
    "an open quote": ("data.csv", GOOD + 'x,"1,1\n', "cannot be read as a table of text"),
    "another encoding": ("data.csv", GOOD.encode("utf-16"), "is not text"),
    "a picture as CSV": ("data.csv", PNG, "is not text"),
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
    "NaN": "or leave out these samples with --missing drop-samples.",
}
QUICK = {
    "select": ["--method", "fisherscore"],
    "compare": ["--methods", "fisherscore", "--folds", "2"],
    "stability": ["--method", "fisherscore", "--subsamples", "2"],
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that uses the features a and b."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "both.csv").write_text("kind,a,b\n" + "x,1,4\nx,4,6\ny,1,6\ny,4,4\n" * 3)
    options = ["--target", "kind", "--set", "alpha=0.01", "--out", str(folder / "out")]
    assert CliRunner().invoke(app, ["select", str(folder / "both.csv"), *options]).exit_code == 0
    assert sorted((folder / "out" / "selected.txt").read_text().split()) == ["a", "b"]
    return folder / "out" / "model.npz"


@pytest.fixture
def on_file(hitmiss, model):
    """Run a command on a table, with an output."""

    def run(command, path, out):
        if command == "predict":
            return hitmiss("predict", model, path, "-t", "kind", "-q", "-o", out)
        return hitmiss(command, path, "-t", "kind", "-q", "-o", out, *QUICK[command])

    return run


def assert_one_sentence(result, sentence):
    """Standard error is the sentence, and there is no traceback."""
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    assert sentence in line
    assert line.endswith((".", "?"))


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
        assert_one_sentence(on_file(command, folder, tmp_path / "out"), "data.csv is a folder.")


def test_wrong_models(hitmiss, good, tmp_path):
    out = tmp_path / "out.csv"
    for model, sentence in (
        (good, "good.csv is not a model that hitmiss has saved."),
        (tmp_path / "no.npz", "There is no model at"),
        (tmp_path, "There is no model at"),
    ):
        assert_one_sentence(hitmiss("predict", model, good, "--out", out), sentence)
    assert list(tmp_path.iterdir()) == [good]


@contextmanager
def full_disk():
    """No file may grow beyond a few bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def unwritable(tmp_path):
    """A folder nobody may write to; root may write to all but those of the kernel."""
    if os.geteuid() == 0:
        if not os.path.isdir("/sys"):
            pytest.skip("root may write anywhere, and this system has no /sys")
        return "/sys"
    (tmp_path / "locked").mkdir(mode=0o500)
    return tmp_path / "locked"


WRITERS = [*QUICK, "predict", "datasets"]


@pytest.fixture
def written(hitmiss, on_file, xor_csv, tmp_path):
    """Run a command that works, with the given output."""
    hitmiss("select", xor_csv, "-t", "kind", "-o", tmp_path / "xor")

    def run(command, out):
        if command == "datasets":
            options = ["--n-irrelevant", "3", "--overwrite"]
            return hitmiss("datasets", "xor", *options, "-o", f"{out}.csv")
        if command == "predict":
            model = tmp_path / "xor" / "model.npz"
            options = ["-t", "kind", "-q", "--overwrite"]
            return hitmiss("predict", model, xor_csv, *options, "-o", out)
        return on_file(command, xor_csv, out)

    return run


@pytest.mark.parametrize("command", WRITERS)
def test_a_full_disk_leaves_nothing(written, tmp_path, command):
    assert written(command, tmp_path / "first").exit_code == 0  # and all is compiled
    before = sorted(tmp_path.rglob("*"))
    with full_disk():
        result = written(command, tmp_path / "second")
    assert_one_sentence(result, "second")
    assert "File too large" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("command", WRITERS)
def test_a_full_disk_leaves_what_was_there(written, tmp_path, command):
    assert written(command, tmp_path / "out").exit_code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with full_disk():
        assert written(command, tmp_path / "out").exit_code == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("command", WRITERS)
def test_no_permission_to_write(written, tmp_path, command):
    result = written(command, f"{unwritable(tmp_path)}/out")
    assert_one_sentence(result, "/out")
    assert any(word in result.stderr for word in ("permitted", "denied", "Read-only"))


@pytest.mark.parametrize("command", WRITERS)
def test_an_output_below_a_file(written, xor_csv, command):
    before = xor_csv.read_bytes()
    assert_one_sentence(written(command, xor_csv / "out"), "Not a directory")
    assert xor_csv.read_bytes() == before


@pytest.mark.parametrize("command", ["predict", "datasets"])
def test_a_folder_that_is_not_there(written, tmp_path, command):
    out = tmp_path / "nowhere" / "out"
    assert_one_sentence(written(command, out), "No such file or directory.")


@pytest.mark.parametrize("command", ["predict", "datasets"])
def test_a_folder_in_place_of_a_file(written, tmp_path, command):
    (tmp_path / "out.csv").mkdir()
    out = tmp_path / ("out" if command == "datasets" else "out.csv")
    assert_one_sentence(written(command, out), "out.csv: Is a directory.")
    assert list((tmp_path / "out.csv").iterdir()) == []


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["selct"], "No such command 'selct'"),
        (["--color"], "No such option: --color; see hitmiss --help."),
        (["select"], "Missing argument 'FILE'; see hitmiss select --help."),
        (["select", "a.csv", "b.csv"], "; see hitmiss select --help."),
        (["select", "a.csv", "--targt", "kind"], "No such option: --targt"),
        (["select", "a.csv", "--target"], "'--target' requires an argument; see hitmiss"),
        (["select", "a.csv", "--seed", "one"], "Invalid value for '--seed': "),
        (["compare", "a.csv", "--folds", "1"], "Invalid value for '--folds': "),
        (["stability", "a.csv", "--subsamples", "1"], "Invalid value for '--subsamples': "),
        (["predict", "model.npz"], "Missing argument 'FILE'; see hitmiss predict --help."),
        (
            ["predict", "m", "a.csv", "--missing", "drop-features"],
            "Invalid value for '--missing': ",
        ),
        (["datasets", "xor"], "Say where to write it with --out, such as --out xor.csv."),
        (["datasets", "xor", "--n-samples", "0"], "Invalid value for '--n-samples': "),
        (["methods", "lofe", "--set", "a=1"], "No such option: --set"),
    ],
)
def test_wrong_usage(hitmiss, args, sentence):
    assert_one_sentence(hitmiss(*args), sentence)


def test_no_command_gets_help(hitmiss):
    assert hitmiss().stdout == hitmiss("--help").stdout


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
        (["--set", "sigma=wide"], "sigma must be a positive number or 'auto'; got 'wide'."),
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


@pytest.mark.parametrize("text", [GOOD, "a,kind\n1,x\n2,y\n", "gene,s1,s2\na,1,2\nkind,x,y\n"])
def test_no_target_where_the_classes_are_text(hitmiss, tmp_path, text):
    path = tmp_path / "data.csv"
    path.write_text(text)
    what = ["--transpose"] if text.startswith("gene") else []
    result = hitmiss("select", path, "-q", *what)
    assert_one_sentence(
        result, "as target (--target) if it holds the classes, correct it, or leave"
    )


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


def test_an_output_that_is_the_input(hitmiss, model, good, tmp_path):
    (tmp_path / "link.csv").symlink_to(good)
    for out in (good, tmp_path / "link.csv", tmp_path / "." / "good.csv"):
        for told in ([], ["--overwrite"]):
            result = hitmiss("predict", model, good, "-q", "-o", out, *told)
            assert_one_sentence(result, "good.csv is read and would be lost; name another output")
    before = model.read_bytes()
    result = hitmiss("predict", model, good, "-q", "-o", model, "--overwrite")
    assert_one_sentence(result, "model.npz is read and would be lost")
    assert (good.read_text(), model.read_bytes()) == (GOOD, before)


@pytest.mark.parametrize(
    ("command", "name"),
    [("select", "weights.csv"), ("compare", "selected.csv"), ("stability", "frequencies.csv")],
)
def test_a_folder_that_holds_the_input(on_file, tmp_path, command, name):
    path = tmp_path / "mine" / name
    path.parent.mkdir()
    path.write_text(GOOD)
    result = on_file(command, path, tmp_path / "mine")
    assert_one_sentence(result, f"{name} is read and would be lost; name another output")
    assert path.read_text() == GOOD


@pytest.mark.parametrize("command", ["predict", "datasets"])
def test_an_output_that_exists(hitmiss, model, good, tmp_path, command):
    out = tmp_path / "out.csv"
    out.write_text("years")
    args = ["predict", model, good] if command == "predict" else ["datasets", "xor"]
    result = hitmiss(*args, "-o", out)
    assert_one_sentence(
        result, "out.csv exists; name another file, or replace it with --overwrite."
    )
    assert out.read_text() == "years"
    assert hitmiss(*args, "-o", out, "--overwrite").exit_code == 0
    assert "class" in out.read_text()


def test_an_output_that_is_no_ordinary_file(hitmiss, model, good, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    result = hitmiss("predict", model, good, "-q", "-o", tmp_path / "pipe", "--overwrite")
    assert_one_sentence(result, "pipe is no ordinary file; name another.")
    assert (tmp_path / "pipe").is_fifo()


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
