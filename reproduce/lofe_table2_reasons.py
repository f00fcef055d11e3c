"""Why some limits of LOFE's Table 2 are missed, from the numbers of the runs."""

import numpy as np

from reproduce.lofe_table2_page import (
    FIXED,
    LARGEST_FDR,
    LOST,
    RULES,
    SETS,
    TABLE2,
    both_errors,
    largest_error,
    outcomes,
    published,
)
from reproduce.page import table
from reproduce.statistics import best, cases_in, compared, mean_of, printed, tally, values

LITTLE = 1.0  # points of error; less makes no difference
WIDENED = (*RULES, "irelief_bs", "ks")  # methods that are shown with a gamma per feature as well

INTRODUCTION = """Where an error misses its limit: the limit; the errors of the SVM and of LOFE's
own rule with σ and α as tuned, and their medians; the same errors with the best of the nine fixed
pairs *on the test data*, which is no result but shows what tuning could have given; and the error
of the SVM on the original features, which tells whether data and SVM are those of the paper."""

TRIED = """All of this was looked for after the published protocol had missed its limits, with the
test errors in view, so none of it counts as a result, and the checks are those of the published
protocol alone. Tried on one to three runs: σ of 1, 2 and 5 with seven α from 3 to 0.3, σ by the
leave-one-out error, the evidence, the strongest α within one standard error, Algorithm 1; for the
SVM a γ per feature, parameters tuned anew for some k, features times their weights; on four runs
five codings of the bases of splice; on ten runs three ways to break ties of the SVM's parameters.
Kept as before: the first of ties, and the coding of the data.

On ten runs, all features ordered by their mean margin under the neighbors that LOFE finds, as
tuned, instead of by weight: waveform 14.6(2.4), heart 20.6(5.0), twonorm 5.7(1.5). So the neighbors
are right, and on waveform and heart it is the order that costs. The weights are sparse: an
irrelevant feature with a weight comes before all relevant ones without."""

WIDTH = """The γ of the SVM is tuned for all p original features, and may be too small for k of
them. Below, the best error with γ as published, and with γ times p / k. A difference of at least
{little:g} point is found for {found}."""


def reasons(records):
    """What the records say of every limit that is missed."""
    sets = [name for name in cases_in(records, SETS) if best(records, name, "lofe")]
    missed = [name for name in sets if error_of(records, name, "lofe") > limit(records, name)]
    parts = []
    if missed:
        rows = [reason_row(records, name) for name in missed]
        head = ["set", "limit", "as tuned", "median σ/α", "best pair", "best σ/α", "SVM, original"]
        parts += [INTRODUCTION, table(head, rows)]
        parts.append("\n".join(f"- {name}: {reason(records, name)}" for name in missed))
    parts += [false_discoveries(records, sets), losses(records, sets), TRIED]
    parts.append(width_sentence(records, sets))
    parts.append(widened_table(records, sets))
    return "\n\n".join(part for part in parts if part)


def error_of(records, case, method):
    """Mean error of the SVM with the best number of features; NaN without a run."""
    return mean_of(best(records, case, method)).mean


def limit(records, case):
    """What the error of LOFE must not exceed."""
    if case != "banana":
        return largest_error(case)
    return min(largest_error(case), error_of(records, case, "svm_original") + 1)


def rule_error(records, case, method):
    return mean_of(values(records, case, method, "rule")).mean


def best_pair(records, case):
    """The fixed pair with the smallest error of the SVM on the test data; None without any."""
    there = [method for method in FIXED if best(records, case, method)]
    return min(there, key=lambda method: error_of(records, case, method), default=None)


def reason_row(records, case):
    tuned, pair = values(records, case, "lofe", "parameters"), best_pair(records, case)
    median = "/".join(f"{np.median([t[name] for t in tuned]):g}" for name in ("sigma", "alpha"))
    found = ["–", "–"]
    if pair:
        found = [both_errors(records, case, pair), "{:g}/{:g}".format(*FIXED[pair])]
    plain = compared(best(records, case, "svm_original"), published(case, "svm_original"))
    largest = f"{limit(records, case):.1f}"
    return [case, largest, both_errors(records, case, "lofe"), median, *found, plain]


