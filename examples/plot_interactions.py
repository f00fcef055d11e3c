"""
Interactions that one-at-a-time tests miss
==========================================

XOR: the class is the sign of the product of two features. Either feature alone says nothing about
the class, so no test of one feature at a time can find it, however many samples there are.
Neighbors are compared over all features at once, so methods that use them can.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_selection import f_classif, mutual_info_classif

from hitmiss import LOFE, IRelief, MultiSURF, ReliefF, TuRF, datasets

X, y = datasets.make_xor(n_irrelevant=100, random_state=0, return_X_y=True)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for label, color in ((0, "tab:blue"), (1, "tab:orange")):
    left.plot(*X[y == label, :2].T, ".", color=color)
    right.hist(X[y == label, 0], bins=20, alpha=0.6, color=color)
left.set(title="Both features", xlabel="feature 0", ylabel="feature 1", aspect=1)
right.set(title="One feature, by class", xlabel="feature 0")
plt.show()

# %%
# In how many of three draws are the two features the first two of the list? Every draw has 200
# samples, with more and more irrelevant features.
methods = {
    "F-test": lambda X, y: np.argsort(-f_classif(X, y)[0]),
    "mutual information": lambda X, y: np.argsort(-mutual_info_classif(X, y, random_state=0)),
    "IRelief": lambda X, y: IRelief(sigma=5).fit(X, y).ranking_,
    "ReliefF": lambda X, y: ReliefF().fit(X, y).ranking_,
    "MultiSURF": lambda X, y: MultiSURF().fit(X, y).ranking_,
    "TuRF": lambda X, y: TuRF(MultiSURF(), step=0.3).fit(X, y).ranking_,
    "LOFE": lambda X, y: LOFE().fit(X, y).ranking_,
}
sizes, draws = [100, 3_000, 6_000], 3


def times_found(name, size):
    if name == "mutual information" and size > 100:
        return "-"  # minutes
    found = 0
    for seed in range(draws):
        X, y = datasets.make_xor(n_irrelevant=size, random_state=seed, return_X_y=True)
        found += set(methods[name](X, y)[:2]) == {0, 1}
    return found


print(f"{'irrelevant features':<20}" + "".join(f"{size:>8,}" for size in sizes))
for name in methods:
    print(f"{name:<20}" + "".join(f"{times_found(name, size):>8}" for size in sizes))

# %%
# The F-test and mutual information leave the pair to chance. I-RELIEF misses it: from equal weights
# both features have a negative margin in its first step, get no weight, and keep none.
# RELIEF methods find the pair while the distances over all features still say something; with
# thousands of irrelevant features they do not. `TuRF` drops the worst features and looks again.
# LOFE moves the neighborhood to the features that matter, from several starts, one of which is what
# is left when the worst features are dropped. Both go much further.
