"""
Ten classes: which pixels tell digits apart?
============================================

With more than two classes a miss is a sample of any other class. Nothing else changes. Here the
classes are handwritten digits and the features are the 64 pixels of their pictures.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from hitmiss import LOFE, FisherScore, ReliefF

X, y = load_digits(return_X_y=True)
train, test = slice(0, 400), slice(400, None)
selectors = [LOFE(), ReliefF(), FisherScore()]
for selector in selectors:
    selector.fit(X[train], y[train])

# %%
# LOFE sets most pixels to zero and classifies by the others. Neighboring pixels say much the
# same, so it takes some of them and leaves the rest; methods that weigh every pixel for itself
# cannot know that. The border says nothing to any of them.
figure, axes = plt.subplots(1, 4, figsize=(11, 3), layout="constrained")
axes[0].imshow(X[:400].mean(axis=0).reshape(8, 8), cmap="gray_r")
axes[0].set_title("mean of all digits")
for ax, selector in zip(axes[1:], selectors, strict=True):
    ax.imshow(np.maximum(selector.feature_importances_, 0).reshape(8, 8), cmap="viridis")
    ax.set_title(type(selector).__name__)
for ax in axes:
    ax.set_axis_off()
plt.show()

# %%
lofe = selectors[0]
print(f"{lofe.get_support().sum()} of 64 pixels")
print(f"accuracy on the other {len(y) - 400:,} digits: {lofe.score(X[test], y[test]):.3f}")
probability = lofe.predict_proba(X[test][:1])[0]
print(f"the next digit is a {y[400]}; most likely {lofe.classes_[probability.argsort()[:-4:-1]]}")
