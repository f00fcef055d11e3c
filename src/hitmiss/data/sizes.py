"""Sizes that several modules share: how data is cut and held. Others stand where they are used.

None of them changes what a result means. Those that decide the order of a sum change its last
bits, and are fixed numbers, so that these bits do not depend on the machine. Where no measurement
is named, the value is a convention, and the words say only what it is for.
"""

BLOCK_BYTES = 1 << 20  # a packed block stays in the second-level cache, 1 MiB or more per core
LARGEST_BLOCK = 1024  # features
GROUP_BLOCKS = 8  # packed before row tiles run over them: threads meet less often, 8 MiB held
N_TILES = 24  # row tiles: several for each of a few threads, so that these end together
SERIAL = 1_000_000  # pair-elements below which threads are not woken
FEW_VALUES = 4_000_000  # up to which one thread finds the ranges, or levels, of features
SINGLE_BYTES = 1 << 30  # of a copy in single precision, at most: half of what the data take
NEGLIGIBLE_SHARE = 0.01  # probability of a neighbor, in units of the rounding error: 100 of these
# together are one rounding error
MATRICES = 16  # numbers per pair of samples that a fit holds, unless it works in row tiles
TILE_COLUMNS = 512  # features for which the probabilities of a tile are computed once

# Of the room above this one.
PER_VALUE = 6  # numbers that a fit holds for each value of a start, where all features have weight
PER_COLUMN = 12  # numbers that a fit holds for each sample and feature that is worked on
# Rows whose distances and probabilities exist at once while an iteration of thousands of samples is
# under way: with 3,000 samples 400 KB each in single precision.
ROUGH_ROWS = 32
