from reproduce.harness.experiment import Key
from reproduce.pages.lofe import table4


def test_a_chance_minimum_passes_with_a_look_at_the_test_data_only():
    records = {
        Key("dlbcl", "lofe", sample): {
            "wrong": "1" + "01"[sample % 20 == 0] + "1" * 48,  # two genes are right by chance
            "nested": [10.0, *[5.0] * 49] if sample % 2 else [5.0, *[10.0] * 49],
            "fit_seconds": 0.1,
        }
        for sample in range(77)
    }
    looked, strict, *default, both = table4.checks(records)
    assert [check.held for check in default] == [None, None]
    assert both.held
    assert looked.held
    assert strict.failed
    assert "5.2 ± 2.5 with 2 genes, 100.0 with 1 and 100.0 with 3;" in table4.reasons(records)
    row = "| DLBCL | LOFE | 5.2 ± 2.5 | 2 | 2.6 | 10 | +0.8 | 50.6 ± 5.7 | 1 | 50.6 ± 5.7 | 1 |"
    assert row in table4.body(records)
    del records[Key("dlbcl", "lofe", 3)]
    assert [check.held for check in table4.checks(records)] == [None] * 4 + [True]
    records[Key("dlbcl", "ks", 0)] = {"wrong": "1" * 50}
    *_, both = table4.checks(records)
    assert both.failed


def test_alpha_and_order_of_the_library_have_the_same_limits():
    folds = {"wrong": "1" + "0" * 49, "nested": [1.0, *[0.0] * 49], "fit_seconds": 0.1}
    records = {
        Key("dlbcl", method, sample): folds
        for method in ("lofe", "lofe_auto")
        for sample in range(77)
    }
    *_, looked, strict, _ = table4.checks(records)
    assert (looked.held, strict.held, strict.aim) == (True, True, "lofe default microarrays")
    for sample in range(5):
        records[Key("dlbcl", "lofe_auto", sample)] = {**folds, "wrong": "1" * 50}
    *_, looked, strict, _ = table4.checks(records)
    assert looked.failed
    assert strict.failed
    assert '- DLBCL, LOFE, α "auto", both orders: 6.5 ± 2.8 with 2 genes' in table4.reasons(records)
