"""One step of dual averaging in a single pass over the features."""

import math

from hitmiss.kernels.jit import kernel


@kernel
def add_pull(keep, s, z, w, before, after):
    """Sums over samples, the earlier ones multiplied by `keep` (by its square in the last).

    Rows of `before` and `after`: pull ``s z``, slope at zero ``s z + b w``, curvature
    ``b = s (1 - s) z²`` and squared pull.
    """
    for j in range(z.shape[0]):
        pull, bend = s * z[j], s * (1 - s) * z[j] * z[j]
        after[0, j] = keep * before[0, j] + pull
        after[1, j] = keep * before[1, j] + pull + bend * w[j]
        after[2, j] = keep * before[2, j] + bend
        after[3, j] = keep * keep * before[3, j] + pull * pull


@kernel
def averaged_weights(eta, least, gradient, squares, w):
    """``w_j = eta max(0, gradient_j - least) / sqrt(squares_j)``, 0 where squares_j is."""
    for j in range(w.shape[0]):
        w[j] = 0.0
        if gradient[j] > least and squares[j] > 0:
            w[j] = eta * (gradient[j] - least) / math.sqrt(squares[j])
