"""Words in a table: fitted as nominal features, kept in the model, found again in new samples."""

import json

import numpy as np
import pytest

from hitmiss import Ensemble, TuRF
from hitmiss.cli._shared.nominal_features import told
from hitmiss.io import Table
from tests.cli.conftest import assert_one_sentence


@pytest.fixture
def words_csv(write_csv):
    """Classes that two words explain only together, and one that says nothing; two gaps."""
    rng = np.random.default_rng(0)
    rows = [["id", "kind", "color", "size", "other"]]
    for n in range(60):
        color, size = rng.choice(["red", "blue"]), rng.choice(["big", "small"])
        label = "ill" if (color == "red") == (size == "big") else "well"
        rows.append([f"s{n}", label, color, "" if n < 2 else size, rng.choice(["u", "v", "w"])])
    return write_csv(rows)


def test_a_table_of_words_alone(hitmiss, words_csv, tmp_path):
    options = ["-t", "kind", "--quick", "--set", "alpha=0.1", "--out", tmp_path / "out"]
    result = hitmiss("select", words_csv, *options)
    assert result.exit_code == 0, result.stderr
    assert "2 values are missing and kept" in result.stderr
    assert set((tmp_path / "out" / "selected.txt").read_text().split()) >= {"color", "size"}
    model = tmp_path / "out" / "model.npz"
    same = hitmiss("predict", model, words_csv, "-t", "kind", "--json")
    labels = [row["class"] for row in json.loads(same.stdout)]
    true = [line.split(",")[1] for line in words_csv.read_text().splitlines()[1:]]
    assert np.mean([a == b for a, b in zip(labels, true, strict=True)][2:]) > 0.95


def test_words_mean_the_same_in_new_samples(hitmiss, words_csv, write_csv, tmp_path):
    """The levels are those of the model, whichever of them the new samples have."""
    options = ["-t", "kind", "--quick", "--set", "alpha=0.1", "--out", tmp_path / "out", "-q"]
    assert hitmiss("select", words_csv, *options).exit_code == 0
    new = [["color", "size", "other"], ["red", "small", "w"], ["red", "big", "green"]]
    result = hitmiss("predict", tmp_path / "out" / "model.npz", write_csv(new, "new.csv"), "--json")
    assert [row["class"] for row in json.loads(result.stdout)] == ["well", "ill"]


def test_a_method_that_takes_no_words_says_so(hitmiss, words_csv):
    result = hitmiss("select", words_csv, "-t", "kind", "--quick", "-q", "-m", "onlinelofe")
    assert_one_sentence(
        result, "cannot use words, but column 'color' holds some; exclude it with --d"
    )


@pytest.mark.parametrize(
    "how",
    [["--markers"], ["-m", "fdrselector"], ["-m", "turf"], ["-m", "ensemble"]],
    ids=lambda how: how[-1],
)
def test_methods_around_another_take_words(hitmiss, words_csv, how):
    result = hitmiss("select", words_csv, "-t", "kind", "--quick", "-q", "--json", *how)
    assert result.exit_code == 0, result.stderr
    base = json.loads(result.stdout)["parameters"]["base"]
    assert "categorical=[0, 1, 2]" in base


def test_a_base_at_any_depth_is_told():
    table = Table(np.zeros((2, 2)), None, ["a", "b"], ["r", "s"], levels={"b": ["x", "y"]})
    found = told(Ensemble(TuRF()), table)
    assert found.base.base.categorical == [1]
