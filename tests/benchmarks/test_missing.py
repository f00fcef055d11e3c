import numpy as np

from benchmarks import missing
from hitmiss import datasets


def test_a_changed_set_is_not_the_same(monkeypatch):
    answers = iter([[0, 1], [0], [0, 1], [0, 1, 5], [0, 1], [0, 1, 5]])
    monkeypatch.setattr(missing, "selected", lambda model, X, y: np.array(next(answers)))
    row = missing.found("XOR + 100", 0.1, "alpha 1", 2)
    assert row["met"] is False
    assert "the same features as without gaps in 1 of 2" in row["note"]
    assert "with the mean filled in in 0, with 10 % fewer samples and no gaps in 2" in row["note"]
    assert "only with or only without gaps, in all draws: 1;" in row["note"]
    assert "without gaps 2.0 and 0.5, with gaps 2.0 and 0.0" in row["note"]


def test_what_is_not_determined_without_gaps_is_not_required_and_says_so(monkeypatch):
    small, large = ("twonorm + 1,000, 200 samples", "twonorm + 1,000, 800 samples")
    data = datasets.make_xor(n_irrelevant=5, random_state=0)
    for name in (small, large):
        monkeypatch.setitem(missing.SETS, name, lambda seed: data)
    open_, closed = (missing.found(name, 0.1, "alpha 1", 1) for name in (small, large))
    assert (open_["required"], open_["met"]) == ("", None)
    assert open_["note"].startswith("no requirement, as fewer samples without gaps change the fe")
    assert closed["required"] == "the same features in 1 of 1"
    assert closed["met"] is not None
    assert missing.found(large, 0.3, "alpha 1", 1)["required"] == ""
