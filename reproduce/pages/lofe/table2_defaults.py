"""Why limits of LOFE's Table 2 are missed with α "auto" and both orders, beside the samples."""

import numpy as np

from reproduce.experiments.lofe.table2 import N_RUNS
from reproduce.experiments.lofe.table2_methods import AUTO
from reproduce.harness.markdown import bullets, table
from reproduce.harness.records import best_on_test
from reproduce.harness.statistics import FAR, compared, difference, mean_of, paired, signed
from reproduce.pages.lofe.table2_checks import limit, samples, widened
from reproduce.pages.lofe.table2_orders import why_missed
from reproduce.pages.lofe.table2_tables import LOST, outcomes, published
from reproduce.pages.names import shown

OTHERS = ("svm_original", *LOST)  # methods of the paper that run without LOFE

TEXT = """Where σ = 2, α "auto" and both orders miss their limit: the error with the standard
error of its mean, and how many of these it is above the limit; what γ times p / k makes of the
error, with the standard error of the paired difference, and the error that is left; and the SVM on
the original features as before. The reason is γ if that gains more than two standard errors, and if
not, the samples if they differ by more than two. Then all other methods on the same samples, ours /
published, difference in standard errors: first those that are more than two above their own
published error."""


def defaults_part(records, sets):
    """Limits that are missed, the other methods there, and the sets that are lost."""
    whole = [name for name in sets if len(best_on_test(records, name, AUTO)) >= N_RUNS]
    missed = [n for n in whole if np.mean(best_on_test(records, n, AUTO)) > limit(records, n)]
    parts = []
    if missed:
        rows = [defaults_row(records, name) for name in missed]
        head = ["set", "limit", "error", "standard errors above", "γ", "with γ p / k", "samples"]
        parts += [TEXT, table([*head, "reason"], rows)]
        parts += [bullets(others_line(records, name) for name in missed)]
    return "\n\n".join([*parts, *defaults_losses(records, sets)])


def defaults_row(records, case):
    errors, after = best_on_test(records, case, AUTO), widened(records, case, AUTO)
    error, largest, apart = mean_of(errors), limit(records, case), samples(records, case)
    of_mean = error.sd / np.sqrt(error.n)
    return [
        case,
        f"{largest:.1f}",
        f"{error.mean:.1f} ± {of_mean:.1f}",
        signed((error.mean - largest) / of_mean),
        paired(after, errors),
        mean_of(after),
        signed(apart) if np.isfinite(apart) else "–",
        why_missed(records, case, widened, samples, largest),
    ]


def others_line(records, case):
    """The other methods, those above their published error apart from those that are not."""
    apart = {
        method: difference(mean_of(errors), published(case, method))
        for method in OTHERS
        if len(errors := best_on_test(records, case, method)) >= N_RUNS
    }
    above = [method for method in apart if apart[method] > FAR]
    below = [method for method in apart if method not in above]

    def listed(methods):
        cells = (
            f"{shown(m)} {compared(best_on_test(records, case, m), published(case, m))}"
            for m in methods
        )
        return "; ".join(cells) or "none"

    return (
        f"{case}: {len(above)} of {len(apart)} are above: {listed(above)}. "
        f"Not above: {listed(below)}."
    )


def defaults_losses(records, sets):
    """One line per baseline to which more sets are lost than published; empty if there is none."""
    for baseline, lost in LOST.items():
        results = dict(zip(sets, outcomes(records, sets, baseline, AUTO), strict=True))
        there = [name for name, result in results.items() if result == "loss"]
        if len(there) > lost:
            errors = "; ".join(loss(records, name, baseline) for name in there)
            yield f'With α "auto" and both orders against {shown(baseline)}: loses {errors}.'


def loss(records, case, baseline):
    ours = mean_of(best_on_test(records, case, AUTO))
    theirs = compared(best_on_test(records, case, baseline), published(case, baseline))
    return f"{case} ({ours}; {theirs})"
