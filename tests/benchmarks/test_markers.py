import numpy as np
import pytest

from benchmarks import markers
from benchmarks.markers import OURS, as_good_with_fewer, described, draws, errors


def test_every_cell_is_drawn_once_in_each_order():
    parts = draws(11, n_parts=3, n_orders=2)
    assert [len(part) for part in parts] == [4, 4, 3] * 2
    first, second = np.concatenate(parts[:3]), np.concatenate(parts[3:])
    np.testing.assert_array_equal(np.sort(first), np.arange(11))
    np.testing.assert_array_equal(np.sort(second), np.arange(11))
    assert (first != second).any()


@pytest.mark.parametrize(
    ("ours", "answer"),
    [
        ([(0.30, 5), (0.22, 9)], True),  # the best of theirs is 0.2 with 10, the bound 0.24
        ([(0.30, 5), (0.22, 10)], False),  # as many genes
        ([(0.25, 5), (0.10, 11)], False),  # better, but with more
        ([(0.239, 9)], True),
    ],
)
def test_as_good_is_within_a_standard_error_of_their_best(ours, answer):
    theirs = np.array([(0.3, 2), (0.2, 10), (0.2, 20), (0.21, 8)])
    assert as_good_with_fewer(np.array(ours), theirs, 100) is answer


def test_the_errors_of_1_3_and_5_genes_come_first():
    curve = np.array([(0.5, 2), (0.4, 4), (0.3, 6), (0.2, 8), (0.1, 9.6)])
    assert described(curve) == (
        "1: 0.500 (2 genes), 3: 0.300 (6 genes), 5: 0.100 (10 genes); "
        "2: 0.400 (4 genes), 4: 0.200 (8 genes)"
    )


def test_the_requirement_is_about_markers_as_they_come(monkeypatch):
    """A ranking that knows the answer against one of noise; the others are told beside it."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 30)
    X = rng.normal(size=(90, 40))
    for c, name in enumerate("abc"):
        X[y == name, 5 * c : 5 * c + 5] += 3
    good, bad = np.arange(15).reshape(3, 5), np.arange(15, 30).reshape(3, 5)
    known = {OURS: good, "another": bad}
    monkeypatch.setattr(markers, "BASES", {own: own for own in known})
    monkeypatch.setattr(markers, "by_markers", lambda own: lambda X, y: lambda n: known[own])
    monkeypatch.setattr(markers, "by_scanpy", lambda method: lambda X, y: lambda n: bad)
    monkeypatch.setattr(markers, "find_spec", lambda name: None)
    rows = errors("made up", X, y, draws(90, 1, 2), n_folds=3)
    assert [row["met"] for row in rows] == [None, None, True, True]
    assert rows[0]["what"] == f"made up, 2 x 90 cells: 3-NN error by genes per type, {OURS}"
    assert rows[2]["required"] == f"{OURS} as good with fewer genes"
    assert "another" in rows[3]["note"]
    assert OURS not in rows[3]["note"]
