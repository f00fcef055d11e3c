import numpy as np

from hitmiss.cli._shared.explanation import explanation_facts, explanation_lines
from hitmiss.metrics import Substitutes, Synergy

MATRIX = np.array([[9.0, -4.0, 2.0], [-4.0, 3.0, 0.01], [2.0, 0.01, 0.0]])
SYNERGY = Synergy(np.arange(3), np.array(["a", "b", "c"]), MATRIX, 100.0)
SUBSTITUTES = Substitutes(
    features=np.array([0, 1]),
    names=np.array(["a", "b"]),
    without=np.array([9.0, 0.5]),
    candidates=[np.array([7, 2]), np.array([], int)],
    candidate_names=[np.array(["d", "e"]), np.array([], str)],
    rises=[np.array([1.0, 3.0]), np.array([])],
    objective=20.0,
)


def test_lines_name_the_strongest_pairs_and_the_best_substitutes():
    assert list(explanation_lines({"synergy": SYNERGY, "substitutes": SUBSTITUTES})) == [
        "More together than apart: a and c (+2.0).",
        "Partly redundant: a and b (-4.0).",
        "Instead of a: d (objective +1).",
    ]


def test_that_there_is_no_substitute_is_said():
    none = SUBSTITUTES._replace(candidate_names=[np.array([], str)] * 2, rises=[np.array([])] * 2)
    assert list(explanation_lines({"substitutes": none})) == [
        "No other feature could replace a selected one."
    ]


def test_nothing_known_is_nothing_said():
    assert list(explanation_lines({})) == []
    assert explanation_facts({}) == {}


def test_facts_go_by_name():
    facts = explanation_facts({"synergy": SYNERGY, "substitutes": SUBSTITUTES})
    assert facts["synergy"]["features"].tolist() == ["a", "b", "c"]
    assert facts["substitutes"][0]["substitutes"].tolist() == ["d", "e"]
    assert facts["substitutes"][1]["without"] == 0.5
