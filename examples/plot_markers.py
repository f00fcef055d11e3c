"""
Markers: which gene marks which cell type
=========================================

`Markers` compares every class with the rest and keeps the answers apart. The cells are simulated:
counts of 300 genes in five types, of which the rarest has 4 % of the cells, and six genes of each
type are expressed four times as much as elsewhere.
"""

# %%
import numpy as np

from hitmiss import Markers, plotting

rng = np.random.default_rng(0)
types = np.array(["B", "NK", "T helper", "T killer", "monocyte"])
y = rng.permutation(np.repeat(types, [120, 30, 80, 54, 16]))
rates = np.tile(rng.lognormal(0.0, 0.7, 300), (len(y), 1))
for k, name in enumerate(types):
    rates[np.ix_(y == name, range(6 * k, 6 * k + 6))] *= 4
X = np.log1p(rng.poisson(rates))

# %%
# For each type the genes come in the order of their weight, those that are high in the type first.
# Genes 0 to 5 belong to the first type, 6 to 11 to the second, and so on.
markers = Markers(n_features_per_class=4).fit(X, y)
for name, found in markers.markers().items():
    print(f"{name}: {', '.join(f'gene {j}' for j in found)}")

# %%
# Every answer has a certificate: the largest violation of the optimality condition of LOFE.
print(markers.optimality_gaps_.max() < 1e-3)

# %%
# A dot is the larger the more cells of a type are above the median of all cells, and the darker the
# higher the mean is there.
ax = plotting.plot_markers(X, y, markers, names=[f"gene {j}" for j in range(300)])
