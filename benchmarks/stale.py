"""How often the code that a section measures has changed since, as a line under its heading."""

import re
from pathlib import Path

from benchmarks.machine import ROOT, git

HERE = Path(__file__).parent
BASE = ("kernels", "neighbors", "data", "targets")
FITTED = (*BASE, "solvers", "losses.py", "penalties.py")
LOFE = (*FITTED, "lofe", "estimators/lo*.py", "estimators/prediction.py")
RELIEF = (*BASE, "estimators/relief.py", "estimators/surf.py", "estimators/target_kinds.py")
IRELIEF = ("weighting/irelief.py", "solvers/anderson.py", "estimators/irelief.py")
FREL = (
    *(*FITTED, "weighting/frel.py", "estimators/frel.py"),
    *("estimators/wrappers.py", "estimators/sample_weights.py"),
)
STREAMS = ("online", "estimators/online_*.py", "estimators/streaming.py")
REAL = ("inference", "estimators/fdr_selector.py", "estimators/class_tests.py")
TRUTH, QUALITY = (*LOFE, *REAL), (*LOFE, *RELIEF, *IRELIEF)
# Page -> heading -> the code that is measured there, as folders and files of src/hitmiss.
PAGES = {
    "requirements.md": {
        "lofe": LOFE,
        "relief": (*RELIEF, *IRELIEF, *STREAMS),
        "frel": (*FREL, *RELIEF),
        "tuning": LOFE,
        "knobs": LOFE,
        "online": (*LOFE, *IRELIEF, *STREAMS, "weighting/simba.py", "estimators/simba.py"),
        "files": (*TRUTH, "io", "report", "cli"),
        "large": (*LOFE, "cli/_shared/dask_cluster.py"),
        "kernels": ("kernels",),
        "missing": (*LOFE, *RELIEF),
        "complete": (*LOFE, *RELIEF, *IRELIEF, *FREL),
        "imputation": LOFE,
        "batches": TRUTH,
        "numbers": (*LOFE, "estimators/*relief.py"),
        "markers": (*LOFE, "estimators/markers.py"),
        "starts": LOFE,
        "parts": LOFE,
        "truth": TRUTH,
        "quality": QUALITY,
    },
    "stability.md": {"Stability of ensembles of feature weighters": (*FREL, "metrics")},
    "truth/README.md": {"Made with": TRUTH},
    "quality/README.md": {"Made with": QUALITY},
}
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")
COMMIT = re.compile(r"(?<=[( ])[0-9a-f]{7,40}(?=\+?[,) ])")
MARK = re.compile(
    r"^Measured (?:(?:up to|at least) )?\d+ changes? of this code ago\.\n\n", re.MULTILINE
)


def mark_all(folder=HERE):
    """Count anew on all pages."""
    for name in PAGES:
        path = folder / name
        path.write_text(marked(path.read_text(encoding="utf-8"), name), encoding="utf-8")


def marked(text, name, root=ROOT):
    """A page with the changes of each section counted anew, up to the current commit.

    Parameters
    ----------
    text : str
        The page.
    name : str
        Which one of `PAGES` it is.
    root : Path
        A checkout of the library. Without its whole history nothing can be counted, and the page
        stays as it is.
    """
    if git("rev-parse", "--is-shallow-repository", folder=root) != "false":
        return text
    code = PAGES[name]
    parts = re.split(r"^(?=#)", text, flags=re.MULTILINE)
    return "".join(_with_mark(part, code, root) for part in parts)


def unmarked(text):
    """A page without the marks, as it is made from what is stored."""
    return MARK.sub("", text)


def _with_mark(part, code, root):
    heading, _, body = part.partition("\n\n")
    paths = code.get(heading.lstrip("# "))
    body = unmarked(body)
    return f"{heading}\n\n{_mark(body, paths, root)}{body}" if paths else part


def _mark(body, paths, root):
    """The line, from the commits that a section names beside a date.

    A section that names none is as old as its date, the end of that day at the latest.
    """
    stamps = [line for line in body.splitlines() if DATE.search(line)]
    commits = sorted(set(COMMIT.findall("\n".join(stamps))))
    since = [[f"{commit}..HEAD"] for commit in commits]
    if not commits and stamps:
        since = [[f"--since={DATE.search(stamps[0])[0]}T23:59:59Z", "HEAD"]]
    n = max((later_changes(each, paths, root) for each in since), default=0)
    bound = "at least " if not commits else "up to " if len(commits) > 1 else ""
    return f"Measured {bound}{n} change{'s' * (n > 1)} of this code ago.\n\n" if n else ""


def later_changes(since, paths, root=ROOT):
    """How many commits changed some code since then; 0 if the history lacks the first of them.

    Parameters
    ----------
    since : list of str
        The commits in question, as `git rev-list` takes them.
    paths : sequence of str
        Folders and files of src/hitmiss, also with an asterisk.
    root : Path
        A checkout of the library.
    """
    code = [f"src/hitmiss/{path}" for path in paths]
    return int(git("rev-list", "--count", *since, "--", *code, folder=root) or 0)
