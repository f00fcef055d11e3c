"""``python -m tests.machines``: tests as other kinds of CPU would run them.

Without a word: what depends on the CPU, in the four settings of `FEW`. ``--all`` runs it in all of
them, names of settings in these, and ``--suite`` runs all tests.
"""

import os
import subprocess
import sys
import time

from tests.machines.settings import FEW, ROOT, settings

# Where decisions hang on nearly equal numbers: answers, figures, neighbors, ranks, verdicts.
CHOICE = [
    *("tests/machines", "tests/plotting", "tests/neighbors", "tests/kernels"),
    *("tests/report", "tests/inference/test_q_values.py", "tests/cli/test_select.py"),
]


# The build of the documentation computes nothing that other tests do not.
SUITE = ["tests", "src", "-m", "not long"]


def main(words):
    """Run the tests in each setting; the exit code is 1 if they fail in any."""
    known = settings()
    names = [word for word in words if not word.startswith("-")]
    chosen = list(known) if "--all" in words else names or FEW
    if unknown := set(chosen) - set(known):
        sys.exit(f"There is no setting {', '.join(unknown)}; there are {', '.join(known)}.")
    which = SUITE if "--suite" in words else CHOICE
    failed = []
    for name in chosen:
        print(f"== {name}: {' '.join(f'{k}={v}' for k, v in known[name].items())}", flush=True)
        began = time.monotonic()
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider"]
        done = subprocess.run([*command, *which], cwd=ROOT, env=os.environ | known[name])
        print(f"== {name}: {time.monotonic() - began:.0f} s, exit code {done.returncode}")
        failed += [name] if done.returncode else []
    print(f"== {len(chosen) - len(failed)} of {len(chosen)} settings without a failure.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
