from reproduce.harness.experiment import Key
from reproduce.pages.online import table2


def test_online_reasons_name_what_is_kept():
    kept = {"n_used": 20, "fdr_per_1000": 3.0, "fit_seconds": 1.0}
    records = {
        Key("heart", "svm_original", 0): {"test": 1.0},
        Key("flare_solar", "svm_original", 0): {"test": 30.0},
        Key("flare_solar", "batch", 0): {**kept, "test": 40.0},
        Key("flare_solar", "online", 0): {**kept, "test": 31.0, "fit_seconds": 2.0},
    }
    failed = [check.claim.split(":")[0] for check in table2.checks(records) if check.failed]
    assert failed == ["flare-solar", "online takes less time than batch on most sets"]
    text = table2.reasons(records)
    assert "- flare-solar, batch: 20.0 features are kept, of which 15.0 irrelevant, with" in text
    assert "flare-solar, online" not in text
    assert "Online is slower" in text
