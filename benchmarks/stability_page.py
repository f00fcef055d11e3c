"""The numbers of stability_table.py as a page, with the published statements checked on them."""

import itertools

import numpy as np

from benchmarks.stability_table import K
from reproduce.experiments.frel.methods import FREL_SETTINGS, GAMMAS, NEIGHBORS, SCALINGS, SOLVERS
from reproduce.experiments.frel.subsampling import SIZES

BY = ("w", "|w|")
AVERAGED = {"ranks": "ranks, Spearman", "eq. 22": "ranks, eq. 22", "weights": "weights, Spearman"}
RIVALS = ("Relief", "ReliefF", "Fisher")
INTRO = """# Stability of ensembles of feature weighters

`python -m benchmarks.stability_table` makes this page, here in {minutes:.0f} minutes.

{machine}
Protocol of the FREL paper (TNNLS 2015, section IV): c = 10 subsamples of 90 % of the rows without
replacement; on each an ensemble of m = 20 members on 90 % of its rows; stability is the mean
similarity of the ten rankings (eq. 21). Log+L1 has γ = 0.01, Log+L2 γ = 1, Square+L2 γ = 0.1,
ReliefF and Lmba 10 neighbors. The same subsets serve every method. The paper shows bars without
numbers, and does not say all of how they were made. Measured here is every combination of:

- how the features are scaled: raw, to [0, 1], z-scored (each over the whole set, beforehand);
- what is ranked in FREL and Lmba, which have negative weights: w, as in the text, or |w|;
- what solves eq. 2: its exact minimizer, or one literal pass of Algorithm 1 ("paper");
- how many neighbors FREL takes: 1, as in the text, or 10 as ReliefF does, which is ours;
- how an ensemble is ranked and compared: mean ranks put in order and compared by Spearman ("ranks,
  Spearman"); mean ranks put into eq. 22 as they are, as the text has it ("ranks, eq. 22"); mean
  weights as in eq. 10 ("weights, Spearman").

Eq. 22 is Spearman's correlation only for permutations. Mean ranks spread less, so their squared
differences are smaller than the formula allows for, and it rewards an ensemble whose members
disagree: all its mean ranks lie near the middle.
"""


def page(found, machine):
    """Markdown."""
    parts = [INTRO.format(machine=machine, minutes=found["seconds"] / 60)]
    parts += [statements(found), growth_with_m(found), growth_with_gamma(found)]
    parts += [lmba_and_vr_lmba(found), by_chance(found)]
    parts += [every_number(found), places_of_all(found)]
    return "\n".join(parts)


def data_of(found):
    return list(dict.fromkeys(name for name, _, _ in found["table"]))


def readings():
    return list(itertools.product(SCALINGS, BY, AVERAGED, SOLVERS, NEIGHBORS))


def seven(found, name, reading):
    """Stability of the seven methods of the paper's Fig. 1, under one reading."""
    scaling, by, averaged, solver, k = reading
    table = found["table"]
    values = {r: table[name, scaling, (r, None, None)]["w"][averaged] for r in RIVALS}
    values |= {f: table[name, scaling, (f, solver, k)][by][averaged] for f in FREL_SETTINGS}
    values["VR-Lmba"] = table[name, scaling, ("VR-Lmba", solver, 10)][by]["single"]
    return values


def places(values):
    """Place of each method, 1 for the most stable."""
    order = sorted(values, key=values.get, reverse=True)
    return {name: order.index(name) + 1 for name in order}


def lowest(p):
    return p["Log+L1"] == len(p)


def highest(p):
    return {p["Log+L2"], p["Square+L2"]} == {1, 2}


def statements(found):
    """How often each published statement about the order holds, by reading."""
    names = data_of(found)
    place = {(n, r): places(seven(found, n, r)) for n in names for r in readings()}
    lines = [
        "## Which published statements hold where\n",
        "Of seven methods (En-Relief, En-ReliefF, En-Fisher, En-Log+L1, En-Log+L2, En-Square+L2,",
        "VR-Lmba by itself), the paper has En-Log+L1 last and both En-Log+L2 and En-Square+L2",
        f"first, on every set. Share of the {len(readings())} readings in which that is so:\n",
        f"| readings | {' | '.join(f'L1 last, {n} | L2 first, {n}' for n in names)} |",
        "|---" * (1 + 2 * len(names)) + "|",
    ]
    groups = {"all": readings()}
    for position, title in enumerate(("scaling", "ranked by", "compared by", "solver", "k")):
        for value in dict.fromkeys(r[position] for r in readings()):
            chosen = [r for r in readings() if r[position] == value]
            groups[escaped(f"{title}: {AVERAGED.get(value, value)}")] = chosen
    for title, chosen in groups.items():
        cells = []
        for name, check in itertools.product(names, (lowest, highest)):
            held = sum(check(place[name, r]) for r in chosen)
            cells.append(f"{held} of {len(chosen)}")
        lines.append(f"| {title} | {' | '.join(cells)} |")
    both = [r for r in readings() if all(check(place[n, r]) for n in names for check in CHECKS)]
    said = "; ".join(describe(r) for r in both) if both else "none"
    lines.append(f"\nReadings under which both hold on both sets: {said}.\n")
    return "\n".join(lines)


CHECKS = (lowest, highest)


def describe(reading):
    scaling, by, averaged, solver, k = reading
    return f"{scaling}, {by}, {AVERAGED[averaged]}, {solver}, k = {k}"


