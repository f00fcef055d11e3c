import csv
import json

import numpy as np
import pytest

import hitmiss as package
from hitmiss import LOFE, LOFERegressor, LOFESurvival, datasets, persistence
from tests.cli.conftest import assert_one_sentence, rows_of


@pytest.fixture
def model(hitmiss, xor_csv, tmp_path):
    hitmiss("select", "--quick", xor_csv, "-t", "kind", "-o", tmp_path / "out")
    return tmp_path / "out" / "model.npz"


def test_the_model_predicts_what_python_predicts(hitmiss, xor, xor_csv, tmp_path):
    hitmiss("select", "--quick", xor_csv, "-t", "kind", "-o", tmp_path / "out")
    lofe = LOFE().fit(xor.data, np.array(["ill", "well"])[xor.target])
    again = persistence.load(tmp_path / "out" / "model.npz")
    assert list(again.feature_names_in_) == xor.feature_names
    result = hitmiss("predict", tmp_path / "out" / "model.npz", xor_csv)
    predicted = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["class"] for row in predicted] == lofe.predict(xor.data).tolist()
    assert [row["sample"] for row in predicted] == [f"s{n}" for n in range(60)]
    P = [[float(row["P(ill)"]), float(row["P(well)"])] for row in predicted]
    np.testing.assert_array_equal(P, lofe.predict_proba(xor.data))


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
    refused = hitmiss("predict", model, gap, "--missing", "error")
    assert "in the feature 'x0'; replace it" in refused.stderr
    kept = hitmiss("predict", model, gap)
    assert "1 value is missing and kept; --missing drop-samples removes" in kept.stderr
    assert len(kept.stdout.splitlines()) == len(rows)
    fewer = hitmiss("predict", model, gap, "--missing", "drop-samples", "-q").stdout.splitlines()
    assert fewer == [line for n, line in enumerate(expected.splitlines()) if n != 3]


def test_predict_by_a_model_without_weights(hitmiss, xor_csv, tmp_path):
    options = ["--set", "alpha=1e9", "-o", tmp_path / "out"]
    hitmiss("select", "--quick", xor_csv, "-t", "kind", *options)
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
    taken = "Column 'id' is used as sample names; choose another with --samples.\n"
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
    hitmiss("select", "--quick", xor_csv, "-t", "kind", "-m", "relieff", "-o", tmp_path / "ranking")
    result = hitmiss("predict", tmp_path / "ranking" / "model.npz", xor_csv)
    assert result.exit_code == 2
    assert "holds a ReliefF, which cannot predict; use a model selected with lofe." in result.stderr


def test_wrong_models(hitmiss, good, tmp_path):
    out = tmp_path / "out.csv"
    for model, sentence in (
        (good, "good.csv is not a model that hitmiss has saved."),
        (tmp_path / "no.npz", "There is no model at"),
        (tmp_path, "There is no model at"),
    ):
        assert_one_sentence(hitmiss("predict", model, good, "--out", out), sentence)
    assert list(tmp_path.iterdir()) == [good]


def test_no_control_characters_reach_the_terminal(hitmiss, small_model, tmp_path):
    path, nasty = tmp_path / "new.csv", "\x1b[31mred\x9b2J\u202e"
    path.write_text(f'id,a,b\n"{nasty}",1,4\nplain,4,6\n', encoding="utf-8")
    for options in ([], ["--json"]):
        out = hitmiss("predict", small_model, path, "-q", *options).stdout
        assert "red" in out
        assert not {"\x1b", "\x9b", "\u202e"} & set(out)
    assert json.loads(out)[0]["sample"] == nasty
    hitmiss("predict", small_model, path, "-q", "--out", tmp_path / "out.csv")
    assert nasty in (tmp_path / "out.csv").read_text(encoding="utf-8")


def test_a_link_that_leads_nowhere_is_not_replaced(hitmiss, small_model, good, tmp_path):
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("dangling", "loop"):
        result = hitmiss("predict", small_model, good, "--out", tmp_path / name)
        assert_one_sentence(result, f"{name} is a broken link; name another file.")
        assert (tmp_path / name).is_symlink()


def numbers_model(tmp_path, estimator, X, y):
    estimator.fit(X, y).feature_names_in_ = np.array(["a", "b"], object)
    persistence.save(estimator, tmp_path / "model.npz")
    return tmp_path / "model.npz"


@pytest.fixture
def doses(write_csv, tmp_path):
    """A model of numbers, and a table of samples with evil names, their doses and colors."""
    X, y = datasets.make_product(60, n_irrelevant=0, random_state=0, return_X_y=True)
    model = numbers_model(tmp_path, LOFERegressor(alpha=0.1), X, y)
    names = ["=1+1", "@sum", *(f"s{n}" for n in range(58))]
    rows = [[name, *x, dose, "red"] for name, x, dose in zip(names, X.tolist(), y, strict=True)]
    return model, write_csv([["id", "a", "b", "dose", "color"], *rows]), X, y


def test_numbers_are_written_quoted_counted_and_compared(hitmiss, doses, tmp_path):
    model, path, X, y = doses
    out, expected = tmp_path / "out.csv", LOFERegressor(alpha=0.1).fit(X, y).predict(X)
    result = hitmiss("predict", model, path, "-t", "dose", "--samples", "id", "-o", out)
    assert result.exit_code == 0, result.stderr
    r2 = 1 - ((y - expected) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    assert result.stderr == f"Written to {out}: 60 samples.\nR²: {r2:.2f}.\n"
    rows = rows_of(out)
    assert [row["sample"] for row in rows[:3]] == ["'=1+1", "'@sum", "s0"]
    assert [float(row["number"]) for row in rows] == expected.tolist()
    shown = hitmiss("predict", model, path, "--samples", "id", "-q")
    assert shown.stdout == out.read_text(encoding="utf-8")
    found = json.loads(hitmiss("predict", model, path, "--samples", "id", "--json").stdout)
    assert found[0] == {"sample": "=1+1", "number": expected[0]}


def test_a_target_that_no_prediction_can_be_compared_with(hitmiss, doses, tmp_path):
    model, path, X, y = doses
    out = ["--samples", "id", "-q", "-o", tmp_path / "out.csv"]
    refused = hitmiss("predict", model, path, "-t", "color", *out)
    assert_one_sentence(refused, "--target holds words, but the model predicts numbers; name a")
    times = np.column_stack([np.ones(60), 1 + np.abs(y)])
    model = numbers_model(tmp_path, LOFESurvival(alpha=0.1), X, times)
    refused = hitmiss("predict", model, path, "-t", "dose", *out)
    assert_one_sentence(
        refused, "predicts risks, which cannot be compared with a --target; leave it out."
    )
    assert not (tmp_path / "out.csv").exists()


def test_equal_numbers_have_no_r2(hitmiss, doses, write_csv):
    model, _, X, _ = doses
    path = write_csv([["a", "b", "dose"], *([*x, 1.5] for x in X.tolist())], "same.csv")
    assert "R²: undefined, because all" in hitmiss("predict", model, path, "-t", "dose").stderr
