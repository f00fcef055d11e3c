"""LOFE written as its formulas, in slow float64 NumPy, to test the fast code against.

Letters: ``X`` samples × features, ``y`` labels, ``w`` weights ≥ 0, ``D`` distances, ``P``
probabilities, ``Z`` expected margin vectors (one row per sample), ``alpha`` the paper's lambda.
Equation numbers are those of Sun, Todorovic, Goodison (2010), IEEE TPAMI 32(9), 1610-1626.
"""

import numpy as np
from scipy.special import expit


def range_scale(X):
    """x_nj / (max_n x_nj - min_n x_nj); a constant feature becomes zeros."""
    X = np.asarray(X, dtype=float)
    spread = X.max(axis=0) - X.min(axis=0)
    return np.where(spread > 0, X / np.where(spread > 0, spread, 1.0), 0.0)


def differences(X):
    """A_ij = |x_nj - x_ij| for n = 0, 1, ... in turn, every time in the same array, for speed."""
    X = np.asarray(X, dtype=float)
    A = np.empty(X.shape)
    for x in X:
        yield np.abs(np.subtract(X, x, out=A), out=A)


def distances(X, w):
    """d(n, i | w) = sum_j w_j |x_nj - x_ij|, shape (N, N); columns with w_j = 0 are skipped."""
    used = np.flatnonzero(w)
    return np.array([A @ w[used] for A in differences(np.ascontiguousarray(X[:, used]))])


def soft_neighbors(d, sigma):
    """p_i = k(d_i) / sum_m k(d_m), k(d) = exp(-d / sigma), the smallest d subtracted first."""
    k = np.exp(-(d - d.min()) / sigma)
    return k / k.sum()


def probabilities(D, y, sigma):
    """P(x_i = NH(x_n)) and P(x_i = NM(x_n)), eq. 4-5; misses of all classes pooled, eq. 20.

    A sample alone in its class has an all-zero row in P_hit.
    """
    P_hit, P_miss = np.zeros_like(D), np.zeros_like(D)
    for n in range(len(y)):
        hits = np.flatnonzero((y == y[n]) & (np.arange(len(y)) != n))
        misses = np.flatnonzero(y != y[n])
        if len(hits) > 0:
            P_hit[n, hits] = soft_neighbors(D[n, hits], sigma)
        P_miss[n, misses] = soft_neighbors(D[n, misses], sigma)
    return P_hit, P_miss


def margin_vectors(X, P_hit, P_miss):
    """z_n = sum_i P_miss(n, i) |x_n - x_i| - sum_i P_hit(n, i) |x_n - x_i|, eq. 3, shape (N, J).

    A sample without a hit has no margin; its row is zero, so that it moves no gradient.
    """
    Z = np.zeros(X.shape)
    for n, A in enumerate(differences(X)):
        if P_hit[n].any():
            Z[n] = (P_miss[n] - P_hit[n]) @ A
    return Z


def margins_at(X, y, w, sigma):
    """Z with the probabilities taken at w."""
    return margin_vectors(X, *probabilities(distances(X, w), y, sigma))


def has_hit(y):
    """True for every sample whose class has another member."""
    return np.array([np.sum(y == label) > 1 for label in y])


def loss(Z, u, alpha):
    """sum_n log(1 + exp(-z_n . u)) + alpha sum_j u_j, eq. 7, for fixed Z."""
    return np.sum(np.logaddexp(0.0, -Z @ u)) + alpha * np.sum(u)


def loss_gradient(Z, u, alpha):
    """alpha - sum_n s_n z_nj with s_n = 1 / (1 + exp(z_n . u))."""
    return alpha - Z.T @ expit(-Z @ u)


def objective(X, y, w, sigma, alpha):
    """Eq. 7 with Z taken at w itself; samples without a hit are left out of the sum."""
    return loss(margins_at(X, y, w, sigma)[has_hit(y)], w, alpha)


