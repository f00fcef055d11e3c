"""What is shown of LOFE's Tables 2 and 3."""

import numpy as np

from reproduce.experiment import Check
from reproduce.page import table
from reproduce.statistics import PUBLISHED, compared, mean_of, outcome, parsed, tally, values

TABLE2, TABLE3 = PUBLISHED["lofe_table2"], PUBLISHED["lofe_table3"]
N_RUNS = 10
N_IRRELEVANT = 5000
SETS = {name: f"ida_{name}" for name in TABLE2["train_test"]} | {"diabetics": "ida_diabetis"}
REFERENCES = ("svm_original", "svm_all")
SELECTORS = {  # method -> its column in Table 3
    "lofe": "lofe",
    "irelief_bs": "irelief_bs",
    "ks": "ks",
    "ams_1000": "ams_1000",
    "rfe_rbf": "rfe",
    "simba": "simba",
}
STRONGEST = "lofe, strongest"  # penalty within one standard error of the best score
EVIDENCE = "lofe, evidence"  # the penalty of largest evidence
RULES = {  # the first as published; the others were added after its test errors had been seen
    "lofe": "α of the best score",
    STRONGEST: "α strongest within one standard error",
    EVIDENCE: "α by the evidence",
}
FIXED = {f"lofe, α = {alpha:g}": alpha for alpha in (3.0, 2.0, 1.0, 0.5)}
LITERAL = "lofe, Algorithm 1"  # to the letter, σ = 2, α = 1
# Sets on which LOFE loses to a baseline, and its false discoveries per 1,000, as published.
LOST = {"irelief_bs": 0, "ks": 0, "ams_1000": 1, "rfe_rbf": 0, "simba": 0}
LARGEST_FDR = 1.9


WHY = """Where an error misses its limit, the reason is what the penalty is tuned for. The paper
tunes σ and α by the error of LOFE's own rule, which adds up all features with a weight: with few
samples it gains from many weak features and asks for a weak penalty. The table is about something
else, an SVM on the top of the ranking, where all features count the same. There a weak penalty
does harm: irrelevant features with a weight come before relevant ones without, and the better the
training samples are fitted, the less is left to rank the rest by. Below, for both aims, the fixed
α that is best on the test data, the one that cross-validation chose, and the errors of the SVM on
the original features, which tell whether data and SVM are those of the paper. That the exact
minimizer is used instead of Algorithm 1 can be judged by the last column above. The paper does not
print its grid of σ and α."""


TRIED = """All of this was looked for after the published protocol had missed its limits, with the
test errors in view, so none of it counts as a result, and the checks are those of the published
protocol alone. Tried on one to three runs: σ of 1, 2 and 5 with seven α from 3 to 0.3, σ by the
leave-one-out error, the evidence, the strongest α within one standard error, Algorithm 1; for the
SVM a γ per feature, parameters tuned anew for some k, features times their weights; on four runs
five codings of the bases of splice; on ten runs three ways to break ties of the SVM's parameters.
Kept as before: the first of ties, and the coding of the data. On splice the width of the kernel
made the difference: γ, tuned for 60 features, is too small for a few. Below, the error with γ as
published; and with γ times p / k, p the number of original features."""


def page(records):
    """Errors, false discoveries and times."""
    sets = sets_in(records)
    parts = [
        "Test error of an SVM in percent, mean(sd) over the runs, with the best number of "
        "features on the test data: ours / published, difference in standard errors.",
        errors_table(records, sets),
        "As published, the parameters of the SVM (and those of RFE, and the C of AMS) are tuned on "
        "training data without the irrelevant features, which nobody would have in practice. "
        "The IDA collection had standardized most sets over all rows.",
        "The same with the number of features chosen by 5-fold cross-validation on the training "
        "data, every fold ranking for itself (RFE and Simba are too slow for that), and for LOFE "
        "with the features that it selects itself, w > 0.01 max w.",
        honest_table(records, sets),
        "Irrelevant features that LOFE selects, per 1,000, and what its cross-validation chose.",
        fdr_table(records, sets),
        "What the penalty does: the error of the first table; the test error of LOFE's own rule; "
        "and in parentheses the features that LOFE selects, and the irrelevant ones among them. "
        "First σ and α by 10-fold cross-validation of LOFE's own rule, of the best score as "
        "published; then the strongest α within one standard error of it; then α by the evidence, "
        "and fixed, all with σ = 2; last Algorithm 1 of the paper to the letter, σ = 2, α = 1, "
        "stopped after ten iterations.",
        penalty_table(records, sets),
        "CPU seconds per run, one thread, tuning included: ours / published (Pentium 4, 2.8 GHz, "
        "Matlab).",
        times_table(records, sets),
    ]
    return "\n\n".join(parts)


def sets_in(records):
    there = {key.case for key in records}
    return [name for name in SETS if name in there]


def best(records, case, method):
    """Test error of every run with the best number of features on the test data."""
    return [min(errors) for errors in values(records, case, method, "test")]


def honest(records, case, method):
    """Test error of every run with the number of features chosen on the training data."""
    tests = values(records, case, method, "test")
    chosen = [int(np.argmin(errors)) for errors in values(records, case, method, "nested")]
    return [errors[k] for errors, k in zip(tests, chosen, strict=False)]


def published(case, method):
    return parsed(TABLE2["rows"][case][TABLE2["columns"].index(method)], N_RUNS)


def errors_table(records, sets):
    methods = [*REFERENCES, *SELECTORS]
    rows = [
        [name, *(compared(best(records, name, m), published(name, m)) for m in methods)]
        for name in sets
    ]
    return table(["set", *methods], rows)


