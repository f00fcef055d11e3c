from reproduce.harness.experiment import Key
from reproduce.pages.lofe import table1s


def test_runs_that_grow_are_told_apart_from_those_that_do_not():
    records = {}
    for run in range(10):
        for n, worse in ((0, 0), (10_000, 30 * (run < 2))):
            record = {"test": 10.0 + worse, "n_selected": 2, "n_irrelevant": 2 * (worse > 0)}
            records[Key("banana", f"2 {n}", run)] = record
    text = table1s.runs_that_grow(records, "banana", 2.0)
    assert text.startswith("2 of 10 runs grow by more than 2 points, the worst to 40.0; 8 are unch")
    assert "2.0 irrelevant features are selected, and 0.0 original ones" in text
    assert table1s.unchanged(records).startswith("In 8 of 8 fits")
    records[Key("banana", "2 10000", 5)]["test"] = 10.02
    assert table1s.unchanged(records).startswith("In 7 of 8 fits")
