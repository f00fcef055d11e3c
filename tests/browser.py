"""Chromium for tests that look at a page."""

import os
import shutil
from contextlib import contextmanager

import pytest


@contextmanager
def chromium(what):
    """Debian's Chromium, driven by Playwright; without one of them the test of `what` is skipped.

    Parameters
    ----------
    what : str
        What is looked at.
    """
    names = ("chromium", "chromium-browser", "google-chrome")
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        pytest.skip(f"{what} in a browser: none of {', '.join(names)} here")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason=f"{what} in a browser: playwright is not installed"
    )
    # Chromium refuses its sandbox to root, who runs the tests in most containers.
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=flags)
        yield opened
        opened.close()