def honest_table(records, sets):
    rows = [
        [
            name,
            *(mean_of(honest(records, name, method)) for method in SELECTORS),
            mean_of(values(records, name, "lofe", "own")),
        ]
        for name in sets
    ]
    return table(["set", *SELECTORS, "lofe, its own"], rows)


def fdr_table(records, sets):
    column = TABLE2["columns"].index("lofe_fdr_per_1000")
    rows = [
        [
            name,
            mean_of(values(records, name, "lofe", "fdr_per_1000")),
            TABLE2["rows"][name][column],
            mean_of(values(records, name, "lofe", "n_selected")),
            ", ".join(
                f"{tuned['sigma']:g}/{tuned['alpha']:g}"
                for tuned in values(records, name, "lofe", "parameters")
            ),
        ]
        for name in sets
    ]
    return table(["set", "FDR", "FDR published", "features selected", "σ/α by run"], rows)


def penalty_table(records, sets):
    rows = []
    for name in sets:
        cells = []
        for method in (*RULES, *FIXED, LITERAL):
            n = mean_of(values(records, name, method, "n_selected")).mean
            share = mean_of(values(records, name, method, "fdr_per_1000")).mean / 1000
            errors = mean_of(best(records, name, method))
            rule = mean_of(values(records, name, method, "rule")).mean
            count = f"{n:.0f}, {share * N_IRRELEVANT:.1f}"
            cells.append(f"{errors.mean:.1f}; {rule:.1f} ({count})")
        rows.append([name, *cells])
    fixed = [f"α = {alpha:g}" for alpha in FIXED.values()]
    return table(["set", *RULES.values(), *fixed, "Algorithm 1"], rows)


def reasons(records):
    """Why LOFE tuned as published is worse than published, from the numbers of these runs."""
    rows = []
    for name in sets_in(records):
        by_ranking = {a: mean_of(best(records, name, m)).mean for m, a in FIXED.items()}
        by_rule = {a: mean_of(values(records, name, m, "rule")).mean for m, a in FIXED.items()}
        plain, theirs = best(records, name, "svm_original"), published(name, "svm_original")
        alphas = [tuned["alpha"] for tuned in values(records, name, "lofe", "parameters")]
        rows.append(
            [
                name,
                *(f"{min(errors, key=errors.get):g}" for errors in (by_ranking, by_rule)),
                f"{np.median(alphas):g}",
                compared(plain, theirs),
            ]
        )
    head = ["set", "best α for the SVM", "for LOFE's own rule", "median chosen", "SVM, original"]
    return "\n\n".join([WHY, table(head, rows), TRIED, widened_table(records)])


def widened_table(records):
    """Best error with the SVM as published, and with a gamma per feature."""
    methods = [*RULES, "irelief_bs", "ks"]
    rows = []
    for name in sets_in(records):
        pairs = [
            (best(records, name, m), [min(e) for e in values(records, name, m, "widened")])
            for m in methods
        ]
        rows.append([name, *(f"{mean_of(a)}; {mean_of(b)}" for a, b in pairs)])
    return table(["set", *methods], rows)


def times_table(records, sets):
    rows = []
    for name in sets:
        theirs = dict(zip(TABLE3["columns"], TABLE3["rows"][name], strict=True))
        ours = {m: mean_of(values(records, name, m, "fit_seconds")) for m in SELECTORS}
        rows.append([name, *(f"{ours[m]} / {theirs[column]}" for m, column in SELECTORS.items())])
    return table(["set", *SELECTORS], rows)


def checks(records):
    """What must hold of LOFE tuned as published, each with what was found."""
    method, rule = next(iter(RULES.items()))
    sets = sets_in(records)
    error = {name: mean_of(best(records, name, method)) for name in sets}
    for name, ours in error.items():
        theirs = published(name, "lofe")
        largest = theirs.mean + theirs.sd
        yield Check(ours.mean <= largest, f"{name}: error at most {largest:.1f}, {rule}", ours)
    if "banana" in sets:
        plain = mean_of(best(records, "banana", "svm_original"))
        text = f"banana: within 1 point of the SVM on the original features, {plain}, {rule}"
        yield Check(error["banana"].mean <= plain.mean + 1, text, error["banana"])
    fdr = np.mean([mean_of(values(records, n, method, "fdr_per_1000")).mean for n in sets])
    text = f"FDR averaged over the sets at most {LARGEST_FDR} per 1,000, {rule}"
    yield Check(fdr <= LARGEST_FDR, text, f"{fdr:.1f}")
    for baseline, lost in LOST.items():
        results = [
            outcome(best(records, name, method), best(records, name, baseline)) for name in sets
        ]
        held = "open" not in results and results.count("loss") <= lost
        text = f"LOFE loses to {baseline} on at most {lost} sets, {rule}"
        yield Check(held, text, f"win/tie/loss {tally(results)}")


def draw(records):
    """Test error against the number of features, mean over the runs, for every set."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 4, figsize=(13, 6), layout="constrained")
    for ax in axes.flat:
        ax.axis("off")
    for ax, name in zip(axes.flat, sets_in(records), strict=False):
        ax.axis("on")
        for method in (*SELECTORS, EVIDENCE):
            curves = values(records, name, method, "test")
            if curves:
                sizes = values(records, name, method, "sizes")[0]
                ax.plot(sizes, np.mean(curves, axis=0), label=method)
        level = mean_of(best(records, name, "svm_original")).mean
        ax.axhline(level, color="0.5", ls=":", label="original features")
        ax.set(title=name, xlabel="number of features", ylabel="test error, %")
    axes.flat[-1].legend(*axes.flat[0].get_legend_handles_labels(), loc="center")
    return figure
