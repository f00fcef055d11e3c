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

# Passes that keep to the features with a weight. Chosen on run 0 of the sets of online LOFE's
# Table 2 and on spirals among 100 to 10,000 features.
DENSE_NEIGHBORS = 64  # drawn for a pass while many features have a weight: a sixth of the time
DENSE_BLOCK = 8  # samples under the same weights in such a pass
SPARSE_SHARE = 0.05  # of the features that have a weight, up to which these alone are followed
FEW_FEATURES = 64  # always followed: the distances cost no more than the rest
DRAWS = 16  # hits and misses of a sample that all other features see, even; 8 and 32 find the same
GLANCE_EVERY = 2  # passes, of which one looks at all features
SETTLING = 6  # passes at alpha up to WARM_UP_ALPHA before the evidence is asked
TUNING_STEPS = 3  # of alpha after a pass
LARGEST_FALL = 0.9  # of alpha in one of them: too weak a penalty lets all features in again
RISE_POWER = 3.0  # of the ratio by which alpha grows in one of them: the last steps are small
QUIET_PASSES = 3  # in a row that change the weights by less than tol, after which a fit stops
