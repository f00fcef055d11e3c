"""Numbers that decide how the fixed point is searched for: one table, each with its reason.

None of them changes what an answer means: whatever is found is checked over all features in the
end. They decide how long that takes and, where several fixed points exist, which one is found.
Where no measurement is named, the value is a convention, and the words say only what it does.
"""

# The iteration on one set of features.
SMALLEST_STEP = 0.005  # convention, below the 0.03 that XOR at sigma 2 was seen to need
LARGEST_STEP = 4.0  # convention
SHORTER = 0.5  # factor of the step when two residuals oppose: what ends a cycle of two
LONGER = 1.5  # factor while they agree: less than SHORTER takes back
ALIGNED = 0.8  # cosine between residuals above which the step may exceed 1: within 37 degrees
DROPPED = 1e-3  # a weight this far below the largest that T sets to zero is dropped at once
SOLVED = 1e-4  # optimality gap of T above which T(w) is not trusted; the solver aims at 1e-6
GAP = 5e-4  # gap at w above which a small residual is no fixed point: half of what is certified
NEWTON_PAUSE = 4  # iterations between two attempts of Newton's method, convention

# Mixing the residuals of several iterations, where each finds the neighbors of thousands of
# samples. From the fixed point of half of 3,000 samples of 8 classes (97 weights) a residual of
# 1e-5 takes 20 iterations with 10 or 20 of them and steps of 0.3 or 0.5, by damped steps alone 40.
# With Newton's method beside it two of these classes, each against the rest, take 12.4 and 6.8 s,
# without it 6.9 and 4.1.
MIXED = 10
# Iterations after which all features are looked at for the first time: two draws of 3,000 x 2,000
# take 4.6 and 7.3 CPU s with 4, 5.0 and 7.5 with 5, 5.9 and 7.6 with 3 (alpha=1).
MIXED_FIRST = 4
# Candidates beside the non-zeros once all samples looked at all features: 3,000 x 2,000 of
# 8 classes take 4.8 CPU s with 24, 4.9 with 48, 5.3 with 64 (alpha=1).
MIXED_NARROW = 32
MIXED_FEW = 256  # non-zeros with which the narrow phase begins then
MIXED_DROPPED = 0.01  # as DROPPED: such weights are slow to go in a mixed step
MIXED_STEP = 0.5  # along the residual that is left
LEAST_MIXED = 2  # turns before the first: a residual from afar says nothing of those near
MIXED_WORSE = 2.0  # factor over the least residual at which what is known is forgotten
MIXED_RIDGE = 1e-8  # on products of unit vectors, so that they may depend on each other

# Newton's method.
NEWTON_WORK = 1 << 29  # products of differences up to which any number of features is tried
NEWTON_STEPS = 12  # at most: convention
FARTHEST = 0.5  # how far, relative to its length, w may move: another fixed point is not wanted
NEWTON_SHRINKS = (1, 0.25, 0.0625)  # lengths tried; below, the model is wrong and T goes on
NEWTON_EXACT = 1e-10  # excess over alpha, relative, that ends it
NEWTON_ENOUGH = 1e-6  # the same where no step makes progress: rounding is all that is left
MOMENT_SAMPLES = 1 << 14  # whose second moments exist at once: 34 MB for 16 features

# The working sets of the search.
EVERYTHING = 1 << 27  # pair-elements up to which the wide set is everything
WIDE = 512  # features of the wide set: convention
NARROW = 64  # candidates beside the non-zeros: as many as the solver lets in at once
FEW = 64  # non-zeros with which the narrow phase begins: its Gram matrix is small
WIDE_ITERATIONS = 6  # on the spiral the non-zeros are few after 3 or 4
LOOSE = 1e-2  # tolerance on the narrow set while violators may still join it
FINER = 0.1  # factor of the tolerance while it leaves violators in the narrow set: convention
SLACK = 1e-4  # relative excess of the gradient that makes a zero weight a violator: float32 sums
SAME_OBJECTIVE = 1e-6  # relative difference up to which two objectives agree: that of the solver

