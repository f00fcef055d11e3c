"""
In a pipeline, tuned by cross-validation
========================================

A selector must be fitted inside the cross-validation, or the test folds have helped to choose the
features. In a scikit-learn pipeline that happens by itself. Here 30 measurements of 285 tumors are
hidden among 100 shuffled copies of them, which look alike and mean nothing.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from hitmiss import LOFE, datasets

X, y = load_breast_cancer(return_X_y=True)
X, y = X[::2], y[::2]  # half of them, to be quick
X = datasets.add_irrelevant(X, 100, kind="permuted", random_state=0)

neighbors = make_pipeline(MinMaxScaler(), KNeighborsClassifier())
print(f"all 130 features: accuracy {cross_val_score(neighbors, X, y, cv=3).mean():.3f}")

# %%
# `alpha` decides how many features are kept. A grid search tries a few values on each fold.
model = make_pipeline(MinMaxScaler(), LOFE(), KNeighborsClassifier())
alphas = [1, 4, 16]
search = GridSearchCV(model, {"lofe__alpha": alphas}, cv=3).fit(X, y)
lofe = search.best_estimator_["lofe"]
found = lofe.get_support(indices=True)
print(f"best alpha {search.best_params_['lofe__alpha']}: accuracy {search.best_score_:.3f}")
print(f"{len(found)} features kept, {np.sum(found >= 30)} of them shuffled ones")

# %%
# `LOFE` is a classifier too, so the same search works without any other. Its leave-one-out error,
# `loo_error_`, comes with every fit for nothing, but it has seen the labels that chose the
# features: it is too low where alpha is small. Trust the folds.
scores = [cross_val_score(LOFE(alpha=alpha), X, y, cv=3).mean() for alpha in alphas]
loo = [1 - LOFE(alpha=alpha).fit(X, y).loo_error_ for alpha in alphas]

figure, axes = plt.subplots(layout="constrained")
axes.plot(alphas, search.cv_results_["mean_test_score"], "o-", label="LOFE, then 5 neighbors")
axes.plot(alphas, scores, "s-", label="LOFE alone")
axes.plot(alphas, loo, "^--", color="0.6", label="LOFE alone, leave-one-out on all samples")
axes.set(xscale="log", xlabel="alpha", ylabel="accuracy", title="Three folds")
axes.legend()
plt.show()
