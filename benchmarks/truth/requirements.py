"""Every requirement as a row: what was found, what is required, and whether it is met."""

from benchmarks.truth.measures import (
    any_found,
    bound_of_mean,
    bound_of_share,
    lenient,
    mean,
    power,
    selected,
    strict,
)
from benchmarks.truth.methods import METHODS, PEERS
from benchmarks.truth.scenarios import QS

LEVEL = 0.1  # at which power is required
LISTED = {"leukemia_golub": 3, "gems_dlbcl": 3, "prostate_singh": 3}  # genes, true labels


def row(what, found, required, met, note=""):
    """One requirement; `met` is None as long as nothing was measured."""
    return {"what": what, "found": found, "required": required, "met": met, "note": note}


def rows(evidence):
    """All requirements."""
    return [
        *nulls(evidence, "500 global nulls", evidence.names("null")),
        *growth(evidence),
        *false_discoveries(evidence),
        *powers(evidence),
        *ahead_of_peers(evidence),
        *nulls(evidence, "permuted labels of microarrays", evidence.names("permuted"), (LEVEL,)),
        *true_labels(evidence),
        *donors(evidence),
        *costs(evidence),
    ]


def progress(evidence, names):
    done, planned = len(evidence.of(*names)), evidence.planned(*names)
    return f"{done} draws" if done >= planned else f"{done} of {planned} draws"


def nulls(evidence, what, names, levels=QS):
    """P(any discovery) where there is nothing to discover."""
    records = evidence.of(*names)
    for q in levels if records else ():
        found, bound = mean(any_found, records, q), bound_of_share(q, len(records))
        required = f"at most {bound:.3f} (q + 2 se)"
        met = found.mean <= bound
        yield row(f"{what}: P(any), q = {q}", str(found), required, met, progress(evidence, names))


def growth(evidence):
    records = evidence.of(*evidence.names("null"))
    if records:
        found = [mean(any_found, records, q).mean for q in QS]
        text = ", ".join(f"{share:.3f}" for share in found)
        met = found[0] < found[1] < found[2]
        yield row("500 global nulls: P(any) grows with q", text, "grows", met)


def false_discoveries(evidence):
    """Mean proportion of false discoveries of every scenario with something to find."""
    signals = {name: [name] for name in evidence.names("signal")}
    for what, names in (signals | {"labels made from genes": evidence.names("made")}).items():
        records = evidence.of(*names)
        for q in QS if records else ():
            found = mean(lenient, records, q)
            bound = bound_of_mean(q, found)
            note = f"strict {mean(strict, records, q)}; {progress(evidence, names)}"
            required = f"at most {bound:.3f} (q + 2 se)"
            yield row(f"{what}: mean FDP, q = {q}", str(found), required, found.mean <= bound, note)


def powers(evidence):
    for name, scenario in evidence.scenarios.items():
        records = evidence.of(name)
        if scenario.power and records:
            found = mean(power, records, LEVEL)
            what, required = f"{name}: power, q = {LEVEL}", f"at least {scenario.power}"
            met = round(found.mean, 3) >= scenario.power
            yield row(what, str(found), required, met, progress(evidence, [name]))


def ahead_of_peers(evidence):
    """Power beside each peer on the draws that both have."""
    for name in evidence.names("signal"):
        for peer in PEERS:
            theirs = evidence.of(name, method=peer)
            ours = evidence.of(name, draws={record["draw"] for record in theirs})
            if ours and len(ours) == len(theirs):
                yield beside(name, METHODS[peer].title, ours, theirs)


def beside(name, peer, ours, theirs):
    """Met unless the peer finds more and keeps its false discoveries."""
    found, other = mean(power, ours, LEVEL), mean(power, theirs, LEVEL)
    false = mean(lenient, theirs, LEVEL)
    keeps = false.mean <= bound_of_mean(LEVEL, false)
    met = found.mean >= other.mean or not keeps
    note = f"its FDP {false}{'' if keeps else ': not kept'}; {len(ours)} draws"
    what = f"{name}: power beside {peer}"
    return row(what, str(found), f"at least {other.mean:.3f}, if its FDR is kept", met, note)


def true_labels(evidence):
    for name, least in LISTED.items():
        records = evidence.of(f"true: {name}")
        if records:
            counts = [len(selected(record, LEVEL)) for record in records]
            what = f"true labels of {name}: genes at q = {LEVEL}"
            text = " ".join(map(str, counts))
            yield row(what, text, f"at least {least}", min(counts) >= least, "one run each")


def donors(evidence):
    """The null is kept with groups, and is not without."""
    yield from nulls(evidence, "donors as wholes", ["donors"])
    records = evidence.of("donors ignored")
    if records:
        found, bound = mean(any_found, records, LEVEL), bound_of_share(LEVEL, len(records))
        what = f"donors ignored: P(any), q = {LEVEL}"
        required = f"above {bound:.3f}: not kept"
        note = progress(evidence, ["donors ignored"])
        yield row(what, str(found), required, found.mean > bound, note)


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