def reason(records, case):
    """In words: whether tuning can be the reason, and if not, what is left."""
    pair = best_pair(records, case)
    if pair is None:
        return "the fixed pairs have not been run yet."
    error, largest = error_of(records, case, pair), limit(records, case)
    with_pair = "σ = {:g} and α = {:g}".format(*FIXED[pair])
    if error <= largest:
        return f"{with_pair} would meet the limit with {error:.1f}. {tuning(records, case, pair)}"
    return (
        f"not even the best pair, {with_pair}, meets the limit ({error:.1f}), so tuning is not "
        f"the only reason. {rest(records, case)}"
    )


def tuning(records, case, pair):
    """What cross-validation of LOFE's own rule has to do with it."""
    tuned, fixed = (rule_error(records, case, method) for method in ("lofe", pair))
    numbers = f"{tuned:.1f} as tuned, {fixed:.1f} with that pair"
    if tuned < fixed:
        return (
            f"LOFE's own rule, by whose error σ and α are tuned, asks for another pair: it errs "
            f"less as tuned ({numbers}). The reason is what is tuned for."
        )
    n = TABLE2["train_test"][case][0]
    return (
        f"LOFE's own rule would gain from that pair too ({numbers}): cross-validation on {n} "
        "samples did not find it. The reason is the tuning."
    )


def rest(records, case):
    """What is left where no pair meets the limit."""
    ours, theirs = mean_of(best(records, case, "svm_original")), published(case, "svm_original")
    n_train, n_test = TABLE2["train_test"][case]
    if ours.mean > theirs.mean + theirs.sd:
        return (
            f"The SVM on the original features is worse than published as well ({ours} against "
            f"{theirs}): the samples drawn or their coding."
        )
    return (
        f"The SVM on the original features is within a deviation of the published one ({ours} and "
        f"{theirs}), so what is left is the ranking by LOFE from {n_train} samples, or which "
        f"{n_train} and {n_test} were drawn."
    )


def false_discoveries(records, sets):
    """Which sets make the false discovery rate larger than published."""
    rates = {name: mean_of(values(records, name, "lofe", "fdr_per_1000")).mean for name in sets}
    if np.mean(list(rates.values())) <= LARGEST_FDR:
        return ""
    lines = [
        f"{name} ({rates[name]:.1f}, published {theirs}; median α {median_alpha(records, name):g})"
        for name in sets
        if rates[name] > (theirs := printed(TABLE2, name, "lofe_fdr_per_1000"))
    ]
    return (
        "More irrelevant features than published, per 1,000, are selected on "
        f"{'; '.join(lines)}: the smaller the α that LOFE's own rule asks for, the more."
    )


def median_alpha(records, case):
    return np.median([tuned["alpha"] for tuned in values(records, case, "lofe", "parameters")])


def losses(records, sets):
    """Which sets LOFE loses to which baseline, where it loses more than published."""
    lines = []
    for baseline, lost in LOST.items():
        results = outcomes(records, sets, baseline)
        if results.count("loss") > lost:
            names = [n for n, result in zip(sets, results, strict=True) if result == "loss"]
            numbers = ", ".join(loss(records, name, baseline) for name in names)
            lines.append(f"- LOFE against {baseline}, {tally(results)}: loses {numbers}.")
    head = "Errors of LOFE and of the baseline, ours; then both as published, where LOFE loses."
    return "\n\n".join([head, "\n".join(lines)]) if lines else ""


def loss(records, case, baseline):
    ours = [mean_of(best(records, case, method)) for method in ("lofe", baseline)]
    theirs = [published(case, method) for method in ("lofe", baseline)]
    return f"{case} ({ours[0]} and {ours[1]}; {theirs[0]} and {theirs[1]})"


def widened(records, case, method):
    """Best error of every run with a gamma per feature."""
    return [min(errors) for errors in values(records, case, method, "widened")]


def width_sentence(records, sets):
    """Where a gamma per feature makes a difference."""
    found = []
    for name in sets:
        for method in WIDENED:
            apart = mean_of(widened(records, name, method)).mean - error_of(records, name, method)
            if abs(apart) >= LITTLE:
                found.append(f"{name}: {method} {apart:+.1f}")
    return WIDTH.format(little=LITTLE, found="; ".join(found) or "no set and method")


def widened_table(records, sets):
    rows = [
        [
            name,
            *(
                f"{mean_of(best(records, name, m))}; {mean_of(widened(records, name, m))}"
                for m in WIDENED
            ),
        ]
        for name in sets
    ]
    return table(["set", *WIDENED], rows)
