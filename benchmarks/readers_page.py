"""The page for readers, what and ours and peer and ratio, made from that with the requirements."""

import re

# Sections for readers, and what they are called there; the others are for developers.
TITLES = {
    "lofe": "LOFE",
    "relief": "The RELIEF family",
    "frel": "FREL and ensembles",
    "tuning": "Choosing alpha and sigma",
    "knobs": "Tuned and by default",
    "online": "Streams",
    "files": "From a file to a report",
    "large": "More data than memory",
    "batches": "Batches and donors",
    "missing": "Gaps and categories",
    "complete": "Without gaps",
    "imputation": "Gaps kept or filled in",
    "numbers": "Numbers and survival",
}
HEADER = """# Benchmarks

Times are the best of several warm runs. Compare the ratios, our time over the peer's, which are
measured in one run on one machine, rather than the seconds; below 1 we are faster. Compare no
seconds of two sections, which may be of two machines. "Measured 3 changes of this code ago" counts
the commits since that changed the code of a section. `make bench` makes this page. What each row
must reach, and the speed of the kernels, stand in `benchmarks/requirements.md`, for developers.

"""
SECTION = re.compile(r"^## (\w+)\n\n(.*?)\n*(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def readers_page(requirements):
    """The page, as Markdown, from the text of requirements.md."""
    found = dict(SECTION.findall(requirements))
    parts = [f"## {title}\n\n{_section(found[n])}\n" for n, title in TITLES.items() if n in found]
    return HEADER + "\n".join(parts)


def _section(text):
    above = [line for line in text.splitlines() if not line.startswith("|")]
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    head = ["| what | ours | peer | ratio | remark |", "|---|---|---|---|---|"]
    return "\n".join([*above, *head, *map(_row, rows)])


def _row(line):
    what, ours, peer, theirs, ratio, _, _, note = (c.strip() for c in line.split("|")[1:-1])
    note = re.sub(r" \(required: [^)]*\)", "", note)
    cells = what, _seconds(ours), f"{peer}: {_seconds(theirs)}" if theirs else peer, ratio, note
    return "| " + " | ".join(cells) + " |"


def _seconds(number):
    """The time in words: 0.00478 is 4.78 ms, 1.15e+05 is 32 h."""
    if not number:
        return ""
    value = float(number)
    if value < 1:
        return f"{1000 * value:.3g} ms"
    return f"{value:.3g} s" if value < 1000 else f"{value / 3600:.3g} h"
