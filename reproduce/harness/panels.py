"""Figures with a panel per case, as wide as the page, and their files."""

WIDTH = 10.4  # inches


def panels(n, n_columns, height=2.4, *, sharey=False):
    """A figure with n panels, row by row; what is left of the last row stays empty.

    Parameters
    ----------
    n : int
        Number of panels.
    n_columns : int
        At most so many in a row.
    height : float, default=2.4
        Inches of a row.
    sharey : bool, default=False
        Whether all panels have the same vertical axis.

    Returns
    -------
    figure : Figure
        It is `WIDTH` wide.
    axes : list of Axes
        One per panel.
    """
    import matplotlib.pyplot as plt

    n_columns = min(n, n_columns)
    n_rows = -(-n // n_columns)
    figure, axes = plt.subplots(
        n_rows,
        n_columns,
        figsize=(WIDTH, height * n_rows),
        layout="constrained",
        squeeze=False,
        sharey=sharey,
    )
    for ax in axes.flat[n:]:
        ax.axis("off")
    return figure, list(axes.flat[:n])


def shared_legend(figure, n_columns=8):
    """One legend above all panels, of every curve that some panel has, no wider than the figure."""
    found = {}
    for ax in figure.axes:
        handles, labels = ax.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    for ncols in range(min(len(found), n_columns), 0, -1):
        legend = figure.legend(found.values(), found, loc="outside upper center", ncols=ncols)
        if ncols == 1 or legend.get_window_extent().width <= figure.bbox.width:
            return
        legend.remove()


def save_pictures(figures, records, folder):
    """Draw figures from records, each into a PNG file of its name.

    The files are small and without a date, so that the same results are the same file.

    Parameters
    ----------
    figures : dict
        Name -> a callable from records to a matplotlib figure.
    records : dict
        What is drawn.
    folder : Path
        Where the files go.
    """
    import matplotlib.pyplot as plt

    for name, draw in figures.items():
        figure = draw(records)
        figure.savefig(folder / f"{name}.png", dpi=80, metadata={"Software": None})
        plt.close(figure)
