"""The numbers that the solvers are tuned by, each with the reason for its value.

"Measured" is on made-up problems: ten L1 problems with up to 100 x 5,000 margins, eighteen bounded
L2 problems with up to 120 x 200 energies, six hinge problems with up to 200 x 20 margins. A number
that is called a convention has not been measured.
"""

# Line searches.
ARMIJO = 1e-4  # share of the predicted decrease: a convention; measured, 0 to 0.3 all converge

# hinge_dual
CENTERING = 0.1  # share of the barrier that a step aims at: a convention of interior point methods
KEEP_INSIDE = 0.99  # share of the way to the bound: with 0.9 a tenth more steps, 0.999 no fewer
SMALLEST_BARRIER = 1e-18  # over the linear term: with 1e-16 one problem in six ends too early

# projected_newton
NEWTON_HALVINGS = 40  # of a step: with 10 three problems in eighteen end too early, with 20 none
NEAR_BOUND = 1e-6  # share of the largest weight that counts as at the bound: 0 to 1e-4 are alike

# prox_newton
MAX_ENTERING = 64  # features per iteration: 8 to 64 take about as long, 256 take 2.5 times as long
CHUNKED = 2000  # samples from which on their products are summed in chunks, in another order
SWEEPS = (
    200  # of coordinate descent before the non-zeros move together: 1000 take 1.4 times as long
)
MAX_SUBSPACE_STEPS = 20  # such moves: 5 to 100 are alike
PROX_HALVINGS = 12  # of a step, before the next floor is tried: 3 to 30 are alike
# Where margins are large the curvature vanishes and a Newton step leads far away; with a floor of
# a quarter the model lies above the logistic loss and its minimum always descends. Smaller floors
# come first: with a quarter alone eight problems in ten take more than 100 iterations.
CURVATURE_FLOORS = (0.0, 1e-4, 1e-2, 0.25)
OBJECTIVE_ROUNDING = 1e-14  # share of an objective that is rounding: 0 to 1e-10 are alike
MODEL_RIDGE = 1e-12  # share of the trace, so that repeated features have one answer: a convention
SMALLEST_TRACE = 1e-300  # in place of zero
MODEL_TOLERANCE = 1e-9  # of coordinate descent, at most: a convention, below every `tol` in use
MODEL_TOLERANCE_L1 = 1e-7  # the same over the strength of the penalty, for large margins
WEIGHT_ROUNDING = 1e-15  # share of the largest weight that is zero: a few units of rounding
CROSSING_ROUNDING = 1e-12  # the same after a linear system was solved: a convention

# span_newton
COLUMNS = 4096  # features at once, which bounds the memory: 256 to all of them take as long
SMALLEST_VARIANCE = 1e-13  # share of the largest that is seen: rounding of the products of rows

# squared_descent
SMALLEST_RATE = 1e-20  # a step this short changes no weight: a convention

# prox_gradient
# Steps per iteration: 10 to 200 take as long, and with 50 the 200 iterations of `FREL` are enough
# for 70 of 72 problems with up to 200 x 1,000 rows.
STEPS = 50
STEP_HALVINGS = 60  # of a step, which is then too short to change a weight: a convention
