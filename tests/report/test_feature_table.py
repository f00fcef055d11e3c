import numpy as np

from hitmiss.report.explained import ShownClasses
from hitmiss.report.feature_columns import Measured
from hitmiss.report.feature_table import feature_table
from hitmiss.report.fitted import Fitted
from hitmiss.report.markup import script_json

RNG = np.random.default_rng(0)


def fitted(weights, scores=None):
    weights = np.asarray(weights, float)
    return Fitted(weights, scores, weights > 1, np.argsort(-weights, kind="stable"))


def columns(table):
    return {column["label"]: column["values"] for column in table["columns"]}


def test_four_samples_by_hand():
    X = np.array([[1.0, 5.0], [3.0, 5.0], [0.0, 1.0], [0.0, 2.0]])
    table = feature_table(
        fitted([0.5, 2.0], np.array([7.0, 8.0])),
        ["p", "q"],
        ShownClasses(X, np.array(list("aabb")), []),
        Measured(np.array([0.5, 0.0476]), np.array([0.25, 1.0])),
    )
    assert table["n_features"] == 2
    assert columns(table) == {
        "Feature": ["q", "p"],
        "Weight": [2, 0.5],
        "Selected": [1, 0],
        "Score": [8, 7],
        "q-value": [0.0476, 0.5],
        "Selection frequency": [1, 0.25],
        "Highest in": ["a", "a"],
        "Mean, class a": [5, 2],
        "Mean, class b": [1.5, 0],
    }


def test_codes_of_words_have_no_mean():
    X = np.array([[1.0, 2.0], [3.0, 2.0], [0.0, 0.0], [0.0, 1.0]])
    shown = ShownClasses(X, np.array(list("aabb")), [1])
    found = columns(feature_table(fitted([2.0, 0.5]), ["dose", "color"], shown))
    assert found["Highest in"] == ["a", ""]
    assert (found["Mean, class a"], found["Mean, class b"]) == ([2, None], [0, None])


def large(n_features, n_classes, name):
    X = RNG.normal(size=(2 * n_classes, n_features))
    codes = np.arange(2 * n_classes) % n_classes
    names = [f"{name}{j}" for j in range(n_features)]
    shown = ShownClasses(X, [f"c{k}" for k in codes], [])
    return feature_table(fitted(RNG.exponential(size=n_features)), names, shown)


def test_two_classes_of_25_000_features_fit():
    table = large(25_000, 2, "gene_")
    assert {len(values) for values in columns(table).values()} == {25_000}
    assert len(script_json(table)) < 1_900_000


def test_many_classes_have_means_of_the_best_features_only():
    table = large(5_000, 60, "gene_")
    known = {label: len(values) for label, values in columns(table).items()}
    assert known["Feature"] == 5_000
    assert 0 < known["Mean, class c0"] == known["Mean, class c59"] < 5_000
    assert len(script_json(table)) < 1_900_000


def test_long_names_and_many_features_are_cut_to_the_best():
    table = large(30_000, 2, "<" * 150)
    n = len(table["columns"][0]["values"])
    assert 0 < n < 25_000
    assert table["n_features"] == 30_000
    assert len(script_json(table)) < 1_900_000
    weights = columns(table)["Weight"]
    assert weights == sorted(weights, reverse=True)
