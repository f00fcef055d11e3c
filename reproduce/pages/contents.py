"""The sections of the page, in their order."""

from importlib import import_module

# Name on the command line -> module.
MODULES = {
    "lofe-fig2": "pages.lofe.fig2",
    "lofe-spiral": "pages.lofe.spiral",
    "lofe-table2": "pages.lofe.table2",
    "lofe-fig8": "pages.lofe.fig8",
    "lofe-table4": "pages.lofe.table4",
    "lofe-fig9": "pages.lofe.fig9",
    "lofe-table1s": "pages.lofe.table1s",
    "irelief-table2": "pages.irelief.table2",
    "irelief-fig7": "pages.irelief.fig7",
    "irelief-fig10": "pages.irelief.fig10",
    "irelief-fig12": "pages.irelief.fig12",
    "irelief-fig14": "pages.irelief.fig14",
    "frel-fig1": "frel_fig1",
    "frel-fig2": "frel_fig2",
    "online-fig1": "online_fig1",
    "online-table2": "online_table2",
    "online-fig2": "online_fig2",
}
NAMES = tuple(MODULES)  # of the experiments, as on the command line


def section_named(name):
    """The section of the experiment of that name."""
    return import_module(f"reproduce.{MODULES[name]}").SECTION


def all_sections():
    """Every section, in the order of the page."""
    return [section_named(name) for name in NAMES]
