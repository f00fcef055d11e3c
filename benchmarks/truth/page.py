"""The page: every requirement, and the tables behind it, from stored results alone."""

from benchmarks.truth.check import pairs, same
from benchmarks.truth.measures import (
    any_found,
    bound_of_mean,
    bound_of_share,
    lenient,
    mean,
    mean_of,
    power,
    power_with_kin,
    selected,
    strict,
    unrelated,
)
from benchmarks.truth.methods import ATTRIBUTABLE, METHODS, OURS, PEERS
from benchmarks.truth.requirements import LEVEL, MADE, rows
from benchmarks.truth.scenarios import QS
from benchmarks.truth.store import stamps

INTRODUCTION = """# Which features are real

False discoveries and power of `FDRSelector(LOFE())` on data of which the truth is known, beside
its peers. `python -m benchmarks.truth` makes this page from `results/`, after running what is not
stored there; stopped by Ctrl-C or `--hours H`, it goes on from where it was. To begin again, delete
the file of a method in `results/`.

Each peer is run with its own defaults, except that Stabl's rule (its package is not at PyPI) gets
200 subsamples instead of 1,000. Peers are optional: `pip install -e . --group test --group peers`,
best in an environment of their own such as `benchmarks/truth/.peers`, which git ignores, since they
bring more than 1 GB with them. They are slow, so they are run on the first draws only; ours is
compared with them on the same draws.

A discovery is false if it is neither relevant nor kin, that is, correlated above 0.7 with a
relevant feature; the strict count takes kin for false. FDP is the proportion of false discoveries
in a draw, 0 where nothing is selected. Numbers after ± are standard errors over draws.
"""
BESIDE = """At q = 0.1; BorutaPy and Stabl's rule have no level. Where a peer finds more and keeps
its false discoveries, the table of requirements says no. The probable reason, which was not
measured: boosted trees, the lasso and L1 regression look for main effects, which is all there is in
sums of features, while a method that looks for interactions too has more ways to fit noise.
"""
ASSOCIATION = """The rows that say no are those of the default, `FDRSelector(LOFE())`, on labels
made from genes. It tests association: much of what it lists there stands for the sum of the three
genes and is associated with the labels, but is no kin of any of the three, which these rows count
as false ([more below](#labels-made-from-genes)). The rows stay as they are. On such labels few
false discoveries are required of `FDRSelector(LOFE(), attributable=True)`, in the rows that say
*attributable*, and it has few. It is not the default because it lists less: on the true labels of
leukemia_golub, where three genes are required, none to three, depending on the seed.
"""
NOTHING = """Share of draws with any discovery ± its standard error; in parentheses the bound: q
and two standard errors of a share that is q.
"""
PROXIES = """Labels by three genes of a microarray, ten draws of each of ten arrays. Where the count
of kin exceeds its bound, this is why: what is tested is association with the labels, and in 50 to
171 samples of thousands of correlated genes many that are no kin of the three stand for their sum.
They are associated with the labels, and not told apart from a cause. *Unrelated* counts the
discoveries of which the three genes explain less than a tenth of the variance, the last column all
genes: a discovery by chance would be unrelated as often as any gene.
"""
TOLD_APART = """`FDRSelector(LOFE(alpha=1), attributable=True)` selects only discoveries that no
feature but their kin could replace; the numbers before the arrow are those of all discoveries on
the same draws. It goes on from the q-values that are stored of these, so that no test is run again.
"""
RUN_AGAIN = """`python -m benchmarks.truth --check 4` runs the first four stored draws of each
scenario again with the code as it is, into `results/again/`, and compares the features that are
selected at each q. To check a later version, delete that folder. Draws that differ are listed below
the table: how many features are selected, false discoveries, where kin counts as true, and power,
as stored and again.
"""
UNKNOWN = dict.fromkeys(("date", "machine", "commit"), "(not recorded)")  # of early times
MEASURES = (lenient, strict, power)
MET = {
    (True, True): "yes",
    (False, True): "**no**",
    (True, False): "so far",
    (False, False): "**not so far**",
}


