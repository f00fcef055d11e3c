"""
Two features among ten thousand
===============================

Fermat's spiral: two classes that only two features together can tell apart, hidden among 10,000
features of pure noise. A test of one feature at a time sees one of the two and loses the other in
the noise; LOFE finds the pair, and its certificate says that the weights are exact over all 10,002.
"""

# %%
import sys

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_selection import f_classif

from hitmiss import LOFE, datasets

X, y = datasets.make_spiral(n_irrelevant=10_000, random_state=0, return_X_y=True)
relevant = np.array([2_500, 7_500])
X[:, [0, *relevant, 1]] = X[:, [relevant[0], 0, 1, relevant[1]]]  # put the pair somewhere
lofe = LOFE().fit(X, y)
found = lofe.get_support(indices=True)
print(found, f"certified to {lofe.optimality_gap_:.0e}")

# %%
# The F-test gives many noise features more than the second relevant one. LOFE gives a weight to
# the pair alone.
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
noise = np.setdiff1d(np.arange(X.shape[1]), relevant)
for axes, values, title in (
    (left, f_classif(X, y)[0], "F-test, one feature at a time"),
    (middle, lofe.weights_, "LOFE weights"),
):
    axes.plot(noise, values[noise], ".", ms=2, color="0.65", label="10,000 of noise")
    axes.plot(relevant, values[relevant], "o", color="tab:red", label="the 2 relevant")
    axes.set(xlabel="feature", title=title)
middle.legend(loc="center right")
for label, color in ((0, "tab:blue"), (1, "tab:orange")):
    right.plot(*X[y == label][:, found].T, ".", color=color)
names = [f"feature {j:,}" for j in found]
right.set(title="The features it found", xlabel=names[0], ylabel=names[1], aspect=1)

if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=130)
else:
    plt.show()
