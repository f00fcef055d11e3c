"""LOFE's Table 2 with other orders of the features, and with the defaults of this library."""

from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from benchmarks.quality import measures
from reproduce.experiments.lofe.table2 import N_RUNS, SETS
from reproduce.experiments.lofe.table2_methods import AUTO, BOTH, MARGIN, ORDERED
from reproduce.harness.markdown import table
from reproduce.harness.records import best_on_test, chosen_on_training
from reproduce.harness.section import Check
from reproduce.harness.statistics import FAR, mean_of, paired, tally
from reproduce.pages.lofe.table2_tables import LOST, outcomes
from reproduce.pages.names import shown

COLUMNS = {  # method -> how σ and α are chosen, and the order
    "lofe": "tuned, by weight",
    MARGIN: "tuned, by mean margin",
    BOTH: "tuned, both",
    "lofe, 2/1": "2/1, by weight",
    **{
        method: f"2/1, {'both' if order == 'both' else 'by mean margin'}"
        for method, order in ORDERED.items()
    },
    AUTO: "2/auto, both",
}
QUALITY = Path(measures.__file__).parent / "results"
CANDIDATES = {  # method of that benchmark -> α and order
    "lofe-1-weight": "α = 1 by weight",
    "lofe-1-margin": "α = 1 by mean margin",
    "lofe-1-both": "α = 1 with both",
    "lofe-weight": 'α "auto" by weight',
    "lofe": 'α "auto" with both',
}

TEXT = """**One order for all sets.** The same errors with the best number of features on the test
data, by how σ and α are chosen and how the features are ordered: by weight, as published; by their
mean margin under the neighbors that LOFE finds; or "both", those with a weight first, by weight
times mean margin, then all others by mean margin. First σ and α tuned as published, then σ = 2 and
α = 1, then σ = 2 and α "auto", what features that say nothing do not exceed. Errors beyond the
limit, the published error and one published deviation, are bold. Then the error with a number of
features chosen on the training data, and in the last rows wins/ties/losses against each
baseline."""


def orders_part(records, sets, limit):
    """Errors by order, the choice of one, and outcomes.

    Parameters
    ----------
    records : dict
        All records.
    sets : list of str
        Those there are.
    limit : callable
        From records and a set to the largest error.
    """
    there = [m for m in COLUMNS if any(best_on_test(records, name, m) for name in sets)]
    rows = [error_row(records, name, there, limit) for name in sets]
    rows += [[f"{name}, chosen", "", *chosen_cells(records, name, there)] for name in sets]
    rows += [
        [f"against {shown(b)}", "", *(tally(outcomes(records, sets, b, m)) for m in there)]
        for b in LOST
    ]
    head = ["set", "limit", *(COLUMNS[m] for m in there)]
    return "\n\n".join([TEXT, table(head, rows), choice(measures.stored(QUALITY))])


def error_row(records, case, methods, limit):
    largest = limit(records, case)
    cells = [mean_of(best_on_test(records, case, m)) for m in methods]
    marked = [f"**{cell}**" if cell.n and cell.mean > largest else cell for cell in cells]
    return [case, f"{largest:.1f}", *marked]


def chosen_cells(records, case, methods):
    return [mean_of(chosen_on_training(records, case, m)) for m in methods]


def choice(evidence):
    """Which α and order the benchmark of lists chooses, on the sets that are not in this table."""
    other = [k for k, name in enumerate(evidence.sets) if name not in SETS.values()]
    if not other or not set(CANDIDATES) <= set(evidence.methods):
        return ""
    share = evidence.shares[other] / evidence.shares[other].sum()
    ranks = rankdata(evidence.errors.round(measures.DIGITS), axis=0)[:, other].mean(axis=(2, 3))
    mean = dict(zip(evidence.methods, ranks @ share, strict=True))
    best = min(CANDIDATES, key=mean.get)
    listed = ", ".join(f"{mean[m]:.2f} for {text}" for m, text in CANDIDATES.items())
    place = 1 + sum(value < mean[best] for value in mean.values())
    return (
        f"α and order are chosen on other data: the {len(other)} sets of "
        "the benchmark of lists (`benchmarks/quality/README.md`) that are not in this table, "
        "with other samples, irrelevant features and classifiers. Mean ranks among "
        f"{len(mean)} methods there: {listed}. The best of these is {CANDIDATES[best]}, number "
        f"{place} of all."
    )


def default_checks(records, sets, limit, widened, samples):
    """LOFE with α "auto" and both orders against the limits of LOFE as published."""
    for name in sets:
        errors, largest = best_on_test(records, name, AUTO), limit(records, name)
        held = bool(np.mean(errors) <= largest) if len(errors) >= N_RUNS else None
        claim = f'{name}: error with α "auto" and both orders at most {largest:.1f}'
        found = mean_of(errors) if errors else "no run yet"
        why = why_missed(records, name, widened, samples, largest) if held is False else ""
        yield Check(held, claim, f"{found}", aim="lofe default errors", why=why)
    for baseline, lost in LOST.items():
        results = outcomes(records, sets, baseline, AUTO)
        held = None if "open" in results else results.count("loss") <= lost
        claim = (
            f'against {shown(baseline)}: with α "auto" and both orders loses at most {lost} sets'
        )
        yield Check(held, claim, f"win/tie/loss {tally(results)}", aim="lofe default outcomes")


def why_missed(records, case, widened, samples, largest):
    """What a γ per feature makes of the error, or that the samples differ from the published."""
    after, before = widened(records, case, AUTO), best_on_test(records, case, AUTO)
    if paired(after, before).falls:
        reached = "within the limit" if np.mean(after) <= largest else "in part"
        return f"γ: {np.mean(after):.1f} with γ p / k, {reached}"
    apart = samples(records, case)
    if apart > FAR:
        return f"the samples: the SVM on the original features differs by {apart:+.1f} as well"
    return "no reason found"
