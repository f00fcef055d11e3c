import io
import time
from types import SimpleNamespace

import pytest

from hitmiss import LOFE, MultiSURF
from hitmiss._util import elapsed as module
from hitmiss._util import progress
from hitmiss._util.elapsed import announce, elapsed
from hitmiss._util.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_work_is_silent_for_two_seconds_at_most():
    assert module.AFTER + module.TICK <= 2


@pytest.fixture
def shown(monkeypatch):
    """What a terminal or a pipe shows of a block, with short times."""
    monkeypatch.setattr(module, "AFTER", 0.05)
    monkeypatch.setattr(module, "TICK", 0.02)

    def run(stream, work, **options):
        for where in (module, progress):
            monkeypatch.setattr(where, "sys", SimpleNamespace(stderr=stream))
        with elapsed("LOFE", **{"shown": True} | options):
            work()
        return stream.getvalue()

    return run


def test_a_terminal_sees_the_time_grow_and_a_pipe_one_line(shown):
    text = shown(Terminal(), lambda: time.sleep(0.3))
    assert text.count("\r") >= 2
    assert text.split("\r")[1].split() == ["LOFE", "0", "s"]
    assert text.endswith(" s\n")
    assert shown(io.StringIO(), lambda: time.sleep(0.2)).startswith("LOFE: 0.")


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_quick_or_quiet_work_shows_nothing(shown, stream):
    assert shown(stream(), lambda: None) == ""
    assert shown(stream(), lambda: time.sleep(0.2), shown=False) == ""


def test_a_progress_bar_is_enough(shown):
    def work():
        bar = Progress()
        bar.begin("members", 1)
        time.sleep(0.1)
        bar.advance()

    assert shown(io.StringIO(), work).startswith("members: ")


def test_the_line_ends_when_the_work_fails(shown):
    stream = Terminal()
    with pytest.raises(ZeroDivisionError):
        shown(stream, lambda: time.sleep(0.2) or 1 / 0)
    assert stream.getvalue().endswith("\n")


def test_long_work_is_announced_with_the_time_it_may_take(capsys):
    announce("LOFE", (2000, 2000), (0.1, 3.0), 2)  # 8e9 differences
    assert capsys.readouterr().err == (
        "LOFE: 2,000 samples and 2,000 features, usually 0.8 to 24 s\n"
    )
    announce("LOFE", (2000, 2000), (0.1, 3.0), 8)  # a quarter: six seconds are no long work
    assert capsys.readouterr().err == ""
    announce("ReliefF", (50_000, 10_000), (0.02, 0.05), 1)
    assert capsys.readouterr().err.endswith(", usually 17 to 42 min\n")


@pytest.mark.parametrize("make", [LOFE, MultiSURF])
def test_a_verbose_fit_announces_itself_and_a_quiet_one_does_not(make, capsys, monkeypatch):
    monkeypatch.setattr(module, "LONG", 0.0)
    X, y = [[0.0, 1], [1, 2], [5, 1], [6, 3]], [0, 0, 1, 1]
    make(alpha=0.1, verbose=True).fit(X, y) if make is LOFE else make(verbose=True).fit(X, y)
    name = make.__name__
    assert f"{name}: 4 samples and 2 features, usually " in capsys.readouterr().err
    make().fit(X, y)
    assert capsys.readouterr().err == ""
