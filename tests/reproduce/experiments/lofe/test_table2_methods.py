import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import softmax

from hitmiss import LOFE, datasets
from reproduce.experiments.lofe.table2_methods import MarginOrder


@pytest.mark.filterwarnings("ignore:IRelief did not converge")  # one step is all it makes
def test_features_by_their_mean_margin_under_the_neighbors_of_lofe():
    X, y = datasets.make_spiral(n_irrelevant=30, random_state=0, return_X_y=True)
    order = MarginOrder(sigma=1.0, alpha=0.5).fit(X, y).ranking_
    X = X / np.ptp(X, axis=0)
    distances = cdist(X, X, "cityblock", w=LOFE(1.0, 0.5, n_jobs=1).fit(X, y).weights_)
    np.fill_diagonal(distances, np.inf)
    same = y == y[:, None]
    misses, hits = (softmax(np.where(some, -distances, -np.inf), axis=1) for some in (~same, same))
    margins = [np.sum((misses - hits) * np.abs(x - x[:, None])) for x in X.T]
    assert order.tolist() == np.argsort(margins)[::-1].tolist()
    assert sorted(order[:2]) == [0, 1]
