"""What is shown of LOFE's Tables 2 and 3."""

import numpy as np

from reproduce import protocol
from reproduce.experiment import Check
from reproduce.figures import panels, shared_legend
from reproduce.page import table
from reproduce.statistics import (
    PUBLISHED,
    best,
    cases_in,
    chosen,
    compared,
    honest,
    mean_of,
    outcome,
    p_value,
    parsed,
    printed,
    tally,
    values,
)

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
FIXED = {  # method -> σ and α
    f"lofe, {sigma:g}/{alpha:g}": (sigma, alpha)
    for sigma in (1.0, 2.0, 5.0)
    for alpha in (3.0, 1.0, 0.3)
}
LITERAL = "lofe, Algorithm 1"  # to the letter, σ = 2, α = 1
# Sets that LOFE loses to a baseline as published: those that the baseline wins.
LOST = {name: int(text.split("/")[0]) for name, text in TABLE2["tally"].items()}
LARGEST_FDR = 1.9  # per 1,000, averaged over the sets, as published


def page(records):
    """Errors, false discoveries and times."""
    sets = cases_in(records, SETS)
    parts = [
        "Test error of an SVM in percent, mean(sd) over the runs, with the best number of "
        "features on the test data: ours / published, difference in standard errors.",
        errors_table(records, sets),
        "As published, the parameters of the SVM (and those of RFE, and the C of AMS) are tuned on "
        "training data without the irrelevant features, which nobody would have in practice. "
        "The IDA collection had standardized most sets over all rows. AMS makes the radius-margin "
        "bound small, in the paper the span bound.",
        odd(records),
        "LOFE against each baseline: win, tie or loss at the 0.05 level, and p of the paired "
        "t-test; in the last row wins/ties/losses, ours and published.",
        outcomes_table(records, sets),
        "The same with the number of features chosen by 5-fold cross-validation on the training "
        "data, every fold ranking for itself (Simba is too slow for that), and for LOFE "
        "with the features that it selects itself, w > 0.01 max w.",
        honest_table(records, sets),
        "Irrelevant features that LOFE selects, per 1,000, and what its cross-validation chose.",
        fdr_table(records, sets),
        grid_sentence(records, sets),
        "How σ and α are chosen: the error of the first table; the test error of LOFE's own rule; "
        "and in parentheses the features that LOFE selects, and the irrelevant ones among them. "
        "First both by 10-fold cross-validation of LOFE's own rule, the best score as "
        "published; then the strongest α within one standard error of it; then α by the evidence "
        "with σ = 2; last Algorithm 1 of the paper to the letter, σ = 2, α = 1, stopped after ten "
        "iterations.",
        rules_table(records, sets),
        "The same two errors for fixed σ/α.",
        pairs_table(records, sets),
        "CPU seconds per run, one thread: ours / published (Pentium 4, 2.8 GHz, Matlab). That of "
        "LOFE includes its tuning, those of the others do not include what they are told: the σ of "
        "LOFE, and the parameters of the SVM.",
        times_table(records, sets),
    ]
    return "\n\n".join(parts)


def odd(records):
    """Published numbers that do not fit the published description."""
    guessing = mean_of(best(records, "twonorm", "svm_all"))
    return (
        "Published numbers that do not fit their description: on banana deviations of 0.5 at an "
        "error of 10.9 %, where a test set of 300 alone makes one of 1.8; on banana 32.9(0.2) for "
        "the SVM with all features and for RFE, which is the share of the smaller class of "
        "waveform (32.9 %), not of banana (44.8 %); on twonorm 35.0(1.0) for the SVM with all "
        f"features, which is {guessing} here, with its parameters tuned as described."
    )


def published(case, method):
    return parsed(printed(TABLE2, case, method), N_RUNS)


def largest_error(case):
    """What the error of LOFE may be: the published one and a published deviation."""
    theirs = published(case, "lofe")
    return theirs.mean + theirs.sd


def errors_table(records, sets):
    methods = [*REFERENCES, *SELECTORS]
    rows = [
        [name, *(compared(best(records, name, m), published(name, m)) for m in methods)]
        for name in sets
    ]
    return table(["set", *methods], rows)


def outcomes_table(records, sets):
    rows = []
    for name in sets:
        ours = best(records, name, "lofe")
        theirs = [best(records, name, baseline) for baseline in LOST]
        rows.append([name, *(with_p(ours, some) for some in theirs)])
    rows.append(["all", *(tally_cell(records, sets, baseline) for baseline in LOST)])
    return table(["set", *LOST], rows)


def with_p(ours, theirs):
    result = outcome(ours, theirs)
    return result if result == "open" else f"{result}, {p_value(ours, theirs):.3f}"


def tally_cell(records, sets, baseline):
    """Wins, ties and losses of LOFE: ours / published."""
    theirs = "/".join(reversed(TABLE2["tally"][baseline].split("/")))
    return f"{tally(outcomes(records, sets, baseline))} / {theirs}"


def outcomes(records, sets, baseline):
    return [outcome(best(records, n, "lofe"), best(records, n, baseline)) for n in sets]


def honest_table(records, sets):
    methods = [name for name in SELECTORS if name != "simba"]
    rows = [
        [
            name,
            *(mean_of(honest(records, name, method)) for method in methods),
            mean_of(values(records, name, "lofe", "own")),
        ]
        for name in sets
    ]
    return table(["set", *methods, "lofe, its own"], rows)


