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

# The second pass of the test by permutation. On 17 sets of 200 x 1,000 with five relevant features,
# independent or correlated, at q = 0.1: 0.94 of these are found with a share of 0.06 false ones;
# without it 0.87 with 0.05, by the second pass alone 0.95 with 0.13.
KNOWN = 0.05  # family-wise p-value up to which a feature is taken as known there
REFINEMENTS = 10  # permutations: with two discoveries the estimate is then fine to 0.05
