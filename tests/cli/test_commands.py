import csv
import json

import pytest

import hitmiss as package
from hitmiss.registry import methods


def test_compare_puts_the_f_test_first(hitmiss, xor_csv, tmp_path):
    options = ["--methods", "lofe", "--relevant", "x0", "--relevant", "x1", "--folds", "2"]
    result = hitmiss("compare", xor_csv, "-t", "kind", *options, "-o", tmp_path / "out")
    assert result.exit_code == 0
    with (tmp_path / "out" / "comparison.csv").open() as f:
        baseline, lofe = csv.DictReader(f)
    assert (baseline["method"], lofe["method"]) == ("F-test", "lofe")
    assert (int(lofe["recovered"]), int(baseline["recovered"])) == (2, 0)
    assert float(lofe["error"]) < float(baseline["error"])
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"comparison.csv", "curves.csv", "selected.csv", "report.html", "run.json"}
    assert all(word in result.stdout for word in ("F-test", "lofe", "recovered", "stability"))
    report = (tmp_path / "out" / "report.html").read_text()
    assert "The rest of this page is about lofe." in report
    assert "not measured" not in report
    assert "unknown" not in report


def test_compare_with_one_number_of_features_for_all(hitmiss, xor_csv):
    options = ["--methods", "relieff,fisherscore", "--max-features", "3", "--folds", "2"]
    result = hitmiss("compare", xor_csv, "-t", "kind", *options, "--json", "-q")
    found = json.loads(result.stdout)
    assert found["complete"] is True
    assert [row["n_selected"] for row in found["methods"]] == [3, 3, 3]
    baseline, _, fisher = found["methods"]
    assert baseline["selected"] == fisher["selected"]
    assert len(baseline["curve"]["errors"]) == len(baseline["curve"]["n_features"]) == 6


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


@pytest.fixture
def model(hitmiss, xor_csv, tmp_path):
    hitmiss("select", xor_csv, "-t", "kind", "-o", tmp_path / "out")
    return tmp_path / "out" / "model.npz"


def test_predict_finds_the_features_by_name(hitmiss, model, xor_csv, write_csv):
    rows = [line.split(",")[::-1] for line in xor_csv.read_text().splitlines()]
    turned = write_csv(rows, "turned.csv")
    one = hitmiss("predict", model, xor_csv, "--json")
    two = hitmiss("predict", model, turned, "--samples", "id", "--json")
    assert one.exit_code == two.exit_code == 0
    assert json.loads(one.stdout) == json.loads(two.stdout)
    assert json.loads(one.stdout)[0]["probabilities"].keys() == {"ill", "well"}


def test_predict_needs_only_the_features_with_a_weight(hitmiss, model, xor_csv, write_csv):
    rows = [line.split(",") for line in xor_csv.read_text().splitlines()]
    few = write_csv([row[:4] for row in rows], "few.csv")
    gaps = write_csv([rows[0], *([*row[:4], "", "low", "inf", *row[7:]] for row in rows[1:])])
    expected = hitmiss("predict", model, xor_csv, "-q").stdout
    for path in (few, gaps):
        assert hitmiss("predict", model, path, "-q").stdout == expected
    rows[3][2] = ""
    gap = write_csv(rows, "gap.csv")
    assert "in the feature 'x0'; fill them in" in hitmiss("predict", model, gap).stderr
    fewer = hitmiss("predict", model, gap, "--missing", "drop-samples", "-q").stdout.splitlines()
    assert fewer == [line for n, line in enumerate(expected.splitlines()) if n != 3]


def test_predict_by_a_model_without_weights(hitmiss, xor_csv, tmp_path):
    options = ["--set", "alpha=1e9", "-o", tmp_path / "out"]
    hitmiss("select", xor_csv, "-t", "kind", *options)
    result = hitmiss("predict", tmp_path / "out" / "model.npz", xor_csv)
    assert result.exit_code == 2
    assert "gives no feature a weight and cannot tell classes apart" in result.stderr


def test_predict_by_a_model_without_names(hitmiss, xor, write_csv, tmp_path):
    package.persistence.save(
        package.LOFE().fit(xor.data[:, ::-1], xor.target), tmp_path / "model.npz"
    )
    path = write_csv([["x9", "x8"], *xor.data[:, :2].tolist()])
    rows = hitmiss("predict", tmp_path / "model.npz", path, "-q").stdout.splitlines()
    assert [int(row.split(",")[1]) for row in rows[1:]] == xor.target.tolist()


def test_predict_counts_the_errors(hitmiss, model, xor_csv, tmp_path):
    out = tmp_path / "predicted.csv"
    result = hitmiss("predict", model, xor_csv, "--target", "kind", "--out", out)
    assert result.stdout == ""
    taken = "Column 'id' is taken as sample names; --samples names another.\n"
    assert result.stderr == f"{taken}Written to {out}: 60 samples.\nError rate: 0.0%.\n"
    assert len(out.read_text().splitlines()) == 61
    both = hitmiss("predict", model, xor_csv, "--json", "--out", tmp_path / "both.csv")
    assert len(json.loads(both.stdout)) == 60
    assert (tmp_path / "both.csv").read_text() == out.read_text()


