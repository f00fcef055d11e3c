import io
import time
from types import SimpleNamespace

import pytest

from hitmiss import LOFE, MultiSURF
from hitmiss._util import elapsed as module
from hitmiss._util import progress
from hitmiss._util.compiling import Compilation
from hitmiss._util.elapsed import announce, elapsed
from hitmiss._util.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_work_is_silent_for_two_seconds_at_most():
    assert module.AFTER + module.TICK <= 2


@pytest.fixture
def clock(monkeypatch):
    """Stopped at 100 seconds, unless the work of a test sets `clock.now`."""
    clock = SimpleNamespace(now=100.0)
    for where in (module, progress):
        monkeypatch.setattr(where, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(Progress, "last_shown", 0.0)
    monkeypatch.setattr(Progress, "interrupted", 0.0)
    return clock


@pytest.fixture
def shown(monkeypatch, clock):
    """What a terminal or a pipe shows of a block that takes some seconds of the stopped clock."""
    monkeypatch.setattr(module, "TICK", 0.01)

    def run(stream, seconds, work=lambda: None, **options):
        for where in (module, progress):
            monkeypatch.setattr(where, "sys", SimpleNamespace(stderr=stream))
        with elapsed("LOFE", **{"shown": True} | options):
            clock.now += seconds
            while stream.isatty() and seconds > module.AFTER and not stream.getvalue():
                time.sleep(0.01)  # until the thread has seen it
            work()
        return stream.getvalue()

    return run


def test_a_terminal_sees_the_time_grow_and_a_pipe_one_line(shown, clock):
    def work():
        clock.now += 2.25

    line = f"\r{'LOFE':<22} "
    text = shown(Terminal(), 3.0, work)
    assert text.startswith(f"{line}3 s")
    assert text.endswith(f"{line}5.2 s\n")
    assert shown(io.StringIO(), 3.0, work) == "LOFE: 5.2 s\n"


@pytest.mark.parametrize("stream", [Terminal, io.StringIO])
def test_quick_or_quiet_work_shows_nothing(shown, stream):
    assert shown(stream(), 1.0) == ""
    with elapsed("LOFE", shown=False):
        assert not Progress.n_timed


@pytest.mark.parametrize(("seconds", "line"), [(3.0, "distances: 3.0 s\n"), (0.5, "LOFE: 3.5 s\n")])
def test_the_line_of_a_long_pass_is_enough(shown, clock, seconds, line):
    def work():
        bar = Progress()
        bar.begin("distances", 1)
        clock.now += seconds
        bar.advance()

    assert shown(io.StringIO(), 3.0, work) == line
    assert not Progress.n_timed


def test_the_line_ends_when_the_work_fails(shown):
    stream = Terminal()
    with pytest.raises(ZeroDivisionError):
        shown(stream, 3.0, lambda: 1 / 0)
    assert stream.getvalue().endswith("\n")
    assert not Progress.n_timed


def test_a_thread_that_is_not_done_after_ctrl_c_shows_nothing_more(shown, clock):
    stream, bar = Terminal(), Progress()

    def work():
        bar.begin("gradient", 2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shown(stream, 1.0, work)
    bar.advance()
    assert stream.getvalue() == ""
    clock.now += 1
    bar.begin("gradient", 2)  # of the next fit
    bar.advance()
    assert "gradient" in stream.getvalue()


@pytest.mark.parametrize("shown", [True, False])
def test_what_is_compiled_first_is_said_where_the_time_is_shown(monkeypatch, capsys, shown):
    compilation = Compilation()
    monkeypatch.setattr(module, "COMPILATION", compilation)
    with elapsed("LOFE", shown=shown):
        compilation.begin()
        compilation.end()
    assert ("compiling the inner loops, once ...\ncompiled in" in capsys.readouterr().err) == shown


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
