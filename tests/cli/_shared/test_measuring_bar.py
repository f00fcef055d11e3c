import io
from types import SimpleNamespace

import pytest

from hitmiss.cli._shared import measuring_bar as module
from hitmiss.cli._shared.measuring_bar import MeasuringBar


@pytest.fixture
def clock(monkeypatch):
    """Stopped at 100 seconds; tests set `clock.now` and read `clock.stderr`."""
    clock = SimpleNamespace(now=100.0, stderr=io.StringIO())
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=clock.stderr))
    return clock


def last(clock):
    return clock.stderr.getvalue().split("\r")[-1]


def test_one_bar_runs_over_all_measurements(clock):
    bar = MeasuringBar({"cross-validation": 1.0, "permutations": 3.0})
    bar.begin("cross-validation", 2)
    clock.now += 1
    bar.advance()
    assert last(clock).endswith(" 12%   7.0 s left")  # an eighth took 1 s
    clock.now += 1
    bar.advance()
    bar.begin("permutations", 3)
    clock.now += 2
    bar.advance()
    assert last(clock).startswith("permutations ")
    assert last(clock).endswith(" 50%   4.0 s left")


def test_the_bar_is_erased_when_all_is_done(clock):
    bar = MeasuringBar({"permutations": 3.0})
    bar.close()
    assert clock.stderr.getvalue() == ""
    bar.begin("permutations", 2)
    bar.advance()
    width = len(last(clock))
    bar.close()
    *_, blank, rest = clock.stderr.getvalue().split("\r")
    assert (set(blank), rest) == ({" "}, "")
    assert len(blank) >= width
