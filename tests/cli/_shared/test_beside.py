"""Two files in, one command, a list out; and every way in which the two do not fit."""

import csv
import json
import subprocess
import sys

import numpy as np
import pytest

from hitmiss.cli._shared.beside import idle_sentences
from tests.cli.conftest import assert_one_sentence

COMMAND = [sys.executable, "-m", "hitmiss"]


@pytest.fixture
def two_files(xor, tmp_path):
    """The XOR data without labels, and what is known of 58 of its samples and of two others."""

    def write(name_of=lambda n: f"s{n}", header="patient", beside=()):
        rows = [["id", *xor.feature_names, *(name for name, _ in beside)]]
        for n, x in enumerate(xor.data.tolist()):
            rows.append([f"s{n}", *x, *(value(n) for _, value in beside)])
        known = [["kind", header, "donor", "batch", "age"]]
        for n in np.random.default_rng(0).permutation(62):
            label = ["ill", "well"][xor.target[n % 60]]
            if n not in (3, 7):
                known.append([label, name_of(n), f"d{n // 4}", "AB"[n // 4 % 2], 20 + n % 43])
        for name, table in (("data.csv", rows), ("known.tsv", known)):
            with (tmp_path / name).open("w", newline="") as f:
                csv.writer(f, delimiter="," if name == "data.csv" else "\t").writerows(table)
        return tmp_path / "data.csv", tmp_path / "known.tsv"

    return write


@pytest.mark.full
def test_the_real_command(two_files, tmp_path):
    data, known = two_files(name_of=lambda n: f" s{n} ")
    options = ["--quick", "--target", "kind", "--groups", "donor", "--out", tmp_path / "out"]
    command = [*COMMAND, "select", data, "--metadata", known, *options]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    assert sorted((tmp_path / "out" / "selected.txt").read_text().split()) == ["x0", "x1"]
    assert (
        f"58 samples matched by column 'patient' of {known}; 2 of {data} without metadata, left "
        f"out ('s3', 's7'); 2 of {known} not in {data} ("
    ) in done.stderr
    found = json.loads((tmp_path / "out" / "run.json").read_text())["data"]
    assert (found["target"], found["groups"], found["covariates"]) == ("kind", "donor", [])
    numbers = {key: value for key, value in found["metadata"].items() if key.startswith("n_")}
    assert numbers == {"n_matched": 58, "n_only_in_table": 2, "n_only_in_metadata": 2}
    page = (tmp_path / "out" / "report.html").read_text()
    assert "58 by column" in page
    assert "donor" in page


@pytest.mark.parametrize("command", ["select", "compare", "stability"])
@pytest.mark.parametrize("role", ["--groups donor", "--strata batch", "--covariates age,batch"])
def test_every_command_takes_every_role(hitmiss, two_files, command, role):
    data, known = two_files()
    quick = {
        "select": ["--quick", "-m", "relieff", "--top", "2"],
        "compare": ["--methods", "relieff", "--folds", "2", "--top", "2"],
        "stability": ["-m", "relieff", "--subsamples", "2", "--top", "2"],
    }
    arguments = [command, data, "--metadata", known, "-t", "kind", *role.split(), *quick[command]]
    result = hitmiss(*arguments, "-q", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)


def test_groups_reach_the_fit(hitmiss, two_files, xor):
    from hitmiss import LOFE

    data, known = two_files()
    result = hitmiss(
        "select",
        data,
        "--metadata",
        known,
        "-t",
        "kind",
        "--strata",
        "batch",
        "-q",
        "--json",
        "--quick",
    )
    kept = [n for n in range(60) if n not in (3, 7)]
    lofe = LOFE().fit(xor.data[kept], xor.target[kept], strata=np.array(kept) // 4 % 2)
    found = {row["feature"]: row["weight"] for row in json.loads(result.stdout)["selected"]}
    expected = {xor.feature_names[j]: lofe.weights_[j] for j in lofe.get_support(indices=True)}
    assert found == pytest.approx(expected, rel=1e-9)


def test_roles_may_be_columns_of_the_table_and_are_no_features(hitmiss, two_files):
    beside = [("plate", lambda n: n % 3), ("age", lambda n: 20 + n), ("day", lambda n: "mon")]
    data, known = two_files(beside=beside)
    options = ["--strata", "plate", "--drop", "day", "--json", "--quick"]
    result = hitmiss("select", data, "--metadata", known, "-t", "kind", *options)
    assert json.loads(result.stdout)["n_features"] == 10
    assert "Column 'age' of the table, also in the metadata: not used as features." in result.stderr


WRONG = {
    "nothing matches": (
        {"name_of": lambda n: f"S-{n}"},
        [],
        "No sample of the table is in the metadata: the table has 's0', 's1', column 'kind' of the",
    ),
    "a sample twice": (
        {"name_of": lambda n: "s1" if n == 2 else f"s{n}"},
        [],
        "The sample 's1' occurs twice in column 'patient' of the metadata",
    ),
    "no such names": ({}, ["--metadata-names", "patiend"], "did you mean 'patient'?"),
    "names of another kind": (
        {},
        ["--metadata-names", "donor"],
        "column 'donor' of the metadata 'd",
    ),
    "no such group": (
        {},
        ["--groups", "doner"],
        "There is no column 'doner'; did you mean 'donor'?",
    ),
    "a column of neither file": (
        {},
        ["-t", "outcome"],
        "There is no column 'outcome'; there are 'age', 'batch', 'donor', 'kind', 'patient' and 11",
    ),
    "a dropped target": ({}, ["--drop", "kind"], "Column 'kind' is in --drop and in another"),
    "a dropped batch": (
        {},
        ["--strata", "batch", "--drop", "x3,batch"],
        "Column 'batch' is in --drop and in another option; remove it from --drop, as colu",
    ),
    "the target as a group": (
        {},
        ["--groups", "kind"],
        "Column 'kind' is the target, so it cannot also be a group",
    ),
    "no names in the table": ({}, ["--drop", "id"], "no sample names to join the metadata by"),
    "a method that takes none": (
        {},
        ["--groups", "donor", "-m", "fisherscore"],
        "fisherscore does not take --groups; methods that do: ",
    ),
    "an explanation": (
        {},
        ["--groups", "donor", "--explain"],
        "--explain does not support groups, strata or",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_one_sentence(hitmiss, two_files, case):
    how, options, sentence = WRONG[case]
    data, known = two_files(**how)
    target = [] if "-t" in options else ["-t", "kind"]
    result = hitmiss("select", data, "--metadata", known, *target, *options, "--quick", "-q")
    assert_one_sentence(result, sentence)


def test_an_age_is_no_list_of_classes(hitmiss, two_files):
    data, known = two_files()
    arguments = [data, "--metadata", known, "-t", "age", "-q"]
    sentence = "The target 'age' holds measurements, 43 different numbers for 58 samples, and this"
    assert_one_sentence(hitmiss("compare", *arguments), sentence)


def test_names_without_metadata_are_an_error(hitmiss, two_files):
    data, _ = two_files()
    result = hitmiss("select", data, "--metadata-names", "patient", "-t", "kind", "-q")
    assert_one_sentence(
        result, "--metadata-names names a column of the metadata; give the file with --metadata."
    )


def test_samples_without_a_group_are_counted_or_left_out(hitmiss, write_csv, xor):
    rows = [["id", "kind", "donor", *xor.feature_names]]
    for n, x in enumerate(xor.data.tolist()):
        rows.append([f"s{n}", "ab"[xor.target[n]], "" if n < 2 else f"d{n // 4}", *x])
    path = write_csv(rows)
    arguments = ["select", path, "-t", "kind", "--groups", "donor", "--quick", "-q"]
    assert_one_sentence(hitmiss(*arguments), "2 of 60 samples have no group, the first being 's0'")
    kept = hitmiss(*arguments, "--missing", "drop-unlabeled", "--json")
    assert json.loads(kept.stdout)["n_samples"] == 58


def test_what_changes_nothing_is_said():
    names, same = np.array(list("abc")), np.array(["x", "x", "x"])
    said = idle_sentences({"groups": names, "strata": same, "covariates": np.ones((3, 1))})
    assert [sentence.split()[-4] for sentence in said] == ["--groups", "--strata", "--covariates"]
    ages = np.array([[1.0, 40.0], [1.0, 50.0], [1.0, 40.0]])
    assert not idle_sentences({"groups": same, "strata": names, "covariates": ages})
    assert not idle_sentences({})
