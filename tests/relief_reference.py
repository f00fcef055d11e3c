"""The RELIEF methods written as their definitions, in slow NumPy, to test the fast code against.

``X`` is taken as it is: scale it first. Letters as in tests/reference.py.
"""

import numpy as np

from tests import reference as ref


def class_share(y, n, c, classes):
    """P(c) / sum of P over `classes`: Kononenko's P(c) / (1 - P(y_n)) if these are all others."""
    return np.sum(y == c) / np.sum(np.isin(y, classes))


def sample_margin(X, y, n, neighbors, share=class_share, likeness=False):
    """Mean |x_n - x_i| over the misses of each class, weighted by its share, minus that of hits.

    With `likeness` it is 1 - |x_n - x_i| that is averaged. A mean over nothing is left out.
    """
    hits = [i for i in neighbors if y[i] == y[n]]
    misses = {c: [i for i in neighbors if y[i] == c] for c in np.unique(y) if c != y[n]}
    present = [c for c, members in misses.items() if members]

    def mean(members):
        A = np.abs(X[members] - X[n])
        return np.mean(1 - A if likeness else A, axis=0)

    z = np.zeros(X.shape[1])
    for c in present:
        z += share(y, n, c, present) * mean(misses[c])
    return z - mean(hits) if hits else z


def relieff_neighbors(D, y, n, k):
    """The k nearest samples of every class, n itself left out."""
    order = [i for i in np.argsort(D[n], kind="stable") if i != n]
    return [i for c in np.unique(y) for i in [i for i in order if y[i] == c][:k]]


def relieff(X, y, k, share=class_share):
    D = ref.distances(X, np.ones(X.shape[1]))
    Z = [sample_margin(X, y, n, relieff_neighbors(D, y, n, k), share) for n in range(len(y))]
    return np.mean(Z, axis=0)


def rrelieff(X, y, k, width):
    """RReliefF as in Fig. 2 of Robnik-Sikonja and Kononenko (1997), every sample once."""
    D, m = ref.distances(X, np.ones(X.shape[1])), len(y)
    N_dC, N_dA, N_dCdA = 0.0, np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for n in range(m):
        near = [i for i in np.argsort(D[n], kind="stable") if i != n][:k]
        d1 = [np.exp(-((rank / width) ** 2)) for rank in range(1, len(near) + 1)]
        for i, d in zip(near, np.array(d1) / sum(d1), strict=True):
            dC, dA = abs(y[n] - y[i]) / np.ptp(y), np.abs(X[n] - X[i])
            N_dC += dC * d
            N_dA += dA * d
            N_dCdA += dC * dA * d
    return N_dCdA / N_dC - (N_dA - N_dCdA) / (m - N_dC)


def others(n, N):
    return np.array([i for i in range(N) if i != n])


def pair_mean(D):
    """Mean distance of the N (N - 1) / 2 pairs: SURF's radius."""
    return np.mean(D[np.triu_indices(len(D), 1)])


def surf_limits(D, n, radius):
    return radius, radius


def multisurf_limits(D, n, radius):
    """Mean minus and plus half the standard deviation of the distances of n to the others."""
    d = D[n, others(n, len(D))]
    return d.mean() - d.std() / 2, d.mean() + d.std() / 2


def near_and_far(D, n, limits):
    i = others(n, len(D))
    return i[D[n, i] < limits[0]], i[D[n, i] > limits[1]]


def radius_scores(X, y, method, share=class_share, radius=None):
    """SURF, SURFStar, MultiSURF or MultiSURFStar."""
    D = ref.distances(X, np.ones(X.shape[1]))
    radius = pair_mean(D) if radius is None else radius
    limits = surf_limits if method.startswith("SURF") else multisurf_limits
    total = np.zeros(X.shape[1])
    for n in range(len(y)):
        near, far = near_and_far(D, n, limits(D, n, radius))
        total += sample_margin(X, y, n, near, share)
        if method == "SURFStar":
            total -= sample_margin(X, y, n, far, share)
        if method == "MultiSURFStar":
            total += sample_margin(X, y, n, far, share, likeness=True)
    return total / len(y)