# The starts of the search beside the uniform ones.
UNEXPLAINED = 0.85  # share of the objective of w = 0 above which more starts are tried
SHARPER = 4.0  # how much narrower the kernel is that finds the sharp start
SPARSER = 8.0  # how much stronger the penalty is that finds the sparse start
SURVIVED = 0.7  # share of the largest first gradient that it may not exceed, or nothing is left
SPARSE_ROUNDS = 5  # working sets that it may take; it need not be certified
# Share of the features that every round of pruning keeps, and of how many values and how many
# pair-elements it begins at most: quick for many features, careful for few.
PRUNINGS = ((0.3, 1 << 21, 1 << 32), (0.75, 1 << 20, 1 << 31))
# Parts into which all features are dealt out where pruning explains nothing, and the standard
# deviation of their distances, in widths of the kernel. Of XOR among 10,000 in 200 samples the pair
# has ranks 0 to 2 by the best of 16 parts in seven draws, also in one in which a feature of it has
# rank 9,700 with the neighbors of all features; with 4 parts, or a deviation of 1, up to 2,400.
PARTS, PART_LOCAL = 16, 2.0
# Features by the best part, of which pruning leaves a few, until these explain something. Of banana
# among 10,000 and 6,000, in four draws that pruning alone misses, 128 keep the pair in two, 512 in
# three and 1,024 in three, one of them each in all.
PART_BEST = (128, 512, 1024)
PART_FEATURES = 5000  # from which on: convention
PART_WORK = 1 << 33  # pair-elements of a pass, at most: 16 of them take half a minute
LEFT = 8  # features that pruning leaves: a pair and some company, since noise may rank above it
LOCAL = 1.0  # standard deviation of the distances while pruning, in widths of the kernel
CANCELED = 8  # features, over those left, from whose distances those of others are subtracted: the
# rounding of the sum grows by as much in what is left of it
MEASURED = 1000  # samples, at most, whose distances give that deviation: half a million pairs
# Starts on a few features alone, as factors of the uniform weight at which their distances deviate
# by LOCAL: on 429 subsets of 1 to 6 features (XOR, parity, spiral, a microarray and one with
# permuted labels; kernel widths 0.1 to 8) they led as low as six starts from 0.3 to 100 with
# exploration, in a quarter of the time.
SUBSET_STARTS = (1.0, 10.0)

# Starts with another support, where the kernel is narrow. On 51 random problems, each with and
# without irrelevant features, at widths from 0.1 to 1, the two uniform starts missed the lowest
# fixed point known in 7 of 102 fits, with features left out in 4, with features alone in 3, with
# both and with weights for the others in none. `python -m benchmarks starts` counts what is left.
NARROW_KERNEL = 1.0  # kernel width up to which they are tried
N_VARIED = 8  # features that are left out, one at a time
# Uniform weights, in units of those at which distances deviate by a width.
VARIED_LOCAL = (10.0, 100.0)
# Features that stand alone and in pairs, with uniform weights in these units. Of 1,584 problems at
# width 0.316 irrelevant features had led to a higher objective in 6: with these in none of them.
N_TOGETHER, ALONE_LOCAL = 6, 10.0
VARIED_FEATURES = 64  # of largest gradient that take part, beside those with a weight
VARIED_TOL = 1e-3  # tolerance up to which they are followed
VARIED_ITERATIONS = 30  # at most
BACK_AGAIN = 0.1  # distance from the known weights, over their length, at which one is given up
VARIED_GAIN = 1e-4  # relative, of the objective, for which one is followed to its end
VARIED_ROUNDS = 3  # each from the best of the one before
VARIED_WORK = 1 << 26  # pair-elements over all starts

# Candidates to take the place of a feature.
TRIED = (
    2  # from each gradient, over the number wanted: of 200 genes of five microarrays the five best
)
# had ranks up to 9 by the first, those of XOR up to 4 by the second
LEAST_TRIED = 10  # from each gradient, where few are wanted: beyond those ranks
GRADIENT_BYTES = 1 << 27  # of gradients, or of pair weights, that are found in one pass

# What a feature is worth in a place.
LOOKED_AT = 400  # features of largest gradient; all others together have next to no share there
SOLVED_FOR = 8  # of them, under each kind of neighbors; the others are estimated
PLACE_TOL = 1e-2  # of the fixed points: with 1e-4 no objective differs by more than 1e-3
ALONE_STEPS = 6  # of Newton's method for one weight
ALONE_DAMPING = 1e-3  # of its curvature, which is 0 where all samples are far on the right side
ALONE_REACH = 20.0  # longest of its steps: weights of features divided by their range are about 10

# Very many samples.
SOME_SAMPLES = 2000  # with which the search begins: convention
TIMES_AS_MANY = 4  # samples, over those, from which on it does: convention
ROUGH = 1e-2  # tolerance of the fixed point of some samples, from which all go on
# One in so many of the samples, if these are more than those of the beginning, lead to all: their
# look at all pairs takes a twenty-fifth of the time, or a tenth where only some are references.
FEWER, FEWER_OF_REFERENCES = 5, 10
SETTLED = 1e-3  # distance from their fixed point, at most: it is as far from that of all samples

