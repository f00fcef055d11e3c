"""Numbers that decide how features are tested: one table, each with its reason."""

CALIBRATIONS = 5  # permuted labels from which a method learns what noise reaches, beside those of
# the test: largest gradients of LOFE differ by a fifth between them, so that their mean is good to
# a tenth
CHUNKS_PER_PROCESS = 4  # pieces of work: as many steps of the progress, and processes end together

# The path of the test by subsamples.
PATH_POINTS = 50  # thresholds, in equal ratios: convention
PATH_BOUND = 0.05  # where it ends, as in the paper: the integral of the bound on false features
