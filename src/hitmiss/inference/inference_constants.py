"""Numbers that decide how features are tested: one table, each with its reason."""

CALIBRATIONS = 5  # permuted labels from which a method learns what noise reaches, beside those of
# the test: largest gradients of LOFE differ by a fifth between them, so that their mean is good to
# a tenth
CHUNKS_PER_PROCESS = 4  # pieces of work: as many steps of the progress, and processes end together

# The path of the test by subsamples.
PATH_POINTS = 50  # thresholds, in equal ratios: convention
PATH_BOUND = 0.05  # where it ends, as in the paper: the integral of the bound on false features

# The verdict.
LARGEST_P = (
    0.1  # p-value of the fit as a whole above which nothing is said to be there: convention,
)
# and what the default of the false discovery rate is
CLEARLY_BELOW = 2  # standard errors by which an error must be below that of guessing: a method that
# only guesses gets there in about 2 % of cases

# The second look of the test by permutation. On 38 sets of 200 x 1,000 with five relevant features
# and 18 where neighboring features are correlated .5, at q = 0.1, power and share of false ones: by
# the first look alone .895, .051 and .878, .039; by this mean .926, .079 and .900, .078; by the
# second look alone .937, .097 and .911, .087. Six ways to join the looks were compared there, all
# with 20 permutations in the second; with 10, as here, the mean was not compared with others.
KNOWN = 0.05  # family-wise p-value up to which a feature is taken as known there
SECOND_LOOK = 0.75  # its share in a q-value
REFINEMENTS = 10  # permutations: with two discoveries the estimate is then fine to 0.05

# The chain of sets of `attribution`. On 48 sets of made labels (12 draws of four microarrays, none
# of those of the benchmark), at q = 0.1, share of false ones, where kin counts as true, and power
# with kin: of all discoveries .435, .569; by the chain .076, .417; by each place alone, with all
# others as selected, 0, .250. Exponents halved left next to no power on the five sets looked at.
KIN = (
    0.7  # correlation above which features are not told apart: that of the benchmark, by convention
)
PRIOR_RATE = 0.2  # of exponential weights: their mean is 5, those of relevant genes are 5 to 20
PRIOR_FEATURES = 1.0  # expected number of features that explain the labels. On 21 of these sets
# 2.7 have .067, .333 where 1 has .008, .349; on 3 sets of 200 x 1,000 with neighbors correlated .5,
# 7.4 have twice the power
SWEEPS, UNSETTLED = 8, 2  # through all places, and those before the chain has settled: convention
