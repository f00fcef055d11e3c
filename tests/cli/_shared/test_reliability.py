"""What the commands say of the reliability of their results."""

import json

import numpy as np
import pytest

from hitmiss import LOFE
from hitmiss.metrics import cross_validated_error

HONESTLY = "(guessing the largest class: 33.3%; --cv 5 measures it honestly).\n"


def test_without_folds_the_error_is_called_too_low_beside_that_of_guessing(hitmiss, noise_csv):
    result = hitmiss("select", "--quick", noise_csv, "-t", "kind", "-s", "alpha=0.5")
    (line,) = [line for line in result.stdout.splitlines(True) if "error" in line]
    assert line.startswith("Leave-one-out error: ")
    assert line.endswith(f"%, too low: the features were chosen with the same samples {HONESTLY}")
    result = hitmiss("select", "--quick", noise_csv, "-t", "kind", "-m", "relieff")
    assert f"Error: not measured {HONESTLY}" in result.stdout


def test_folds_unmask_noise(hitmiss, noise_csv):
    result = hitmiss(
        "select", "--quick", noise_csv, "-t", "kind", "-s", "alpha=0.5", "--cv", "3", "-q"
    )
    first, second = (line for line in result.stdout.splitlines() if "error: " in line)
    assert first.startswith("Cross-validated error: ")
    assert "in 3 folds, not clearly better than guessing the largest class (33.3%)." in first
    assert second.endswith("the features were chosen with the same samples.")


def test_folds_confirm_what_is_there(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "--cv", "3")
    assert "% in 3 folds, better than guessing the largest class (50.0%)." in result.stdout
    options = ["-m", "relieff", "--set", "max_features=2", "--cv", "3"]
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", *options)
    assert "Cross-validated error of 3 nearest neighbors: " in result.stdout


@pytest.mark.filterwarnings("ignore:All weights are zero")
@pytest.mark.parametrize("settings", [{}, {"alpha": 5.0}])
def test_the_record_and_the_report_hold_the_error_of_the_folds(
    hitmiss, xor, xor_csv, tmp_path, settings
):
    options = [f"--set={name}={value}" for name, value in settings.items()]
    options += ["--cv", "3", "--seed", "7", "--out", tmp_path / "out", "-q"]
    assert hitmiss("select", "--quick", xor_csv, "-t", "kind", *options).exit_code == 0
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    labels = np.array(["ill", "well"])[xor.target]
    lofe = LOFE(**settings)
    error = cross_validated_error(lofe, xor.data, labels, 3, random_state=7, verbose=False)
    assert run["n_folds"] == 3
    assert run["cross_validation"]["error"] == error
    assert run["cross_validation"]["n_folds"] == 3
    assert run["guessing_error"] == 0.5
    assert run["loo_error_note"] == "too low: the features were chosen with the same samples"
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert f'<p class="name">Cross-validated error</p><p class="value">{error:.1%}</p>' in report


def test_without_folds_the_record_says_so(hitmiss, xor_csv):
    found = json.loads(hitmiss("select", "--quick", xor_csv, "-t", "kind", "--json", "-q").stdout)
    assert (found["n_folds"], found["cross_validation"], found["guessing_error"]) == (0, None, 0.5)


def test_more_folds_than_samples_of_a_class(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "--cv", "31")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.endswith(
        "Error: --cv 31 is too many folds: the largest class has 30 samples.\n"
    )
    assert hitmiss("select", "--quick", xor_csv, "-t", "kind", "--cv", "1").exit_code == 2


@pytest.mark.usefixtures("interrupted_methods")
def test_ctrl_c_during_the_folds_keeps_the_selection(hitmiss, xor_csv, tmp_path):
    options = ["-m", "interruptedonparts", "--cv", "3", "--stability", "3", "-o", tmp_path / "out"]
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 130
    assert result.stderr.endswith("\nInterrupted during the cross-validation.\n")
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (run["complete"], run["cross_validation"], run["stability"]) == (False, None, None)


def test_the_certificate_is_one_of_the_weights(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "-q")
    assert "Certificate: the weights are exact over all features (optimality gap " in result.stdout
    assert "which does not say that the features are the true ones." in result.stdout
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "-q", "--set", "max_iter=1")
    assert "Certificate: none; the optimality gap is " in result.stdout


def test_a_stable_list_may_be_wrong(hitmiss, xor_csv):
    words = "1 is perfect, but the subsamples overlap, so that a stable list can be stably wrong."
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "--stability", "2", "-q")
    assert f"Stability: 1.00; {words}" in result.stdout
    result = hitmiss("stability", xor_csv, "-t", "kind", "--subsamples", "2", "-q")
    assert words in result.stdout
    assert "accuracy on the samples left out (3-nearest-neighbor classifier)" in result.stdout


def test_where_nothing_is_selected_there_is_no_error_to_judge(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "-q", "--set", "alpha=1e9")
    assert "0 of 10 features" in result.stdout
    assert "error" not in result.stdout
