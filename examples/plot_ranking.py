"""
Beyond the short list
=====================

The L1 penalty of LOFE leaves few weights that are not zero. That is the point of it, but when many
features say the same thing weakly, the list is shorter than what is worth knowing. At the solution
every feature still has a mean margin, `mean_margins_`: how much farther misses are than hits in
this feature alone. By default `ranking_` puts the features with a weight first, by what
they contribute to the margins, and the others after them by this mean.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

from hitmiss import LOFE, datasets
from hitmiss.metrics import error_curve

# Twonorm: 20 features, each as good as the other, among 5,000 irrelevant ones.
train = datasets.make_twonorm(120, n_irrelevant=5_000, random_state=0, return_X_y=True)
test = datasets.make_twonorm(2_000, n_irrelevant=5_000, random_state=1, return_X_y=True)
lofe = LOFE().fit(*train)
n_weights = np.count_nonzero(lofe.weights_)
print(f"{n_weights} features have a weight")
print(f"{np.sum(lofe.ranking_[:20] < 20)} of the first 20 in the ranking are relevant")

# %%
# The error of a support vector machine on the k first features goes on falling well beyond the
# features that have a weight. The best rule there is errs in 2.3 %.
curve = error_curve(lofe.ranking_, train, test, classifier=SVC(), n_features=range(1, 61))
print(f"error with the short list: {curve.errors[n_weights - 1]:.3f}")
print(f"best error: {curve.best_error:.3f} with {curve.best_n_features} features")

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
shown = lofe.mean_margins_[lofe.ranking_[:60]]
relevant = lofe.ranking_[:60] < 20
places = np.arange(1, 61)
left.plot(places[relevant], shown[relevant], "o", color="tab:red", label="relevant")
left.plot(places[~relevant], shown[~relevant], ".", color="0.6", label="irrelevant")
left.set(
    xlabel="place in the ranking", ylabel="mean_margins_", title="What a feature says by itself"
)
left.legend()
right.plot(curve.n_features, curve.errors)
right.axvline(n_weights, color="0.7", ls="--", label="features with a weight")
right.axhline(0.023, color="0.7", label="best possible")
right.set(xlabel="number of features", ylabel="test error", title="Support vector machine")
right.legend()
plt.show()
