import hashlib
import json
import re

import numpy as np
import openpyxl
import pytest
from scipy.stats import spearmanr

from hitmiss import LOFE, datasets
from tests.cli.conftest import QUICK, assert_one_sentence, rows_of

NAMES = {
    *("weights.csv", "selected.txt", "model.npz"),
    *("results.xlsx", "report.html", "run.json"),
}
EVIL = ["=1+1", "@sum", "+a", "-b", "'c", "<script>alert(1)</script>", 'say "hi"', "🧬", "a,b", "d"]


def test_the_folder_says_what_python_says(hitmiss, xor, xor_csv, tmp_path):
    out = tmp_path / "out"
    result = hitmiss("select", "--quick", xor_csv, "--target", "kind", "--out", out)
    assert result.exit_code == 0
    assert {path.name for path in out.iterdir()} == NAMES
    lofe = LOFE().fit(xor.data, np.array(["ill", "well"])[xor.target])
    rows = rows_of(out / "weights.csv")
    assert [row["feature"] for row in rows] == [xor.feature_names[j] for j in lofe.ranking_]
    assert [float(row["weight"]) for row in rows] == lofe.weights_[lofe.ranking_].tolist()
    assert [int(row["rank"]) for row in rows] == list(range(1, 11))
    chosen = [row["feature"] for row in rows if row["selected"] == "1"]
    assert set(chosen) == {"x0", "x1"}
    assert (out / "selected.txt").read_text() == "".join(f"{name}\n" for name in chosen)
    assert "2 of 10 features" in result.stdout
    assert "Leave-one-out error" in result.stdout


