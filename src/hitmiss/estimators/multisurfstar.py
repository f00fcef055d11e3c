"""MultiSURFStar: near samples by their differences, far samples by their likeness."""

import numpy as np
from numpy.typing import NDArray

from hitmiss.data.in_memory import Blocks
from hitmiss.estimators.averaged import n_with_hit
from hitmiss.estimators.multisurf import MultiSURF
from hitmiss.neighbors import band_neighbors, dead_band


class MultiSURFStar(MultiSURF):
    r"""MultiSURF*: MultiSURF plus likeness of far samples; for interactions, can miss main effects.

    Near samples, closer than the mean distance of a sample minus half the standard deviation, add
    :math:`|x_n - x_i|` as in `MultiSURF`; far ones, beyond the mean plus half the standard
    deviation, add :math:`1 - |x_n - x_i|` with the same signs. Those in between do not count.

    Parameters
    ----------
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Ceiling for the memory of a fit to data that are not in memory, such as "2GB".
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features; 0 for constant features.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    ranking_ : ndarray of shape (n_features,)
        All features, best first.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    References
    ----------
    D. Granizo-Mackenzie, J. H. Moore (2013). Multiple threshold spatially uniform ReliefF for
    the genetic analysis of complex human diseases. EvoBIO, 1-10. The far score is that of the
    tables in R. J. Urbanowicz et al. (2018), Journal of Biomedical Informatics 85, 168-188.

    Examples
    --------
    >>> from hitmiss import MultiSURFStar, datasets
    >>> xor = datasets.make_xor(n_irrelevant=20, random_state=0)
    >>> MultiSURFStar(max_features=2).fit(xor.data, xor.target).get_support(indices=True)
    array([0, 1])
    """

    def _weigh(self, blocks: Blocks, y: NDArray) -> NDArray:
        D = blocks.distances(np.ones(blocks.n_features))
        lower, upper = dead_band(D)
        near = band_neighbors(D, y, -np.inf, lower, blocks.workers)
        far = band_neighbors(D, y, upper, np.inf, blocks.workers)
        total = blocks.pair_sums(near - far) + far.sum()
        varies = blocks.pair_sums(np.eye(len(y), k=1)) > 0  # each sample against the next
        return np.where(varies, total, 0.0) / n_with_hit(y)  # constants are alike for no reason
