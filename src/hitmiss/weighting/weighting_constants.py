"""Numbers that decide how margins are summed: one table, each with its reason."""

SMALLEST_PROBABILITY = 1e-12  # of a neighbor: thousands are below the last digit of a margin
LAZY_COLUMNS = 4096  # features of lazy rows that are computed at once: four blocks or more

# I-RELIEF with a kernel width in units of the data, on the ten microarrays of the benchmarks.
WIDTH = (
    0.3  # standard deviations of the distances that the kernel is wide: with 0.25 one of the ten
)
# takes 33 passes, with 0.3 none more than 25; 0.5 and 1 are quicker and rank a little worse
REMEMBERED = 5  # steps that lead the next one: convention of Anderson's acceleration
GROWN = 2.0  # factor by which a step may exceed the least of those remembered
SINGULAR = 1e-10  # relative size of singular values that count as zero