def test_twice_gives_the_same_bytes(hitmiss, xor_csv, tmp_path):
    for name in ("one", "two", "two"):  # the last replaces its own
        options = ["--method", "simba", "--out", tmp_path / name]
        assert hitmiss("select", "--quick", xor_csv, "-t", "kind", *options).exit_code == 0
    for name in ("weights.csv", "selected.txt", "model.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_record_is_enough_to_do_it_again(hitmiss, xor_csv, tmp_path):
    options = [
        "--method",
        "ReliefF",
        "--set",
        "n_neighbors=3",
        "--seed",
        "5",
        "--drop",
        "irrelevant5",
    ]
    hitmiss("select", "--quick", xor_csv, "-t", "kind", *options, "-o", tmp_path / "out")
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert run["command"] == "select"
    assert (run["method"], run["settings"], run["seed"]) == ("ReliefF", ["n_neighbors=3"], 5)
    assert run["parameters"]["n_neighbors"] == 3
    assert run["data"]["sha256"] == hashlib.sha256(xor_csv.read_bytes()).hexdigest()
    assert run["data"]["drop"] == ["irrelevant5"]
    assert run["n_features"] == 9
    assert {"hitmiss", "python", "numpy", "scikit-learn", "numba"} <= run["versions"].keys()


def test_json_is_all_there_is_on_standard_output(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "--json", "--quiet")
    found = json.loads(result.stdout)
    assert {item["feature"] for item in found["selected"]} == {"x0", "x1"}
    assert found["converged"] is True
    assert found["classes"] == ["ill", "well"]
    assert result.stderr == ""


def test_names_of_any_kind(hitmiss, xor, write_csv, tmp_path):
    data = [[label, *x] for label, x in zip(xor.target, xor.data.tolist(), strict=True)]
    path = write_csv([["kind", *EVIL], *data])
    result = hitmiss(
        "select", "--quick", path, "-t", "kind", "-o", tmp_path / "out", "--set", "max_features=10"
    )
    assert result.exit_code == 0
    selected = (tmp_path / "out" / "selected.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(selected) == sorted(EVIL)
    cells = [row["feature"] for row in rows_of(tmp_path / "out" / "weights.csv")]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert [cell.removeprefix("'") for cell in cells] == selected
    report = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in report


def test_stability_is_part_of_the_record(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "--stability", "3", "--json", "-q")
    stability = json.loads(result.stdout)["stability"]
    assert (stability["n_subsamples"], stability["nogueira"]["stability"]) == (3, 1)


@pytest.mark.usefixtures("interrupted_methods")
def test_ctrl_c_ends_cleanly(hitmiss, xor_csv, tmp_path):
    result = hitmiss(
        "select", "--quick", xor_csv, "-t", "kind", "-m", "interrupted", "-o", tmp_path / "out"
    )
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr.endswith("\nInterrupted; nothing was kept.\n")
    assert list(tmp_path.iterdir()) == [xor_csv]


@pytest.mark.usefixtures("interrupted_methods")
def test_ctrl_c_during_the_subsamples_keeps_the_selection(hitmiss, xor_csv, tmp_path):
    options = ["-m", "interruptedonparts", "--stability", "3", "-o", tmp_path / "out"]
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 130
    assert result.stderr.endswith("\nInterrupted after 0 of 3 subsamples.\n")
    assert {path.name for path in (tmp_path / "out").iterdir()} == NAMES
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (run["complete"], run["stability"]) == (False, None)


def test_explain_says_who_works_with_whom(hitmiss, xor_csv, tmp_path):
    out = tmp_path / "out"
    result = hitmiss("select", "--quick", "--explain", xor_csv, "-t", "kind", "--out", out)
    assert result.exit_code == 0
    assert re.search(r"More together than apart: x[01] and x[01] \(\+\d\d\.\d\)\.", result.stdout)
    found = json.loads((out / "run.json").read_text())["explanation"]
    assert set(found["synergy"]["features"]) == {"x0", "x1"}
    (own, both), _ = found["synergy"]["matrix"]
    assert own < 1 < 20 < both
    assert {row["feature"] for row in found["substitutes"]} == {"x0", "x1"}
    html = (out / "report.html").read_text(encoding="utf-8")
    assert "Which features interact" in html
    assert "What could replace what" in html


def test_without_explain_nothing_is_explained(hitmiss, xor_csv):
    result = hitmiss("select", "--quick", xor_csv, "-t", "kind", "--json", "--quiet")
    assert json.loads(result.stdout)["explanation"] is None


def test_explain_needs_fixed_points(hitmiss, xor_csv):
    result = hitmiss("select", "--explain", xor_csv, "-t", "kind", "-m", "relieff")
    assert_one_sentence(result, "--explain needs --method lofe or lofecv.")


def test_nothing_selected_is_not_explained(hitmiss, xor_csv):
    options = ["--quick", "--explain", "--set", "alpha=1000000", "--json", "--quiet"]
    result = hitmiss("select", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["explanation"] is None


@pytest.fixture
def types_csv(write_csv):
    """Three types of twelve cells; gene k is high in type k."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(36, 6)), np.repeat(["B", "NK", "T"], 12)
    X[np.arange(36), np.arange(36) // 12] += 8
    header = ["type", *(f"g{j}" for j in range(6))]
    return write_csv([header, *([name, *row] for name, row in zip(y, X.tolist(), strict=True))])


def test_markers_are_listed_by_class(hitmiss, types_csv, tmp_path):
    how = ("--target", "type", "--markers", "--top", 1, "--quick", "--out", tmp_path / "out")
    result = hitmiss("select", types_csv, *how)
    assert result.exit_code == 0, result.stderr
    rows = [line.split() for line in result.stdout.splitlines()]
    assert [row[:2] for row in rows if row[-1:] == ["high"]] == [
        ["B", "g0"],
        ["NK", "g1"],
        ["T", "g2"],
    ]
    found = {row["feature"]: row for row in rows_of(tmp_path / "out" / "weights.csv")}
    assert (found["g1"]["marks"], found["g5"]["marks"]) == ("NK", "")
    assert float(found["g1"]["weight_NK"]) > 0
    assert "Certificate: the weights are exact over all features" in result.stdout
    html = (tmp_path / "out" / "report.html").read_text()
    assert re.search(r"features mark each of \d+ classes of \d+ samples, by the method", html)
    assert "Markers of each class" in html
    assert "no certificate" not in html
    assert html.index("B</bdi>: 1 marker") < html.index("NK</bdi>: 1 marker")
    assert (tmp_path / "out" / "selected.txt").read_text().split() == ["g0", "g1", "g2"]


def test_markers_need_two_samples_of_every_class(hitmiss, write_csv):
    path = write_csv([["type", "g"], ["a", 1], ["a", 2], ["b", 3], ["b", 4], ["c", 5]])
    result = hitmiss("select", path, "--target", "type", "--markers", "--quiet")
    assert_one_sentence(result, "Class 'c' has a single sample")


@pytest.fixture
def dose_csv(write_csv):
    """A number that is the product of two features, of ten."""
    X, y = datasets.make_product(120, n_irrelevant=8, random_state=0, return_X_y=True)
    header = [*(f"g{j}" for j in range(10)), "dose"]
    return write_csv([header, *np.column_stack([X, y]).round(5).tolist()], "dose.csv")


@pytest.fixture
def patients_csv(write_csv):
    """Times whose hazard is that of a product of two features, of ten; 30 % censored."""
    X, y = datasets.make_survival(150, n_irrelevant=8, random_state=0, return_X_y=True)
    rows = [[*x, "yes" if event else "no", time] for x, (event, time) in zip(X, y, strict=True)]
    return write_csv([[*(f"g{j}" for j in range(10)), "dead", "days"], *rows], "patients.csv")


def test_how_many_classes_there_are_is_said(hitmiss, good):
    result = hitmiss("select", good, "-t", "kind", *QUICK["select"])
    assert "4 samples of 2 classes, 2 features\n" in result.stderr


@pytest.mark.parametrize(("options", "said"), [([], True), (["--task", "numbers"], False)])
def test_what_a_target_is_taken_for_is_said_unless_it_was_given(
    options, said, hitmiss, dose_csv, tmp_path
):
    out = ["--quick", "--out", tmp_path / "out"]
    result = hitmiss("select", dose_csv, "-t", "dose", *out, *options)
    assert result.exit_code == 0
    sentence = "The target 'dose' is treated as numbers; use --task classes if it holds classes."
    assert (sentence in result.stderr) == said
    assert ("--task classes" in result.stderr) == said


def test_numbers(hitmiss, dose_csv, tmp_path):
    out = tmp_path / "out"
    options = ["--cv", "3", "--permutations", "9", "--fdr", "0.2", "--out", out]
    result = hitmiss("select", dose_csv, "-t", "dose", *options)
    assert result.exit_code == 0
    assert "The target 'dose' is treated as numbers" in result.stderr
    assert re.match(
        r"2 features; R² 0\.\d\d ± 0\.\d\d \(guessing 0\), perm.* p 0\.1; 2 with", result.stdout
    )
    assert sorted((out / "selected.txt").read_text().split()) == ["g0", "g1"]
    assert {path.name for path in out.iterdir()} == NAMES
    assert "rank correlation" in result.stdout
    page = (out / "report.html").read_text(encoding="utf-8")
    sentence = result.stdout.splitlines()[0]
    assert sentence in page
    assert "Cross-validated R²" in page
    assert 'aria-label="Selected features against y"' in page
    rows = rows_of(out / "weights.csv")
    excel = openpyxl.load_workbook(out / "results.xlsx")["features"]
    assert list(rows[0]) == [cell.value for cell in excel[1]]
    dose = np.genfromtxt(dose_csv, delimiter=",", names=True)
    first = spearmanr(dose[rows[0]["feature"]], dose["dose"]).statistic
    assert float(rows[0]["rank_correlation"]) == pytest.approx(first)
    record = json.loads((out / "run.json").read_text())
    assert record["method"] == "loferegressor"
    assert record["verdict"]["measure"] == "R²"
    assert record["cross_validation"]["score"] > 0.2


def test_survival(hitmiss, patients_csv, tmp_path):
    options = ["--time", "days", "--event", "dead", "--out", tmp_path / "out"]
    result = hitmiss("select", patients_csv, "--quick", *options)
    assert result.exit_code == 0
    assert "150 times, 105 of them events." in result.stderr
    assert "Leave-one-out concordance: 0." in result.stdout
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    facts = dict(
        re.findall(r"<th scope=.row.><bdi>([^<]+)</bdi></th>\s*<td[^>]*><bdi>([^<]*)<", page)
    )
    assert (facts["Time"], facts["Event"], facts["Events"]) == ("days", "dead", "105")
    assert "Target" not in facts
    assert 'aria-label="Survival by the halves of selected features"' in page
    new = hitmiss("predict", tmp_path / "out" / "model.npz", patients_csv, "--json")
    assert all(0 <= row["risk"] <= 1 for row in json.loads(new.stdout))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["-t", "dose", "-m", "simba"], "simba needs classes; for numbers use"),
        (["-t", "dose", "--explain"], "--explain needs classes, but the target holds numbers; le"),
        (["-t", "dose", "--stability", "5"], "--stability needs classes, but the target holds n"),
        (["-t", "dose", "--markers"], "--markers needs classes, but the target holds numbers"),
        (
            ["-t", "dose", "--tune"],
            "--tune needs classes, but the target holds numbers; leave it out.",
        ),
        (["-t", "dose", "--task", "survival"], "needs --time and --event"),
        (["--time", "dose"], "Use --time and --event together"),
        (["-t", "g1", "--time", "dose", "--event", "g0"], "Give either --target, or --time"),
        (["--time", "dose", "--event", "g0"], "write 1 if the event was observed at that"),
        (["-t", "dose", "--cv", "100"], "--cv 100 is too many folds for 120 samples"),
    ],
)
def test_what_numbers_and_times_cannot_have(hitmiss, dose_csv, options, sentence):
    assert_one_sentence(hitmiss("select", dose_csv, "--quick", "-q", *options), sentence)


@pytest.mark.parametrize(
    ("target", "event", "sentence"),
    [
        (
            [3, -1, 2, 5, 4, 6],
            [1, 0] * 3,
            "Column 'y' is '-1' for sample '2'; times are counted",
        ),
        (range(6), [0] * 6, "No sample has an event in column 'event'"),
        (
            [7] * 6,
            [1, 0] * 3,
            "is 7 for all samples, so there is nothing to explain; name another with --time",
        ),
        ([3, "", 2, 5, 4, 6], [1, 0] * 3, "1 of 6 samples has no value in column 'y', the first"),
        ([2.5] * 6, None, "is 2.5 for all samples"),
        ([1.5, "", 2.5, 3.5, 4.5, 6.0], None, "1 of 6 samples has no label"),
    ],
)
def test_targets_that_say_nothing(hitmiss, write_csv, target, event, sentence):
    rows = [[t, e, t, n] for n, (t, e) in enumerate(zip(target, event or [0] * 6, strict=True))]
    path = write_csv([["y", "event", "a", "b"], *rows])
    named = ["-t", "y"] if event is None else ["--time", "y", "--event", "event"]
    assert_one_sentence(hitmiss("select", path, *named, "--quick", "-q"), sentence)


def test_samples_without_a_time_can_be_left_out(hitmiss, write_csv):
    rows = [["" if n == 4 else n, n % 2, n, n * 7 % 11] for n in range(30)]
    path = write_csv([["days", "dead", "a", "b"], *rows])
    how = ["--time", "days", "--event", "dead", "--missing", "drop-unlabeled", "--quick", "--json"]
    result = hitmiss("select", path, *how)
    assert json.loads(result.stdout)["n_samples"] == 29
    assert "1 sample without a label, time, event," in result.stderr


def test_whole_numbers_taken_for_classes_are_warned_of(hitmiss, write_csv):
    rows = [[n // 2, n % 5, n * 7 % 11] for n in range(40)]
    path = write_csv([["y", "a", "b"], *rows])
    how = ["-t", "y", "--task", "classes", "-m", "relieff", "--quick"]
    assert "20 different whole numbers for 40 samples" in hitmiss("select", path, *how).stderr


def test_tune_is_for_lofe(hitmiss, xor_csv):
    common = ["select", xor_csv, "-t", "kind", "--quick", "--json", "-q", "--tune"]
    found = json.loads(hitmiss(*common).stdout)
    assert (found["parameters"]["sigma"], found["parameters"]["alpha"]) == ("auto", "auto")
    assert_one_sentence(
        hitmiss(*common, "--method", "relieff"), "--tune works only with --method lofe"
    )


@pytest.mark.full
def test_what_tune_chooses_is_tested(hitmiss, xor_csv):
    options = ["--tune", "--quick", "--permutations", "9", "--json", "-q"]
    result = hitmiss("select", xor_csv, "-t", "kind", *options)
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["permutation_test"] == {"p_value": 0.1, "n_permutations": 9}
    assert {item["feature"]: item["q_value"] for item in found["selected"]} == {
        "x0": 0.1,
        "x1": 0.1,
    }


@pytest.mark.parametrize(
    ("method", "sentence"),
    [
        (
            "loferegressor",
            "loferegressor needs numbers, but the target is read as classes; use another method, "
            "or hitmiss select with --task numbers.",
        ),
        ("lofesurvival", "or hitmiss select with --time and --event."),
    ],
)
def test_a_method_for_another_target_is_refused_before_the_fit(
    hitmiss, good, tmp_path, method, sentence
):
    good.write_text("kind,a,b\n0,1,5\n1,2,4\n0,3,6\n1,4,4\n")
    for command in ("select", "stability"):
        options = ["-t", "kind", "-m", method, "-q", "-o", tmp_path / "out"]
        assert_one_sentence(hitmiss(command, good, *options), sentence)
    assert list(tmp_path.iterdir()) == [good]


def test_margins_equal_but_for_rounding_have_a_report(hitmiss, tmp_path):
    """The four points have one margin, which differs in its last bit on some CPUs."""
    path, out = tmp_path / "both.csv", tmp_path / "out"
    path.write_text("kind,a,b\n" + "x,1,4\nx,4,6\ny,1,6\ny,4,4\n" * 3)
    result = hitmiss("select", path, "-t", "kind", "--quick", "--set", "alpha=0.01", "-o", out)
    assert result.exit_code == 0, result.stderr
    assert "No sample lies closer to another class." in (out / "report.html").read_text("utf-8")
