"""The command as a process: pipes, terminals, Ctrl-C."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from sklearn.base import clone

import hitmiss
from hitmiss import FREL, ReliefF, datasets
from hitmiss.data import sizes
from tests.test_common import data_for, over, public_estimators

SOURCE = os.path.dirname(os.path.dirname(hitmiss.__file__))
COMMAND = [sys.executable, "-m", "hitmiss"]


def run(*args, **kwargs):
    environment = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    options = {"capture_output": True, "text": True, "env": environment, **kwargs}
    return subprocess.run([*COMMAND, *map(str, args)], check=False, **options)


@pytest.fixture
def leukemia_csv(data_home, tmp_path):
    """Write leukemia_golub with the given labels; 1,500 of its 7,129 genes, to be quick."""

    def write(order):
        with np.load(data_home / "leukemia_golub.npz", allow_pickle=True) as stored:
            X, y = stored["X"][:, :1500], stored["y"][order]
        intensities = np.log2(np.maximum(X, 16))  # negative ones are noise
        path = tmp_path / "leukemia.csv"
        rows = (
            ",".join([str(label), *map(str, x)]) for label, x in zip(y, intensities, strict=True)
        )
        names = (f"gene{j}" for j in range(1500))
        path.write_text("\n".join([",".join(["kind", *names]), *rows]))
        return path

    return write


@pytest.mark.full
def test_on_real_data_the_true_labels_have_a_list(leukemia_csv):
    options = ["--thorough", "--stability", "0", "--quiet"]
    done = run("select", leukemia_csv(np.arange(72)), "--target", "kind", *options)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, *_ = done.stdout.splitlines()
    found = re.fullmatch(
        r"(\d+) features; error \d+ ± \d+ % \(guessing 35 %\), permutation p 0.048; "
        r"(\d+) with q ≤ 0.1.*\.",
        first,
    )
    assert int(found[2]) >= 3
    assert second.startswith(f"{found[1]} of 1,500 features in ")


@pytest.mark.full
def test_on_real_data_permuted_labels_have_none(leukemia_csv, tmp_path):
    order = np.random.default_rng(0).permutation(72)
    options = ["--thorough", "--stability", "0", "--quiet", "--out", tmp_path / "out"]
    done = run("select", leukemia_csv(order), "--target", "kind", *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Nothing here: permutation p 0.")
    assert "gene" not in done.stdout
    assert (tmp_path / "out" / "selected.txt").read_text() == ""


def test_a_pipe_gets_json_without_color_codes(xor_csv):
    done = run("select", "--quick", xor_csv, "--target", "kind", "--json")
    assert done.returncode == 0
    assert len(json.loads(done.stdout)["selected"]) == 2
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.full
def test_a_terminal_gets_progress_with_the_time_left(xor_csv):
    controller, terminal = pty.openpty()
    options = ["--methods", "relieff", "--top", "2", "--folds", "2", "--json"]
    with os.fdopen(terminal, "w") as stderr:
        command = [*COMMAND, "compare", str(xor_csv), "--target", "kind", *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, check=True)
        shown = os.read(controller, 100_000).decode()
    os.close(controller)
    assert json.loads(done.stdout)["complete"] is True
    assert "relieff" in shown
    assert "s left" in shown


@pytest.mark.full
def test_a_full_disk_behind_standard_output():
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        done = run("methods", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, "Error: No space left on device.\n")


class Watched:
    """A command whose standard error is a terminal that the test reads."""

    def __init__(self, *args):
        self.controller, terminal = pty.openpty()
        self.shown = ""
        command = [*COMMAND, *map(str, args)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdout=pipe, stderr=terminal, text=True)
        os.close(terminal)

    def read(self):
        try:
            self.shown += os.read(self.controller, 100_000).decode()
        except OSError:  # the process has ended
            return False
        return True

    def interrupt_at(self, pattern):
        """Send SIGINT when the terminal shows the pattern; the output and the exit code."""
        while not re.search(pattern, self.shown) and self.read():
            pass
        self.process.send_signal(signal.SIGINT)
        while self.read():
            pass
        os.close(self.controller)
        stdout, _ = self.process.communicate(timeout=600)
        return stdout, self.process.returncode


def last_line(text):
    return text.strip().splitlines()[-1]


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_subsamples_that_are_done(xor_csv, tmp_path):
    out = tmp_path / "out"
    watched = Watched("stability", xor_csv, "-t", "kind", "--subsamples", 2000, "-o", out)
    stdout, code = watched.interrupt_at(r"subsamples .* 1%")
    assert code == 130
    run = json.loads((out / "run.json").read_text())
    done = run["stability"]["n_subsamples"]
    assert 2 <= done < 2000
    assert (run["complete"], run["n_subsamples"]) == (False, 2000)
    sentence = f"Interrupted after {done} of 2000 subsamples."
    assert last_line(watched.shown) == sentence
    assert "Traceback" not in watched.shown
    assert sentence in (out / "report.html").read_text()
    assert (out / "frequencies.csv").read_text().splitlines()[0] == "feature,frequency"
    assert f"{done} subsamples" in stdout


@pytest.mark.full
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_permutations_that_are_done(xor_csv, tmp_path):
    options = ["-m", "relieff", "--quick", "--permutations", 20_000, "-o", tmp_path / "out"]
    watched = Watched("select", xor_csv, "-t", "kind", *options)
    stdout, code = watched.interrupt_at(r"permutations .* [1-9]\d*% ")  # some are done by then
    assert code == 130
    done = json.loads((tmp_path / "out" / "run.json").read_text())["verdict"]["n_permutations"]
    assert 1 <= done < 20_000
    assert last_line(watched.shown) == f"Interrupted after {done} of 20000 permutations."
    assert f"{done} of 20000 permutations" in stdout.splitlines()[0]
    assert "Traceback" not in watched.shown


@pytest.mark.full
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_methods_that_are_done(xor_csv, tmp_path):
    out = tmp_path / "out"
    options = ["--methods", "relieff,lofe", "--top", "2", "--folds", "30", "--out", out]
    watched = Watched("compare", xor_csv, "--target", "kind", *options)
    _, code = watched.interrupt_at("relieff")
    assert code == 130
    run = json.loads((out / "run.json").read_text())
    done = [row["method"] for row in run["results"]]
    assert done in (["F-test"], ["F-test", "relieff"])
    assert run["complete"] is False
    sentence = f"Interrupted after {len(done)} of 3 methods."
    assert last_line(watched.shown) == sentence
    assert "Traceback" not in watched.shown
    assert sentence in (out / "report.html").read_text()


@pytest.mark.full
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_in_a_long_fit_keeps_nothing(tmp_path):
    rng, y = np.random.default_rng(0), np.arange(2000) % 2
    X = rng.standard_normal((2000, 2000), np.float32)  # half a minute, if it is not interrupted
    X[y == 1, :20] += 0.3
    np.savez(tmp_path / "data.npz", X=X, y=y)
    watched = Watched("select", tmp_path / "data.npz", "--out", tmp_path / "out")
    _, code = watched.interrupt_at(r"\r(distances|margins|gradient|LOFE) .*\d s\b")
    assert (code, last_line(watched.shown)) == (130, "Interrupted; nothing was kept.")
    assert "Traceback" not in watched.shown
    assert not (tmp_path / "out").exists()


@contextmanager
def counted_kernels(interrupted=None):
    """Count the calls of kernels by name; SIGINT comes during the call with a given number."""
    calls = Counter()

    def counted(kernel, *arguments):
        result = kernel(*arguments)
        calls[kernel.__name__] += 1
        if calls.total() == interrupted:  # Python sees the signal when the kernel has ended
            signal.raise_signal(signal.SIGINT)
        return result

    callers = [name for name in sys.modules if re.match(r"hitmiss\.(?!kernels\.)", name)]
    with pytest.MonkeyPatch.context() as patch:
        for module in map(sys.modules.get, callers):
            for name, value in list(vars(module).items()):
                if isinstance(value, Dispatcher):
                    patch.setattr(module, name, partial(counted, value))
        yield calls


def with_kernels():
    """One of every public estimator but that whose loops are all NumPy's."""
    every = public_estimators()
    return [item for item in every if type(item).__name__ != "KolmogorovSmirnov"]


