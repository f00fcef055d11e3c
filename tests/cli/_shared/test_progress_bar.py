import io
import time
from types import SimpleNamespace

import pytest

from hitmiss.cli._shared import progress_bar as module
from hitmiss.cli._shared.progress_bar import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(module, "DELAY", 0.0)
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=Terminal()))
    return module.sys.stderr


def wait_for(text, terminal):
    """Whether the bar, which a thread draws, shows the text before ten seconds are over."""
    end = time.monotonic() + 10
    while text not in terminal.getvalue() and time.monotonic() < end:
        time.sleep(0.01)
    return text in terminal.getvalue()


def test_a_bar_shows_what_takes_long_and_how_far_it_is(terminal):
    with progress_bar("reading [/b]data.csv", quiet=False) as watch:
        assert wait_for("reading [/b]data.csv", terminal)
        watch(0.25)
        assert wait_for("25%", terminal)


def test_what_is_quick_shows_nothing(terminal, monkeypatch):
    monkeypatch.setattr(module, "DELAY", 60.0)
    with progress_bar("reading data.csv", quiet=False) as watch:
        watch(0.5)
    assert terminal.getvalue() == ""


def test_quiet_or_no_terminal_shows_nothing(terminal, monkeypatch):
    with progress_bar("reading data.csv", quiet=True) as watch:
        assert watch is None
    assert terminal.getvalue() == ""
    monkeypatch.setattr(module.sys, "stderr", io.StringIO())
    with progress_bar("reading data.csv", quiet=False) as watch:
        assert watch is None
    assert module.sys.stderr.getvalue() == ""


def test_an_error_ends_the_bar(terminal):
    with pytest.raises(ValueError, match="broken"), progress_bar("reading", quiet=False):
        raise ValueError("broken")
    shown = terminal.getvalue()
    time.sleep(0.3)
    assert terminal.getvalue() == shown


def test_a_fit_that_shows_nothing_says_that_it_goes_on(terminal):
    with module.sign_of_life("fitting LOFE", quiet=False):
        assert wait_for("fitting LOFE: 2 s", terminal)
    assert terminal.getvalue().endswith(module.ERASE)
    told = terminal.getvalue().count("fitting")
    with module.sign_of_life("quick", quiet=False):
        pass
    assert terminal.getvalue().count("quick") == 0 < told
