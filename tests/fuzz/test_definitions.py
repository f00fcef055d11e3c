from fuzz import definitions


def test_fits_agree_with_their_definitions():
    *found, n_compared = definitions.differences(150, seed=1)
    assert found == []
    assert n_compared >= 150


def test_a_difference_is_told(monkeypatch):
    monkeypatch.setattr(definitions, "KINDS", (lambda p: iter([("one", 1.0, 1.1)]),))
    sentence, n_compared = definitions.differences(1)
    assert (sentence, n_compared) == ("one of problem 0, seed 0: off by 1.0e-01.", 1)
