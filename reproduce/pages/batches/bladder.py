"""Section on real batches: bladder cancer."""

import numpy as np
from scipy.stats import binomtest

from reproduce.experiments.batches.bladder import (
    AUTO,
    EFFECTS,
    EXPERIMENT,
    FDR,
    FIRST,
    FWER,
    METHODS,
    MIXED,
    N_TRUE,
    OWN,
    SHIFTED,
)
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import table
from reproduce.harness.records import values
from reproduce.harness.section import Check, Section

SHOWN = {"plain": "LOFE", "strata": "LOFE, strata=batch"}
NAMES = ("true", "others", "shifted")  # what is counted of the genes selected
NOTHING, ONE = AUTO
SMALL, OFTEN = 0.1, 3  # a p this small in more draws than this, of ten, is more than chance
CHANCE = 0.05  # a p below is not chance
ABOUT = f"""Debian's `r-bioc-bladderbatch`: 57 samples, 22,283 genes, five batches. No batch but
number {MIXED} holds both cancers and normal samples, and which genes are shifted for no good reason
is not known. So labels are drawn for the 40 cancers of batches 1, 2 and 5: 80 % of batch 5 are
labeled 1, and 20 % of the others, whichever. Then no gene has to do with the labels but by the
batch, and whatever differs between batches, perhaps by the stage of the cancers, is unwanted. In
two more cases the label adds {EFFECTS["five genes"]:g} or {EFFECTS["five strong genes"]:g} standard
deviations within batches to five genes, drawn too. A gene is called shifted if the batches differ
with p ≤ {SHIFTED:g} among the cancers."""


def body(records):
    """What is selected, on average over the draws; and the question of the data themselves."""
    share, explained = values(records, "nothing", "plain", "base")[0]
    head = ["labels of", "method", "of the five", "others", "shifted", "by the batch"]
    head += [f"q ≤ {FDR:g}: of the five", "others", "shifted", f"p ≤ {SMALL:g}"]
    rows = [cells(records, case, method) for case in EFFECTS for method in METHODS]
    return "\n\n".join(
        [
            ABOUT,
            f"Genes with a weight, mean of {n_draws(records)} draws: of the five, others, and how "
            "many of these others are shifted; the share of the variance of these others that the "
            f"batch explains; the same numbers of the genes with q ≤ {FDR:g} by permuted labels; "
            "and in how many draws the permutation test finds anything. "
            f"Of all genes {100 * share:.0f} % are shifted, and the batch explains "
            f"{100 * explained:.0f} % of their variance.",
            table(head, rows),
            told_text(records),
            auto_text(records),
            own_text(records),
        ]
    )


def cells(records, case, method):
    """A line of the table."""
    mean = [np.mean(values(records, case, method, name)) for name in NAMES]
    listed = values(records, case, method, "listed")
    sure = [np.mean([one[name] for one in listed]) for name in NAMES]
    explained = np.concatenate(values(records, case, method, "explained"))
    shown, sure = ([f"{number:.1f}" for number in numbers] for numbers in (mean, sure))
    if not EFFECTS[case]:
        shown[0] = sure[0] = ""
    by_batch = f"{100 * explained.mean():.0f} %" if len(explained) else ""
    return [case, SHOWN[method], *shown, by_batch, *sure, n_small(records, case, method)]


def told_text(records):
    """What the best test that knows the batches could tell of the five."""
    told = {case: np.mean(values(records, case, "strata", "told")) for case in EFFECTS}
    weak, strong = (f"{told[case]:.1f}" for case in ("five genes", "five strong genes"))
    return (
        f"How many of the {N_TRUE} can be told from the best of all genes by chance, a t-test "
        f"within batches says, with p ≤ {FWER:g} for any gene: {weak} of the five genes, and "
        f"{strong} of the five strong ones."
    )


def auto_text(records):
    """The same with the penalty that noise does not exceed."""
    _, effect = AUTO[ONE]
    rows = [
        [case, SHOWN[method], *auto_cells(records, case, method)]
        for case in AUTO
        for method in METHODS
    ]
    head = ["labels of", "method", "the gene", "others", "shifted", "draws with a shifted one"]
    return (
        'The same with `LOFE(alpha="auto", order="both")`, whose penalty is what noise does not '
        f"exceed, on {n_draws(records)} other draws of labels: of nothing, and of one gene to "
        f"which the label adds {effect:g} standard deviations. That number was chosen on draws "
        f"100 to 109, those of the table begin with {FIRST}.\n\n" + table(head, rows)
    )


def auto_cells(records, case, method):
    """How many are selected on average, and in how many draws a shifted one is."""
    found = [np.mean(values(records, case, method, name)) for name in NAMES]
    shown = [f"{number:.1f}" for number in found]
    shown[0] = shown[0] if AUTO[case][0] else ""
    return [*shown, with_shifted(records, case, method)]


def own_text(records):
    """Cancer against normal, as far as the batches allow."""
    plain, strata = (records[Key(OWN, method, 0)] for method in METHODS)
    used, n = strata["samples"]
    both = len(set(plain["genes"]) & set(strata["genes"]))
    return (
        f"The question of the data, cancer or normal, is one of batch {MIXED} alone: strata can "
        f"compare {used} of the {n} samples, and the others are left out of the loss. LOFE selects "
        f"{len(plain['genes'])} genes without strata and {len(strata['genes'])} with them, {both} "
        f"of them both times. Of the {plain['left_out']} samples of batch {MIXED}, each left out "
        f"in turn, {plain['wrong']} and {strata['wrong']} are wrong."
    )


