"""Numbers that decide how margins are summed: one table, each with its reason."""

SMALLEST_PROBABILITY = 1e-12  # of a neighbor: thousands are below the last digit of a margin
LAZY_COLUMNS = 4096  # features of lazy rows that are computed at once: four blocks or more

# I-RELIEF with a kernel width in units of the data, on the ten microarrays of the benchmarks.
# Standard deviations of the distances that the kernel is wide. With 0.25 ten microarrays converge
# in 8 to 33 passes, with 0.3 in 8 to 25.
WIDTH = 0.3
REMEMBERED = 5  # steps that lead the next one: convention of Anderson's acceleration
GROWN = 2.0  # factor by which a step may exceed the least of those remembered
SINGULAR = 1e-10  # relative size of singular values that count as zero
