"""Section on real batches: bladder cancer."""

import numpy as np

from reproduce.experiments.batches.bladder import (
    DRAWN,
    EFFECT,
    EXPERIMENT,
    METHODS,
    MIXED,
    OWN,
    SHIFTED,
)
from reproduce.harness.experiment import Key
from reproduce.harness.markdown import table
from reproduce.harness.records import values
from reproduce.harness.section import Check, Section

SHOWN = {"plain": "LOFE", "strata": "LOFE, strata=batch"}
SMALL, OFTEN = 0.1, 3  # a p this small in more draws than this, of ten, is more than chance
ABOUT = f"""Debian's `r-bioc-bladderbatch`: 57 samples, 22,283 genes, five batches. No batch but
number {MIXED} holds both cancers and normal samples, and which genes are shifted for no good reason
is not known. So labels are drawn for the 40 cancers of batches 1, 2 and 5: 80 % of batch 5 are
labeled 1, and 20 % of the others, whichever. Then no gene has to do with the labels but by the
batch, and whatever differs between batches, perhaps by the stage of the cancers, is unwanted. In
the second case the label adds {EFFECT:g} standard deviations within batches to five genes, drawn
too. A gene is called shifted if the batches differ with p ≤ {SHIFTED:g} among the cancers."""


def body(records):
    """What is selected, on average over the draws; and the question of the data themselves."""
    share, explained = values(records, "nothing", "plain", "base")[0]
    head = ["labels of", "method", "of the five", "others", "shifted", "by the batch", "p ≤ 0.1"]
    rows = [cells(records, case, method) for case in DRAWN for method in METHODS]
    return "\n\n".join(
        [
            ABOUT,
            f"Genes with a weight, mean of {n_draws(records)} draws: of the five, others, and how "
            "many of these others are shifted; the share of the variance of these others that the "
            "batch explains; and how often the permutation test finds something where nothing is. "
            f"Of all genes {100 * share:.0f} % are shifted, and the batch explains "
            f"{100 * explained:.0f} % of their variance.",
            table(head, rows),
            own_text(records),
        ]
    )


def cells(records, case, method):
    """A line of the table."""
    mean = {name: np.mean(values(records, case, method, name)) for name in ("true", "others")}
    explained = np.concatenate(values(records, case, method, "explained"))
    small = n_small(records, method) if case == "nothing" else ""
    return [
        case,
        SHOWN[method],
        f"{mean['true']:.1f}" if DRAWN[case] else "",
        f"{mean['others']:.1f}",
        f"{np.mean(values(records, case, method, 'shifted')):.1f}",
        f"{100 * explained.mean():.0f} %" if len(explained) else "",
        small,
    ]


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


def n_small(records, method):
    """In how many draws the permutation test finds something where nothing is."""
    return int(sum(p <= SMALL for p in values(records, "nothing", method, "p")))


def with_shifted(records, case, method):
    """In how many draws a shifted gene is selected."""
    return int(np.count_nonzero(values(records, case, method, "shifted")))


def checks(records):
    """What strata are required to do, set beforehand."""
    n = n_draws(records)
    for case in DRAWN:
        plain, strata = (with_shifted(records, case, method) for method in METHODS)
        text = f"{case}: without strata shifted genes are selected, in every draw"
        yield Check(plain == n, text, f"{plain} of {n}")
        text = f"{case}: with strata none, in every draw"
        yield Check(strata == 0, text, f"some in {strata} of {n}")
    small = n_small(records, "strata")
    text = (
        f"permutation test: with strata p ≤ {SMALL:g} in at most {OFTEN} of 10 draws where there "
        "is nothing"
    )
    found = f"{small} of {n}, without strata {n_small(records, 'plain')}"
    yield Check(small <= OFTEN, text, found)
    plain, strata = (np.mean(values(records, "five genes", m, "true")) for m in METHODS)
    text = "true genes: with strata at least as many of the five are selected as without"
    yield Check(bool(strata >= plain), text, f"{strata:.1f} and {plain:.1f}")


def reasons(records):
    """Chance, and few samples."""
    share, _ = values(records, "nothing", "plain", "base")[0]
    rates = {
        case: sum(values(records, case, "strata", "shifted"))
        / max(sum(values(records, case, "strata", "others")), 1)
        for case in DRAWN
    }
    found = ", ".join(f"{case} {100 * rate:.1f} %" for case, rate in rates.items())
    return (
        "With 40 samples and 22,283 genes some genes have a weight by chance, with strata too; a "
        f"gene drawn blindly is shifted in {100 * share:.0f} %, one selected with strata though "
        f"it has nothing to do with the labels in: {found}. With five genes that do tell the "
        "labels apart there is less room for shifted ones, also without strata. Strata compare "
        "fewer samples with each other, so some true genes may be missed and more others have a "
        "weight by chance."
    )


SECTION = Section(
    experiment=EXPERIMENT,
    title="Batches: bladder cancer, without and with strata",
    body=body,
    checks=checks,
    reasons=reasons,
)
