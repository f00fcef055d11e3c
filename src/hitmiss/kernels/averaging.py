"""Dual averaging: one step over all features, and passes over those that have a weight.

In the passes, of online LOFE, samples and neighbors are scaled and in single precision, sums in
double. `order` says which rows of T are learned from, one after the other; `own` is the place of
each row of T among the neighbors S, -1 for none.
"""

import math

import numpy as np

from hitmiss.kernels.difference import difference
from hitmiss.kernels.jit import inlined, kernel, row_kernel
from hitmiss.kernels.neighbors import LARGEST_EXPONENT, signed_row


@inlined
def add_one(keep, s, z, w, before, after, j):
    """`add_pull` of feature j."""
    pull, bend = s * z[j], s * (1 - s) * z[j] * z[j]
    after[0, j] = keep * before[0, j] + pull
    after[1, j] = keep * before[1, j] + pull + bend * w[j]
    after[2, j] = keep * before[2, j] + bend
    after[3, j] = keep * keep * before[3, j] + pull * pull


@inlined
def averaged_weight(eta, least, gradient, square):
    """``eta max(0, gradient - least) / sqrt(square)``, 0 where the sum of squares is."""
    if gradient > least and square > 0:
        return eta * (gradient - least) / math.sqrt(square)
    return 0.0


@kernel
def add_pull(keep, s, z, w, before, after):
    """Sums over samples, the earlier ones multiplied by `keep` (by its square in the last).

    Rows of `before` and `after`: pull ``s z``, slope at zero ``s z + b w``, curvature
    ``b = s (1 - s) z²`` and squared pull. One pass over the features for all four.
    """
    for j in range(z.shape[0]):
        add_one(keep, s, z, w, before, after, j)


@kernel
def averaged_weights(eta, least, gradient, squares, w):
    """``w_j = eta max(0, gradient_j - least) / sqrt(squares_j)``, 0 where squares_j is."""
    for j in range(w.shape[0]):
        w[j] = averaged_weight(eta, least, gradient[j], squares[j])


@row_kernel
def weighted_distances(S, x, w, d):
    """``d[i] = sum_j w_j |x_j - S_ij|``, four rows at a time: x and w are read less often."""
    whole = S.shape[0] // 4 * 4
    for i in range(0, whole, 4):
        a, b, c, e = S[i], S[i + 1], S[i + 2], S[i + 3]
        sum_a = sum_b = sum_c = sum_e = np.float32(0)
        for j in range(len(x)):
            sum_a += w[j] * difference(x[j], a[j])
            sum_b += w[j] * difference(x[j], b[j])
            sum_c += w[j] * difference(x[j], c[j])
            sum_e += w[j] * difference(x[j], e[j])
        d[i], d[i + 1], d[i + 2], d[i + 3] = sum_a, sum_b, sum_c, sum_e
    for i in range(whole, S.shape[0]):
        total, a = np.float32(0), S[i]
        for j in range(len(x)):
            total += w[j] * difference(x[j], a[j])
        d[i] = total


@row_kernel
def mean_differences(S, x, q, z):
    """``z[j] = sum_i q_i |x_j - S_ij|``, four rows at a time: z is read and written less often."""
    whole = S.shape[0] // 4 * 4
    z[:] = 0
    for i in range(0, whole, 4):
        a, b, c, e = S[i], S[i + 1], S[i + 2], S[i + 3]
        qa, qb = np.float32(q[i]), np.float32(q[i + 1])
        qc, qe = np.float32(q[i + 2]), np.float32(q[i + 3])
        for j in range(len(x)):
            pair = qa * difference(x[j], a[j]) + qb * difference(x[j], b[j])
            z[j] += pair + (qc * difference(x[j], c[j]) + qe * difference(x[j], e[j]))
    for i in range(whole, S.shape[0]):
        a, qa = S[i], np.float32(q[i])
        for j in range(len(x)):
            z[j] += qa * difference(x[j], a[j])


@row_kernel
def pull_of(w, z):
    """``1 / (1 + exp(w . z))``: the logistic loss pulls so much at a sample of that margin."""
    margin = 0.0
    for j in range(len(z)):
        margin += w[j] * z[j]
    return 1 / (1 + math.exp(min(margin, LARGEST_EXPONENT)))


@row_kernel
def draw(q, u, first, sign, drawn):
    """Rows drawn with the probabilities ``sign q``, evenly spread from the share u of a step on.

    They fill `drawn` from the place `first` to that plus half its length. Where rounding leaves
    some out, the last row is drawn again.
    """
    n, found, total, last = len(drawn) // 2, 0, 0.0, 0
    for i in range(len(q)):
        if sign * q[i] > 0:
            total += sign * q[i]
            last = i
            while found < n and found + u < total * n:
                drawn[first + found] = i
                found += 1
    while found < n:
        drawn[first + found] = last
        found += 1