def gradient(X, y, w, sigma):
    """c_j = sum_n s_n z_nj, s_n = 1 / (1 + exp(z_n . w)), with Z taken at w itself."""
    return -loss_gradient(margins_at(X, y, w, sigma), w, 0.0)


def violation(c, w, alpha):
    """max_j of |c_j - alpha| / alpha where w_j > 0 and (c_j - alpha)^+ / alpha where w_j = 0."""
    excess = (c - alpha) / alpha
    return np.max(np.where(w > 0, np.abs(excess), np.maximum(0.0, excess)))


def optimality_gap(X, y, w, sigma, alpha):
    """Largest relative violation of the fixed point's optimality conditions at w."""
    return violation(gradient(X, y, w, sigma), w, alpha)


def step(Z, alpha, start=None):
    """argmin_{u >= 0} of eq. 7 for fixed Z, by active sets as in Lawson-Hanson's NNLS.

    Add the most violating of all features, minimize over the chosen ones by Newton steps that
    end at the first u_j = 0 (that feature is dropped), repeat. Raises unless every feature
    satisfies the optimality condition to 1e-8 relative. ``start`` (used if better than zero)
    only saves time.
    """
    u = np.zeros(Z.shape[1])
    if start is not None and loss(Z, start, alpha) < loss(Z, u, alpha):
        u = np.array(start, dtype=float)
    chosen = u > 0
    for _ in range(20 * Z.shape[1] + 1000):
        g = loss_gradient(Z, u, alpha)
        rounding = 1e-14 * np.sum(expit(-Z @ u) @ np.abs(Z[:, chosen]))
        if np.all(np.abs(g[chosen]) <= 1e-10 * alpha + rounding):
            if violation(alpha - g, u, alpha) <= 1e-9:
                return u
            chosen[np.argmin(np.where(chosen, np.inf, g))] = True
        u, chosen = newton_step(Z, u, g, chosen, alpha)
    gap = violation(alpha - loss_gradient(Z, u, alpha), u, alpha)
    if gap > 1e-8:
        raise RuntimeError(f"eq. 7 not solved: relative violation {gap:.1e}")
    return u


def newton_step(Z, u, g, chosen, alpha):
    """u - t H^-1 g over the chosen features, t <= 1 halved until the loss falls, u kept >= 0.

    H = Z' diag(s (1 - s)) Z + 1e-12 mean_j |Z_j|² I; the ridge is for dependent columns.
    """
    F = np.flatnonzero(chosen)
    Z_F, margins = Z[:, F], Z[:, F] @ u[F]
    H = Z_F.T @ (Z_F * (expit(margins) * expit(-margins))[:, None])
    H[np.diag_indices(len(F))] += 1e-12 * np.sum(Z_F**2) / len(F)
    d = -np.linalg.solve(H, g[F])
    falling = d < 0
    to_wall = np.full(len(F), np.inf)
    to_wall[falling] = u[F][falling] / -d[falling]
    t, before, slope = min(1.0, to_wall.min()), loss(Z_F, u[F], alpha), g[F] @ d
    rounding = 1e-13 * (1.0 + before)
    while loss(Z_F, u[F] + t * d, alpha) > before + 1e-4 * t * slope + rounding:
        t /= 2
    at_wall = to_wall <= t
    u, chosen = u.copy(), chosen.copy()
    u[F] = np.where(at_wall, 0.0, np.maximum(0.0, u[F] + t * d))
    chosen[F[at_wall]] = False
    return u, chosen


def plain_iteration(X, y, sigma, alpha, w0, n_iter):
    """The paper's w <- T(w), T(w) = step(Z at w), undamped; all n_iter + 1 iterates."""
    iterates = [np.array(w0, dtype=float)]
    for _ in range(n_iter):
        iterates.append(step(margins_at(X, y, iterates[-1], sigma), alpha))
    return iterates