def test_predict_with_what_does_not_fit(hitmiss, model, xor_csv, write_csv, tmp_path):
    rows = [line.split(",")[:3] for line in xor_csv.read_text().splitlines()]
    result = hitmiss("predict", model, write_csv(rows))
    assert result.exit_code == 2
    assert "1 features are not in the table: 'x1'" in result.stderr
    hitmiss("select", xor_csv, "-t", "kind", "-m", "relieff", "-o", tmp_path / "ranking")
    result = hitmiss("predict", tmp_path / "ranking" / "model.npz", xor_csv)
    assert result.exit_code == 2
    assert "holds a ReliefF, which selects and does not predict; select with lofe." in result.stderr


def test_methods(hitmiss):
    shown = hitmiss("methods").stdout
    assert all(f" {name} " in shown for name in methods())
    assert [m["name"] for m in json.loads(hitmiss("methods", "--json").stdout)] == list(methods())
    one = hitmiss("methods", "I-Relief")
    assert "sigma" in one.stdout
    assert "Kernel width" in one.stdout
    found = json.loads(hitmiss("methods", "lofe", "--json").stdout)
    assert found["parameters"]["sigma"] == 2.0
    assert found["meanings"]["n_jobs"] == (
        "Number of threads; None means all cores. The result does not depend on it."
    )


@pytest.mark.parametrize("name", list(methods()))
def test_every_parameter_has_a_meaning(hitmiss, name):
    found = json.loads(hitmiss("methods", name, "--json").stdout)
    assert found["meanings"].keys() == found["parameters"].keys()
    assert all(len(text) > 3 and "`" not in text for text in found["meanings"].values())


RANKS = "ranks the features and does not say where to stop"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-m", "relieff"], True),
        (["-m", "frel"], True),
        (["-m", "ensemble", "-s", "base=relieff", "-s", "n_estimators=2"], True),
        (["-m", "ensemble", "-s", "base=lofe", "-s", "n_estimators=2"], False),
        (["-m", "frel", "-s", "penalty=l1", "-s", "alpha=0.01"], False),
        (["-m", "relieff", "--top", "3"], False),
        (["-m", "relieff", "-s", "max_features=3"], False),
        (["-m", "relieff", "-s", "threshold=0.5"], False),
        (["-m", "relieff", "-q"], False),
        (["-m", "lofe"], False),
    ],
)
def test_a_method_that_only_ranks_says_so(hitmiss, xor_csv, options, said):
    result = hitmiss("select", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 0
    assert (RANKS in result.stderr) is said


def test_the_best_of_a_ranking(hitmiss, xor_csv):
    options = ["-t", "kind", "-m", "relieff", "--top", "3", "--json"]
    found = json.loads(hitmiss("select", xor_csv, *options).stdout)
    assert len(found["selected"]) == found["parameters"]["max_features"] == 3
    subsamples = ["--subsamples", "2"]
    shares = json.loads(hitmiss("stability", xor_csv, *options, *subsamples).stdout)["features"]
    assert sum(item["frequency"] for item in shares) == 3
    assert RANKS in hitmiss("stability", xor_csv, *options[:4], *subsamples).stderr
    several = ["-t", "kind", "--methods", "relieff,surf,lofe", "--folds", "2"]
    sentence = "relieff, surf rank the features and do not say where to stop"
    assert sentence in hitmiss("compare", xor_csv, *several).stderr
    assert "where to stop" not in hitmiss("compare", xor_csv, *several, "--top", "3").stderr


def test_datasets(hitmiss, tmp_path):
    assert "spiral" in hitmiss("datasets").stdout
    for name in ("spiral.csv", "spiral.csv.gz"):
        out = tmp_path / name
        options = ["--n-irrelevant", "8", "--n-samples", "60", "--out", out]
        result = hitmiss("datasets", "spiral", *options)
        assert result.exit_code == 0
        assert "Relevant: x0, x1." in result.stdout
        table = package.io.read_table(out, "class")
        expected = package.datasets.make_spiral(60, n_irrelevant=8, random_state=0)
        assert table.X.tolist() == expected.data.tolist()
        assert table.y.tolist() == expected.target.tolist()
    assert hitmiss("datasets", "nonesuch").exit_code == 2
    assert hitmiss("datasets", "spiral", "--out", tmp_path / "a.png").exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spiral.csv", "spiral.csv.gz"]


def test_version(hitmiss):
    assert hitmiss("--version").stdout == f"hitmiss {package.__version__}\n"


def test_help_names_every_command_and_option(hitmiss):
    shown = hitmiss("--help").stdout
    commands = ("select", "compare", "stability", "predict", "demo", "datasets", "methods")
    assert all(command in shown for command in commands)
    assert "random numbers" in hitmiss("datasets", "--help").stdout
    for command in commands:
        result = hitmiss(command, "--help")
        assert result.exit_code == 0
        assert "Usage" in result.stdout
