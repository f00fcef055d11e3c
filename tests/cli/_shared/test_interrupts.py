import signal
import time
from contextlib import suppress

import pytest

from hitmiss.cli._shared.interrupts import insistent_interrupts
from tests.signals import default_sigint


def lose_an_interrupt_and_go_on():
    with suppress(KeyboardInterrupt):  # as in a callback from C code
        signal.raise_signal(signal.SIGINT)
    time.sleep(60)  # ended by the second interrupt, or by nothing


def test_an_interrupt_that_is_lost_comes_again():
    with default_sigint():
        with pytest.raises(KeyboardInterrupt), insistent_interrupts():
            lose_an_interrupt_and_go_on()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_where_ctrl_c_is_ignored_it_stays_so():
    with default_sigint():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with insistent_interrupts():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