# Thousands of samples. 3,000 x 2,000 of 8 classes take 40 CPU s from all starts, 8.1 if the search
# begins with 500 and goes on with 1,500, 6.5 if it begins with 500 alone.
BEGIN_WITH = (500,)  # samples, if all are twice as many
# Pair-elements from which on a fit begins so. Where fixed points are many it is another start, no
# better one: on five draws of ringnorm (1,000 to 3,000 samples) it led 0.2 to 4 % higher in three
# and 0.3 and 0.6 % lower in two; on eight other real sets to the same objective. Below, all starts
# with all samples take seconds.
BEGIN_PAIRS = 1 << 32
LEAST_OF_CLASS = 30  # samples of each class there, if it has so many
ROUGH_ITERATIONS = 20  # from one start, at most, with these: 30 were no quicker in one draw

# The strength of the penalty.
ACCURACY = 0.01  # relative, of the alpha that the evidence prefers
BEGIN = 1.0  # an alpha of the grid that is looked at first: the paper's
STRIDE = 2.0  # factor between its neighbors: convention
N_STRIDES = 12  # from the strongest penalty down: a factor of 4,096
DOUBT = 3.32  # log evidence that does not tell two alphas apart: half of chi-square's 99 %
NEARBY = 1.25  # factor between strengths whose slopes give the width of the evidence
STRONGEST = 2.0  # largest factor between the best strength and the one taken: one stride
Z_99 = 2.576  # standard deviations of a normal distribution that hold 99 %

# The area under the weights, for the test by permutation. Chosen on 12 sets of 200 x 1,000 with
# five relevant features, independent or correlated, and on three microarrays.
# Where the area begins, as a share of the mean largest gradient of permuted labels at w = 0: 1 to 5
# features of permuted labels have a weight there. At a rate of 0.1 the shares 0.5 and 0.7 find 0.92
# of the relevant features, 0.9 finds 0.90; by weights alone 0.78 to 0.93 and hardly any on
# microarrays, by the strongest penalty with a weight 0.83.
NOISE_SHARE = 0.6
AREA_STRIDE = 1.25  # factor between strengths
AREA_TOL = 1e-2  # relative tolerance of the fixed points: areas are found to about as much
# Features of largest gradient among which a step finds its weights there, and from how many on it
# leaves out others. On 102 x 12,600, 13 labels, 512 differ from all by up to 1e-4 of the largest
# area and take 0.79 of the time; 256 take no less, 128 more. A step from a few weights takes 1.2,
# 1.1 and 0.9 of the time on 60, 102 and 200 samples of 1,500 features, 0.85, 0.8 and 0.65 of 3,000.
SCREENED, SCREENED_FROM = 512, 2048

# The strength that noise does not exceed, chosen on 2,000 features of which two are relevant, by
# shifts of 2 and 1, with 100 to 2,500 samples, three draws each.
# Exchanges of the samples. On 400 x 300 normal numbers, at w = 0 and at weights of two features,
# what the largest gradients of four lead to varies by 6 to 9 %, the mean of the largest of each by
# 11 %. More are made while all of them together have so few products of pairs and features.
NOISE_DRAWS, NOISE_CHEAP = (4, 32), 1 << 28
# Of more features, or more pair-elements, an exchange is of some, at most and at least so many.
# What the largest of 4 x 1,000 lead to is 0.98 to 0.99 of the mean largest gradient of all, and
# varies by 0.10, on 200 x 20,000 normal numbers and on 72 x 6,853 genes, at w = 0 and at the
# weights of a fit; the largest of all, each in one of four exchanges, varies by 0.11 to 0.18.
NOISE_FEATURES, NOISE_WORK, NOISE_SOME, NOISE_FEWEST = 5000, 1 << 31, 1000, 200
NOISE_TAIL, NOISE_FEWEST_TAIL = 0.01, 25  # share of them that are the largest, and least number
NOISE_FEW = 5  # features from which on the largest of all exchanges have a tail: it is 2 % off
TELLING = 100  # of some features, at most: samples are told apart by these
NOISE_DIGITS = 9  # to which distances tell samples apart: sums in another order differ by less
NOISE_ROWS = 1000  # samples from which on features are moved, and not their matrix of pairs
# How far it is above the noise of its own fit, whose weights went to what happened to do well. Of
# five relevant features among 1,000 in 200 samples, six draws, 0.93 are selected with 1.2, and 0.03
# of the list is false; 0.83 and none with 1.5; 0.97 and 0.08 with alpha=1.
NOISE_MARGIN = 1.2
# Where the penalty is lowered to the noise beside what was found, that exceeds it in this share of
# cases. The penalty is then 1.27 to 1.36 times the mean noise on microarrays and among 1,000
# features, 1.6 times among 100, 2 times among 20. Of 20 features that mark four classes in 120
# samples of 1,000, twelve draws, 18.3 are selected and none falsely with 0.05 and 0.02, 17.8 with
# 0.01; but 83 samples of four kinds of tumors (SRBCT) have 15 genes and no error, left out, with
# 0.05, and 12 genes and 7 % with 0.02.
STEP_RATE = 0.05
# The weakest penalty it leads to, over that of the beginning. Weights that explain all samples do
# so by chance, too: on 171 samples of 5,748 genes, width 0.5, it goes on to 0.05 and 68 features.
STEP_WEAKEST = 0.25
# From so many samples on it begins above the noise at w = 0, by their number to this power: the
# noise of the fit is then not above it at 1,200 and 2,500 samples, which otherwise takes fits with
# many irrelevant features to find out. Samples count up to twice the smallest class: the noise of a
# class of 60 among 3,000 is large already, and nothing had a weight above 4.5 times as much. Some
# samples lead to all by the same power: 2,500 x 2,000 takes 3.4 CPU s then, and 19 if all begin at
# the noise beside what some samples found, which lets in 40 irrelevant features that go one by one.
NOISE_SAMPLES, NOISE_POWER = 400, 0.75
NOISE_LEAST = 1e-100  # that is told from nothing: weights as large as its inverse would overflow
# Shares of the penalty that are tried where the noise of all features is so strong that nothing
# explains much. Of the spiral among 100,000 and 300,000 features, three draws each, both features
# are found in three draws without them and in all with them; of 300 samples of it among 20,000 in
# none of four and in all; of 240 among 6,000 in none of eight, with 0.5 in one, with 0.3 as well in
# four.
NOISE_WEAKER = (0.5, 0.3)
NOISE_ROUNDS = 4  # fits that may follow the first, either way: convention
# Relative excess that does not count: the draws vary by as much. Where a feature had to exceed the
# noise at STEP_RATE by nothing, XOR among 100 irrelevant features, a tenth of all values missing,
# listed one of these in 2 of 30 draws; so it does in none, and errors of 25 real data sets stay.
NOISE_CLOSE = 0.1