def n_draws(records):
    """Number of draws stored."""
    return len(values(records, "nothing", "plain", "p"))


def n_small(records, case, method):
    """In how many draws the permutation test finds something."""
    return int(sum(p <= SMALL for p in values(records, case, method, "p")))


def with_shifted(records, case, method):
    """In how many draws a shifted gene is selected."""
    return int(np.count_nonzero(values(records, case, method, "shifted")))


def more_than_blindly(records, method):
    """p that as many of the others would be shifted if they were drawn blindly; and how many are.

    Over all draws of all cases.
    """
    n_shifted, n_others = (
        sum(sum(values(records, case, method, name)) for case in EFFECTS)
        for name in ("shifted", "others")
    )
    share, _ = values(records, "nothing", "plain", "base")[0]
    if not n_others:
        return 1.0, 0, 0
    p = binomtest(n_shifted, n_others, share, alternative="greater").pvalue
    return float(p), n_shifted, n_others


def checks(records):
    """What strata are required to do.

    The first four lines, the permutation test and the true ones of the five genes were set
    beforehand; the strong genes, the comparison with chance and q-values were added when it was
    clear that two standard deviations cannot be told from chance in 40 samples.
    """
    n = n_draws(records)
    for case in ("nothing", "five genes"):
        plain, strata = (with_shifted(records, case, method) for method in METHODS)
        text = f"{case}: without strata shifted genes are selected, in every draw"
        yield Check(plain == n, text, f"{plain} of {n}")
        text = f"{case}: with strata none, in every draw"
        yield Check(strata == 0, text, f"some in {strata} of {n}")
    strata = with_shifted(records, "five strong genes", "strata")
    text = "five strong genes: with strata no shifted gene is selected, in every draw"
    yield Check(strata == 0, text, f"some in {strata} of {n}")
    for case in ("five genes", "five strong genes"):
        plain, strata = (np.mean(values(records, case, m, "true")) for m in METHODS)
        text = f"{case}: with strata at least as many of the five are selected as without"
        yield Check(bool(strata >= plain), text, f"{strata:.1f} and {plain:.1f}")
    yield from auto_checks(records)
    yield from chance_checks(records)
    small = n_small(records, "nothing", "strata")
    text = (
        f"permutation test: with strata p ≤ {SMALL:g} in at most {OFTEN} of 10 draws where there "
        "is nothing"
    )
    found = f"{small} of {n}, without strata {n_small(records, 'nothing', 'plain')}"
    yield Check(small <= OFTEN, text, found)
    listed = [
        one["shifted"] for case in EFFECTS for one in values(records, case, "strata", "listed")
    ]
    text = f"q ≤ {FDR:g}: with strata no shifted gene, in every draw of all cases"
    yield Check(not any(listed), text, f"some in {np.count_nonzero(listed)} of {len(listed)}")


def auto_checks(records):
    """Without strata shifted genes are selected, with strata none and the true one."""
    n = n_draws(records)
    for case in AUTO:
        plain, strata = (with_shifted(records, case, method) for method in METHODS)
        text = f"{case}: without strata shifted genes are selected, in most draws"
        yield Check(2 * plain > n, text, f"{plain} of {n}")
        text = f"{case}: with strata none, in every draw"
        yield Check(strata == 0, text, f"some in {strata} of {n}")
    kept = sum(values(records, ONE, "strata", "true"))
    text = f"{ONE}: with strata the gene is selected, in every draw"
    yield Check(kept == n, text, f"{kept} of {n}")


def chance_checks(records):
    """Shifted genes are selected because of the batch, or by chance as any others."""
    text = "genes selected though they have nothing to do with the labels are shifted {} if drawn "
    text += "blindly, over all draws: {} strata"
    for method, how, where in (
        ("plain", "more often than", "without"),
        ("strata", "no more often than", "with"),
    ):
        p, n_shifted, n_others = more_than_blindly(records, method)
        met = p < CHANCE if method == "plain" else p >= CHANCE
        yield Check(met, text.format(how, where), f"{n_shifted} of {n_others}, p {p:.2g}")


def reasons(records):
    """Chance, and few samples."""
    share, _ = values(records, "nothing", "plain", "base")[0]
    _, n_shifted, n_others = more_than_blindly(records, "strata")
    return (
        "With 40 samples and 22,283 genes some genes have a weight by chance, with strata too, and "
        f"some of these are shifted by chance: {100 * n_shifted / max(n_others, 1):.1f} % of them, "
        f"where a gene drawn blindly is shifted in {100 * share:.0f} %. What is selected by chance "
        "is the concern of q-values, what is selected because of the batch that of strata. Where "
        "five genes explain the labels well there is no room for others, without strata either: "
        "strong ones leave out the shifted ones by themselves. Strata compare fewer samples with "
        "each other, so more genes have a weight by chance where nothing explains the labels, and "
        "fewer of the five have a small q. With the penalty that noise does not exceed hardly a "
        "gene has a weight by chance, and one gene of four standard deviations explains most: "
        f"without strata others come in beside it in some draws only, {came_in(records)}."
    )


def came_in(records):
    """Genes selected beside the true one, and how many of them are shifted."""
    n_others, n_shifted = (sum(values(records, ONE, "plain", name)) for name in NAMES[1:])
    return f"{n_others} in all, of which {n_shifted} are shifted"


SECTION = Section(
    experiment=EXPERIMENT,
    title="Batches: bladder cancer, without and with strata",
    body=body,
    checks=checks,
    reasons=reasons,
)
