"""Results resume where they stopped."""

import json

from benchmarks.truth import store as records
from benchmarks.truth.store import Store, named, of_all, sentence, timed_on


def test_records_come_back(tmp_path):
    Store("ours", tmp_path).add("xor", 3, q={"1": 0.05}, seconds=1.0)
    store = Store("ours", tmp_path)
    assert ("xor", 3) in store
    assert ("xor", 4) not in store
    record = store.records["xor", 3]
    assert record["q"] == {"1": 0.05}
    assert {"date", "machine", "commit"} <= set(record)


def test_line_that_was_cut_off_is_forgotten(tmp_path):
    store = Store("ours", tmp_path)
    store.add("xor", 0, q={})
    store.add("xor", 1, q={})
    text = store.path.read_text()
    store.path.write_text(text[:-7])
    again = Store("ours", tmp_path)
    assert list(again.records) == [("xor", 0)]
    again.add("xor", 1, q={})
    assert [json.loads(line)["draw"] for line in store.path.read_text().splitlines()] == [0, 1]


def test_methods_have_files_of_their_own(tmp_path):
    Store("ours", tmp_path).add("xor", 0, q={})
    assert not Store("theirs", tmp_path).records


def test_the_machines_of_records_are_named(monkeypatch, tmp_path):
    for k, machine in enumerate(("AMD EPYC", "AMD EPYC (znver5, AVX-512)", "AMD EPYC")):
        monkeypatch.setattr(records, "cpu", lambda machine=machine: machine)
        monkeypatch.setattr(records, "revision", lambda k=k: f" (abcdef{k})")
        Store("ours", tmp_path).add("xor", k)
    today = records.made_with()["date"]
    assert sentence(of_all(tmp_path)) == (
        "Stored results were made with: "
        f"AMD EPYC (model not recorded), {today} (abcdef0, abcdef2); "
        f"AMD EPYC (znver5, AVX-512), {today} (abcdef1).\n"
    )
    assert named(timed_on(of_all(tmp_path))) == "AMD EPYC (model not recorded)"
    assert (sentence([]), timed_on([])) == ("", None)