def page(evidence):
    """All sections as Markdown."""
    parts = [
        INTRODUCTION,
        "## What is required\n",
        requirements(evidence),
        "## Where nothing is there\n",
        NOTHING,
        empty(evidence, [*evidence.names("null"), *evidence.names("donors")]),
        "![P(any discovery) against q](figures/nulls.svg)\n",
        "## Where something is there\n",
        signals(evidence),
        "![False discoveries and power against q](figures/signals.svg)\n",
        "## Peers\n",
        BESIDE,
        peers(evidence),
        "![Power and false discoveries of peers](figures/peers.svg)\n",
        "## Labels made from genes\n",
        PROXIES,
        proxies(evidence),
        "## Discoveries that can be told from their correlates\n",
        TOLD_APART,
        told_apart(evidence),
        "## Microarrays\n",
        microarrays(evidence),
        "## Run again with later code\n",
        RUN_AGAIN,
        again(evidence),
        "## Made with\n",
        made_with(evidence),
    ]
    return "\n".join(parts)


def lines(head, body):
    """A table as Markdown."""
    cells = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in cells) + "\n"


def requirements(evidence):
    found = rows(evidence)
    head = ["what", "found", "required", "met", "note"]
    state = [MET.get((r["met"], r["complete"]), "not measured") for r in found]
    body = [
        [r["what"], r["found"], r["required"], met, r["note"]]
        for r, met in zip(found, state, strict=True)
    ]
    counts = ", ".join(f"{state.count(met)} {met}" for met in dict.fromkeys(state))
    return f"{len(found)} rows: {counts}.\n\n{why_not(found)}{lines(head, body)}"


def why_not(found):
    """Why requirements are not met, if all of these are of association with made labels."""
    failed = [r["what"] for r in found if r["met"] is False]
    known = all(what.startswith(f"{MADE}: mean FDP, q") for what in failed)
    return f"{ASSOCIATION}\n" if failed and known else ""


def shares(records):
    cells = []
    for q in QS:
        bound = bound_of_share(q, len(records))
        cells.append(f"{mean(any_found, records, q)} ({bound:.3f})")
    return cells


def empty(evidence, names):
    head = ["scenario", "size", "draws", *(f"q = {q}" for q in QS)]
    body = []
    for name in names:
        if records := evidence.of(name):
            body.append([name, evidence.scenarios[name].size, len(records), *shares(records)])
    return lines(head, body)


def signals(evidence):
    names = [*evidence.names("signal"), *evidence.names("made")]
    head = ["scenario", "size", "draws", "q", "FDP", "bound", "strict FDP", "power", "with kin"]
    body = []
    for name in names:
        records = evidence.of(name)
        for q in QS if records else ():
            found = mean(lenient, records, q)
            numbers = [f"{bound_of_mean(q, found):.3f}"]
            numbers += [mean(f, records, q) for f in (strict, power, power_with_kin)]
            body.append([name, evidence.scenarios[name].size, len(records), q, found, *numbers])
    return lines(head, body)


def proxies(evidence):
    """Labels made from genes: false discoveries by three measures, all draws together."""
    records = [r for name in evidence.names("made") for r in evidence.of(name)]
    head = ["q", "draws", "discoveries", "strict FDP", "FDP", "unrelated", "of all genes"]
    body = [
        [q, len(records), mean_of([len(selected(r, q)) for r in records])]
        + [mean(f, records, q) for f in (strict, lenient, unrelated)]
        + [mean_of([r["unrelated"] for r in records])]
        for q in QS
    ]
    return lines(head, body)


