"""LOFESurvival: LOFE for times until an event, some of them censored."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from os import PathLike

from hitmiss.estimators.lofe import LocalLearner
from hitmiss.estimators.prediction import LocalSurvival


@dataclass(eq=False, repr=False)
class LOFESurvival(LocalSurvival, LocalLearner):
    r"""LOFE for survival: neighbors are hits as far as their events are near, else misses.

    As `LOFERegressor`, on the scale r = 1 - KM(t) of the Kaplan-Meier estimate:

    .. math:: S_{ni} = \exp(-d_{ni} / \tau)

    with :math:`d_{ni} = |r_n - r_i|` for two events and, for an event at :math:`t_n` and a sample
    censored at :math:`t_i \ge t_n`, the expected difference :math:`(1 + r_i) / 2 - r_n`. All other
    pairs may not be compared: which of them had its event first is not known. Without censoring
    it is `LOFERegressor` with the same `tau` and `alpha`.

    y is an array of the fields event and time, as in scikit-survival, or has two columns, event
    and time.

    Parameters
    ----------
    sigma : float or "auto", default=2.0
        Kernel width of the soft neighbors: small means only the nearest count. "auto" takes, of
        0.5, 1, 2, 4 and 8, the one of largest `loo_concordance_`.
    alpha : float or {"auto", "evidence"}, default="auto"
        Strength of the L1 penalty: larger means fewer features. "auto" is what features that say
        nothing do not exceed; "evidence" is deprecated, as in `LOFE`. A number suits one number of
        events: with more of them noise enters, with fewer nothing does.
    tau : float, default=0.3
        How far likeness reaches, as a share of the samples: times of events are noisy, so it is
        larger than for numbers.
    scale : {"range", None}, default="range"
        Whether each feature is divided by its range. Weights refer to the scaled features.
    missing : {"mean-difference", "error"}, default="mean-difference"
        What becomes of missing values, which are NaN, None or NA: the difference of one from any
        other is the mean difference of the feature, so that it speaks neither for nor against it.
    categorical : "auto", None or array-like, default="auto"
        Nominal features, whose values differ by 1 or not at all: names, indices or a mask. "auto"
        takes columns of words or booleans and categories of pandas; None takes no feature.
    init : {"auto", "soft", "ones"} or array-like of shape (n_features,), default="auto"
        Start, as in `LOFE`.
    threshold : float, default=0.01
        A feature is selected if its weight exceeds this share of the largest weight.
    max_features : int, default=None
        Number of features to select, instead of `threshold`. Beyond the features with a weight,
        selection goes on by `scores_`.
    tol : float, default=1e-5
        The iteration stops when the weights change by less than this, relative to their norm.
    max_iter : int, default=200
        Largest number of iterations from one start.
    n_init : int, default=0
        Restarts from random supports near the best fixed point, which pay where the kernel is
        narrow and fixed points are many; see the user guide.
    n_jobs : int, default=None
        Number of threads; None means all cores. The result does not depend on it.
    memory : int or str, default=None
        Limit on the memory of a fit to data that are not in memory, such as "2GB", or to more
        samples than there is room for pairs of.
    max_references : int, default=None
        Largest number of samples that may be neighbors, for very many samples: as many of each
        tenth of the times, drawn at random but always the same.
    checkpoint : str or path, default=None
        Folder for the state of the fit after every iteration, as in `LOFE`.
    verbose : bool, default=False
        Whether to show the progress on standard error.

    Attributes
    ----------
    weights_ : ndarray of shape (n_features,)
        Weights of the features.
    feature_importances_ : ndarray of shape (n_features,)
        Weights divided by the largest.
    scores_ : ndarray of shape (n_features,)
        Gradient of the fit at the fixed point over alpha: 1 for features with a weight, below 1
        for the others, and the closer to 1 the closer to entering.
    ranking_ : ndarray of shape (n_features,)
        All features, best first: by weight, then by score.
    optimality_gap_ : float
        Certificate: the largest violation of the optimality condition over all features,
        relative to alpha, with the neighbors recomputed at `weights_`.
    objective_ : float
        Objective at `weights_`.
    sigma_, alpha_ : float
        Kernel width and strength of the penalty in use.
    log_evidence_ : float
        Logarithm of the evidence of `alpha_`, if that was to be chosen.
    n_improper_ : int
        Number of features that the evidence leaves out, if alpha was to be chosen.
    loo_concordance_ : float
        Share of the pairs of samples whose order `predict` tells when both are left out of the
        training samples; 0.5 is that of guessing. It is too high: the weights were found with these
        samples.
    converged_ : bool
        Whether the fixed point was reached and `optimality_gap_` is at most 1e-3.
    n_iter_ : int
        Number of iterations from the start that won.
    history_ : list of dict
        A row per iteration, as in `LOFE`.
    init_ : str
        The start that won.
    n_missing_ : ndarray of shape (n_features,)
        Number of missing values of each feature.
    categories_ : dict
        Levels of each nominal feature, by its index; None where its numbers are the levels.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if X has them.

    See Also
    --------
    LOFERegressor : The same for numbers.

    References
    ----------
    L. Beretta, A. Santaniello (2011). Implementing ReliefF filters to extract meaningful features
    from genetic lifetime datasets. Journal of Biomedical Informatics 44(2), 361-369, is a relative.

    Examples
    --------
    The hazard is that of a product of two features; 30 % of the times are censored:

    >>> from hitmiss import LOFESurvival, datasets
    >>> X, y = datasets.make_survival(n_irrelevant=100, random_state=0, return_X_y=True)
    >>> lofe = LOFESurvival().fit(X, y)
    >>> sorted(lofe.ranking_[:2].tolist())
    [0, 1]
    >>> bool(lofe.loo_concordance_ > 0.6)
    True
    """

    sigma: float | str = 2.0
    alpha: float | str = "auto"
    tau: float = 0.3
    _: KW_ONLY
    memory: int | str | None = None
    max_references: int | None = None
    checkpoint: str | PathLike | None = None
