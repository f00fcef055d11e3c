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


def test_a_legend_with_long_names_has_fewer_columns_and_stays_within_the_figure():
    figure, (ax,) = panels(1, 1)
    for i in range(6):
        ax.plot([0, 1], label=f"{i} {'long ' * 10}")
    shared_legend(figure)
    (legend,) = figure.legends
    figure.draw_without_rendering()
    box = legend.get_window_extent()
    assert (box.x0 >= 0, box.x1 <= figure.bbox.width) == (True, True)
    assert len(legend.get_texts()) == 6
    plt.close(figure)
