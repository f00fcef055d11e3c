import json
import warnings


def test_warnings_are_lines_on_standard_error(hitmiss, xor_csv, tmp_path):
    options = ["--set", "alpha=1e9", "--out", tmp_path / "out"]
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 0
    assert "Warning: All weights are zero: alpha=1e+09 is too strong" in result.stderr
    assert "0 of 10 features" in result.stdout
    assert (tmp_path / "out" / "selected.txt").read_text() == ""
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert "All weights are zero" in run["warnings"][0]
    assert hitmiss("select", "--quick", xor_csv, "-t", "kind", *options[:2], "-q").stderr == ""


def test_no_warning_escapes(hitmiss, xor_csv):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (
            hitmiss("select", "--quick", xor_csv, "-t", "kind", "--set", "max_iter=1").exit_code
            == 0
        )