def fdr_table(records, sets):
    rows = [
        [
            name,
            mean_of(values(records, name, "lofe", "fdr_per_1000")),
            printed(TABLE2, name, "lofe_fdr_per_1000"),
            mean_of(values(records, name, "lofe", "n_selected")),
            ", ".join(
                f"{tuned['sigma']:g}/{tuned['alpha']:g}"
                for tuned in values(records, name, "lofe", "parameters")
            ),
        ]
        for name in sets
    ]
    return table(["set", "FDR", "FDR published", "features selected", "σ/α by run"], rows)


def grid_sentence(records, sets):
    """The grid, and how often each of its values was chosen."""
    tuned = [pair for name in sets for pair in values(records, name, "lofe", "parameters")]
    counts = {
        letter: chosen([pair[field] for pair in tuned], protocol.LOFE_GRID[f"{field}s"])
        for letter, field in (("σ", "sigma"), ("α", "alpha"))
    }
    return (
        "The paper prints no grid. Ours, and how often each value was chosen on all sets: "
        f"σ of {counts['σ']}; α of {counts['α']}."
    )


def rules_table(records, sets):
    rows = [[name, *(rule_cell(records, name, m) for m in (*RULES, LITERAL))] for name in sets]
    return table(["set", *RULES.values(), "Algorithm 1"], rows)


def rule_cell(records, case, method):
    """Both errors, the number of features selected, and that of the irrelevant ones."""
    if not (n := values(records, case, method, "n_selected")):
        return "–"
    share = mean_of(values(records, case, method, "fdr_per_1000")).mean / 1000
    counts = f"({np.mean(n):.0f}, {share * N_IRRELEVANT:.1f})"
    return f"{both_errors(records, case, method)} {counts}"


def both_errors(records, case, method):
    """Errors of the SVM with the best number of features, and of LOFE's own rule."""
    svm, rule = best(records, case, method), values(records, case, method, "rule")
    return f"{np.mean(svm):.1f}; {np.mean(rule):.1f}" if svm else "–"


def pairs_table(records, sets):
    rows = [[name, *(both_errors(records, name, method) for method in FIXED)] for name in sets]
    return table(["set", *(f"{sigma:g}/{alpha:g}" for sigma, alpha in FIXED.values())], rows)


def times_table(records, sets):
    rows = []
    for name in sets:
        theirs = dict(zip(TABLE3["columns"], TABLE3["rows"][name], strict=True))
        ours = {m: mean_of(values(records, name, m, "fit_seconds")) for m in SELECTORS}
        rows.append([name, *(f"{ours[m]} / {theirs[column]}" for m, column in SELECTORS.items())])
    return table(["set", *SELECTORS], rows)


def checks(records):
    """What must hold of LOFE tuned as published, each with what was found."""
    sets = cases_in(records, SETS)
    error = {name: mean_of(best(records, name, "lofe")) for name in sets}
    for name, ours in error.items():
        yield at_most(largest_error(name), ours, f"{name}: error at most {largest_error(name):.1f}")
    if "banana" in sets:
        plain = mean_of(best(records, "banana", "svm_original"))
        text = f"banana: within 1 point of the SVM on the original features, {plain}"
        yield at_most(plain.mean + 1, error["banana"], text)
    rates = [mean_of(values(records, name, "lofe", "fdr_per_1000")).mean for name in sets]
    text = f"FDR averaged over the sets at most {LARGEST_FDR} per 1,000"
    known = [rate for rate in rates if np.isfinite(rate)]
    held = np.mean(known) <= LARGEST_FDR if known else None
    yield Check(held, text, f"{np.mean(known):.1f}" if known else "no run yet")
    for baseline, lost in LOST.items():
        results = outcomes(records, sets, baseline)
        whole = all(len(best(records, n, m)) >= N_RUNS for n in sets for m in ("lofe", baseline))
        held = results.count("loss") <= lost if whole else None
        text = f"LOFE loses to {baseline} on at most {lost} sets"
        yield Check(held, text, f"win/tie/loss {tally(results)}")


def at_most(largest, ours, claim):
    """A mean against its limit; open as long as there is no run."""
    if not ours.n:
        return Check(None, claim, "no run yet")
    missing = "" if ours.n >= N_RUNS else f" in {ours.n} of {N_RUNS} runs"
    return Check(ours.mean <= largest, claim, f"{ours}{missing}")


def draw(records):
    """Test error against the number of features, mean over the runs, for every set."""
    sets = cases_in(records, SETS)
    figure, axes = panels(len(sets), 3)
    for ax, name in zip(axes, sets, strict=True):
        for color, method in enumerate((*SELECTORS, EVIDENCE)):
            if curves := values(records, name, method, "test"):
                sizes = values(records, name, method, "sizes")[0]
                ax.plot(sizes, np.mean(curves, axis=0), color=f"C{color}", label=method)
        level = mean_of(best(records, name, "svm_original")).mean
        ax.axhline(level, color="0.5", ls=":", label="original features")
        ax.set(title=name, xlabel="number of features", ylabel="test error, %")
    shared_legend(figure)
    return figure
