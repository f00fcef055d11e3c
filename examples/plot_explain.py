"""
Which features interact, which are interchangeable
==================================================

A list of features does not say why each of them is on it. Some make sense only together, some are
redundant, and some could be exchanged for others that are not on the list.
"""

# %%
# XOR: the class is the sign of the product of two features. Feature 0 has a noisy copy among the
# others, feature 10.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

from hitmiss import LOFE, datasets
from hitmiss.metrics import substitutes, synergy
from hitmiss.plotting import plot_substitutes, plot_synergy

X, y = datasets.make_xor(n_irrelevant=8, random_state=0, return_X_y=True)
X = np.column_stack([X, X[:, 0] + 0.1 * np.random.default_rng(0).normal(size=len(X))])
lofe = LOFE().fit(X, y)
together = synergy(lofe, X, y, [0, 1, 10])
print(together.names)
print(together.matrix.round(1))
print(f"All there is to explain: {together.null_objective:.1f}")

# %%
# On the diagonal: alone, no feature explains anything. Features 0 and 1 together explain most of
# it, and so do the copy and feature 1; feature 0 and its copy explain nothing.
others = substitutes(lofe, X, y)
for name, without, names, rises in zip(
    others.names, others.without, others.candidate_names, others.rises, strict=True
):
    found = ", ".join(f"{b} (+{rise:.1f})" for b, rise in zip(names, rises, strict=True))
    print(f"without {name}: +{without:.1f}; in its place: {found or 'nothing'}")

# %%
# Real data: 30 measurements of cell nuclei, every second of 569 tumors.
X, y = load_breast_cancer(as_frame=True, return_X_y=True)
X, y = X[::3], y[::3]
lofe = LOFE().fit(X, y)
plot_synergy(synergy(lofe, X, y))
plt.show()

# %%
# Measures of size (radius, perimeter) and of shape (concave points) each explain much alone, but in
# good part the same. The synergy of radius and perimeter takes back all that the radius explains
# alone: beside the perimeter it adds nothing.
plot_substitutes(substitutes(lofe, X, y))
plt.show()

# %%
# Without the radius, or without the perimeter, the fit is as good: the other is still there.
# Most is lost without the concave points, and other measures of shape make up for much of it.