# The kernel width by samples held back: half or twice the usual one, if that is clearly better.
# Chosen on 25 real sets, in two repeats of their splits that `python -m benchmarks.quality` does
# not report (seeds 11, 12), by the balanced error of what tuned fits predict for new samples less
# that of default ones, in points: -0.5 on average, above 0 on one set, in one repeat. In the ten
# repeats that it does report, looked at afterwards: -0.7 with a standard error of 0.4 over the
# sets, and above 0 on three, on one of them (brain_tumor2) by 0.5 +- 0.4.
# - The best of 0.5, 1, 2, 4 and 8 by the same rule: -1.0, with tox_171 better by 16, and lymphoma
#   worse by 11 in one of the two. But a fit of tox_171 at 0.5 alone takes 18 plain ones, more than
#   the 15 that a tuned fit may take. Widths of 0.5 and 8 that must be clearly better than 1 and 4
#   were never taken.
# - The same five widths at one penalty, errors of all classes together and folds dealt out once, as
#   before: in the five repeats -1.3 with a standard error of 0.7, since tox_171 and lymphoma are
#   better by 12 and 7; but worse on waveform by 0.9, more than a standard error, above 0 in 9 of
#   125 cases, and 20 plain fits on tox_171. This one gives up the former for the latter.
# - The squared error or the log-loss of the probabilities, which vary less: -0.1 and 0.0, worse on
#   tox_171 by 4 and on 9_tumors by 3. They favor wide kernels, whose probabilities are cautious.
WIDTH_FOLDS = 3  # each a fit of two thirds of the samples per width: the fewest with most samples
WIDTH_DRAWS = 2  # ways to deal out the folds; a third would take the 15 plain fits on tox_171
WIDTH_ITERATIONS = 15  # at most in the folds, as in those of LOFECV
# Standard errors by which another width must be better than the usual one. With 1.5 it is -0.8, but
# diabetis is worse by 0.5, more than a standard error; with 3 it is -0.4.
CLEARLY = 2.0

# The evidence in numbers.
NEARLY_FLAT = 1e-6  # curvature over the squared rate, up to which a series is used: it is exact
# there, where the closed form would lose six digits
SMALLEST_SLOPE = 1e-100  # of a tangent: below, it has no effect, and its inverse could overflow
STAY_INSIDE = 0.99  # share of the way to the border that a step may go: convention
# Steps of Newton's method on the bound, at most: on 60 samples of 40 features it takes 10 at alpha
# = 10 and 28 at 1; at 0.1 it takes them all.
BOUND_STEPS = 200
BOUND_DECREASE = 1e-10  # expected of a step, in units of the log evidence, below which it ends
BOUND_SHARE = 1e-4  # of the expected decrease that a step must reach: convention of line searches
BOUND_SHORTEST = 1e-12  # step that is taken in any case: beyond, rounding decides