@pytest.mark.usefixtures("ctrl_c")
@over(with_kernels())
def test_ctrl_c_in_a_fit_lets_no_other_kernel_begin(estimator):
    estimator.set_params(**{"n_jobs": 1} if "n_jobs" in estimator.get_params() else {})
    X, y = data_for(estimator)
    clone(estimator).fit(X, y)  # imports what it needs
    with counted_kernels() as calls:
        clone(estimator).fit(X, y)
    n_calls = calls.total()
    for k in {1, (n_calls + 1) // 2, n_calls}:
        with counted_kernels(interrupted=k) as begun, pytest.raises(KeyboardInterrupt):
            clone(estimator).fit(X, y)
        assert begun.total() == k


@pytest.mark.parametrize("method", [ReliefF, FREL])  # which look at all pairs once
def test_a_pass_over_all_pairs_is_cut_into_many_kernels(monkeypatch, method):
    monkeypatch.setattr(sizes, "SERIAL", 1)  # as if the samples were many
    X, y = datasets.make_twonorm(400, n_irrelevant=80, random_state=0, return_X_y=True)
    fitted = method(n_jobs=2).fit(X, y)
    with counted_kernels() as calls:
        fitted.fit(X, y)
    # A pass that is a single kernel would answer Ctrl-C at its end only.
    assert calls["add_pair_distances"] >= sizes.N_TILES


@pytest.mark.usefixtures("ctrl_c")
def test_what_is_registered_for_the_end_runs_after_ctrl_c(tmp_path):
    (tmp_path / "typer.py").write_text(
        "import atexit, os, signal; atexit.register(print, 'closed'); "
        "os.kill(os.getpid(), signal.SIGINT)"
    )
    done = run("methods", env={**os.environ, "PYTHONPATH": f"{tmp_path}:{SOURCE}"})
    assert (done.returncode, done.stdout) == (130, "closed\n")


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_before_anything_is_done(tmp_path, xor_csv):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
    (tmp_path / "typer.py").write_text(code)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = run("select", "--quick", xor_csv, env=environment)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "Interrupted; nothing was kept.\n"


def test_without_typer_one_sentence_says_how_to_install_it():
    code = "import sys; sys.modules['typer'] = None; from hitmiss.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        'Error: typer is needed for this; install it with: pip install "hitmiss[cli]".\n'
    )


@pytest.mark.full
def test_a_reader_that_has_seen_enough():
    shell = f"{sys.executable} -m hitmiss datasets | head -2"
    done = subprocess.run(shell, shell=True, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "what it is" in done.stdout
    assert "\x1b" not in done.stdout
