import numpy as np

from benchmarks import missing


def test_a_changed_set_is_not_the_same(monkeypatch):
    answers = iter([[0, 1], [0], [0, 1], [0, 1, 5], [0, 1], [0, 1, 5]])
    monkeypatch.setattr(missing, "selected", lambda X, y: np.array(next(answers)))
    row = missing.found("XOR + 100", 0.1, 2)
    assert row["met"] is False
    assert "the same features as without gaps in 1 of 2" in row["note"]
    assert "with the mean filled in in 0, with 10 % fewer samples and no gaps in 2" in row["note"]
    assert "without gaps 2.0 and 0.5, with gaps 2.0 and 0.0" in row["note"]
