import csv
import signal

import numpy as np
import pytest
from typer.testing import CliRunner

import hitmiss as package
from hitmiss import ReliefF, datasets
from hitmiss.cli.app import app
from tests.signals import default_sigint

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))
GOOD = "kind,a,b\nx,1,5\ny,2,4\nx,3,6\ny,4,4\n"
# Commands that read labeled tables, with options that make them quick.
QUICK = {
    "select": ["--quick", "--method", "fisherscore"],
    "compare": ["--methods", "fisherscore", "--folds", "2"],
    "stability": ["--method", "fisherscore", "--subsamples", "2"],
}


@pytest.fixture
def hitmiss():
    """Run a command; the result has exit_code, stdout and stderr."""

    def run(*args):
        result = CliRunner().invoke(app, [str(arg) for arg in args], prog_name="hitmiss")
        assert result.exception is None or isinstance(result.exception, SystemExit)
        return result

    return run


@pytest.fixture
def write_csv(tmp_path):
    """Write rows to a file."""

    def write(rows, name="data.csv"):
        path = tmp_path / name
        with path.open("w", encoding="utf-8", newline="") as f:
            csv.writer(f).writerows(rows)
        return path

    return write


@pytest.fixture
def xor():
    """Two features that only together tell the classes apart, and eight others."""
    return datasets.make_xor(60, n_irrelevant=8, random_state=0)


@pytest.fixture
def xor_csv(xor, write_csv):
    rows = [["id", "kind", *xor.feature_names]]
    for n, (x, label) in enumerate(zip(xor.data.tolist(), xor.target, strict=True)):
        rows.append([f"s{n}", ["ill", "well"][label], *x])
    return write_csv(rows, "xor.csv")


@pytest.fixture
def good(tmp_path):
    """A small table without mistakes."""
    path = tmp_path / "good.csv"
    path.write_text(GOOD)
    return path


@pytest.fixture(scope="module")
def small_model(tmp_path_factory):
    """A model that uses the features a and b."""
    folder = tmp_path_factory.mktemp("model")
    (folder / "both.csv").write_text("kind,a,b\n" + "x,1,4\nx,4,6\ny,1,6\ny,4,4\n" * 3)
    options = ["--target", "kind", "--quick", "--set", "alpha=0.01", "--out", str(folder / "out")]
    assert CliRunner().invoke(app, ["select", str(folder / "both.csv"), *options]).exit_code == 0
    assert sorted((folder / "out" / "selected.txt").read_text().split()) == ["a", "b"]
    return folder / "out" / "model.npz"


@pytest.fixture
def on_file(hitmiss, small_model):
    """Run a command on a table, with an output."""

    def run(command, path, out):
        if command == "predict":
            return hitmiss("predict", small_model, path, "-t", "kind", "-q", "-o", out)
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


def rows_of(path):
    """The rows of a CSV file as dictionaries."""
    with path.open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


class Interrupted(ReliefF):
    """A method that is interrupted by Ctrl-C in every fit."""

    def fit(self, X, y):
        signal.raise_signal(signal.SIGINT)


class InterruptedOnParts(ReliefF):
    """A method that is interrupted by Ctrl-C unless it is fitted to all 60 samples."""

    def fit(self, X, y):
        if len(y) < 60:
            signal.raise_signal(signal.SIGINT)
        return super().fit(X, y)


class InterruptedAfterThree(ReliefF):
    """A method that is interrupted by Ctrl-C after three permutations."""

    def _weigher(self):
        weigher = super()._weigher()
        whole = weigher.statistics

        def statistics(*given):
            for k, statistic in enumerate(whole(*given)):
                if k == 4:  # the true labels came first
                    signal.raise_signal(signal.SIGINT)
                yield statistic

        weigher.statistics = statistics
        return weigher


class NoParts(ReliefF):
    """A method that cannot be fitted to parts of 60 samples."""

    def fit(self, X, y):
        if len(y) < 60:
            raise ValueError("There are too few samples.")
        return super().fit(X, y)


@pytest.fixture
def noise_csv(write_csv):
    """Thirty samples, 20 of one class, of 300 features that say nothing."""
    X = np.random.default_rng(0).normal(size=(30, 300))
    rows = [["kind", *(f"x{j}" for j in range(300))]]
    return write_csv(rows + [["ab"[n % 3 > 0], *x] for n, x in enumerate(X.tolist())])


@pytest.fixture
def ctrl_c():
    """SIGINT interrupts, in this process and in those that it starts."""
    with default_sigint():
        yield


@pytest.fixture
def interrupted_methods(monkeypatch, ctrl_c):
    """The methods that are interrupted, and the one that takes no parts, by their names."""
    for item in (Interrupted, InterruptedOnParts, InterruptedAfterThree, NoParts):
        monkeypatch.setitem(package._LAZY, item.__name__, __name__)
        monkeypatch.setattr(package, item.__name__, item, raising=False)
