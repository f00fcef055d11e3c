"""AMS: scaling factors of an RBF kernel, by descent of the radius-margin bound of an SVM."""

import numpy as np
from scipy.optimize import minimize
from sklearn.base import BaseEstimator
from sklearn.svm import SVC, OneClassSVM

MOST_STEPS = 200_000  # of a solver that may not end where all samples are alike
LARGEST = 50.0  # log θ; a line search may go anywhere, and beyond distances would overflow


class AMS(BaseEstimator):
    """Automatic model selection: one scaling factor per feature.

    The kernel is K(x, z) = exp(−½ Σ_j θ_j² (x_j − z_j)²), with 1/C on the diagonal, under which
    the SVM has a hard margin. Its bound R² ‖w‖² is made small over log θ by L-BFGS, from
    θ = 1/√J. `weights_` holds θ, `ranking_` all features, best first.

    References
    ----------
    O. Chapelle, V. Vapnik, O. Bousquet, S. Mukherjee (2002). Choosing multiple parameters for
    support vector machines. Machine Learning 46, 131-159, section 4.
    """

    def __init__(self, C=1.0, max_iter=50):
        self.C = C
        self.max_iter = max_iter

    def fit(self, X, y):
        X = np.asarray(X, float)
        sign = np.where(y == y[0], 1.0, -1.0)
        start = np.full(X.shape[1], -0.5 * np.log(X.shape[1]))
        options = {"maxiter": self.max_iter}
        found = minimize(
            bound, start, (X, sign, self.C), jac=True, method="L-BFGS-B", options=options
        )
        self.weights_ = np.exp(found.x)
        self.ranking_ = np.argsort(-self.weights_)
        return self


def bound(log_theta, X, sign, C):
    """log(R² ‖w‖²) and its gradient."""
    squares = np.exp(2 * np.minimum(log_theta, LARGEST))
    K = kernel(X, squares)
    ridged = K + np.eye(len(X)) / C
    a, b = margin_coefficients(ridged, sign), sphere_coefficients(ridged)
    margin, radius = a @ ridged @ a, ridged[0, 0] - b @ ridged @ b
    M = (np.outer(a, a) / margin + np.outer(b, b) / radius) * K
    spread = 2 * (M.sum(axis=1) @ (X * X) - np.einsum("ij,ij->j", X, M @ X))
    return np.log(margin) + np.log(radius), squares * spread


def kernel(X, squares):
    """RBF kernel matrix of X under the squared scaling factors."""
    scaled = X * np.sqrt(squares)
    norms = np.einsum("ij,ij->i", scaled, scaled)
    apart = norms[:, None] + norms - 2 * scaled @ scaled.T
    return np.exp(-0.5 * np.maximum(apart, 0))


def margin_coefficients(K, sign):
    """Signed dual coefficients of the SVM with a hard margin, for which ‖w‖² = aᵀ K a."""
    svm = SVC(C=1e10, kernel="precomputed", tol=1e-8, max_iter=MOST_STEPS).fit(K, sign)
    a = np.zeros(len(K))
    a[svm.support_] = svm.dual_coef_[0]
    return a


def sphere_coefficients(K):
    """Weights of the samples in the center of the smallest sphere around all of them."""
    n = len(K)
    machine = OneClassSVM(kernel="precomputed", nu=1 / n, tol=1e-8, max_iter=MOST_STEPS).fit(n * K)
    b = np.zeros(n)
    b[machine.support_] = machine.dual_coef_[0]
    return b / b.sum()