def numbers_likeness(y, tau):
    """S_ni = exp(-|r_n - r_i| / tau), r the mean ranks of y over the number of samples."""
    ranks = np.array([np.sum(y < v) + (np.sum(y == v) + 1) / 2 for v in y]) / len(y)
    return np.exp(-np.abs(ranks[:, None] - ranks) / tau)


def numbers_margin(X, S, n, neighbors, k=None):
    """Mean |x_n - x_i| over the neighbors by how unlike they are, minus that by how like."""
    k = np.ones(len(X)) if k is None else k
    A = np.abs(X[neighbors] - X[n])
    miss, hit = ((k * part)[neighbors] for part in (1 - S[n], S[n]))
    return miss @ A / miss.sum() - hit @ A / hit.sum()


def numbers_radius_scores(X, y, method, tau):
    """SURF or MultiSURF for numbers."""
    D, S = ref.distances(X, np.ones(X.shape[1])), numbers_likeness(y, tau)
    limits = surf_limits if method == "SURF" else multisurf_limits
    near = [near_and_far(D, n, limits(D, n, pair_mean(D)))[0] for n in range(len(y))]
    return np.mean([numbers_margin(X, S, n, i) for n, i in enumerate(near) if len(i)], axis=0)


def numbers_irelief(X, y, w, sigma, tau):
    """The mean margin of I-RELIEF for numbers under w; gamma = sum S k / sum k."""
    D, S, N = ref.distances(X, w), numbers_likeness(y, tau), len(y)
    nu = np.zeros(X.shape[1])
    for n in range(N):
        k, i = np.exp(-D[n] / sigma), others(n, N)
        nu += (S[n] * k)[i].sum() / k[i].sum() * numbers_margin(X, S, n, i, k)
    return nu / N


def irelief_margin(X, y, w, sigma, outliers=True, by_class=False):
    """nu = mean_n gamma_n z_n, I-RELIEF eq. 8-11; misses pooled (eq. 21) or by class (eq. 20)."""
    D = ref.distances(X, w)
    nu = np.zeros(X.shape[1])
    for n in range(len(y)):
        i = others(n, len(y))
        A, k = np.abs(X - X[n]), np.exp(-D[n] / sigma)
        hits, misses = i[y[i] == y[n]], i[y[i] != y[n]]
        m, h = (k[g] @ A[g] / k[g].sum() for g in (misses, hits))
        if by_class:
            groups = {c: misses[y[misses] == c] for c in np.unique(y[misses])}
            m = sum(len(g) / len(misses) * (k[g] @ A[g]) / k[g].sum() for g in groups.values())
        gamma = k[hits].sum() / k[i].sum() if outliers else 1.0
        nu += gamma * (m - h) / len(y)
    return nu


def positive_unit(nu):
    """Eq. 12."""
    return np.maximum(nu, 0) / np.linalg.norm(np.maximum(nu, 0))


def gaussian_classes(n_samples, n_features=8, sizes=(1, 1), seed=0):
    """Overlapping Gaussian classes of the given relative sizes, scaled to [0, 1], and labels."""
    rng = np.random.default_rng(seed)
    share = np.array(sizes) / np.sum(sizes)
    y = np.repeat(np.arange(len(sizes)), np.rint(share * n_samples).astype(int))
    X = rng.standard_normal((len(y), n_features))
    X[:, 0] += 1.5 * y
    X[:, 1] += y == 1
    order = rng.permutation(len(y))
    return ref.range_scale(X)[order], y[order]


def simba_margin(X, y, w, n):
    """Half the distance to the nearest miss minus half that to the nearest hit, under w."""
    d = np.sqrt(((X - X[n]) ** 2) @ w**2)
    i = others(n, len(y))
    return d[i[y[i] != y[n]]].min() / 2 - d[i[y[i] == y[n]]].min() / 2