def told_apart(evidence):
    """All discoveries, and those that can be told from their correlates."""
    head = ["scenario", "draws", "q", "discoveries", "FDP", "bound", "strict FDP"]
    head += ["power", "with kin"]
    body = []
    for name in [*evidence.names("signal"), *evidence.names("made")]:
        both = evidence.common(name, ATTRIBUTABLE)
        for q in QS if both[1] else ():
            counts = [mean_of([len(selected(r, q)) for r in some]).mean for some in both]
            bound = bound_of_mean(q, mean(lenient, both[1], q))
            cells = [change(measure, both, q) for measure in (strict, power, power_with_kin)]
            cells = [
                "{:.1f} → {:.1f}".format(*counts),
                change(lenient, both, q),
                f"{bound:.3f}",
                *cells,
            ]
            body.append([name, len(both[1]), q, *cells])
    return lines(head, body)


def change(measure, both, q):
    """Means before and after."""
    return " → ".join(f"{mean(measure, some, q).mean:.3f}" for some in both)


def peers(evidence):
    """Each peer, and ours on the same draws."""
    head = ["scenario", "method", "draws", "FDP", "strict FDP", "power"]
    head += ["ours: FDP", "ours: strict FDP", "ours: power"]
    body = []
    for name in evidence.scenarios:
        for peer in PEERS:
            ours, theirs = evidence.common(name, peer)
            if theirs:
                cells = [mean(f, those, LEVEL) for those in (theirs, ours) for f in MEASURES]
                body.append([name, METHODS[peer].title, len(theirs), *cells])
    return lines(head, body)


def microarrays(evidence):
    """Permuted labels: share of lists; true labels: how many genes."""
    head = ["microarray", "size", "permuted", *(f"any, q = {q}" for q in QS)]
    head += [f"true labels: genes, q = {q}" for q in QS]
    body = []
    for name in evidence.names("permuted"):
        permuted = evidence.of(name)
        true = evidence.of(name.replace("permuted", "true"))
        if permuted or true:
            counts = [" ".join(str(len(selected(r, q))) for r in true) for q in QS]
            size = evidence.scenarios[name].size
            title = name.removeprefix("permuted: ")
            body.append([title, size, len(permuted), *shares(permuted), *counts])
    return lines(head, body)


def again(evidence):
    """How many of the draws that were run again select the same, and the others one by one."""
    head = ["method", "draws", *(f"same, q = {q}" for q in QS), "commit"]
    body, others = [], []
    for method in (OURS, ATTRIBUTABLE):
        found = pairs(evidence, method)
        if found:
            commits = ", ".join(dict.fromkeys(now["commit"] for _, now in found))
            counts = [sum(same(pair, [q]) for pair in found) for q in QS]
            body.append([METHODS[method].title, len(found), *counts, commits])
        others += [
            [METHODS[method].title, *changed(pair, q)]
            for pair in found
            for q in QS
            if not same(pair, [q])
        ]
    table = lines(head, body)
    if not others:
        return table
    return (
        table
        + "\n"
        + lines(["method", "scenario", "draw", "q", "features", "FDP", "power"], others)
    )


def changed(pair, q):
    """What a draw selected at a level, then and now."""
    counts = " → ".join(str(len(selected(record, q))) for record in pair)
    rates = [" → ".join(f"{f(record, q):.2f}" for record in pair) for f in (lenient, power)]
    if not pair[0]["relevant"]:
        rates = ["–", "–"]
    return [pair[0]["scenario"], pair[0]["draw"], q, counts, *rates]


def made_with(evidence):
    """Dates, machines and commits of the records, and of the times that stand among them."""
    body = []
    for method in (OURS, ATTRIBUTABLE, *PEERS):
        records = evidence.records.get(method, {}).values()
        body += [[METHODS[method].title, *stamp] for stamp in stamps(records)]
    for cost in evidence.costs:  # both times of its ratio are of one run
        body += [[cost["what"], *stamp] for stamp in stamps([{**UNKNOWN, **cost}])]
    return lines(["method", "date", "machine", "commit"], body)
