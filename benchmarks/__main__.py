"""``python -m benchmarks [--quick] [name ...]``: run, print, and write the pages beside this.

With --stale nothing is run: each section says anew how often its code has changed since.
"""

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.readers_page import SECTION, readers_page
from benchmarks.stale import mark_all, marked

MODULES = (
    *("lofe", "relief", "frel", "tuning", "knobs", "online", "files", "large", "kernels"),
    *("missing", "complete", "imputation", "batches", "numbers", "markers", "starts", "parts"),
    *("truth", "quality"),  # hours, unless their results are stored
)
README = Path(__file__).parent / "README.md"
REQUIREMENTS = Path(__file__).parent / "requirements.md"
HEADER = """# Benchmarks and what they are required to reach

`make bench` makes this page, `python -m benchmarks NAME` one of its sections, and from it
README.md, the page for readers. Times are the best of several warm runs; compare the ratios, which
are measured in one run on one machine (our time over the peer's), rather than the seconds, and no
seconds of two sections, which may be of two machines. A line under a heading counts the commits
that have changed the code of the section since; `python -m benchmarks --stale` counts anew.

"""


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--stale", action="store_true", help="run nothing, count later changes")
    parser.add_argument("names", nargs="*", default=MODULES, help=f"some of {', '.join(MODULES)}")
    arguments = parser.parse_args()
    if arguments.stale:
        mark_all()
        README.write_text(readers_page(REQUIREMENTS.read_text()))
        return
    missed = []
    for name in arguments.names:
        module = importlib.import_module(f"benchmarks.{name}")
        rows = module.run(quick=arguments.quick)
        if not rows:  # what is stored stays
            print(f"## {name}\n\nNothing to run here: it needs HITMISS_DATA or the history of git.")
            continue
        section = f"{heading(module, quick=arguments.quick)}\n{table(rows)}"
        print(f"## {name}\n\n{section}", flush=True)
        missed += [r["what"] for r in rows if r["met"] is False]
        if not arguments.quick:
            replace_section(name, section)
    if missed:
        sys.exit("not met: " + "; ".join(missed))


def heading(module, *, quick):
    """What a section was measured with, and whatever it shows that is stored."""
    if quick or not hasattr(module, "stored_with"):
        return machine()
    return f"{machine()}\n{module.stored_with()}"


def replace_section(name, section):
    """Put the section of a module where it belongs on the pages; the others stay as they are."""
    page = REQUIREMENTS.read_text() if REQUIREMENTS.exists() else ""
    old = dict(SECTION.findall(page))
    old[name] = section.strip()
    parts = [f"## {m}\n\n{old[m]}\n" for m in MODULES if m in old]
    REQUIREMENTS.write_text(marked(HEADER + "\n".join(parts), "requirements.md"))
    README.write_text(readers_page(REQUIREMENTS.read_text()))


def table(rows):
    """Rows as Markdown."""
    lines = [
        "| what | ours, s | peer | peer, s | ratio | required | met | note |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        numbers = ["" if r[k] is None else f"{r[k]:.3g}" for k in ("ours_s", "peer_s", "ratio")]
        met = {True: "yes", False: "**no**", None: ""}[r["met"]]
        cells = [r["what"], numbers[0], r["peer"], *numbers[1:], r["required"], met, r["note"]]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
