"""Every requirement as a row: what was found, what is required, and whether it is met."""

import numpy as np

from benchmarks.truth.measures import (
    any_found,
    bound_of_mean,
    bound_of_share,
    lenient,
    mean,
    power,
    power_with_kin,
    selected,
    strict,
)
from benchmarks.truth.methods import ATTRIBUTABLE, METHODS, OURS, PEERS, draws_of
from benchmarks.truth.scenarios import QS

LEVEL = 0.1  # at which power is required
ROUNDING = 1e-9  # of means that are equal
MADE = "labels made from genes"
LISTED = {"leukemia_golub": 3, "gems_dlbcl": 3, "prostate_singh": 3}  # genes, true labels


def row(what, found, required, met, note="", complete=True):
    """One requirement; `met` is None where nothing was measured, and final if `complete`."""
    parts = {"what": what, "found": found, "required": required, "met": met, "note": note}
    return parts | {"complete": complete}


def rows(evidence):
    """All requirements."""
    return [
        *nulls(evidence, "500 global nulls", evidence.names("null")),
        *growth(evidence),
        *false_discoveries(evidence),
        *attributable(evidence),
        *powers(evidence),
        *ahead_of_peers(evidence),
        *nulls(evidence, "permuted labels of microarrays", evidence.names("permuted"), (LEVEL,)),
        *true_labels(evidence),
        *donors(evidence),
        *costs(evidence),
    ]


def judged(evidence, names, what, found, required, met, note="", method=OURS):
    """A row about all draws of some scenarios."""
    done = len(evidence.of(*names, method=method))
    planned = evidence.planned(*names, method=method)
    note = f"{note}{done} of {planned} draws"
    return row(what, str(found), required, met if done else None, note, done >= planned)


def at_most(bound):
    return "at most q + 2 se" + ("" if np.isnan(bound) else f" = {bound:.3f}")


def nulls(evidence, what, names, levels=QS):
    """P(any discovery) where there is nothing to discover."""
    records = evidence.of(*names)
    for q in levels:
        found, bound = mean(any_found, records, q), bound_of_share(q, len(records))
        met, title = found.mean <= bound, f"{what}: P(any), q = {q}"
        yield judged(evidence, names, title, found, at_most(bound), met)


def growth(evidence):
    names = evidence.names("null")
    found = [mean(any_found, evidence.of(*names), q).mean for q in QS]
    text = ", ".join(f"{share:.3f}" for share in found)
    met = found[0] < found[1] < found[2]
    yield judged(evidence, names, "500 global nulls: P(any) with q", text, "grows", met)


def with_discoveries(evidence):
    """Scenarios with something to find, those of made labels as one."""
    signals = {name: [name] for name in evidence.names("signal")}
    return signals | {MADE: evidence.names("made")}


def false_discoveries(evidence):
    """Mean proportion of false discoveries of every scenario with something to find."""
    for what, names in with_discoveries(evidence).items():
        records = evidence.of(*names)
        for q in QS:
            found = mean(lenient, records, q)
            bound, title = bound_of_mean(q, found), f"{what}: mean FDP, q = {q}"
            note = f"strict {mean(strict, records, q)}; "
            met = found.mean <= bound
            yield judged(evidence, names, title, found, at_most(bound), met, note)


def attributable(evidence):
    """The same of the discoveries that can be told from their correlates, and what they cost."""
    for what, names in with_discoveries(evidence).items():
        pairs = [evidence.common(name, ATTRIBUTABLE) for name in names]
        before, records = ([r for pair in pairs for r in pair[k]] for k in (0, 1))
        for q in QS:
            found = mean(lenient, records, q)
            bound, title = bound_of_mean(q, found), f"{what}: mean FDP, attributable, q = {q}"
            powers = [mean(power_with_kin, some, q).mean for some in (records, before)]
            note = "power with kin {:.3f} of {:.3f}; ".format(*powers) if records else ""
            required, met = at_most(bound), found.mean <= bound
            yield judged(evidence, names, title, found, required, met, note, ATTRIBUTABLE)


def powers(evidence):
    for name, scenario in evidence.scenarios.items():
        if scenario.power:
            found = mean(power, evidence.of(name), LEVEL)
            what, required = f"{name}: power, q = {LEVEL}", f"at least {scenario.power}"
            met = found.mean >= scenario.power - ROUNDING
            yield judged(evidence, [name], what, found, required, met)


def ahead_of_peers(evidence):
    """Power beside each peer on the draws that both have: more, unless the peer keeps no FDR."""
    for name in evidence.names("signal"):
        for peer in PEERS:
            ours, theirs = evidence.common(name, peer)
            found, other = mean(power, ours, LEVEL), mean(power, theirs, LEVEL)
            false = mean(lenient, theirs, LEVEL)
            keeps = not false.mean > bound_of_mean(LEVEL, false)  # also where it was not run
            met = (found.mean >= other.mean - ROUNDING or not keeps) if ours else None
            planned = draws_of(evidence.scenarios[name], peer)
            draws = f"{len(ours)} of {max(planned, len(ours))} draws"  # some peers have more
            note = f"its FDP {false}{'' if keeps else ', not kept'}; {draws}"
            what = f"{name}: power beside {METHODS[peer].title}"
            required = f"at least {other}, if its FDR is kept"
            yield row(what, str(found), required, met, note, len(ours) >= planned)


def true_labels(evidence):
    """The fewest genes that any run lists."""
    for name, least in LISTED.items():
        scenario = f"true: {name}"
        counts = [len(selected(record, LEVEL)) for record in evidence.of(scenario)]
        what = f"true labels of {name}: genes at q = {LEVEL}"
        met = min(counts, default=0) >= least
        text = " ".join(map(str, counts)) or "–"
        yield judged(evidence, [scenario], what, text, f"at least {least}", met)


def donors(evidence):
    """The null is kept with groups, and is not without."""
    yield from nulls(evidence, "donors as wholes", ["donors"])
    name = "donors ignored"
    records = evidence.of(name)
    found, bound = mean(any_found, records, LEVEL), bound_of_share(LEVEL, len(records))
    required = at_most(bound).replace("at most", "not kept: above")
    what = f"{name}: P(any), q = {LEVEL}"
    yield judged(evidence, [name], what, found, required, found.mean > bound)


def costs(evidence):
    """Ratios of times that were measured in turn."""
    for cost in evidence.costs:
        ratio = cost["seconds"] / cost["unit_seconds"]
        note = (
            f"{cost['seconds']:.2f} s and {cost['unit_seconds']:.4f} s; processor time "
            f"{cost['processor'] / cost['unit_processor']:.1f}"
        )
        what = f"{cost['what']}, in times of {cost['unit']}"
        yield row(what, f"{ratio:.1f}", f"at most {cost['most']}", ratio <= cost["most"], note)
