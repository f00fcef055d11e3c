"""Numbers that decide how estimators work and what they report: one table, each with its reason."""

# What is said of a fit.
CERTIFIED = 1e-3  # largest optimality gap, relative to alpha, of a converged fit: convention
EXACT = 1e-9  # gap of weights that are a fixed point whatever the last step did: where two of them
# do as well, T takes one or the other and never rests. Rounding makes about 1e-13
SKEWED = 0.1  # share of its range in which the middle half of a skewed feature lies; of a normal
# one it is 0.27 with 100 samples, and still 0.14 with a million
SKEW_VALUES = 2_000_000  # looked at for that, at most: convention

# Kernel widths and strengths of the penalty.
AUTO_SIGMAS = (8.0, 4.0, 2.0, 1.0, 0.5)  # the default, 2, and two factors of 2 either way; of
# equal errors the first, the widest, is taken
USUAL_SIGMA = 2.0  # the default: with alpha="auto" another must be clearly better
OTHER_SIGMAS = (4.0, 1.0)  # a factor of 2 either way; why no others, says `lofe/heuristics.py`
PAPER_ALPHA = 1.0  # what alpha="auto" is for Algorithm 1 of the paper, and in the paper's figures
SMALLEST_ALPHA = 1e-100  # below, weights would overflow
WEAKEST_OF_PATH = 0.03  # over the strength that makes every weight zero: convention
VANISHING_ALPHA = 1e-8  # picks one minimizer, over the mean square of the rows: about the
# square root of the rounding error, so that the loss decides wherever it can

# Cross-validation.
FOLD_TOL = 1e-2  # tolerance in the folds: on 100 samples mean scores differ from those of 1e-5 by
# at most 0.02, two of the samples
FOLD_ITERATIONS = 15  # at most in the folds: a path begins each fit at the one before
PROCESS_VALUES = 500_000_000  # in all models together: below, starting processes costs more

# Sizes.
MATRIX_SAMPLES = 12_000  # above, no matrix of all pairs is kept if memory is not limited: 1.2 GB
PAIR_BYTES = 16  # of a limited memory for every number per pair: 8, and as many for all else
PREDICTED_TOGETHER = 4096  # new samples at most: convention
PREDICTED_PAIRS = 1 << 24  # distances that exist at once: 128 MiB of doubles
TARGETS_TOGETHER = 16  # permuted labels for which every block of features is packed once
SCORED_TOGETHER = 512  # features of a univariate method: a thread's share, which fits its cache
LARGEST_DISTANCE = 1e100  # of raw features: its square is far from overflow, at 1e308
SMALLEST_SHARE = 1e-12  # of the largest mean distance of a sample: below, its inverse is noise

# Nanoseconds that a pair of samples takes for each feature, with two threads, as measured in
# benchmarks/requirements.md: LOFE with alpha=1 takes 0.11 on the spiral with 1,000,000 features and
# 0.58 on twonorm with 1,600 samples; 3 where 2,000 samples overlap so much that it iterates long.
# RELIEF methods take 0.02 (ReliefF, 1,000 x 5,000) to 0.04 (MultiSURF, 2,350 x 230,000).
LOFE_NANOSECONDS = (0.1, 3.0)
RELIEF_NANOSECONDS = (0.02, 0.05)
# The others as processor time of two threads (2026-11-18) on twonorm, 300 x 10,000, 1,000 x 2,000
# and 2,000 x 1,000, and on noise of the first two sizes: at least half of it, at most all of it, if
# one thread does the work. FREL took 0.1 to 0.24 with one and with ten neighbors, 0.07 to 0.11 with
# L1; Lmba 0.35 to 4.1. An iteration of IRelief took 0.07 to 0.1, and there were 4 to 51, of at
# most 100. A pass of Simba took 0.26 to 0.58 (300 x 2,000, 600 x 2,000, 1,200 x 300, 300 x 10,000);
# its runs have 25 by default.
FREL_NANOSECONDS = (0.05, 0.25)
LMBA_NANOSECONDS = (0.2, 4.0)
IRELIEF_NANOSECONDS = (0.15, 5.0)
SIMBA_PASS_NANOSECONDS = (0.1, 0.6)