def fixed_point(X, y, sigma, alpha, w0, tol=1e-6, max_iter=500):
    """w = T(w) over all features by w <- w + t r, r = T(w) - w; (w, n_iter, converged, iterates).

    t starts at 1, is halved when r opposes the previous r, grows by 1.2 when it does not, and
    stays in [0.01, 1]. Ends when |r| <= tol max(|w|, |T(w)|); T(w) is returned, with exact zeros.
    """
    w, target, previous, t = np.array(w0, dtype=float), None, None, 1.0
    iterates = [w]
    for n_iter in range(1, max_iter + 1):
        target = step(margins_at(X, y, w, sigma), alpha, start=target)
        r = target - w
        if np.linalg.norm(r) <= tol * max(np.linalg.norm(w), np.linalg.norm(target)):
            return target, n_iter, True, [*iterates, target]
        if previous is not None:
            t = max(0.01, t / 2) if r @ previous < 0 else min(1.0, 1.2 * t)
        w, previous = w + t * r, r
        iterates.append(w)
    return w, max_iter, False, iterates


def class_distances(X_train, y_train, X, w, sigma, leave_out=False):
    """E_c(x) = sum_{i in c} P_i d(x, x_i | w), P soft neighbors within class c; shape (n, C).

    Classes in sorted order; the prediction is the argmin. With ``leave_out`` X is X_train and no
    sample is its own neighbor; a class without any neighbor left is infinitely far.
    """
    X_train, X, classes = np.asarray(X_train, dtype=float), np.asarray(X), np.unique(y_train)
    E = np.full((len(X), len(classes)), np.inf)
    for n in range(len(X)):
        d = np.abs(X_train - X[n]) @ w
        for c, label in enumerate(classes):
            member = y_train == label
            if leave_out:
                member[n] = False
            if member.any():
                E[n, c] = soft_neighbors(d[member], sigma) @ d[member]
    return E


def paper_algorithm(X, y, sigma, alpha, theta=0.01, max_iter=100, prune=1e-4, inner_max_iter=500):
    """Algorithm 1 to the letter: w = v², gradient descent (eq. 10), features pruned for good.

    Returns (w, n_iter, converged, iterates). Where the paper is silent:

    * the inner solve starts from v = sqrt(w) of the previous iteration, v = 1 at first;
    * a feature with |v_j| < prune after an inner solve gets v_j = 0, which eq. 10 never leaves;
    * |w_t - w_{t-1}| is the Euclidean norm over all J features, after pruning;
    * max_iter bounds t, as the plain iteration may cycle.
    """
    v = np.ones(X.shape[1])
    iterates = [v**2]
    for n_iter in range(1, max_iter + 1):
        Z = margins_at(X, y, iterates[-1], sigma)
        v = paper_descent(Z[has_hit(y)], v, alpha, inner_max_iter)
        v = np.where(np.abs(v) < prune, 0.0, v)
        iterates.append(v**2)
        if np.linalg.norm(iterates[-1] - iterates[-2]) < theta:
            return iterates[-1], n_iter, True, iterates
    return iterates[-1], max_iter, False, iterates


def paper_descent(Z, v, alpha, max_iter=500, rel_tol=1e-6):
    """v <- v - eta d, d = (alpha - sum_n s_n z_n) * v, eq. 10, on F(v) = loss(Z, v², alpha).

    d is half the gradient of F (eq. 9). The first eta tried is 1, then twice the last accepted
    one; eta is halved until F(v - eta d) <= F(v) - 1e-4 eta 2 |d|². Ends after max_iter steps,
    when a step lowers F by less than rel_tol F(v), or when eta < 1e-20 (v is then kept).
    """
    eta, value = 1.0, loss(Z, v**2, alpha)
    for _ in range(max_iter):
        d = loss_gradient(Z, v**2, alpha) * v
        while not loss(Z, (v - eta * d) ** 2, alpha) <= value - 2e-4 * eta * (d @ d):
            eta /= 2
            if eta < 1e-20:
                return v
        v = v - eta * d
        before, value, eta = value, loss(Z, v**2, alpha), 2 * eta
        if before - value < rel_tol * before:
            break
    return v
