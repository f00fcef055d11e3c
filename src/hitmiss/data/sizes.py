"""Sizes that decide how data is cut, read and held: one table, each with its reason.

None of them changes what a result means. Those that decide the order of a sum change its last
bits, and are fixed numbers, so that these bits do not depend on the machine. Where no measurement
is named, the value is a convention, and the words say only what it is for.
"""

# Blocks of features.
BLOCK_BYTES = 1 << 20  # a packed block stays in the second-level cache, 1 MiB or more per core
PAGE_BYTES = 4096  # where blocks and the sums over them begin. With 460 x 512 values in single
# precision the sums of differences take 1.9 ms so, up to 2.8 ms elsewhere (one thread, AMD EPYC)
ALIGNED_BYTES = 1 << 11  # below, finding a page takes longer (2 us) than is gained
SCRATCH_BYTES = 1 << 22  # of an array, at most, that a thread keeps to use again: a few blocks
SCRATCH_VIEWS = 100  # shapes of such arrays that are remembered: convention
SINGLE_BYTES = 1 << 30  # of a copy in single precision, at most: half of what the data take
LEAST_BLOCK = 64  # features: whole vectors and cache lines in either precision
LARGEST_BLOCK = 1024  # features
GROUP_BLOCKS = 8  # packed before row tiles run over them: threads meet less often, 8 MiB held
LANE_ROWS = 256  # samples up to which a matrix of distances fits the cache, one for each lane
N_LANES = 8  # sums of distances kept apart then: as many threads may work, and the order is fixed
N_TILES = 24  # row tiles: several for each of a few threads, so that these end together
SERIAL = 1_000_000  # pair-elements below which threads are not woken
RANGE_COLUMNS = 4096  # features whose range is found at once: long runs in either memory order
FEW_VALUES = 4_000_000  # up to which one thread finds the ranges

# Samples from which on differences are summed by column, whatever part of the features a window or
# a worker holds. With 3,000 x 2,000 values in single precision that takes 0.36 s of one core, by
# row 0.42; under two weights 0.73 and 1.05.
COLUMN_SAMPLES = 2000

# Rows whose distances and probabilities exist at once while an iteration of thousands of samples is
# under way: with 3,000 samples 400 KB each in single precision.
ROUGH_ROWS = 32

# What is left out of sums.
NEGLIGIBLE_SHARE = 0.01  # probability of a neighbor, in units of the rounding error: 100 of these
# together are one rounding error
BALANCED = 1e-6  # sum of a row of pair weights, as a share of their absolute values, that is a zero
# blurred by rounding in single precision and by neighbors left out: it is 0 or 1 but for these
# Share of the pairs up to which a matrix becomes a list of those that count. With 460 x 30,000
# values a list of all takes 1.2 of the time of the matrix, one of 13 % 0.23.
LISTED_SHARE = 0.6
LISTED_FROM = 4096  # features: of fewer the sums take no longer than counting such pairs
EXPONENTS = 2049  # powers of two that a number in double precision may have

# Data that is read in windows.
WINDOW_BYTES = 1 << 27  # of a window, at most
WINDOWS = 4  # worked on, coming, being converted, and the features that are kept
VECTORS = 24  # numbers per feature that a fit is taken to hold
MATRICES = 16  # numbers per pair of samples that a fit holds, unless it works in row tiles
SOURCE_COLUMNS = 512  # features read together though only some are wanted: a read takes long
PARQUET_COLUMNS = 256  # read at once: what pyarrow holds besides the values grows with them
PARQUET_COLUMN_BYTES = 600  # that pyarrow holds for the schema: 535 of each of 20,000 and 80,000
PARQUET_BYTES = 40_000_000  # that it holds besides, after the 20 passes of a fit: 30 MB at most
PARQUET_COPIES = 3  # of small data that it holds besides instead: 30 MB of 12.8 MB were seen
ROW_BYTES = 1 << 26  # samples read at once from a matrix that is compressed by rows
FAULT_BYTES = 1 << 17  # what Linux may read ahead for one value of a memory map
MAPPED_BYTES = 1 << 25  # of a map that may be in memory before they are given back

# Tiles of rows, where samples are many.
TILE_ROWS = 32  # least number of samples whose probabilities exist at once; a multiple of four
TILE_PAIRS = 1 << 17  # probabilities that exist at once, if not more by that: 1 MiB of doubles
TILES_PER_TASK = 16  # that a thread takes at a time: its sums stay apart, which fixes the order
TILE_COLUMNS = 512  # features for which the probabilities of a tile are computed once
PER_VALUE = 6  # numbers that a fit holds for each value of a start, where all features have weight
PER_COLUMN = 12  # numbers that a fit holds for each sample and feature that is worked on

# One sample against all others.
ROW_CHUNK = 1 << 20  # values that one thread looks at
SCALED_ROW_CHUNK = 1 << 22  # the same of scaled values, which are half as large
SPARSE_WEIGHTS = 1 / 8  # share of weights up to which their features are picked one by one
LARGEST_SCALED = 1e30  # value whose products with weights stay far from the largest float32

# A Dask cluster.
CLUSTER_TIMEOUT = 60.0  # seconds without a working worker, or a scheduler, before giving up
POLL = 0.5  # seconds between two looks at the cluster: short beside that, long beside a task
ATTEMPTS = 3  # how often work is handed out again after what it needs was lost
SUMMED_TOGETHER = 8  # partial sums that are added by one worker: a fixed order, log8 n rounds
