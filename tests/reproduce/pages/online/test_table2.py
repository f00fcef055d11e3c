from reproduce.harness.experiment import Key
from reproduce.pages.online import table2

PASSES = ("passes over all features", "sparse passes")


def test_online_reasons_name_what_is_kept():
    kept = {"n_used": 20, "fdr_per_1000": 3.0, "fit_seconds": 1.0}
    records = {
        Key("heart", "svm_original", 0): {"test": 1.0},
        Key("flare_solar", "svm_original", 0): {"test": 30.0},
        Key("flare_solar", "batch", 0): {**kept, "test": 40.0},
        Key("flare_solar", "online", 0): {**kept, "test": 31.0, "fit_seconds": 2.0},
    }
    failed = [check.claim.split(":")[0] for check in table2.checks(records) if check.failed]
    slower = [f"online, {name}, takes less time than batch on most sets" for name in PASSES]
    assert failed == slower  # an error without sparse passes is open
    sparse = {**kept, "test": 31.0, "fit_seconds": 0.5}
    records[Key("flare_solar", "online_sparse", 0)] = sparse
    failed = [check.claim.split(":")[0] for check in table2.checks(records) if check.failed]
    assert failed == ["flare-solar", slower[0]]
    text = table2.reasons(records)
    assert "- flare-solar, batch: 20.0 features are kept, of which 15.0 irrelevant, with" in text
    assert "flare-solar, online" not in text
    assert "online is slower than batch here" in text


def test_sparse_passes_may_not_err_more():
    for more, held in ((0.0, True), (3.0, False)):
        records = {Key("splice", "svm_original", 0): {"test": 9.0}}
        for run in range(10):
            for method, error in (("batch", 10.0), ("online", 9.0), ("online_sparse", 9.0 + more)):
                found = {"test": error + run % 3, "n_used": 9, "fdr_per_1000": 0.1}
                records[Key("splice", method, run)] = {**found, "fit_seconds": 1.0}
        *_, check = table2.checks(records)
        assert check.claim.startswith("sparse passes do not err more")
        assert check.held is held
