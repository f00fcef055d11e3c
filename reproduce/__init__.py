"""Every published table and figure, from this library, beside the published numbers."""

from importlib import import_module

# Name on the command line -> module. The order is that of the page.
EXPERIMENTS = {
    "lofe-fig2": "lofe_fig2",
    "lofe-spiral": "lofe_spiral",
    "lofe-table2": "lofe_table2",
    "lofe-fig8": "lofe_fig8",
    "lofe-table4": "lofe_table4",
    "lofe-fig9": "lofe_fig9",
    "lofe-table1s": "lofe_table1s",
    "irelief-table2": "irelief_table2",
    "irelief-fig7": "irelief_fig7",
    "irelief-fig10": "irelief_fig10",
    "irelief-fig12": "irelief_fig12",
    "irelief-fig14": "irelief_fig14",
    "frel-fig1": "frel_fig1",
    "frel-fig2": "frel_fig2",
    "online-fig1": "online_fig1",
    "online-table2": "online_table2",
    "online-fig2": "online_fig2",
}


def experiment_named(name):
    """The experiment of that name."""
    return import_module(f"reproduce.{EXPERIMENTS[name]}").EXPERIMENT
