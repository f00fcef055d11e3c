import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings
from threadpoolctl import threadpool_limits

from hitmiss._util import workers

# No deadline: the first call of a kernel compiles it. Derandomized: a failure repeats.
settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

# Tests of what stands around the library, and of all its methods at once: `make test-rest` runs
# them, `make test` the tests of every module.
APART = {"benchmarks", "fuzz", "machines", "reproduce"}

# What may be skipped where HITMISS_STRICT is set, as by .ci/run: a reason, how many tests, and why.
# A run with others, or with more of these, fails there: a test that never runs shows nothing.
STRICT = bool(os.environ.get("HITMISS_STRICT"))
MAY_SKIP = {
    "SCIPY_ARRAY_API is not set": (60, "a check of scikit-learn's for array libraries, not ours"),
    "boruta is installed": (1, "shows what is said without it"),
    "batches-bladder --quick fetches the data": (1, "PyPI does not have its data"),
}


def pytest_collection_modifyitems(items):
    """What runs apart is marked; tests that take longest begin first, so that no process waits."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here) and item.path.relative_to(here).parts[0] in APART:
            item.add_marker(pytest.mark.full)
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_terminal_summary(terminalreporter):
    """Everything that was not tested, and why."""
    skipped = not_tested(terminalreporter)
    if skipped:
        terminalreporter.section("not tested")
    for reason, n in skipped.most_common():
        terminalreporter.line(f"{n} {'test' if n == 1 else 'tests'}: {reason}")
    for sentence in unexpected(skipped) if STRICT else ():
        terminalreporter.line(f"Not to be skipped: {sentence}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    """A strict run that skips more than is known here has failed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if STRICT and reporter is not None and unexpected(not_tested(reporter)):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def not_tested(reporter):
    """How many tests were skipped for each reason."""
    reasons = (report.longrepr[2] for report in reporter.stats.get("skipped", []))
    return Counter(reason.removeprefix("Skipped: ") for reason in reasons)


def unexpected(skipped):
    """A sentence for each reason that is not known, or that skips more tests than are known."""
    found = []
    for reason, n in skipped.items():
        known = max((most for part, (most, _) in MAY_SKIP.items() if part in reason), default=0)
        if n > known:
            found.append(f"{reason} ({n}, known are {known})")
    return found


@pytest.fixture(scope="session")
def data_home():
    """The folder of real datasets, one .npz file each."""
    folder = os.environ.get("HITMISS_DATA")
    if not folder:
        pytest.skip("real data: HITMISS_DATA is not set to the folder that holds it")
    if not Path(folder).is_dir():
        pytest.skip(f"real data: HITMISS_DATA={folder} is not a folder")
    return Path(folder)


@pytest.fixture(scope="session", autouse=True)
def number_of_threads():
    """As many threads as HITMISS_TEST_THREADS says, on any machine; see `tests.machines`."""
    with pytest.MonkeyPatch.context() as patch:
        if n := os.environ.get("HITMISS_TEST_THREADS"):
            patch.setattr(workers, "_counted", lambda allowed, most: int(n))
        yield


@pytest.fixture(scope="module", autouse=True)
def one_blas_thread():
    """Several test processes with several BLAS threads each would only wait for one another."""
    with threadpool_limits(1, user_api="blas"):
        yield
