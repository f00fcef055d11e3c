import json


def test_stability(hitmiss, xor_csv):
    options = ["-t", "kind", "--subsamples", "3", "-q"]
    found = json.loads(hitmiss("stability", xor_csv, *options, "--json").stdout)
    assert found["nogueira"]["stability"] == found["jaccard"] == 1
    assert found["features"] == [
        {"feature": "x0", "frequency": 1},
        {"feature": "x1", "frequency": 1},
    ]
    shown = hitmiss("stability", xor_csv, *options).stdout
    assert "3 subsamples" in shown
    assert "100%" in shown


def test_stability_leaves_a_folder(hitmiss, xor_csv, tmp_path):
    options = ["-t", "kind", "--subsamples", "3", "-q", "-o", tmp_path / "out"]
    result = hitmiss("stability", xor_csv, *options)
    assert result.exit_code == 0
    names = ("frequencies.csv", "report.html", "run.json")
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(names)
    assert f"Written to {tmp_path / 'out'}: {', '.join(names)}." in result.stdout
    assert (
        tmp_path / "out" / "frequencies.csv"
    ).read_text() == "feature,frequency\nx0,1.0\nx1,1.0\n"
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (run["command"], run["complete"]) == ("stability", True)
    assert run["stability"]["n_subsamples"] == run["n_subsamples"] == 3
    assert "Share of the subsamples" in (tmp_path / "out" / "report.html").read_text()
    again = hitmiss("stability", xor_csv, *options)
    assert again.exit_code == 0
