import matplotlib
import pytest
from matplotlib import pyplot as plt

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def no_figure_stays_open():
    yield
    plt.close("all")
