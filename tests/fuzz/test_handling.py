import os

import pytest

from fuzz.handling import interrupt_findings, kill_findings


def test_an_interrupt_leaves_all_or_nothing():
    assert list(interrupt_findings(24)) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are killed where they are forked")
def test_a_kill_while_writing_leaves_the_model():
    assert list(kill_findings(5)) == []
