from hitmiss.cli import demo


def test_the_demo_finds_the_relevant_features(hitmiss, monkeypatch):
    monkeypatch.setattr(demo, "N_IRRELEVANT", 100)
    shown = hitmiss("demo").stdout
    assert "  feature 0: weight" in shown
    assert "  feature 1: weight" in shown
    assert "Found 2 of 102 features in " in shown
