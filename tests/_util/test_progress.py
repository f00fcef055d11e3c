import io
import threading
from types import SimpleNamespace

import pytest

from hitmiss._util import progress
from hitmiss._util.compiling import Compilation
from hitmiss._util.progress import Progress, progress_for


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
