"""What a drawn figure shows."""


def drawn(ax):
    """The axes, after all of the figure has been drawn."""
    ax.figure.canvas.draw()
    return ax


def texts(ax):
    """Texts inside the axes."""
    return [text.get_text() for text in ax.texts]


def tick_labels(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def legend_labels(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]
