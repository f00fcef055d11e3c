"""Numbers that decide how margins are summed: one table, each with its reason."""

SMALLEST_PROBABILITY = 1e-12  # of a neighbor: thousands are below the last digit of a margin
LAZY_COLUMNS = 4096  # features of lazy rows that are computed at once: four blocks or more
