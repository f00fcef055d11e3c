"""
Numbers: what goes with the course of a disease
===============================================

Where y is a number there are no classes, but a sample still has neighbors that are *like* it and
others that are not. Here y is how far diabetes has gone a year after ten measurements of each of
442 patients; every second one is used.
"""

# %%
# Patients are the more alike the nearer they are in the order of y: to 37 % where a tenth of all
# patients are in between (`tau=0.1`).
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes

from hitmiss import LOFERegressor, datasets
from hitmiss.metrics import cross_validated_score

X, y = load_diabetes(as_frame=True, return_X_y=True, scaled=False)
X, y = X[::2], y[::2]
lofe = LOFERegressor().fit(X, y)
for j in lofe.ranking_[:4]:
    print(f"{X.columns[j]:4} {lofe.weights_[j]:.2f}")

# %%
# A value of the blood (s5), body mass index and, barely, blood pressure. How well they predict is
# too good where the same patients chose them; folds, in each of which features are chosen anew,
# tell the truth.
found = cross_validated_score(LOFERegressor(), X, y, verbose=False)
print(f"R²: {lofe.loo_r2_:.2f}, by cross-validation {found.score:.2f} ± {found.standard_error:.2f}")

# %%
fig, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True, layout="constrained")
for ax, j in zip(axes, lofe.ranking_, strict=False):
    ax.scatter(X.iloc[:, j], y, s=8, alpha=0.6)
    ax.set(xlabel=X.columns[j])
axes[0].set(ylabel="y")

# %%
# Rings: y depends on how far two features are from the origin, of 200 that might matter. What looks
# at one feature at a time does not find them: many others are more correlated with y than these.
X, y = datasets.make_ring(n_irrelevant=198, random_state=0, return_X_y=True)
ring = LOFERegressor().fit(X, y)
correlation = np.abs([np.corrcoef(x, y)[0, 1] for x in X.T])
print(f"selected: {ring.get_support(indices=True)}, R² {ring.loo_r2_:.2f}")
n_before = [int((correlation > correlation[j]).sum()) for j in (0, 1)]
print(f"features that are more correlated with y than each of these: {n_before}")

# %%
fig, ax = plt.subplots(figsize=(4.6, 4), layout="constrained")
dots = ax.scatter(X[:, 0], X[:, 1], c=y, s=14, cmap="viridis")
ax.set(xlabel="feature 0", ylabel="feature 1", aspect="equal")
fig.colorbar(dots, label="y")
plt.show()
