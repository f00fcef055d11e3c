"""Every number that a kernel's author chose, with the reason for its value.

Kernels are compiled with these values, and compiled code is kept on disk: after a change here,
delete it (the files ``*.nbi`` and ``*.nbc`` in NUMBA_CACHE_DIR or ``__pycache__``). Speeds are in
differences |a - b| per second of one core with 32 KB and 1 MB of cache (AMD EPYC, AVX-512).
"""

# Compiler flags of floating-point arithmetic: sums may be reordered, without which they do not
# vectorize. Not among them is "nnan" or "ninf": NaN and infinity keep their meaning.
FASTMATH = {"reassoc", "contract", "nsz"}

# Distances of all pairs: rows that stay in the cache while every other row meets them, a multiple
# of four. 32 rows of 512 single-precision features are 64 KB, which a second-level cache holds
# beside the other rows. The choice is not sensitive: groups of 4 to 128 rows measure 23 to 27 G/s.
ROW_GROUP = 32

# Mirrored distances, and pairs that are added to those the other way round: rows and columns of a
# square that is worked on at once, 8 KB in double precision.
MIRRORED = 32

# One sample against all others: features whose terms are added in the precision of the data before
# the total in double precision. Over 20,000 features in single precision the relative error is
# 1e-8, against 2e-7 in one sum. Sums of 64 features take up to 1.4 times as long, sums of 512 up to
# a tenth less, with twice the error.
FEATURES_PER_SUM = 256

# Row tiles: references that are met at once. What the innermost loop reads and writes of them, five
# rows of numbers, stays in the first-level cache (20 KB in single precision). In single precision
# several shapes measure 19 to 23 G/s, with 256 references 16 to 25, with 4,096 references 17 to 21;
# in double precision 512 are up to a tenth quicker.
REFERENCES_PER_CHUNK = 1024

# Products of margins: samples of a chunk. 100 rows of 256 numbers in double precision are 200 KB,
# which a second-level cache holds: 3,000 samples take 0.7 ms, 0.8 in chunks of 128 or 512, 2.6
# without.
GRAM_SAMPLES = 256

# Probability up to which a neighbor is left out of sums in double precision. A thousand of them
# change a mean difference by at most 1e-9 of the largest one: `exp_negative` is no more accurate.
NEGLIGIBLE_IN_DOUBLE = 1e-12

# Row tiles: numbers that are compared side by side to find the smallest. In single precision 128
# take 0.16 ns per distance for hits and misses, 512 as much, one after the other 0.7.
N_LANES = 128

FAR = 1e38  # a distance that none reaches, in either precision

# `exp_negative`: exponents below the least one count as that one. exp(-60) is 1e-26, and a
# neighbor of that probability is lost in any sum of double precision.
LEAST_EXPONENT = -60.0

# `exp_negative`: the polynomial of degree 6 is evaluated at x / 2**10, at most 0.06. The relative
# error is 5e-10; one squaring fewer makes it 3e-8, one more 8e-12.
SQUARINGS = 10

# Largest exponent of the odds of an outlier: exp overflows above 709, and one in exp(700) is zero.
LARGEST_EXPONENT = 700.0

# `pair_row`: nearest hit and miss whose exponents differ by no more share one exponential. What is
# cut off at the least exponent is then exp(-40) of the nearest, at most.
CLOSE_EXPONENT = 20.0
