from benchmarks import relief
from hitmiss import datasets


def test_a_time_that_somebody_reported_gives_no_ratio(monkeypatch):
    small = datasets.make_twonorm(40, n_irrelevant=10, random_state=0, return_X_y=True)
    monkeypatch.setattr(relief, "data", lambda n, p: small)
    row = relief.largest()
    assert row["ratio"] is None
    assert row["peer_s"] == 32 * 3600