def growth_with_m(found):
    names = data_of(found)
    lines = [
        "## Growth with the number of members\n",
        "Published: stability grows with m and saturates near 20. Features in [0, 1], ranked by w,",
        "mean ranks compared by Spearman.\n",
    ]
    for name in names:
        rows = {
            k: v["w"]["growth"]
            for (n, s, k), v in found["table"].items()
            if (n, s) == (name, "[0, 1]")
        }
        sizes = [m for m in SIZES if m in next(iter(rows.values()))]
        lines += [f"### {name}\n", f"| method | {' | '.join(f'm = {m}' for m in sizes)} |"]
        lines.append("|---" * (1 + len(sizes)) + "|")
        lines += [f"| {title(k)} | {numbers(g[m] for m in sizes)} |" for k, g in rows.items()]
        lines.append("")
    every = [v["w"]["growth"] for v in found["table"].values()]
    rising = sum(g[1] < g[5] < g[10] < g[20] for g in every)
    first, last = (np.median([g[b] - g[a] for g in every]) for a, b in ((1, 10), (10, 20)))
    lines.append(
        f"Over all scalings, sets and methods: rising from 1 to 5 to 10 to 20 members in {rising} "
        f"of {len(every)}; the median gain is {first:.3f} from 1 to 10 and {last:.3f} from 10 to "
        "20.\n"
    )
    return "\n".join(lines)


def growth_with_gamma(found):
    lines = [
        "## Growth with γ\n",
        "Published: the stability of Log+L2 and En-Log+L2 grows with γ. Features in [0, 1], ranked",
        f"by w; alone / in an ensemble of 20 / its 3-NN accuracy with {K} features, on the rows",
        "outside each subsample.\n",
    ]
    for name in data_of(found):
        lines += [f"### {name}\n", f"| solver, k | {' | '.join(f'γ = {g:g}' for g in GAMMAS)} |"]
        lines.append("|---" * (1 + len(GAMMAS)) + "|")
        for solver, k in itertools.product(SOLVERS, NEIGHBORS):
            cells = [
                " / ".join(f"{v:.3f}" for v in found["gamma"][name, g, solver, k]) for g in GAMMAS
            ]
            lines.append(f"| {solver}, {k} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def lmba_and_vr_lmba(found):
    lines = [
        "## Lmba and VR-Lmba\n",
        "With more features than samples the sample weights of VR-Lmba have no say in Lmba as the",
        "paper describes it. Its loss has no penalty, so that it can be made zero, and then all",
        "weights have the same minimizers; and a step of Algorithm 1 is divided by its length,",
        "which takes the weight of the sample out. So both rows of the tables agree. The weights",
        "count where w is kept at or above 0. Features in [0, 1], ranked by w, alone.\n",
        "| set, solver | Lmba | VR-Lmba | largest difference of weights, over the largest weight |",
        "|---|---|---|---|",
    ]
    for (name, label), (plain, reduced, apart) in found["lmba"].items():
        lines.append(f"| {name}, {label} | {plain:.3f} | {reduced:.3f} | {apart:.0e} |")
    return "\n".join(lines) + "\n"


def by_chance(found):
    lines = [
        "## How much is chance\n",
        "The same with three draws of the ten subsamples; the first is that of all other tables.",
        "Features in [0, 1], ranked by w, mean ranks compared by Spearman. In a draw all methods",
        "share their subsets, so that differences between methods are surer than the figures.\n",
        "| set, method | first draw | second | third |",
        "|---|---|---|---|",
    ]
    lines += [f"| {n}, {title(k)} | {numbers(v)} |" for (n, k), v in found["draws"].items()]
    return "\n".join(lines) + "\n"


def every_number(found):
    lines = [
        "## Every number\n",
        f"The last column is the 3-NN accuracy with the {K} best features. Where fewer have a",
        "weight, as in the exact Log+L1 with ten neighbors, the others come in the order of the",
        "data.\n",
    ]
    columns = [f"{kind}, {escaped(by)}" for by in BY for kind in ("alone", *AVERAGED.values())]
    for name, scaling in dict.fromkeys((n, s) for n, s, _ in found["table"]):
        lines += [f"### {name}, {scaling}\n", f"| method | {' | '.join(columns)} | 3-NN |"]
        lines.append("|---" * (2 + len(columns)) + "|")
        for (n, s, key), v in found["table"].items():
            if (n, s) == (name, scaling):
                cells = [v[by][kind] for by in BY for kind in ("single", *AVERAGED)]
                lines.append(f"| {title(key)} | {numbers([*cells, v['accuracy']])} |")
        lines.append("")
    return "\n".join(lines)


def places_of_all(found):
    names = data_of(found)
    lines = [
        "## Places under every reading\n",
        "Place of En-Log+L1 / En-Log+L2 / En-Square+L2 among the seven, 1 for the most stable.\n",
        f"| scaling | ranked by | compared by | solver | k | {' | '.join(names)} |",
        "|---" * (5 + len(names)) + "|",
    ]
    for reading in readings():
        scaling, by, averaged, solver, k = reading
        cells = []
        for name in names:
            p = places(seven(found, name, reading))
            text = " / ".join(str(p[f]) for f in FREL_SETTINGS)
            cells.append(f"**{text}**" if lowest(p) and highest(p) else text)
        head = [scaling, escaped(by), AVERAGED[averaged], solver, str(k)]
        lines.append(f"| {' | '.join([*head, *cells])} |")
    return "\n".join(lines) + "\n"


def escaped(text):
    return text.replace("|", "\\|")


def title(key):
    name, solver, k = key
    return name if solver is None else f"{name}, {solver}, k = {k}"


def numbers(values):
    return " | ".join(f"{v:.3f}" for v in values)
