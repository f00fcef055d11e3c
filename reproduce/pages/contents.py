"""Contents of the page: its sections, in their order."""

from importlib import import_module

# As on the command line: paper-item, which is pages/paper/item.py and experiments/paper/item.py.
# Real batches are of no paper, and in a folder of their own.
NAMES = (
    "lofe-fig2",
    "lofe-spiral",
    "lofe-table2",
    "lofe-fig8",
    "lofe-table4",
    "lofe-fig9",
    "lofe-table1s",
    "irelief-table2",
    "irelief-fig7",
    "irelief-fig10",
    "irelief-fig12",
    "irelief-fig14",
    "frel-fig1",
    "frel-fig2",
    "online-fig1",
    "online-table2",
    "online-fig2",
    "batches-bladder",
)


def section_named(name):
    """The section of the experiment of that name."""
    paper, item = name.split("-")
    return import_module(f"reproduce.pages.{paper}.{item}").SECTION


def all_sections():
    """Every section, in the order of the page."""
    return [section_named(name) for name in NAMES]
