"""
Figures of a selection
======================

`hitmiss.plotting` draws what a fit has found. Every function takes a fitted selector, or the
numbers themselves, draws on the axes given by `ax`, or on new ones, and returns the axes.
"""

# %%
# The weights, with the largest by name, and how they come and go with the penalty:
import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from hitmiss import LOFE, plotting

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, y = X[::2], y[::2]  # half of them, to be quick
lofe = LOFE().fit(X, y)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
plotting.plot_weights(lofe, ax=left)
path = LOFE().path(X, y, alphas=8)
plotting.plot_path(path, names=X.columns, n_named=4, ax=right)
plt.show()

# %%
# How sure is it? The margin of each sample, left out of its own neighbors, and the way of the
# iteration from each start:
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
plotting.plot_margins(lofe, X, y, ax=left)
plotting.plot_convergence(lofe, ax=right)
plt.show()

# %%
# The selected features of every sample, class by class:
figure, ax = plt.subplots(figsize=(9, 3.5), layout="constrained")
plotting.plot_heatmap(X, y, lofe, ax=ax)
plt.show()
