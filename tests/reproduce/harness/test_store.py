import pytest

from reproduce.harness.experiment import Key
from reproduce.harness.store import Store
from tests.reproduce.made_up import experiment, finished, records_of


def test_results_of_other_settings_are_refused(tmp_path):
    finished(tmp_path / "a.json", experiment())
    with pytest.raises(ValueError, match=r"made with other settings; delete it or pass --fresh\."):
        Store(tmp_path / "a.json", {"quick": True})


def test_a_failed_write_leaves_the_old_results(tmp_path):
    path = tmp_path / "a.json"
    before = finished(path, experiment())
    store = Store(path, {"quick": False})
    with pytest.raises(TypeError):
        store.add(Key("b", "bad", 0), {"value": object()})
    assert records_of(Store(path, {"quick": False})) == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_every_machine_that_made_results_is_named(tmp_path):
    path = tmp_path / "a.json"
    finished(path, experiment(), runs=1)
    (here,) = Store(path, {"quick": False}).made
    finished(path, experiment(), runs=3, here="2020-01-01, another.")
    assert Store(path, {"quick": False}).made == [here, "2020-01-01, another."]
