import io
import threading
import time
from types import SimpleNamespace

import pytest

from hitmiss import LOFE, MultiSURF
from hitmiss._util import progress
from hitmiss._util.progress import Compilation, Progress, announce, elapsed, progress_for


class Terminal(io.StringIO):
    def isatty(self):
        return True


def replace_stderr(monkeypatch, stream):
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=stream))
    return stream


@pytest.fixture
def terminal(monkeypatch):
    return replace_stderr(monkeypatch, Terminal())


@pytest.fixture
def pipe(monkeypatch):
    return replace_stderr(monkeypatch, io.StringIO())


@pytest.fixture
def clock(monkeypatch):
    """Stopped at 100 seconds; tests set `clock.now`."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(Progress, "last_shown", 0.0)
    monkeypatch.setattr(Progress, "interrupted", 0.0)
    return clock


def test_a_pipe_gets_one_line_when_a_pass_ends(pipe, clock):
    bar = Progress()
    for label in ("distances", "gradient"):
        bar.begin(label, 3)
        clock.now += 0.4
        bar.advance()
        bar.advance()
        assert label not in pipe.getvalue()
        clock.now += 2
        bar.advance()
    assert pipe.getvalue() == "distances: 2.4 s\ngradient: 2.4 s\n"


def test_short_passes_of_work_that_has_a_line_of_its_own_print_none(pipe, clock, monkeypatch):
    monkeypatch.setattr(Progress, "n_timed", 1)
    bar = Progress()
    for seconds in (0.0, 0.9, 1.0):
        bar.begin("distances", 1)
        clock.now += seconds
        bar.advance()
    assert pipe.getvalue() == "distances: 1.0 s\n"


def test_a_pass_says_that_something_is_compiled_and_then_how_long(capsys, clock, monkeypatch):
    compilation = Compilation()
    monkeypatch.setattr(progress, "COMPILATION", compilation)
    bar = Progress(after=60.0)
    bar.begin("members", 2)
    for _ in range(2):
        compilation.begin()
        compilation.end()
        bar.advance()
    assert capsys.readouterr().err == "compiling the inner loops, once ...\ncompiled in 0.0 s\n"


def test_a_terminal_shows_share_and_time_left(terminal, clock):
    bar = Progress()
    bar.begin("distances", 4)
    assert terminal.getvalue() == ""
    clock.now += 2
    bar.advance()
    assert terminal.getvalue() == f"\rdistances{' ' * 14}[{'#' * 6}{' ' * 18}]  25%   6.0 s left"


def test_a_terminal_line_ends_when_the_pass_ends(terminal, clock):
    bar = Progress()
    bar.begin("gradient", 2)
    bar.advance()
    bar.advance()
    *_, last = terminal.getvalue().split("\r")
    assert last == f"gradient{' ' * 15}[{'#' * 24}] 100%   0.0 s left\n"


def test_a_terminal_is_rewritten_ten_times_a_second_at_most(terminal, clock):
    bar = Progress()
    bar.begin("distances", 1000)
    for _ in range(999):
        clock.now += 0.01
        bar.advance()
    lines = terminal.getvalue().split("\r")[1:]
    assert 80 <= len(lines) <= 100
    assert len({len(line) for line in lines}) == 1  # so that each line covers the one before


def test_a_new_pass_begins_at_zero(terminal, clock):
    bar = Progress()
    for label in ("first", "second"):
        bar.begin(label, 2)
        clock.now += 5
        bar.advance()
    assert " 50%   5.0 s left" in terminal.getvalue().split("\r")[-1]


def test_threads_share_one_bar(pipe):
    bar = Progress()
    bar.begin("gradient", 800)

    def advance():
        for _ in range(100):
            bar.advance()

    threads = [threading.Thread(target=advance) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pipe.getvalue().count("gradient") == 1


def test_what_is_done_soon_is_not_shown(pipe, clock):
    bar = Progress(after=2.0)
    for seconds in (1.0, 3.0):
        bar.begin(f"{seconds} s of work", 1)
        clock.now += seconds
        bar.advance()
    assert pipe.getvalue() == "3.0 s of work: 3.0 s\n"


def test_progress_goes_to_a_bar_to_an_object_or_to_nobody():
    assert progress_for(False) is progress_for(0) is None
    assert type(progress_for(True)) is type(progress_for(1)) is Progress
    own = Progress()
    assert progress_for(own) is own


def test_what_is_not_counted_is_shown_after_a_while(monkeypatch):
    terminal, now = Terminal(), iter([0.0, 1.9, 2.5, 2.55])
    monkeypatch.setattr(progress.sys, "stderr", terminal)
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    bar = Progress()
    for share in (0.0, 0.1, 0.5, 0.6):
        bar.show("from soft", share)
    shown = terminal.getvalue()
    assert shown.count("\r") == 1
    assert shown == progress.bar_line("from soft", 0.5, 2.5)


def test_the_line_of_what_is_not_counted_ends_once(terminal, clock):
    bar = Progress()
    for share in (0.0, 0.5):
        bar.show("from soft", share)
        clock.now += 3
    bar.done()
    bar.done()
    assert terminal.getvalue() == progress.bar_line("from soft", 0.5, 3.0) + "\n"


def test_a_pass_that_took_the_line_has_ended_it(terminal, clock):
    bar = Progress()
    for share in (0.0, 0.5):
        bar.show("from soft", share)
        clock.now += 3
    bar.begin("gradient", 1)
    bar.advance()
    bar.done()
    assert terminal.getvalue().endswith("0.0 s left\n")
    assert terminal.getvalue().count("\n") == 1


def test_the_time_left_is_not_counted_from_an_earlier_fit(terminal, clock):
    bar = Progress()
    for _ in range(2):
        for share in (0.0, 0.5):
            bar.show("from soft", share)
            clock.now += 3
        bar.done()
    line = progress.bar_line("from soft", 0.5, 3.0) + "\n"
    assert terminal.getvalue() == 2 * line


def test_work_is_silent_for_two_seconds_at_most():
    assert progress.CLOCK_AFTER + progress.TICK <= 2


@pytest.fixture
def shown(monkeypatch, clock):
    """What a terminal or a pipe shows of a block that takes some seconds of the stopped clock."""
    monkeypatch.setattr(progress, "TICK", 0.01)

    def run(stream, seconds, work=lambda: None, **options):
        replace_stderr(monkeypatch, stream)
        with elapsed("LOFE", **{"shown": True} | options):
            clock.now += seconds
            while stream.isatty() and seconds > progress.CLOCK_AFTER and not stream.getvalue():
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
    monkeypatch.setattr(progress, "COMPILATION", compilation)
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
    monkeypatch.setattr(progress, "LONG", 0.0)
    X, y = [[0.0, 1], [1, 2], [5, 1], [6, 3]], [0, 0, 1, 1]
    make(alpha=0.1, verbose=True).fit(X, y) if make is LOFE else make(verbose=True).fit(X, y)
    name = make.__name__
    assert f"{name}: 4 samples and 2 features, usually " in capsys.readouterr().err
    make().fit(X, y)
    assert capsys.readouterr().err == ""
