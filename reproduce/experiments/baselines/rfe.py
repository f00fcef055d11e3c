"""SVM-RFE with an RBF kernel: drop the features without which the margin changes least."""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.svm import SVC

from hitmiss.kernels.exponential import exp_negative
from hitmiss.kernels.jit import kernel


class KernelRFE(BaseEstimator):
    """Recursive feature elimination around an SVM with an RBF kernel.

    Each round fits an SVM and drops the half of the features with the smallest change

        DJ(j) = ½ Σ_kh a_k a_h (K_kh − K_kh without feature j),   a = α y,

    down to `n_last` features, from which one at a time is dropped. `ranking_` holds all features,
    best first.

    References
    ----------
    I. Guyon, J. Weston, S. Barnhill, V. Vapnik (2002). Gene selection for cancer classification
    using support vector machines. Machine Learning 46, 389-422, section 3 and appendix.
    """

    def __init__(self, C=1.0, gamma=1.0, n_last=30):
        self.C = C
        self.gamma = gamma
        self.n_last = n_last

    def fit(self, X, y):
        X = np.asarray(X, float)
        left, dropped = np.arange(X.shape[1]), []
        while len(left) > 1:
            svm = SVC(C=self.C, gamma=self.gamma).fit(X[:, left], y)
            support = X[np.ix_(svm.support_, left)]
            order = np.argsort(-changes(support, svm.dual_coef_[0], self.gamma))
            n_left = self._n_left(len(left))
            dropped.insert(0, left[order[n_left:]])
            left = left[order[:n_left]]
        self.ranking_ = np.concatenate([left, *dropped])
        return self

    def _n_left(self, n):
        return max(n // 2, self.n_last) if n > self.n_last else n - 1


def changes(X, a, gamma):
    """DJ of every feature, for support vectors X with signed dual coefficients a."""
    norms = np.einsum("ij,ij->i", X, X)
    squares = np.maximum(norms[:, None] + norms - 2 * X @ X.T, 0)
    found = np.zeros(X.shape[1])
    add_changes(X, a, gamma, squares, found)
    return found


@kernel
def add_changes(X, a, gamma, squares, found):
    """Add DJ of every feature to `found`; `squares` are distances over all features, squared."""
    for k in range(len(X)):
        for h in range(k):  # a pair stands for both orders, and half of their sum
            x, z, square = X[k], X[h], squares[k, h]
            product, value = a[k] * a[h], exp_negative(-gamma * square)
            for j in range(len(found)):
                without = max(square - (x[j] - z[j]) ** 2, 0.0)
                found[j] += product * (value - exp_negative(-gamma * without))
