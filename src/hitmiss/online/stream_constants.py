"""Numbers that decide how a stream is learned from: one table, each with its reason."""

# How samples move the weights.
LARGEST_ETA = 10.0  # convention: the noise in an irrelevant weight is about eta
NARROW_STREAM = 100  # features up to which eta is that large; beyond, it falls with their cube root
WARM_UP = 15  # passes over n samples in which features that matter only together enter
MANY_SAMPLES = 32  # in a row, from which on all neighbors are scaled first: with 500 of them, and
# 5,000 features, 16 samples are the break-even and 32 take a sixth less time
NEGLIGIBLE_NEIGHBOR = 1e-9  # probability: what all of them add is lost in single precision

# How the strength of the penalty follows the evidence.
WARM_UP_ALPHA = 1.0  # largest while the rule warms up: that of the LOFE paper
UPWARD_POWER = 0.1  # of the ratio by which alpha grows: too strong a penalty finds nothing more
SETTLED_CHANGE = 0.01  # relative, in one update, up to which alpha is settled: as LOFE's accuracy
UPDATE_EVERY = 10  # samples, once alpha is settled: an update costs a few passes over the features
PATH_POINTS = 1024  # of the path of alpha that are kept: convention
