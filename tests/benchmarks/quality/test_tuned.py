from pathlib import Path

import numpy as np
import pytest

from benchmarks.quality import tuned
from benchmarks.quality.judges import JUDGES
from benchmarks.quality.own import FOLDER
from benchmarks.truth.store import Store

PLAIN = {"ida_banana": [0.2, 0.3], "ida_heart": [0.2, 0.2], "gems_srbct": [0.1, 0.1]}


def results(folder, tuned_errors):
    """Results of both readings: those of lists are the same for all judges and lengths."""
    for method, errors in (("lofe", PLAIN), ("lofe-tuned", tuned_errors)):
        for name, values in errors.items():
            for repeat, value in enumerate(values):
                Store(method, folder / FOLDER).add(name, repeat, error=value)
                of_lists = dict.fromkeys(JUDGES, 4 * [value])
                Store(method, folder).add(name, repeat, errors=of_lists)
    return folder


def test_differences_are_taken_repeat_by_repeat(tmp_path):
    found = {"ida_banana": [0.1, 0.2], "ida_heart": [0.2, 0.3], "gems_srbct": [0.1, 0.1]}
    folder = results(tmp_path, found)
    for pairs in (tuned.of_predictions(folder), tuned.of_lists(folder)):
        assert pairs.excess == pytest.approx(
            {"ida_banana": -0.1, "ida_heart": 0.05, "gems_srbct": 0}
        )
        assert pairs.bars == pytest.approx({"ida_banana": 0, "ida_heart": 0.05, "gems_srbct": 0})
        assert pairs.worse == []  # one repeat of two is no more than a standard error
        assert pairs.mean == pytest.approx((-0.05 / 3, np.std([-0.1, 0.05, 0], ddof=1) / 3**0.5))


@pytest.mark.parametrize(
    ("heart", "banana", "met"),
    [([0.2, 0.2], 0.1, True), ([0.21, 0.21], 0.1, False), ([0.2, 0.2], 0.4, False)],
)
def test_one_set_that_is_worse_or_a_mean_that_is_decides(tmp_path, heart, banana, met):
    found = {"ida_banana": [banana, 0.2], "ida_heart": heart, "gems_srbct": [0.1, 0.1]}
    assert [row["met"] for row in tuned.rows(results(tmp_path, found))] == [met, met]


def test_a_single_repeat_leaves_it_undecided(tmp_path):
    found = {"ida_banana": [0.1, 0.2], "ida_heart": [0.1]}
    assert [row["met"] for row in tuned.rows(results(tmp_path, found))] == [None, None]


def test_the_page_has_every_set_and_says_where_fits_are_the_same(tmp_path):
    found = {"ida_banana": [0.1, 0.2], "gems_srbct": [0.1, 0.1]}
    lines = tuned.page(results(tmp_path, found))
    assert "| ida_banana | 25.0 | -10.0 | 25.0 | -10.0 |" in lines
    assert "| gems_srbct | 10.0 | 0.0 | 10.0 | 0.0 |" in lines
    assert tuned.page(Path(tmp_path / "nothing")) == []
