import matplotlib.pyplot as plt

from reproduce.harness.panels import panels, shared_legend


def test_one_legend_has_every_curve_once():
    figure, axes = panels(3, 2)
    for ax, labels in zip(axes, ("ab", "bc", "a"), strict=True):
        for label in labels:
            ax.plot([0, 1], label=label)
    shared_legend(figure)
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "c"]
    assert [ax.axison for ax in figure.axes] == [True, True, True, False]
    plt.close(figure)