@row_kernel
def share_of_square(q, drawn):
    """Sum of the squares of q, relative to that of the shares in which rows were drawn.

    Of features that have nothing to do with the neighbors, the square of a margin is this share of
    what it is with the rows drawn.
    """
    n, true, found, run = len(drawn) // 2, 0.0, 0, 0
    for i in range(len(q)):
        true += q[i] * q[i]
    for k in range(len(drawn)):
        again = k % n > 0 and drawn[k] == drawn[k - 1]
        run = run + 1 if again else 1
        found += 2 * run - 1
    return true * n * n / found


@kernel
def dense_block(T, labels, own, order, S, y, sigma, w, sums):
    """Sums over a block of samples under the same weights: pull and squared pull, into `sums`.

    One sample after the other, so that its distances and margin stay in the cache. Returns the
    number of samples with a hit and a miss.
    """
    count, d, q = 0, np.empty(len(S)), np.empty(len(S))
    z = np.empty(len(w), np.float32)
    sums[:] = 0
    for n in order:
        weighted_distances(S, T[n], w, d)
        if signed_row(d, y, labels[n], own[n], sigma, q) >= 0:
            mean_differences(S, T[n], q, z)
            s = np.float32(pull_of(w, z))
            count += 1
            for j in range(len(z)):
                sums[0, j] += s * z[j]
                sums[1, j] += (s * z[j]) ** 2
    return count


@kernel
def active_pass(
    T, labels, own, order, S, y, sigma, step, n_iter, w, sums, weight, u, s, drawn, shrink
):
    """Learn from one sample after the other, as by `add_pull` and `averaged_weights`.

    `step` is eta, rate and forgetting; `weight` the sums of the samples' weights and of their
    squares. Of the k-th sample learned from, s[k] becomes its pull, 0 without a hit or a miss.
    If `u` has rows, neighbors are drawn with its numbers, and shrink[k] is their
    `share_of_square`. Returns the number of samples learned from so far.
    """
    eta, rate, forgetting = step
    d, q = np.empty(len(S)), np.empty(len(S))
    z, single = np.empty(len(w), np.float32), np.empty(len(w), np.float32)
    for k in range(len(order)):
        n, s[k] = order[k], 0.0
        for j in range(len(w)):
            single[j] = w[j]
        weighted_distances(S, T[n], single, d)
        if signed_row(d, y, labels[n], own[n], sigma, q) < 0:
            continue
        mean_differences(S, T[n], q, z)
        p = pull_of(w, z)
        s[k] = p
        if len(u):
            draw(q, u[k, 0], 0, 1, drawn[k])
            draw(q, u[k, 1], drawn.shape[1] // 2, -1, drawn[k])
            shrink[k] = share_of_square(q, drawn[k])
        n_iter += 1
        keep = forgetting * (1 - 1 / n_iter)
        weight[0] = keep * weight[0] + 1
        weight[1] = keep * keep * weight[1] + 1
        least = rate * weight[0]
        for j in range(len(w)):
            add_one(keep, p, z, w, sums, sums, j)
            w[j] = averaged_weight(eta, least, sums[0, j], sums[3, j])
    return n_iter


@kernel
def drawn_pulls(T, order, S, s, drawn, shrink, start, stop, sums):
    """Sums over samples of pull, curvature and squared pull, by the neighbors drawn.

    Of the features start <= j < stop. Curvature and square are what `shrink` leaves of them. The
    numbers of hits and of misses drawn are even.
    """
    n_draws, z = drawn.shape[1] // 2, np.empty(stop - start, np.float32)
    sums[:, start:stop] = 0
    for k in range(len(order)):
        if s[k] == 0:
            continue
        x = T[order[k], start:stop]
        z[:] = 0
        for e in range(0, n_draws, 2):
            a, b = S[drawn[k, e], start:stop], S[drawn[k, e + 1], start:stop]
            c, d = S[drawn[k, n_draws + e], start:stop], S[drawn[k, n_draws + e + 1], start:stop]
            for j in range(len(z)):
                misses = difference(x[j], a[j]) + difference(x[j], b[j])
                z[j] += misses - (difference(x[j], c[j]) + difference(x[j], d[j]))
        pull, square = s[k] / n_draws, shrink[k] * s[k] / n_draws**2
        for j in range(len(z)):
            sums[0, start + j] += pull * z[j]
            sums[1, start + j] += square * (1 - s[k]) * z[j] * z[j]
            sums[2, start + j] += square * s[k] * z[j] * z[j]
