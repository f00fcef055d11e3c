from reproduce.harness.experiment import Key
from reproduce.pages.irelief import fig14


def test_as_many_errors_are_a_tie_however_they_are_spread():
    wrong = {"relief": ("1" * 19 + "0", "0" * 20), "irelief_2": ("10" * 10, "01" * 10)}
    records = {
        Key("gems_dlbcl", method, sample): {"wrong": text}
        for method, texts in wrong.items()
        for sample, text in enumerate(texts)
    }
    assert fig14.n_wrong(records, "gems_dlbcl", "relief") == 19
    assert fig14.n_wrong(records, "gems_dlbcl", "irelief_2") == 19
    assert not fig14.is_best(records, "gems_dlbcl")
    records[Key("gems_dlbcl", "irelief_2", 0)]["wrong"] = "0" * 20
    assert fig14.is_best(records, "gems_dlbcl")
